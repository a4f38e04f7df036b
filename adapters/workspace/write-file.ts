import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Target } from '../../tools/types.ts';
import { causeOf, errnoOf } from './cause.ts';
import { openFolder, type OpenFolder } from './open-folder.ts';

type Written = { ok: true; notes: readonly string[] } | { cause: string };

/**
 * Writes a whole file at a resolved target: temporary file, fsync, rename. Refuses a link at the end,
 * anything that is not a regular file, a file that nobody may write, and a parent that was swapped since
 * the target was resolved (B06). Keeps the mode bits, and as root the owner, of a file that is replaced.
 * Contract: never throws; `cause` begins with the path and names the errno.
 */
export async function writeWhole(target: Target, text: string): Promise<Written> {
  if (target.link) return { cause: `${target.path}: is a symbolic link, which is not followed for writing` };
  try {
    const folder = await openFolder(dirname(target.path));
    try {
      return await replace(folder, target.path, text);
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    return { cause: causeOf(target.path, error) };
  }
}

async function replace(folder: OpenFolder, path: string, text: string): Promise<Written> {
  const final = folder.at(basename(path));
  const old = await statOrNull(final);
  const objection = old === null ? null : objectionTo(old);
  if (objection !== null) return { cause: `${path}: ${objection}` };
  const temporary = folder.at(`.planchart-${randomUUID()}.tmp`);
  try {
    await writeNew(temporary, text, old);
    const place = await folder.moved();
    if (place !== null) return { cause: `${path}: its folder was moved to ${place} in the meantime` };
    await rename(temporary, final);
    return { ok: true, notes: [] };
  } finally {
    await rm(temporary, { force: true });
  }
}

function objectionTo(old: Stats): string | null {
  if (old.isSymbolicLink()) return 'became a symbolic link after it was checked (ELOOP)';
  if (old.isDirectory()) return 'is a folder (EISDIR)';
  if (!old.isFile()) return 'is not a regular file';
  // A rename needs no right to the file itself, and root needs none at all: the mode is what the owner meant.
  return (old.mode & 0o222) === 0 ? 'is read-only (EACCES)' : null;
}

async function writeNew(path: string, text: string, old: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // With the old bits from the start: a private file's new text is never readable by others in between.
  const file = await open(path, flags, old === null ? 0o666 : old.mode & 0o777);
  try {
    await file.writeFile(text);
    if (old !== null && process.getuid?.() === 0) await file.chown(old.uid, old.gid);
    if (old !== null) await file.chmod(old.mode & 0o7777);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
