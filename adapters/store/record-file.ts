import { statSync } from 'node:fs';
import type { z } from 'zod';
import { SessionRecord, fileLimitBytes, recordVersion, upgradeRecord } from '../../machines/index.ts';
import type { FileOps } from './file-ops.ts';
import { StoreError, causeOf, errnoOf, remedyFor } from './store-error.ts';

/** The session's own record as it stands on disk. `bytes` are kept for putting it back or aside. */
export type RecordFound =
  | { kind: 'ok'; record: SessionRecord; bytes: Uint8Array }
  /** Of an earlier version: `record` is already as this one says it; the first write sets the file aside (D4). */
  | { kind: 'older'; record: SessionRecord; bytes: Uint8Array; version: number }
  | { kind: 'damaged'; record: SessionRecord; bytes: Uint8Array; cause: string };

type Fields = Record<string, unknown>;

/** What a damaged record falls back to: time of its last change, and where the session's plan files lie. */
export interface Fallback {
  cwd: string;
  at: string;
  project: string | null;
}

/**
 * Reads and checks a record (D4). Damage is a value: what is still good in it is kept, the rest takes defaults.
 * Throws `StoreError` NO_SESSION when there is none, RECORD_UNREADABLE when it can't be read (which is not
 * the same, B82), RECORD_NEWER when a newer version wrote it. Bytes that are still those of `known` are not
 * checked again.
 */
export async function readRecord(
  ops: FileOps,
  path: string,
  session: string,
  fallback: () => Promise<Fallback>,
  known: RecordFound | null = null,
): Promise<RecordFound> {
  const bytes = await readBytes(ops, path, session);
  if (known !== null && bytes.equals(known.bytes)) return known;
  const damaged = async (fields: Fields, cause: string): Promise<RecordFound> => {
    return { kind: 'damaged', record: salvage(fields, session, await fallback()), bytes, cause };
  };
  const parsed = parseObject(bytes.toString('utf8'));
  if (typeof parsed === 'string') return damaged({}, parsed);
  const version = parsed['v'] ?? 0;
  if (typeof version === 'number' && version > recordVersion) throw newer(path, version);
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0)
    return damaged(parsed, `v: ${JSON.stringify(version)} is no version`);
  const fields = upgradeRecord(parsed, version);
  const checked = SessionRecord.safeParse(fields);
  if (!checked.success) return damaged(fields, wordsOf(checked.error));
  const record = checked.data;
  if (record.id !== session) return damaged(fields, `it is the record of ${record.id}`);
  return version === recordVersion
    ? { kind: 'ok', record, bytes }
    : { kind: 'older', record, bytes, version };
}

function wordsOf({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'it is no record' : `${issue.path.join('.')}: ${issue.message}`;
}

/** The text form of a record. */
export function recordText(record: SessionRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/**
 * Throws `StoreError` NO_SESSION when there is no record, so that a session that does not exist gets no lock
 * file. Answers at once: callers that wait for it before the lock could overtake each other.
 */
export function checkSession(path: string, session: string): void {
  if (isAbsent(path)) throw noSession(session, path);
}

function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // What can't be looked at is not absent (B82); reading it says why.
    if (errnoOf(error) === '') throw error;
    return false;
  }
}

function noSession(session: string, path: string): StoreError {
  const text = `No session ${session}: ${path} does not exist. Start one, or list the sessions that there are.`;
  return new StoreError('NO_SESSION', text, { path, cause: 'no such file' });
}

async function readBytes(ops: FileOps, path: string, session: string): Promise<Buffer> {
  try {
    const bytes = await ops.read(path, fileLimitBytes);
    if (bytes !== null) return bytes;
  } catch (error) {
    const cause = causeOf(error);
    const text = `Cannot read the session record ${path}: ${cause}. ${remedyFor(error)}, then try again.`;
    throw new StoreError('RECORD_UNREADABLE', text, { path, cause }, error);
  }
  throw noSession(session, path);
}

/** The object, or in words why there is none. */
function parseObject(text: string): Fields | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    return 'it is not an object';
  } catch (error) {
    return causeOf(error);
  }
}

/** Field by field, so that one bad field does not cost the working folder or the queue. */
function salvage(found: Fields, session: string, { at, ...fallback }: Fallback): SessionRecord {
  const good: Fields = { ...found };
  for (const [name, schema] of Object.entries(SessionRecord.shape)) {
    if (!(name in good)) continue;
    if (!schema.safeParse(good[name]).success) delete good[name];
  }
  // The record of another session says nothing of this one's folder.
  if (good['id'] !== session) delete good['project'];
  const base = { ...fallback, created: at, used: at };
  return SessionRecord.parse({ ...base, ...good, v: recordVersion, id: session });
}

function newer(path: string, version: number): StoreError {
  const cause = `format ${version}, and this program knows ${recordVersion}`;
  const text =
    `The session record ${path} was written by a newer version of planchart (${cause}). ` +
    'It stays as it is; update planchart to go on with this session.';
  return new StoreError('RECORD_NEWER', text, { path, cause });
}
