import type { Commit } from '../commit.ts';
import { type KeptFile, type KeptFiles, recordText, type SessionRecord } from '../record.ts';
import type { FileFound, StoredSession } from '../stored.ts';

/** A plan file beyond this is not kept, and then not watched: the record holds the text. In UTF-16 units. */
const keptLimit = 512 * 1024;

const unwatched: KeptFile = { kind: 'unwatched' };

/** Before the first command of this kind: nothing is known yet; `keepFiles` fills it in from the disk. */
export const nothingKept: KeptFiles = { calls: 0, sidecar: unwatched, document: unwatched, restored: [] };

/**
 * The commit with what the plan files are after it, hash and bytes, written into the lease: only while a command
 * runs with a person's rights alone, for that one could change them (D22). Whatever differs later is not a
 * commit's doing, whichever process made it.
 */
export function keepFiles(
  stored: StoredSession,
  commit: Commit | null,
  record: SessionRecord,
  hash: (text: string) => string,
): Commit | null {
  const files = record.lease?.files ?? null;
  if (record.lease === null || files === null) return commit;
  const begins = (stored.record.lease?.files ?? null) === null;
  const keep = (name: 'sidecar' | 'document'): KeptFile => {
    const change = commit?.[name];
    if (change !== undefined) return 'text' in change ? keptText(change.text, hash) : { kind: 'absent' };
    return begins ? asFound(stored[name]) : files[name];
  };
  const kept = { ...files, sidecar: keep('sidecar'), document: keep('document') };
  const text = recordText({ ...record, lease: { ...record.lease, files: kept } });
  if (text === recordText(stored.record)) return commit;
  return { ...commit, record: { text, order: commit?.record?.order ?? 'first' } };
}

function keptText(text: string, hash: (text: string) => string): KeptFile {
  return text.length > keptLimit ? unwatched : { kind: 'text', hash: hash(text), text };
}

function asFound(found: FileFound): KeptFile {
  if (found.kind === 'text') return keptText(found.text, () => found.hash);
  return found.kind === 'absent' ? { kind: 'absent' } : unwatched;
}

/** The session as its commits left it: what a command has done to the plan files since decides nothing (D22). */
export function trusted(stored: StoredSession): StoredSession {
  const files = stored.record.lease?.files ?? null;
  if (files === null) return stored;
  return {
    ...stored,
    sidecar: asKept(stored.sidecar, files.sidecar),
    document: asKept(stored.document, files.document),
  };
}

function asKept(found: FileFound, kept: KeptFile): FileFound {
  if (!differs(found, kept)) return found;
  const { path } = found;
  if (kept.kind !== 'text') return { kind: 'absent', path };
  return { kind: 'text', path, text: kept.text, hash: kept.hash };
}

function differs(found: FileFound, kept: KeptFile): boolean {
  if (kept.kind === 'unwatched') return false;
  if (kept.kind === 'absent') return found.kind !== 'absent';
  return found.kind !== 'text' || found.hash !== kept.hash;
}

export interface Restoring {
  commit: Commit;
  /** Where that fails and the files are no readable ones anyway: the session says so, and the turn goes on. */
  givenUp: Commit;
  /** The files that are put back, as they were found. */
  changed: FileFound[];
}

/**
 * What puts back the plan files that no commit changed (D22), or null. A file that should not be there goes into
 * the archive, and the replaced text of a session plan is kept as a revision (D43). `at` is RFC 3339.
 */
export function restoring(stored: StoredSession, at: string): Restoring | null {
  const { lease } = stored.record;
  const files = lease?.files ?? null;
  if (lease === null || files === null) return null;
  const names = (['sidecar', 'document'] as const).filter((name) => differs(stored[name], files[name]));
  if (names.length === 0) return null;
  const changed = names.map((name) => stored[name]);
  const restored = [...new Set([...files.restored, ...changed.map(({ path }) => path)])];
  const noted = (more: Partial<KeptFiles>): Commit => {
    const record = { ...stored.record, lease: { ...lease, files: { ...files, ...more } } };
    return { record: { text: recordText(record), order: 'last' } };
  };
  const commit = noted({ restored });
  for (const name of names) {
    const kept = files[name];
    commit[name] = kept.kind === 'text' ? { text: kept.text } : { remove: true };
    if (name === 'document' && kept.kind === 'text') commit.revision = { text: kept.text };
  }
  if (names.some((name) => files[name].kind === 'absent')) {
    const stamp = at.replaceAll(/[-:]/gu, '').replace('T', '-').slice(0, 15);
    commit.archive = { suffix: '.orphan', stamp, ...(names.includes('sidecar') ? {} : { sidecar: null }) };
  }
  return { commit, givenUp: noted(Object.fromEntries(names.map((name) => [name, unwatched]))), changed };
}

/** For people and for the model: which files were put back. */
export const restoredText = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : `The command changed planchart's own files, which is not allowed: ${paths.join(' and ')}. Put back as last saved.`;
