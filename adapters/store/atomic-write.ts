import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileOps } from './file-ops.ts';
import { systemError } from './file-ops.ts';
import { errnoOf, writeFailed } from './store-error.ts';

const tempName = /\.\d+-[0-9a-f]{12}\.tmp$/;
/** Scanners and indexers hold a file for moments (B83): four more tries, 10 to 80 ms apart. */
const retryPausesMs = [10, 20, 40, 80];

/** A file's new content, durable under a temporary name beside it. */
export interface Staged {
  readonly target: string;
  readonly temp: string;
}

/** Makes a folder (0700) and its missing parents, durably. Throws `StoreError` WRITE_FAILED. */
export async function ensureFolder(ops: FileOps, path: string): Promise<void> {
  try {
    const first = await ops.makeFolder(path);
    if (first === undefined) return;
    for (let made = path; made.length >= first.length; made = dirname(made)) {
      await ops.syncFolder(dirname(made));
    }
  } catch (error) {
    throw writeFailed('create the folder', path, error);
  }
}

/**
 * Writes and syncs the bytes under a unique name in the target's folder, so that a full disk fails before
 * anything has changed. The mode of a file that will be replaced is kept, a new one is 0600.
 * Throws `StoreError` WRITE_FAILED.
 */
export async function stageFile(ops: FileOps, target: string, bytes: Uint8Array): Promise<Staged> {
  await ensureFolder(ops, dirname(target));
  const temp = `${target}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    const there = await ops.stat(target);
    if (there?.isDirectory() === true) throw systemError('EISDIR', 'it is a folder');
    await writeNew(ops, temp, bytes, there?.isFile() === true ? there.mode & 0o777 : 0o600);
    return { target, temp };
  } catch (error) {
    throw writeFailed('write', target, error);
  }
}

/** Renames a staged file over its target. Names are not durable before the folder's sync. */
export async function placeStaged(ops: FileOps, staged: Staged): Promise<void> {
  try {
    await renameWithRetry(ops, staged.temp, staged.target);
  } catch (error) {
    await removeQuietly(ops, staged.temp);
    throw writeFailed('replace', staged.target, error);
  }
}

/** Replaces a file as a whole: after a crash it holds the old bytes or the new ones. */
export async function atomicWrite(ops: FileOps, target: string, bytes: Uint8Array): Promise<void> {
  await placeStaged(ops, await stageFile(ops, target, bytes));
  await syncFolder(ops, dirname(target));
}

/** Makes new, changed and removed names in a folder durable. Throws `StoreError` WRITE_FAILED. */
export async function syncFolder(ops: FileOps, folder: string): Promise<void> {
  try {
    await ops.syncFolder(folder);
  } catch (error) {
    // A folder that is not there holds no names.
    if (errnoOf(error) !== 'ENOENT') throw writeFailed('sync the folder', folder, error);
  }
}

/** Removes a file; one that is already gone is fine. */
export async function removeFile(ops: FileOps, path: string): Promise<void> {
  try {
    await ops.remove(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw writeFailed('remove', path, error);
  }
}

/** Writes a file that must not exist yet, synced; a half one is taken away. Rejects with the system's error. */
export async function writeNew(ops: FileOps, path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await ops.create(path, mode);
  try {
    await ops.write(file, bytes);
    await ops.sync(file);
  } catch (error) {
    await ops.close(file);
    await removeQuietly(ops, path);
    throw error;
  }
  await ops.close(file);
}

export async function renameWithRetry(ops: FileOps, from: string, to: string): Promise<void> {
  for (const wait of retryPausesMs) {
    try {
      await ops.rename(from, to);
      return;
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error))) throw error;
      await pause(wait);
    }
  }
  await ops.rename(from, to);
}

/** For clean-up after an error: a second error must not hide the first. Contract: never throws. */
export async function removeQuietly(ops: FileOps, path: string): Promise<void> {
  await ops.remove(path).catch(() => undefined);
}

/**
 * Removes temporary files that a killed process left in a folder (B81): names of our own pattern whose
 * target `owns` accepts. The caller holds the lock that every writer of those files takes, so none is in use.
 */
export async function sweepTemps(
  ops: FileOps,
  folder: string,
  owns: (name: string) => boolean,
): Promise<void> {
  for (const name of await listOrNone(ops, folder)) {
    if (tempName.test(name) && owns(name.replace(tempName, ''))) {
      await removeQuietly(ops, join(folder, name));
    }
  }
}

/** Names in a folder; none when it is missing or cannot be listed. */
export async function listOrNone(ops: FileOps, folder: string): Promise<string[]> {
  try {
    return await ops.list(folder);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [];
  }
}
