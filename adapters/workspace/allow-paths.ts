import { isAbsolute, join, normalize } from 'node:path';
import { resolveTarget } from './resolve.ts';

/** Where a command without a sandbox runs, and what it may see; all folders absolute and real. */
export interface OpenPlaces {
  cwd: string;
  /** Planchart's home, closed; null when it does not exist. */
  home: string | null;
  /** The environment that the command gets: variables and `~` have their values from here. */
  env: Readonly<Record<string, string>>;
}

/** Other processes' memory and settings, keys among them, and raw disks. */
const closedAlways = ['/proc', '/dev'];

/** Streams, not disks. By name: the system shows some of them as links into /proc. */
const streams = ['/dev/null', '/dev/zero', '/dev/stdin', '/dev/stdout', '/dev/stderr'];

/**
 * Why a word of a command may not be used as a path, or null: it, or a part of it, leads into planchart's
 * home, to other processes or to raw devices (D21). Nobody knows which words a program takes as paths, so
 * every one is looked at. `base` is the folder in which the program starts.
 */
export async function pathObjection(
  word: string,
  use: 'name' | 'walk',
  base: string,
  places: OpenPlaces,
): Promise<string | null> {
  for (const part of partsOf(word)) {
    if (streams.includes(part)) continue;
    for (const path of await placesOf(part, base, places)) {
      if (isClosed(path, places)) {
        return part === path
          ? `${path} is closed to commands`
          : `${part} leads to ${path}, which is closed to commands`;
      }
      const inside = use === 'walk' ? closedBelow(path, places) : null;
      if (inside !== null)
        return `it would go through ${path} and so reach ${inside}, which is closed to commands`;
    }
  }
  return null;
}

/** The word, what stands behind `=`, `:` and `,` in it, and what may be attached to a short option. */
function partsOf(word: string): string[] {
  const parts = [word, ...behind(word, /[=:,]/g)];
  // A path in a group of letters (`-rf/etc/x`) may begin at any of them.
  const ends = Math.min(word.length, 64);
  const grouped = /^-[^-]/.test(word) ? Array.from({ length: ends }, (_, at) => word.slice(at + 2)) : [];
  return [...new Set([...parts, ...grouped])].filter((part) => part !== '');
}

const behind = (word: string, marks: RegExp): string[] =>
  [...word.matchAll(marks)].slice(0, 64).map(({ index }) => word.slice(index + 1));

/** As written and as the disk has it: what can't be resolved can't be opened, but may be spelled. */
async function placesOf(part: string, base: string, { env }: OpenPlaces): Promise<string[]> {
  const written = normalize(isAbsolute(part) ? part : join(base, part)).replace(/(?<=.)\/$/, '');
  const found = await resolveTarget(part, 'read', { cwd: base, home: env['HOME'] ?? '/' });
  return 'cause' in found ? [written] : [written, found.path];
}

function isClosed(path: string, { cwd, home }: OpenPlaces): boolean {
  if (closedAlways.some((folder) => isWithin(path, folder))) return true;
  if (home === null || !isWithin(path, home)) return false;
  // A project that lies in the home is the session's own folder.
  return cwd === home || !isWithin(cwd, home) || !isWithin(path, cwd);
}

function closedBelow(path: string, { home }: OpenPlaces): string | null {
  const closed = home === null ? closedAlways : [home, ...closedAlways];
  return closed.find((folder) => folder !== path && isWithin(folder, path)) ?? null;
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
