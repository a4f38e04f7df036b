import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start, type Terminal } from '../support/terminal.ts';
import { makeFolder } from './floor.ts';
import { interleave, median } from './measure.ts';
import { program, runNode } from './processes.ts';
import { type Row, rowOfPairs } from './table.ts';

/** What the first frame of planchart holds; any text would take an error message for one. */
const ours = /planchart \d/u;
const hello = fileURLToPath(new URL('hello-ink-child.ts', import.meta.url));

/** One start on a pseudo-terminal, seen from outside; memory is the kernel's, in MB, NaN where it is not Linux. */
export interface Opening {
  firstMs: number;
  /** From the start until a letter that was typed at the first frame stands on the screen. */
  usableMs: number;
  residentMb: number;
}

/** Start-up beside a Node that does nothing and, on a pseudo-terminal, beside the least program on Ink. */
export async function measureStartup(folder: string, rounds: number): Promise<Row[]> {
  const places = { home: makeFolder(join(folder, 'start')), cwd: makeFolder(join(folder, 'project')) };
  const run = async (...args: string[]) => (await runNode(args)).ms;
  const tui = [program, '--new', '--home', places.home, '--cwd', places.cwd];
  await warmUp(tui, places.cwd);
  const seen: Record<'hello' | 'ours', Opening[]> = { hello: [], ours: [] };
  const opened = async (who: 'hello' | 'ours'): Promise<number> => {
    const args = who === 'ours' ? tui : [hello];
    const wanted = who === 'ours' ? ours : /hello/u;
    const opening = await openingOf([process.execPath, ...args], places.cwd, wanted);
    seen[who].push(opening);
    return opening.firstMs;
  };
  const taken = await interleave(rounds, {
    floor: () => run('-e', '0'),
    version: () => run(program, '--version'),
    help: () => run(program, '--help'),
    hello: () => opened('hello'),
    ours: () => opened('ours'),
  });
  const row = (name: string, most: number, note: string) => {
    return { name, unit: 'ms' as const, goal: { of: 'ratio' as const, most }, note };
  };
  // The first ones are not counted, as those of the other sides are not.
  const counted = (who: 'hello' | 'ours', pick: (opening: Opening) => number) => seen[who].slice(1).map(pick);
  const usable = (who: 'hello' | 'ours') => counted(who, ({ usableMs }) => usableMs);
  const beside = 'on a pseudo-terminal; floor: the least program on Ink there';
  return [
    rowOfPairs(row('--version', 1.5, 'floor: node -e 0'), taken.version, taken.floor),
    rowOfPairs(row('--help', 1.6, 'floor: node -e 0'), taken.help, taken.floor),
    rowOfPairs(row('first frame', 1.5, beside), taken.ours, taken.hello),
    rowOfPairs(row('usable input', 2, `a typed letter shows, ${beside}`), usable('ours'), usable('hello')),
    ...memoryRow(counted('ours', residentOf), counted('hello', residentOf)),
  ];
}

const residentOf = ({ residentMb }: Opening): number => residentMb;

function memoryRow(ours: readonly number[], floor: readonly number[]): Row[] {
  if (process.platform !== 'linux') return [];
  const note = 'resident, as the kernel sees it; floor: the least program on Ink';
  const goal = { of: 'value', most: 120 } as const;
  return [
    { name: 'memory at first frame', unit: 'MB', ours: median(ours), floor: median(floor), goal, note },
  ];
}

/** Starts a program and ends it when a typed letter has shown. `echo` is off for one that may not take letters. */
export async function openingOf(
  [command = '', ...args]: readonly string[],
  cwd: string,
  wanted: RegExp,
  typing: 'echo' | 'none' = 'echo',
  env: Readonly<Record<string, string>> = {},
): Promise<Opening> {
  const from = performance.now();
  const terminal = start(command, args, { cols: 100, rows: 30, cwd, env });
  try {
    await terminal.waitFor(wanted, 30_000);
    const firstMs = performance.now() - from;
    const residentMb = residentNow(terminal);
    if (typing === 'none') return { firstMs, usableMs: Number.NaN, residentMb };
    terminal.type('zq');
    await terminal.waitFor(/zq/u, 30_000);
    return { firstMs, usableMs: performance.now() - from, residentMb };
  } finally {
    terminal.kill();
    await terminal.exit();
  }
}

/** In MB. */
function residentNow({ pid }: Terminal): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1]) / 1000;
}

/** One start that ends as people end it: only then does Node keep its compiled code for the next start. */
async function warmUp(args: readonly string[], cwd: string): Promise<void> {
  const terminal = start(process.execPath, args, { cols: 100, rows: 30, cwd });
  try {
    await terminal.waitFor(ours, 30_000);
    // The first one asks, the second one leaves; a key that comes too early is not taken as an answer.
    for (let tries = 0; tries < 20; tries += 1) {
      terminal.key('ctrlC');
      const code = await terminal.exit(500).catch(() => null);
      if (code !== null) return;
    }
    throw new Error(`The program does not end on Ctrl+C:\n${terminal.screen().join('\n')}`);
  } finally {
    terminal.kill();
  }
}
