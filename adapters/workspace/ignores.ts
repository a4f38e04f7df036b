import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { kindOf, readStart } from './read-file.ts';

/** The `.gitignore` rules in force in a folder; every rule is worded relative to `base`. */
export interface Rules {
  base: string;
  rules: Ignore;
}

const limitBytes = 1024 * 1024;
const empty = (): Ignore => ignore({ ignorecase: false, allowRelativePaths: true });

/**
 * The rules that hold inside `folder`: those of its repository down to it. Outside a repository, and in
 * a folder that its repository ignores (whoever names it wants to see it), only its own.
 */
export async function rulesFor(folder: string): Promise<Rules> {
  const above = await foldersAbove(folder);
  const base = above[0] ?? folder;
  let found: Rules = { base, rules: empty() };
  for (const parent of above) found = await withOwnRules(found, parent);
  if (above.length > 0 && isIgnored(found, folder, 'folder')) found = { base: folder, rules: empty() };
  return withOwnRules(found, folder);
}

/** Adds the folder's own `.gitignore`; later rules win, as in git. */
export async function withOwnRules(found: Rules, folder: string): Promise<Rules> {
  const read = await readStart(join(folder, '.gitignore'), limitBytes);
  if ('cause' in read) return found;
  const below = relative(found.base, folder);
  const lines = new TextDecoder().decode(read.bytes).split(/\r?\n/);
  const rules = empty().add(found.rules);
  for (const line of lines) rules.add(rebased(line, below));
  return { base: found.base, rules };
}

export function isIgnored(found: Rules, path: string, kind: 'file' | 'folder'): boolean {
  const name = relative(found.base, path);
  return name !== '' && found.rules.ignores(kind === 'folder' ? `${name}/` : name);
}

/** From the top of the repository down to the folder's parent; empty outside a repository. */
async function foldersAbove(folder: string): Promise<string[]> {
  const above: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) above.unshift(at);
    if ((await kindOf(join(at, '.git'))) !== 'absent') return above;
    if (at === '/') return [];
  }
}

/** A line of a nested `.gitignore`, worded for the base: one rule set keeps git's order and parents right. */
function rebased(line: string, folder: string): string {
  if (folder === '' || line.trim() === '' || line.startsWith('#')) return line;
  const negative = line.startsWith('!') ? '!' : '';
  const body = line.slice(negative.length).replace(/(?<!\\)\s+$/, '');
  const anchored = body.slice(0, -1).includes('/');
  const place = folder.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`);
  return `${negative}/${place}/${anchored ? body.replace(/^\//, '') : `**/${body}`}`;
}
