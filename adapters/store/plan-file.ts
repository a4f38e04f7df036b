import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FileFound } from '../../machines/index.ts';
import { fileLimitBytes } from '../../machines/index.ts';
import type { FileOps } from './file-ops.ts';
import { causeOf, errnoOf } from './store-error.ts';

/** A plan file's bytes, or why there are none. `code` is the system's. */
export type BytesFound =
  | { kind: 'absent' }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'unreadable'; code: string; cause: string };

/** Hex SHA-256 of bytes, or of a text's UTF-8 bytes, which are the file's: reading changes nothing, a BOM stays. */
export function hashOf(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** What cannot be read is not absent (B82). Contract: never throws for what the disk answers. */
export async function readBytes(ops: FileOps, path: string): Promise<BytesFound> {
  try {
    const bytes = await ops.read(path, fileLimitBytes);
    return bytes === null ? { kind: 'absent' } : { kind: 'bytes', bytes };
  } catch (error) {
    const code = errnoOf(error);
    if (code === '') throw error;
    return { kind: 'unreadable', code, cause: causeOf(error) };
  }
}

/** A plan file as found (D8). Invalid UTF-8 is unreadable: what is approved must be the bytes on disk. */
export async function readText(ops: FileOps, path: string): Promise<FileFound> {
  return textIn(path, await readBytes(ops, path));
}

export function textIn(path: string, found: BytesFound): FileFound {
  if (found.kind === 'absent') return { kind: 'absent', path };
  if (found.kind === 'unreadable') return { kind: 'unreadable', path, cause: found.cause };
  if (!isUtf8(found.bytes)) return { kind: 'unreadable', path, cause: 'it is not valid UTF-8' };
  return { kind: 'text', path, text: found.bytes.toString('utf8'), hash: hashOf(found.bytes) };
}
