import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { visible } from '../text.ts';

/** More than that are not offered: who has so many types another letter. */
const limit = 200;

/** The entries of a folder; none for a folder that can't be read, which is no fault of what is being typed. */
async function entriesOf(folder: string): Promise<{ name: string; folder: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
  } catch {
    return [];
  }
}

const typable = (name: string): boolean => visible(name) === name && !/["\n]/u.test(name);

/**
 * Paths below `cwd` that go on from `typed`, one step, folders with `/` at their end, sorted. Hidden ones only
 * after a dot; names that could not be typed are left out.
 * Contract: never throws.
 */
export async function pathsFrom(cwd: string, typed: string): Promise<string[]> {
  const parent = typed.slice(0, typed.lastIndexOf('/') + 1);
  const start = typed.slice(parent.length);
  const entries = (await entriesOf(resolve(cwd, parent))).filter(
    ({ name }) => (start.startsWith('.') || !name.startsWith('.')) && typable(name),
  );
  const exact = entries.filter(({ name }) => name.startsWith(start));
  const lower = start.toLowerCase();
  const found = exact.length > 0 ? exact : entries.filter(({ name }) => name.toLowerCase().startsWith(lower));
  return found
    .map(({ name, folder }) => `${parent}${name}${folder ? '/' : ''}`)
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .slice(0, limit);
}

/** More than that of the whole tree are no help. */
const likeLimit = 50;

/** 0: the file's name begins with what is typed; 1: it holds it; 2: the path does; null: neither. */
function rank(path: string, typed: string): number | null {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (name.startsWith(typed)) return 0;
  if (name.includes(typed)) return 1;
  return lower.includes(typed) ? 2 : null;
}

/**
 * Files of the whole tree that fit what is typed, the closest first; without those that `here` lists or leads to.
 * Hidden ones only after a dot.
 */
export function pathsLike(files: readonly string[], typed: string, here: readonly string[]): string[] {
  const lower = typed.toLowerCase();
  const listed = new Set(here);
  const hidden = /(?:^|\/)\./u;
  return files
    .filter((path) => !listed.has(path) && !path.startsWith(typed) && typable(path))
    .filter((path) => hidden.test(typed) || !hidden.test(path))
    .flatMap((path) => {
      const found = rank(path, lower);
      return found === null ? [] : [{ path, found }];
    })
    .toSorted((a, b) => a.found - b.found)
    .slice(0, likeLimit)
    .map(({ path }) => path);
}
