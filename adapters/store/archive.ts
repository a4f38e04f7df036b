import { dirname, join } from 'node:path';
import type { Commit } from '../../machines/index.ts';
import { fileLimitBytes } from '../../machines/index.ts';
import type { SessionPaths } from '../ports.ts';
import {
  ensureFolder,
  listOrNone,
  removeFile,
  removeQuietly,
  renameWithRetry,
  syncFolder,
} from './atomic-write.ts';
import { copyVerified } from './copy-verified.ts';
import type { Step } from './commit-plan.ts';
import type { FileOps } from './file-ops.ts';
import { archivePrefix } from './places.ts';
import { errnoOf, writeFailed } from './store-error.ts';

/** Archive copies of one commit's live files. */
export interface ArchiveWork {
  /** None without an archive order. The undo takes the copies back while the live files are still there. */
  readonly steps: readonly Step[];
  /**
   * Takes a live file away. One that could not be read (D9: too big, no rights, a folder or a link in its
   * place) is moved into the archive as it is, since nothing may be lost.
   */
  retire(live: string): Promise<void>;
}

interface Part {
  live: string;
  extension: 'json' | 'md';
  /** null: can't be read, to be moved. */
  bytes: Uint8Array | null;
}

/** This session's names in an archive folder, oldest first: by stamp, then by number. */
export function archiveNames(session: string, names: readonly string[]): string[] {
  const prefix = archivePrefix(session);
  const key = (name: string) => {
    const match = /^(\d{8}-\d{6})(?:-(\d+))?\./.exec(name.slice(prefix.length));
    return { name, stamp: match?.[1] ?? '', number: Number(match?.[2] ?? 0) };
  };
  return names
    .filter((name) => name.startsWith(prefix) && /\.(json|md)$/.test(name))
    .map(key)
    .sort((a, b) => compare(a.stamp, b.stamp) || a.number - b.number || compare(a.name, b.name))
    .map(({ name }) => name);
}

/** As they stand in the folder; none where it can't be listed. */
export async function listArchives(ops: FileOps, folder: string, session: string): Promise<string[]> {
  return archiveNames(session, await listOrNone(ops, folder));
}

/**
 * Names (D43): `opencrabs_plan_<session>-<stamp>[-n]<suffix>.json|.md`. The first pair of a second has no
 * number, later ones take `-1`, `-2` and so on, the same for both files. No archive file is ever overwritten.
 */
export function archiveWork(
  ops: FileOps,
  paths: SessionPaths,
  session: string,
  order: Commit['archive'],
): ArchiveWork {
  const copies: string[] = [];
  const moves = new Map<string, string>();
  const copy = async ({ sidecar, stamp, suffix }: NonNullable<Commit['archive']>) => {
    const parts = await readParts(ops, paths, sidecar);
    if (parts.length === 0) return;
    await ensureFolder(ops, paths.archive);
    const base = join(paths.archive, `${archivePrefix(session)}${stamp}`);
    const filled = await copyToFreeNames(ops, parts, (number) => {
      return `${base}${number === 0 ? '' : `-${number}`}${suffix}`;
    });
    copies.push(...filled.made);
    for (const { bytes, live, extension } of parts) {
      if (bytes === null) moves.set(live, `${filled.stem}.${extension}`);
    }
  };
  const undo = async () => {
    for (const path of copies) await removeQuietly(ops, path);
  };
  const sync = async () => {
    if (copies.length > 0) await syncFolder(ops, paths.archive);
  };
  return {
    steps: order ? [{ run: () => copy(order), undo }, { run: sync }] : [],
    retire: async (live) => {
      const target = moves.get(live);
      if (target === undefined) return removeFile(ops, live);
      await moveAside(ops, live, target);
    },
  };
}

/** Takes the lowest number whose two names are free and copies the readable parts there. */
async function copyToFreeNames(
  ops: FileOps,
  parts: readonly Part[],
  stemOf: (number: number) => string,
): Promise<{ stem: string; made: string[] }> {
  for (let number = 0; ; number += 1) {
    const stem = stemOf(number);
    if ((await taken(ops, `${stem}.json`)) || (await taken(ops, `${stem}.md`))) continue;
    const made = await copyAll(ops, parts, stem);
    if (made !== null) return { stem, made };
  }
}

/** The copies made; null, and none left, when somebody took one of the names first. */
async function copyAll(ops: FileOps, parts: readonly Part[], stem: string): Promise<string[] | null> {
  const made: string[] = [];
  for (const { bytes, extension } of parts) {
    if (bytes === null) continue;
    const target = `${stem}.${extension}`;
    try {
      await copyVerified(ops, bytes, target);
      made.push(target);
    } catch (error) {
      for (const path of made) await removeQuietly(ops, path);
      if (errnoOf(error) === 'EEXIST') return null;
      throw writeFailed('copy into the archive', target, error);
    }
  }
  return made;
}

async function taken(ops: FileOps, path: string): Promise<boolean> {
  try {
    return (await ops.stat(path)) !== null;
  } catch (error) {
    throw writeFailed('look up', path, error);
  }
}

/** What there is to keep: the sidecar unless the commit wants none, and the document. */
async function readParts(
  ops: FileOps,
  paths: SessionPaths,
  sidecar: string | null | undefined,
): Promise<Part[]> {
  const parts: Part[] = [];
  if (typeof sidecar === 'string') {
    parts.push({ live: paths.sidecar, extension: 'json', bytes: Buffer.from(sidecar) });
  } else if (sidecar === undefined) {
    parts.push(...(await readPart(ops, paths.sidecar, 'json')));
  }
  parts.push(...(await readPart(ops, paths.document, 'md')));
  return parts;
}

async function readPart(ops: FileOps, live: string, extension: Part['extension']): Promise<Part[]> {
  try {
    const bytes = await ops.read(live, fileLimitBytes);
    return bytes === null ? [] : [{ live, extension, bytes }];
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [{ live, extension, bytes: null }];
  }
}

async function moveAside(ops: FileOps, live: string, target: string): Promise<void> {
  try {
    await renameWithRetry(ops, live, target);
  } catch (error) {
    throw writeFailed('move into the archive', live, error);
  }
  await syncFolder(ops, dirname(target));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
