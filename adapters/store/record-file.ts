import { statSync } from 'node:fs';
import { SessionRecord, fileLimitBytes, recordVersion } from '../../machines/index.ts';
import type { FileOps } from './file-ops.ts';
import { StoreError, causeOf, errnoOf, remedyFor } from './store-error.ts';

/** The session's own record as it stands on disk. `bytes` are kept for putting it back or aside. */
export type RecordFound =
  | { kind: 'ok'; record: SessionRecord; bytes: Uint8Array }
  | { kind: 'damaged'; record: SessionRecord; bytes: Uint8Array; cause: string };

/** What a record falls back to where it cannot be read. */
export interface RecordDefaults {
  id: string;
  cwd: string;
  at: string;
}

/**
 * Reads and checks a record (D4). Damage is a value: what is still good in it is kept, the rest takes defaults.
 * Throws `StoreError` NO_SESSION when there is none, RECORD_UNREADABLE when it can't be read (which is not
 * the same, B82), RECORD_NEWER when a newer version wrote it.
 */
export async function readRecord(ops: FileOps, path: string, defaults: RecordDefaults): Promise<RecordFound> {
  const bytes = await readBytes(ops, path, defaults.id);
  const parsed = parseObject(bytes.toString('utf8'));
  if (typeof parsed === 'string')
    return { kind: 'damaged', record: salvage({}, defaults), bytes, cause: parsed };
  const version = parsed['v'];
  if (typeof version === 'number' && version > recordVersion) throw newer(path, version);
  const checked = SessionRecord.safeParse(parsed);
  if (checked.success && checked.data.id === defaults.id) return { kind: 'ok', record: checked.data, bytes };
  const issue = checked.error?.issues[0];
  const cause = issue
    ? `${issue.path.join('.')}: ${issue.message}`
    : `it is the record of ${String(parsed['id'])}`;
  return { kind: 'damaged', record: salvage(parsed, defaults), bytes, cause };
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
    return await ops.read(path, fileLimitBytes);
  } catch (error) {
    const cause = causeOf(error);
    if (errnoOf(error) === 'ENOENT') throw noSession(session, path);
    const text = `Cannot read the session record ${path}: ${cause}. ${remedyFor(error)}, then try again.`;
    throw new StoreError('RECORD_UNREADABLE', text, { path, cause }, error);
  }
}

/** The object, or in words why there is none. */
function parseObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    return 'it is not an object';
  } catch (error) {
    return causeOf(error);
  }
}

/** Field by field, so that one bad field does not cost the working folder or the queue. */
function salvage(found: Record<string, unknown>, defaults: RecordDefaults): SessionRecord {
  const base = { v: recordVersion, cwd: defaults.cwd, created: defaults.at, used: defaults.at };
  const good: Record<string, unknown> = { ...found };
  for (const [name, schema] of Object.entries(SessionRecord.shape)) {
    if (!(name in good)) continue;
    if (!schema.safeParse(good[name]).success) delete good[name];
  }
  return SessionRecord.parse({ ...base, ...good, v: recordVersion, id: defaults.id });
}

function newer(path: string, version: number): StoreError {
  const cause = `format ${version}, and this program knows ${recordVersion}`;
  const text =
    `The session record ${path} was written by a newer version of planchart (${cause}). ` +
    'It stays as it is; update planchart to go on with this session.';
  return new StoreError('RECORD_NEWER', text, { path, cause });
}
