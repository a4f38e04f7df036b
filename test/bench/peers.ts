import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeFolder } from './floor.ts';
import { median } from './measure.ts';
import { program } from './processes.ts';
import { type Opening, openingOf } from './startup.ts';
import type { Row } from './table.ts';

/** Terminal agents that people use for the same work. */
const peers = ['codex', 'claude', 'pi', 'qwen', 'gemini', 'opencode'] as const;

/** Which of them `path` has, by their absolute paths, and which it has not. */
export function installedPeers(path: string): { found: Map<string, string>; absent: string[] } {
  const found = new Map<string, string>();
  for (const name of peers) {
    const place = path.split(delimiter).find((folder) => isProgram(join(folder, name)));
    if (place !== undefined) found.set(name, join(place, name));
  }
  return { found, absent: peers.filter((name) => !found.has(name)) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/**
 * First frame and memory beside the peers that are installed, in turn, each in a home of its own that it finds empty. A
 * peer may ask for a key or the network first: its first frame is whatever it shows first.
 */
export async function measurePeers(folder: string, rounds: number, path: string): Promise<Row[]> {
  const { found, absent } = installedPeers(path);
  process.stderr.write(`peers that are not installed: ${absent.join(', ') || 'none'}\n`);
  const cwd = makeFolder(join(folder, 'project'));
  const home = makeFolder(join(folder, 'home'));
  const tui = [process.execPath, program, '--new', '--home', makeFolder(join(folder, 'start')), '--cwd', cwd];
  const rows: Row[] = [];
  for (const [name, command] of found) {
    const taken: Record<'ours' | 'peer', Opening[]> = { ours: [], peer: [] };
    for (let round = 0; round <= rounds; round += 1) {
      taken.ours.push(await openingOf(tui, cwd, /planchart \d/u, 'none'));
      taken.peer.push(await openingOf([command], cwd, /\S/u, 'none', { HOME: home }));
    }
    rows.push(...peerRows(name, taken));
  }
  return rows;
}

function peerRows(name: string, taken: Record<'ours' | 'peer', Opening[]>): Row[] {
  const of = (side: Opening[], pick: (opening: Opening) => number): number => median(side.slice(1).map(pick));
  const row = (what: string, unit: Row['unit'], pick: (opening: Opening) => number): Row => {
    const note = `floor: ${name}, in an empty home; ${taken.ours.length - 1} pairs`;
    return { name: what, unit, ours: of(taken.ours, pick), floor: of(taken.peer, pick), goal: null, note };
  };
  return [
    row(`first frame, ${name}`, 'ms', ({ firstMs }) => firstMs),
    row(`memory, ${name}`, 'MB', ({ residentMb }) => residentMb),
  ];
}
