import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errnoOf } from './cause.ts';

/** An open folder. `at(name)` is a path into this very folder, whatever its own path leads to meanwhile. */
export interface OpenFolder {
  readonly handle: FileHandle;
  at(name: string): string;
  /** Null while the folder is still where it was judged to be, else where it is now. */
  moved(): Promise<string | null>;
}

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a folder by its resolved path, making what is missing, without following a link that somebody
 * put there after the path was judged (B06): each step goes through the descriptor of the one before.
 * Throws what the disk says. The caller closes `handle`.
 */
export async function openFolder(path: string): Promise<OpenFolder> {
  const missing: string[] = [];
  let existing = path;
  while (!(await isThere(existing))) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  let folder = await openOne(existing, existing);
  for (const name of missing) {
    const parent = folder;
    existing = existing === '/' ? `/${name}` : `${existing}/${name}`;
    try {
      await makeFolder(parent.at(name));
      folder = await openOne(parent.at(name), existing);
    } finally {
      await parent.handle.close();
    }
  }
  return folder;
}

/** Where an open file really is. Systems without /proc answer by path, which leaves a short gap. */
export async function placeOf(handle: FileHandle, path: string): Promise<string> {
  return (await throughDescriptor(handle)) ?? (await realpath(path));
}

async function openOne(through: string, path: string): Promise<OpenFolder> {
  const handle = await open(through, asFolder);
  const own = (await throughDescriptor(handle)) === null ? path : `/proc/self/fd/${handle.fd}`;
  const moved = async (): Promise<string | null> => {
    const place = await placeOf(handle, path);
    return place === path ? null : place;
  };
  const elsewhere = await moved();
  if (elsewhere !== null) {
    await handle.close();
    throw new Error(`it was checked as ${path}, but now leads to ${elsewhere}`);
  }
  return { handle, at: (name) => `${own}/${name}`, moved };
}

async function throughDescriptor(handle: FileHandle): Promise<string | null> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && path !== '/') return false;
    throw error;
  }
}

// Somebody may make the same folder at the same moment; opening it then tells whether it is one.
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
