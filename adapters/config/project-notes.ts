import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPlaced, within } from '../read-placed.ts';
import { visibleLine, withoutControls } from '../text.ts';

/** Of one file, in bytes; what is longer is cut, and the text says so. */
const mostBytes = 32 * 1024;
/** Files that are read, nearest to the working folder first. */
const mostFiles = 8;
/** The first one that a folder has. */
const names = ['AGENTS.md', 'CLAUDE.md'];

/**
 * What the project tells every agent (D53): `AGENTS.md`, else `CLAUDE.md`, of each folder from the repository's
 * root down to `cwd`, the nearest one last. Each line is quoted, so none can pose as the harness's. Empty when
 * there is none. Contract: never throws.
 */
export async function readProjectNotes(cwd: string, closed: string): Promise<string> {
  const folders = upToRoot(cwd);
  const root = folders.at(-1) ?? cwd;
  const found: string[] = [];
  for (const folder of folders) {
    const path = names.map((name) => join(folder, name)).find((one) => existsSync(one));
    if (path === undefined || found.length === mostFiles) continue;
    const text = await noteOf(path, { root, closed });
    if (text !== null) found.unshift(text);
  }
  return found.join('\n\n');
}

/** The folder and those above it up to the one that holds `.git`; without a repository the folder alone. */
function upToRoot(cwd: string): string[] {
  const folders: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, '.git'))) return folders;
    if (dirname(at) === at) return [cwd];
  }
}

interface Bounds {
  root: string;
  /** The home of plans and settings, which no note may be a link into. */
  closed: string;
}

async function noteOf(path: string, { root, closed }: Bounds): Promise<string | null> {
  const read = await readPlaced(path, mostBytes, (place) => within(place, root) && !within(place, closed));
  if ('bytes' in read) return quoted(path, read.bytes, read.size > mostBytes);
  if (read.why === 'no file') return null;
  const why = read.why === 'elsewhere' ? 'since it leads out of the project' : read.why.code;
  return `${visibleLine(path)}: not read, ${why}.`;
}

function quoted(path: string, bytes: Uint8Array, cut: boolean): string | null {
  // A cut may go through a character.
  const text = new TextDecoder().decode(bytes).replace(cut ? /\ufffd$/u : /$^/u, '');
  const clean = withoutControls(text).trim();
  if (clean === '') return null;
  const name = visibleLine(path);
  const lines = clean.split('\n').map((line) => `> ${line}`.trimEnd());
  const end = cut
    ? [`(cut here: ${name} is longer than ${mostBytes / 1024} KiB; read_file shows the rest)`]
    : [];
  return [`${name}:`, ...lines, ...end].join('\n');
}
