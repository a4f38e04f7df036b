import { lstat, readdir } from 'node:fs/promises';
import { errnoOf } from './cause.ts';

/** What is asked of a disk; a test has one that takes upper and lower case for the same. */
export interface Disk {
  lstat(path: string): Promise<{ dev: number; ino: number }>;
  readdir(path: string): Promise<string[]>;
}

const real: Disk = { lstat, readdir: (path) => readdir(path) };

/**
 * An absolute path whose links are followed, in the disk's own spelling where case does not matter (D21): Linux has
 * such disks too, and gives a path back as it was asked for. What can't be looked up keeps its name.
 */
export async function asSpelled(path: string, disk: Disk = real): Promise<string> {
  let at = '';
  for (const name of path.split('/').filter((part) => part !== '')) {
    at = `${at}/${await spelled(at, name, disk)}`;
  }
  return at === '' ? '/' : at;
}

async function spelled(folder: string, name: string, disk: Disk): Promise<string> {
  const other = swapped(name);
  // On most disks there is no such name, and that is all there is to ask.
  const twin = other === name ? null : await idOf(`${folder}/${other}`, disk);
  if (twin === null || twin !== (await idOf(`${folder}/${name}`, disk))) return name;
  const entries = await orNull(disk.readdir(folder === '' ? '/' : folder));
  if (entries === null || entries.includes(name)) return name;
  return entries.find((entry) => entry.toLowerCase() === name.toLowerCase()) ?? name;
}

/** The name with its first letter that has two cases in the other one; the same name where there is none. */
function swapped(name: string): string {
  const letters = [...name];
  const at = letters.findIndex((letter) => otherCase(letter) !== letter);
  return letters.map((letter, index) => (index === at ? otherCase(letter) : letter)).join('');
}

function otherCase(letter: string): string {
  const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()];
  if (upper.length !== letter.length || lower.length !== letter.length) return letter;
  return upper === letter ? lower : upper;
}

async function idOf(path: string, disk: Disk): Promise<string | null> {
  const stat = await orNull(disk.lstat(path));
  return stat === null ? null : `${stat.dev}:${stat.ino}`;
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
