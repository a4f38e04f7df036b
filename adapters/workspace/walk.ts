import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { causeOf, errnoOf } from './cause.ts';
import { isIgnored, type Rules, rulesFor, withOwnRules } from './ignores.ts';

type Walked = { files: string[]; cut: boolean; skipped: readonly string[] } | { cause: string };

/** A tree of empty folders has to end too. */
const folderLimit = 50_000;
const never = new Set(['.git', 'node_modules']);

interface Search {
  root: string;
  limit: number;
  masked: ReadonlySet<string>;
  signal: AbortSignal;
  files: string[];
  skipped: string[];
  folders: number;
}

/**
 * Every regular file below `root` (resolved), relative and sorted by its whole path, so that a walk that
 * was cut holds the first `limit`. Links are left out: they would lead where the gate never looked. So are
 * `.git`, `node_modules`, ignored files and the masked folders (D21), unless the walk starts in one.
 * Contract: never throws.
 */
export async function walkFolder(
  root: string,
  limit: number,
  masked: readonly string[],
  signal: AbortSignal,
): Promise<Walked> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    const hidden = new Set(await Promise.all(masked.map(real)));
    const search: Search = { root, limit, masked: hidden, signal, files: [], skipped: [], folders: 0 };
    const whole = await visit(search, root, entries, await rulesFor(root));
    if (signal.aborted) return { cause: `${root}: the search was cancelled` };
    return { files: search.files, cut: !whole, skipped: search.skipped };
  } catch (error) {
    return { cause: causeOf(root, error) };
  }
}

/** False when the walk had to stop early. */
async function visit(search: Search, folder: string, entries: Dirent[], rules: Rules): Promise<boolean> {
  for (const entry of inPathOrder(entries)) {
    const path = join(folder, entry.name);
    if (search.signal.aborted) return false;
    // In a worktree `.git` is a file.
    if (never.has(entry.name)) continue;
    if (!entry.isDirectory()) {
      if (!entry.isFile() || isIgnored(rules, path, 'file')) continue;
      if (search.files.length >= search.limit) return false;
      search.files.push(relative(search.root, path));
      continue;
    }
    if (search.masked.has(path) || isIgnored(rules, path, 'folder')) continue;
    if (++search.folders > folderLimit) return false;
    const inside = await readable(search, path);
    if (inside !== null && !(await visit(search, path, inside, await withOwnRules(rules, path))))
      return false;
  }
  return true;
}

async function readable(search: Search, path: string): Promise<Dirent[] | null> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch {
    // One closed folder does not end the walk; it is named, so that no answer claims to be whole.
    search.skipped.push(relative(search.root, path));
    return null;
  }
}

/** Folders sort as their paths do, with the slash: `a.txt` comes before `a/b`. */
function inPathOrder(entries: Dirent[]): Dirent[] {
  const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw error;
  }
}
