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

/**
 * Paths below `cwd` that go on from `typed`, one step, folders with `/` at their end, sorted. Hidden ones only
 * after a dot; names that could not be typed are left out.
 * Contract: never throws.
 */
export async function pathsFrom(cwd: string, typed: string): Promise<string[]> {
  const parent = typed.slice(0, typed.lastIndexOf('/') + 1);
  const start = typed.slice(parent.length);
  const entries = (await entriesOf(resolve(cwd, parent))).filter(
    ({ name }) =>
      (start.startsWith('.') || !name.startsWith('.')) && visible(name) === name && !/["\n]/u.test(name),
  );
  const exact = entries.filter(({ name }) => name.startsWith(start));
  const lower = start.toLowerCase();
  const found = exact.length > 0 ? exact : entries.filter(({ name }) => name.toLowerCase().startsWith(lower));
  return found
    .map(({ name, folder }) => `${parent}${name}${folder ? '/' : ''}`)
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .slice(0, limit);
}
