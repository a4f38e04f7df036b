import { createHash } from 'node:crypto';
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
  return createHash('sha256').update(content).digest('hex');
}

/** What cannot be read is not absent (B82). Contract: never throws for what the disk answers. */
export async function readBytes(ops: FileOps, path: string): Promise<BytesFound> {
  try {
    return { kind: 'bytes', bytes: await ops.read(path, fileLimitBytes) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return { kind: 'absent' };
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
  const text = decode(found.bytes);
  if (text === null) return { kind: 'unreadable', path, cause: 'it is not valid UTF-8' };
  return { kind: 'text', path, text, hash: hashOf(found.bytes) };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (errnoOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return null;
    throw error;
  }
}
