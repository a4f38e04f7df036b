import { createHash, type Hash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Beyond these a file is known by its size and times, which costs nothing to look at. */
const limits = { entries: 2000, bytes: 8_000_000, depth: 12 };

/** What is left of the limits, over the whole tree. */
type Left = typeof limits;

/**
 * One value for all that a `.planchart` holds, links followed: two differ when something in it was added, changed or
 * taken away. What can't be read counts by its error. Contract: never throws.
 */
export async function settingsPrint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await add(hash, folder, { ...limits });
  return hash.digest('hex');
}

async function add(hash: Hash, path: string, left: Left): Promise<void> {
  try {
    // Where a link leads may hold the same today and something else tomorrow.
    if ((await lstat(path)).isSymbolicLink()) note(hash, 'link', path, await readlink(path));
    const found = await stat(path);
    if (found.isDirectory()) return await addFolder(hash, path, left);
    const isShort = found.isFile() && found.size <= left.bytes;
    if (isShort) left.bytes -= found.size;
    if (isShort) note(hash, 'file', path, await readFile(path));
    else note(hash, 'other', path, `${found.mode} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    // A folder in the way and a missing one both mean: nothing is there.
    note(hash, 'error', path, code === 'ENOTDIR' ? 'ENOENT' : code);
  }
}

async function addFolder(hash: Hash, path: string, left: Left): Promise<void> {
  const names = (await readdir(path)).toSorted();
  note(hash, 'folder', path, names.join('/'));
  if (left.depth === 0) return;
  left.depth -= 1;
  for (const name of names) {
    if ((left.entries -= 1) < 0) break;
    await add(hash, join(path, name), left);
  }
  left.depth += 1;
}

function note(hash: Hash, kind: string, path: string, content: string | Uint8Array): void {
  hash.update(`${kind}\0${path}\0${content.length}\0`).update(content);
}
