import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { causeOf, errnoOf } from './cause.ts';
import { placeOf } from './open-folder.ts';

// Not blocking: opening a pipe that nobody writes to would wait for ever.
const forReading = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

type Read = { bytes: Uint8Array; size: number } | { cause: string };

/**
 * The first `limitBytes` of a regular file and its size in bytes. `path` has to be resolved: a link at
 * the end or in a parent means that it was swapped since, and is refused.
 * Contract: never throws; `cause` begins with the path and names the errno.
 */
export async function readStart(path: string, limitBytes: number): Promise<Read> {
  try {
    const file = await open(path, forReading);
    try {
      return await readOpen(file, path, limitBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { cause: causeOf(path, error) };
  }
}

async function readOpen(file: FileHandle, path: string, limitBytes: number): Promise<Read> {
  const stat = await file.stat();
  if (stat.isDirectory()) return { cause: `${path}: is a folder (EISDIR)` };
  if (!stat.isFile()) return { cause: `${path}: is not a regular file` };
  const place = await placeOf(file, path);
  if (place !== path) return { cause: `${path}: leads to ${place}` };
  const bytes = await readUpTo(file, limitBytes, stat.size);
  return { bytes, size: Math.max(stat.size, bytes.length) };
}

/** The size is a hint only: files under /proc say 0, and a log grows while it is read. */
async function readUpTo(file: FileHandle, limit: number, size: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const part = Buffer.allocUnsafe(Math.min(limit - length, Math.max(size - length, 64 * 1024)));
    const { bytesRead } = await file.read(part, 0, part.length, null);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(parts, length);
}

/** What lies at a path, links not followed. Contract: never throws. */
export async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | 'absent'> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return 'file';
    return stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '') ? 'absent' : 'other';
  }
}

export interface Entry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** In bytes; 0 for everything but files. */
  size: number;
}

/** The entries of a folder, sorted by name. Contract: never throws. */
export async function listFolder(path: string): Promise<Entry[] | { cause: string }> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const listed = entries.map(async (entry): Promise<Entry> => {
      if (entry.isDirectory()) return { name: entry.name, kind: 'folder', size: 0 };
      if (entry.isSymbolicLink()) return { name: entry.name, kind: 'link', size: 0 };
      if (!entry.isFile()) return { name: entry.name, kind: 'other', size: 0 };
      return { name: entry.name, kind: 'file', size: await sizeOf(join(path, entry.name)) };
    });
    return (await Promise.all(listed)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return { cause: causeOf(path, error) };
  }
}

// A file may go between the listing and the question; it is then listed as it was seen, without a size.
async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
