import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** One file that a commit replaced: its place below the home, and what stands there now. */
export interface Written {
  path: string;
  bytes: Buffer;
}

/**
 * The bare sequence of durable replacements: write, fsync and rename of each file, then fsync of each folder, once.
 * Nothing is read or locked.
 */
export function writeBare(folder: string, files: readonly Written[]): void {
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    const file = openSync(`${target}.tmp`, 'wx', 0o600);
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${target}.tmp`, target);
  }
  for (const parent of parentsOf(folder, files)) {
    const opened = openSync(parent, constants.O_RDONLY);
    fsyncSync(opened);
    closeSync(opened);
  }
}

/** The same through promises: what a program pays that must not block its screen while the disk works. */
export async function writeBareAsync(folder: string, files: readonly Written[]): Promise<void> {
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    const file = await open(`${target}.tmp`, 'wx', 0o600);
    await file.write(bytes);
    await file.sync();
    await file.close();
    await rename(`${target}.tmp`, target);
  }
  for (const parent of parentsOf(folder, files)) {
    const opened = await open(parent, constants.O_RDONLY);
    await opened.sync();
    await opened.close();
  }
}

function parentsOf(folder: string, files: readonly Written[]): ReadonlySet<string> {
  return new Set(files.map(({ path }) => dirname(join(folder, path))));
}

/** Folders first, and every target once, so that the timed writes replace files as the commits do. */
export async function prepareBare(folder: string, files: readonly Written[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    if (statSync(join(folder, file.path), { throwIfNoEntry: false }) === undefined) writeBare(folder, [file]);
  }
}

/** Which file stands under each path below `home`, locks left out: replacing a file changes its number. */
export function inodesOf(home: string): Map<string, number> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(home, join(parentPath, name)));
  // The journal is no part of a commit: nothing waits until it is on the disk.
  const durable = paths.filter((path) => !/\.db$|\/journal(?:\.1)?\.jsonl$/u.test(path));
  return new Map(durable.map((path) => [path, statSync(join(home, path)).ino]));
}

/** What was really written between two looks at the home. */
export function writtenSince(home: string, before: ReadonlyMap<string, number>): Written[] {
  return [...inodesOf(home)]
    .filter(([path, inode]) => before.get(path) !== inode)
    .map(([path]) => ({ path, bytes: readFileSync(join(home, path)) }));
}

/** Reads every file below a folder, as plainly as Node can; answers how many bytes that were. */
export function readEverything(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? readEverything(path) : readFileSync(path).length;
  }
  return bytes;
}

export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}
