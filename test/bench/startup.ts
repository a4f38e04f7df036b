import { join } from 'node:path';
import { start } from '../support/terminal.ts';
import { makeFolder } from './floor.ts';
import { interleave } from './measure.ts';
import { program, runNode } from './processes.ts';
import { type Row, rowOfPairs } from './table.ts';

/** What the first frame of planchart holds; any text would take an error message for one. */
const ours = /planchart \d/u;

/** Start-up beside a Node that does nothing, as a process and, for the first frame, on a pseudo-terminal. */
export async function measureStartup(folder: string, rounds: number): Promise<Row[]> {
  const places = { home: makeFolder(join(folder, 'start')), cwd: makeFolder(join(folder, 'project')) };
  const run = async (...args: string[]) => (await runNode(args)).ms;
  const tui = [program, '--new', '--home', places.home, '--cwd', places.cwd];
  await warmUp(tui, places.cwd);
  const taken = await interleave(rounds, {
    floor: () => run('-e', '0'),
    version: () => run(program, '--version'),
    help: () => run(program, '--help'),
    bareFrame: () => firstFrame(['-e', "process.stdout.write('x')"], places.cwd, /x/u),
    frame: () => firstFrame(tui, places.cwd, ours),
  });
  const row = (name: string, most: number, note: string) => {
    return { name, unit: 'ms' as const, goal: { of: 'ratio' as const, most }, note };
  };
  const onTerminal = 'on a pseudo-terminal; floor: a Node there that writes one letter';
  return [
    rowOfPairs(row('--version', 1.6, 'floor: node -e 0'), taken.version, taken.floor),
    rowOfPairs(row('--help', 1.6, 'floor: node -e 0'), taken.help, taken.floor),
    rowOfPairs(row('first frame', 5.3, onTerminal), taken.frame, taken.bareFrame),
  ];
}

/** From the start of a program to the wanted text on the screen, in ms. */
async function firstFrame(args: readonly string[], cwd: string, wanted: RegExp): Promise<number> {
  const from = performance.now();
  const terminal = start(process.execPath, args, { cols: 100, rows: 30, cwd });
  try {
    await terminal.waitFor(wanted, 30_000);
    return performance.now() - from;
  } finally {
    terminal.kill();
    await terminal.exit();
  }
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
