import { createHash } from 'node:crypto';
import type { FileFound, StoredSession } from '../../machines/index.ts';
import { fileLimitBytes } from '../../machines/index.ts';
import { archiveNames } from './archive.ts';
import { listOrNone } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import type { RecordFound } from './record-file.ts';
import { readRecord } from './record-file.ts';
import { causeOf, errnoOf } from './store-error.ts';
import type { TurnLocks } from './turn-lock.ts';

export interface ReadParts {
  ops: FileOps;
  places: Places;
  turns: TurnLocks;
  /** Working folder of a session whose record lost it. */
  fallbackCwd: string;
}

/** Hex SHA-256 of a text's UTF-8 bytes, which are the file's bytes: reading changes nothing, a BOM stays. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * Everything a session is, read without changing anything; `found` says whether the record needs repair.
 * Throws what `readRecord` throws.
 */
export async function readSession(
  parts: ReadParts,
  session: string,
): Promise<{ stored: StoredSession; found: RecordFound }> {
  const { ops, places, turns } = parts;
  const paths = places.paths(session);
  const found = await recordOf(parts, session);
  const [sidecar, document, names] = await Promise.all([
    readText(ops, paths.sidecar),
    readText(ops, paths.document),
    listOrNone(ops, paths.archive),
  ]);
  const lease = found.record.lease;
  const leaseAlive = lease !== null && turns.alive(lease.turn);
  return {
    found,
    stored: { record: found.record, sidecar, document, leaseAlive, archives: archiveNames(session, names) },
  };
}

/** A plan file as found (D8). Invalid UTF-8 is unreadable: what is approved must be the bytes on disk. */
export async function readText(ops: FileOps, path: string): Promise<FileFound> {
  try {
    const bytes = await ops.read(path, fileLimitBytes);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: 'text', path, text, hash: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'absent', path };
    if (errnoOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return { kind: 'unreadable', path, cause: 'it is not valid UTF-8' };
    }
    if (errnoOf(error) === '') throw error;
    return { kind: 'unreadable', path, cause: causeOf(error) };
  }
}

/** The record of one session, with defaults taken from the file's own time. */
export async function recordOf(parts: ReadParts, session: string): Promise<RecordFound> {
  const path = parts.places.record(session);
  const stat = await parts.ops.stat(path).catch(() => null);
  return readRecord(parts.ops, path, {
    id: session,
    cwd: parts.fallbackCwd,
    at: new Date(stat?.mtimeMs ?? 0).toISOString(),
  });
}
