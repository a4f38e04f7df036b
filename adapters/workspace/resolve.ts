import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Target } from '../../tools/types.ts';
import { causeOf, errnoOf } from './cause.ts';
import { asSpelled } from './spelling.ts';

/** Where relative paths and `~` start; both absolute. */
export interface ResolveWorld {
  cwd: string;
  /** The user's own folder, for `~`. */
  home: string;
}

/** As many as Linux follows before it says ELOOP. */
const linkLimit = 40;

/**
 * The one place where a path that a model wrote becomes a place on the disk (D21): the gate judges
 * the answer and the tool uses the very same one. `~` is expanded; links in every parent are followed
 * before `..` goes up; the disk's own spelling wins where case does not matter. A link at the end is
 * followed for reads, and only reported for writes. What does not exist keeps its name.
 * Contract: never throws; `cause` names the path and the errno.
 */
export async function resolveTarget(
  given: string,
  access: 'read' | 'write',
  world: ResolveWorld,
): Promise<Target | { cause: string }> {
  if (given.trim() === '') return { cause: 'the path is empty' };
  if (given.includes('\0')) return { cause: `the path ${JSON.stringify(given)} holds a NUL character` };
  try {
    const { path, link } = await follow(absolute(given, world), access);
    return { given, path: await asOnDisk(path, link && access === 'write'), access, link };
  } catch (error) {
    return { cause: causeOf(given, error) };
  }
}

// Never normalised as text: `link/..` is the parent of where the link leads, not of where it lies.
function absolute(given: string, world: ResolveWorld): string {
  if (given === '~') return world.home;
  if (given.startsWith('~/')) return `${world.home}/${given.slice(2)}`;
  return isAbsolute(given) ? given : `${world.cwd}/${given}`;
}

const names = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

async function follow(path: string, access: 'read' | 'write'): Promise<{ path: string; link: boolean }> {
  const rest = names(path);
  let at = '/';
  let link = false;
  for (let followed = 0; ;) {
    const name = rest.shift();
    if (name === undefined) return { path: at, link };
    const next = name === '..' ? dirname(at) : join(at, name);
    const leads = name === '..' ? null : await linkAt(next);
    if (leads === null) {
      at = next;
      continue;
    }
    if (rest.length === 0) link = true;
    if (rest.length === 0 && access === 'write') return { path: next, link };
    if (++followed > linkLimit) throw new Error(`more than ${linkLimit} symbolic links (ELOOP)`);
    if (isAbsolute(leads)) at = '/';
    rest.unshift(...names(leads));
  }
}

/** Where a symbolic link leads, or null for anything else, also for nothing. */
async function linkAt(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function asOnDisk(path: string, finalLink: boolean): Promise<string> {
  const rest: string[] = finalLink ? [basename(path)] : [];
  for (let existing = finalLink ? dirname(path) : path; ; existing = dirname(existing)) {
    try {
      return join(await asSpelled(await realpath(existing)), ...rest);
    } catch (error) {
      if (!isAbsent(error) || existing === '/') throw error;
      rest.unshift(basename(existing));
    }
  }
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');
