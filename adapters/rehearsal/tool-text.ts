import type { Done } from './turn.ts';

/** Longer lines may reach us cut. */
const LONGEST_LINE = 1000;

/** What the tools have told about the tree in this turn. */
export interface Facts {
  /** Paths of files, relative to the session's folder, sorted. */
  files: readonly string[];
  /** Lines of each file that was read, by the path it was asked for. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** Numbers of the lines that a search found, by path. */
  hits: ReadonlyMap<string, readonly number[]>;
}

export function gatherFacts(done: readonly Done[]): Facts {
  const files = new Set<string>();
  const texts = new Map<string, readonly string[]>();
  const hits = new Map<string, readonly number[]>();
  for (const { name, input, text, failed } of done) {
    if (failed) continue;
    if (name === 'glob') for (const path of listedPaths(text)) files.add(path);
    if (name === 'grep')
      for (const [path, line] of searchHits(text)) hits.set(path, [...(hits.get(path) ?? []), line]);
    if (name === 'read_file' && typeof input['path'] === 'string') texts.set(input['path'], readLines(text));
  }
  return { files: [...files].toSorted(), texts, hits };
}

const NUMBERED = /^ *\d+\t(.*)$/s;

/** Lines of a file from a `read_file` result: `<n>\t<text>`, anything else being a note of the tool. */
export function readLines(text: string): string[] {
  return text.split('\n').flatMap((line) => NUMBERED.exec(line)?.[1] ?? []);
}

/** False when a note of the tool or a cut line says that there is more than was read. */
export function isWhole(text: string): boolean {
  const lines = text.replace(/\n+$/, '').split('\n');
  return lines.every((line) => NUMBERED.test(line) && line.length < LONGEST_LINE);
}

/** One path per line; sentences are notes of the tool. */
function listedPaths(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^\.\//, ''))
    .filter((line) => line !== '' && !line.endsWith('/') && !/^[([]|: |\.\.\.$|\s.*[.:)]$/.test(line))
    .filter((line) => !/[\p{Cc}`"<>|]/u.test(line));
}

/** `<path>:<line>:<text>`; the path is taken up to the first number between colons. */
function searchHits(text: string): [path: string, line: number][] {
  return text.split('\n').flatMap((line): [string, number][] => {
    const found = /^(?:\.\/)?(.+?):(\d+)(?:[:\s]|$)/.exec(line);
    return found === null ? [] : [[found[1] ?? '', Number(found[2])]];
  });
}

/** Whether a folder listing names the file, however the tool lays the line out. */
export function listsName(listing: string, name: string): boolean {
  return listing.split(/[\s"'`,/]+/).includes(name);
}

/** The absolute path of a session `.md` that a result names; null when it names none. */
export function documentPath(text: string): string | null {
  const quoted = /[`"](\/[^`"\n]+\.md)[`"]/.exec(text)?.[1];
  return quoted ?? /(?:^|\s)(\/\S[^\n]*?\.md)(?=[\s.,;:)]|$)/.exec(text)?.[1] ?? null;
}
