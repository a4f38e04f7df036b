import { join } from 'node:path';
import { type Commit, fileLimitBytes } from '../../machines/index.ts';
import type { Revision } from '../ports.ts';
import { listOrNone, removeQuietly } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import { hashOf, readText } from './plan-file.ts';
import { isSeenFile } from './seen.ts';
import { errnoOf, readFailed } from './store-error.ts';

const revisionName = /^([0-9a-f]{64})\.md$/;

/** Revisions of the live plan's `.md`, the one written last at the end (D49). Throws `StoreError` READ_FAILED. */
export async function listRevisions(ops: FileOps, folder: string): Promise<Revision[]> {
  const found: { hash: string; changed: number }[] = [];
  for (const name of await namesIn(ops, folder)) {
    const hash = revisionName.exec(name)?.[1];
    if (hash === undefined) continue;
    const changed = await changeOf(ops, join(folder, name));
    if (changed !== null) found.push({ hash, changed });
  }
  return found
    .toSorted((a, b) => a.changed - b.changed || a.hash.localeCompare(b.hash))
    .map(({ hash, changed }) => ({ hash, at: new Date(changed).toISOString() }));
}

/**
 * Text of one revision; null when it is gone, or no longer the text that its name stands for. Throws
 * `StoreError` BAD_NAME for what is no hash, READ_FAILED.
 */
export async function readRevision(
  ops: FileOps,
  places: Places,
  session: string,
  hash: string,
): Promise<string | null> {
  const path = places.revision(session, hash);
  try {
    const bytes = await ops.read(path, fileLimitBytes);
    return bytes !== null && hashOf(bytes) === hash ? bytes.toString('utf8') : null;
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** A text that a commit keeps. `at` is when it came to be, ms since 1970, and becomes the file's time. */
export interface TextToKeep {
  path: string;
  text: string;
  at: number;
  isNew: boolean;
}

/**
 * The revision of a commit, and before it the `.md` that it replaces, if no one kept that: the text of another
 * program, or of an editor that was faster than the mirror.
 */
export async function textsToKeep(
  ops: FileOps,
  places: Places,
  session: string,
  { revision, document }: Commit,
  live: string,
): Promise<TextToKeep[]> {
  if (revision === undefined) return [];
  const keep = async (text: string, at: number): Promise<TextToKeep> => {
    const path = places.revision(session, hashOf(text));
    return { path, text, at, isNew: (await changeOf(ops, path)) === null };
  };
  // The clock of a file system may tick so slowly that two commits share a time.
  const now = await keep(revision.text, Date.now());
  const replaced = document === undefined ? null : await readText(ops, live);
  if (replaced?.kind !== 'text' || replaced.text === revision.text) return [now];
  const former = await keep(replaced.text, (await changeOf(ops, live)) ?? 0);
  return former.isNew ? [former, now] : [now];
}

/**
 * Removes the revisions of a plan that has ended, and who saw which (D49); its last text is in the archive. One that stays does
 * no harm: names are hashes of the content.
 * Contract: never throws for what the disk answers.
 */
export async function forgetRevisions(ops: FileOps, folder: string): Promise<void> {
  for (const name of await listOrNone(ops, folder)) {
    if (revisionName.test(name) || isSeenFile(name)) await removeQuietly(ops, join(folder, name));
  }
}

async function namesIn(ops: FileOps, folder: string): Promise<string[]> {
  try {
    return await ops.list(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw readFailed(folder, error);
  }
}

/** null: the plan has ended meanwhile. */
async function changeOf(ops: FileOps, path: string): Promise<number | null> {
  try {
    return (await ops.stat(path))?.mtimeMs ?? null;
  } catch (error) {
    throw readFailed(path, error);
  }
}
