import { lstat, readdir, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** A piece of a word: text as it stands, or `*`, `?`, `[…]` of a glob. */
export type GlobPiece = { text: string } | { glob: string };

/** More names are no list to read; more stars in one name take too long to match. */
const limits = { names: 1000, stars: 4 };

/**
 * The paths that a word with globs stands for, as bash finds them without options: sorted, hidden ones only
 * for a pattern that begins with a dot, the pattern itself when nothing matches. Found here and not by bash,
 * so that what a file is called can be judged like every other word (a file `-o` is an option).
 */
export async function expandGlob(
  pieces: readonly GlobPiece[],
  base: string,
): Promise<string[] | { refused: string }> {
  const pattern = pieces.map((piece) => ('text' in piece ? piece.text : piece.glob)).join('');
  const steps = stepsOf(pieces);
  if (steps === null) return { refused: `the pattern ${pattern} is too hard to judge` };
  let found = [''];
  for (const [at, step] of steps.entries()) {
    const kind = at === steps.length - 1 ? 'any' : 'folder';
    const next = await Promise.all(found.map((path) => matches(path, step, kind, base)));
    found = next.flat();
    if (found.length > limits.names) return { refused: `${pattern} matches more than ${limits.names} names` };
  }
  return found.length === 0 ? [pattern] : found.sort();
}

type Step = { name: string } | { pattern: RegExp; hidden: 'shown' | 'left out' };

/** One step for each part between slashes; null if one of them can't be used. */
function stepsOf(pieces: readonly GlobPiece[]): Step[] | null {
  const parts: GlobPiece[][] = [[]];
  for (const piece of pieces) {
    if ('glob' in piece) parts.at(-1)?.push(piece);
    else
      for (const [at, text] of piece.text.split('/').entries()) {
        if (at > 0) parts.push([]);
        if (text !== '') parts.at(-1)?.push({ text });
      }
  }
  const steps = parts.map(stepOf);
  return steps.includes(null) ? null : steps.filter((step) => step !== null);
}

function stepOf(part: readonly GlobPiece[]): Step | null {
  const [first] = part;
  if (part.every((piece) => 'text' in piece)) return { name: part.map(({ text }) => text).join('') };
  const sources = part.map((piece) => ('text' in piece ? literal(piece.text) : sourceOf(piece.glob)));
  const stars = part.filter((piece) => 'glob' in piece && piece.glob.startsWith('*')).length;
  if (stars > limits.stars || sources.includes(null)) return null;
  const hidden = first !== undefined && 'text' in first && first.text.startsWith('.') ? 'shown' : 'left out';
  return { pattern: new RegExp(`^${sources.join('')}$`, 'su'), hidden };
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Only plain sets: what bash makes of classes, quotes and odd ranges in brackets depends on the language set. */
function sourceOf(glob: string): string | null {
  if (/^\*+$/.test(glob)) return '.*';
  if (glob === '?') return '.';
  const set = /^\[([!^]?)((?:[A-Za-z0-9]-[A-Za-z0-9]|[\w.])+)\]$/.exec(glob);
  if (set === null) return null;
  const [, not = '', inside = ''] = set;
  const ranges = inside.match(/.-./g) ?? [];
  return ranges.every(([from = '', , to = '']) => from <= to) ? `[${not === '' ? '' : '^'}${inside}]` : null;
}

async function matches(path: string, step: Step, kind: 'any' | 'folder', base: string): Promise<string[]> {
  if ('name' in step) {
    const next = step.name;
    if (kind === 'folder') return [`${path}${next}/`];
    return next === '' || (await exists(place(path + next, base))) ? [path + next] : [];
  }
  const names = await namesIn(place(path, base));
  const shown = step.hidden === 'shown' ? names : names.filter((name) => !name.startsWith('.'));
  const found = shown.filter((name) => step.pattern.test(name)).map((name) => path + name);
  if (kind === 'any') return found;
  const folders = await Promise.all(found.map((name) => isFolder(place(name, base))));
  return found.filter((_, at) => folders[at] === true).map((name) => `${name}/`);
}

const place = (path: string, base: string): string => (isAbsolute(path) ? path : join(base, path));

/* A folder that can't be read matches nothing, for bash too. */

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
