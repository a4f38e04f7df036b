import { setTimeout as delay } from 'node:timers/promises';
import type { Published } from '../../adapters/ports.ts';
import { type TuiProgram, type TuiPrograms, tuiPrograms } from '../adapters/tui/tui-program.ts';
import { reviewView, running } from '../support/fake-handle.ts';
import type { Terminal } from '../support/terminal.ts';
import { median, quantile } from './measure.ts';
import type { Row } from './table.ts';

const planLines = 2000;
const entries = 5000;
/** So many parts are told at once. */
const batch = 250;
const size = { cols: 100, rows: 30 };
/** Between a frame and the next key: as fast as a key repeats while it is held. */
const pauseMs = 35;

/** Milliseconds from a key to the frame that shows it. */
async function keyToFrame(terminal: Terminal, key: () => void, shows: RegExp): Promise<number> {
  const from = performance.now();
  key();
  await terminal.waitFor(shows);
  const took = performance.now() - from;
  await delay(pauseMs);
  return took;
}

/** The terminal UI after so many parts of a conversation, with a plan of 2,000 lines in review. */
async function talked(programs: TuiPrograms, entries: number): Promise<TuiProgram> {
  const terminal = await programs.run({}, size);
  const filler = Array.from(
    { length: planLines - 1 },
    (_, line) => `Line ${line} says **what** \`code\` does.`,
  );
  await terminal.order({ do: 'see', view: reviewView(['# Plan', ...filler].join('\n'), 'h1') });
  await terminal.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
  for (let from = 0; from < entries; from += batch) {
    const events = Array.from({ length: Math.min(batch, entries - from) }, (_, at): Published => ({
      type: 'message.ended',
      turn: 't',
      text: `Part ${from + at + 1}: it computes a value from **three** numbers.`,
    }));
    await terminal.order({ do: 'publish', events });
  }
  await terminal.waitFor(new RegExp(`Part ${entries}:`, 'u'), 60_000);
  await quiet(terminal);
  return terminal;
}

interface Keys {
  plan: number[];
  input: number[];
}

async function keysAfter(programs: TuiPrograms, entries: number, rounds: number): Promise<Keys> {
  const terminal = await talked(programs, entries);
  const keys: Keys = { plan: [], input: [] };
  for (let round = 0; round < rounds / 2; round += 1) {
    keys.input.push(await keyToFrame(terminal, () => terminal.type('x'), /^› x/mu));
    keys.input.push(await keyToFrame(terminal, () => terminal.key('backspace'), /^› Write/mu));
  }
  terminal.key('ctrlP');
  await terminal.waitFor(/^lines 1–/mu);
  await quiet(terminal);
  for (let at = 2; at <= rounds + 1; at += 1) {
    const shows = new RegExp(`^lines ${at}–`, 'mu');
    keys.plan.push(await keyToFrame(terminal, () => terminal.key('down'), shows));
  }
  terminal.kill();
  await terminal.exit();
  return keys;
}

/** Resolves when the program has written nothing for half a second. */
async function quiet(terminal: Terminal): Promise<void> {
  for (let before = -1; before !== terminal.bytes().length;) {
    before = terminal.bytes().length;
    await delay(500);
  }
}

/** Bytes a second that the open plan writes while a turn runs and nobody does anything. */
async function idleBytes(programs: TuiPrograms, seconds: number): Promise<number> {
  const since = new Date().toISOString();
  const view = running(reviewView('# Plan\n\nwords\n'.repeat(100), 'h1'), { since });
  const terminal = await programs.run({ view }, size);
  await terminal.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
  await terminal.waitFor(/working 1 s/u);
  const clock = await written(terminal, seconds);
  terminal.key('ctrlP');
  await terminal.waitFor(/q close/u);
  await quiet(terminal);
  return Math.max(clock, await written(terminal, seconds));
}

async function written(terminal: TuiProgram, seconds: number): Promise<number> {
  const before = terminal.bytes().length;
  await delay(seconds * 1000);
  return (terminal.bytes().length - before) / seconds;
}

/** How soon a key shows with a long transcript and a long plan, and what an open plan writes while it is idle. */
export async function measureScreen(rounds: number): Promise<Row[]> {
  const programs = await tuiPrograms();
  try {
    const short = await keysAfter(programs, 60, rounds);
    const long = await keysAfter(programs, entries, rounds);
    const idle = await idleBytes(programs, Math.max(2, Math.min(10, rounds / 20)));
    return rowsOf({ short, long, idle, rounds });
  } finally {
    await programs.end();
  }
}

function rowsOf({
  short,
  long,
  idle,
  rounds,
}: {
  short: Keys;
  long: Keys;
  idle: number;
  rounds: number;
}): Row[] {
  const note = `seen from outside, ${rounds} keys; after 5,000 parts of a conversation, with a plan of 2,000 lines`;
  const keyRows = (name: string, pick: (keys: Keys) => number[]): Row[] => [
    {
      name: `key to frame, ${name}`,
      unit: 'ms',
      ours: median(pick(long)),
      floor: median(pick(short)),
      goal: { of: 'value', most: 16 },
      note: `median ${note}; floor: after 60 parts`,
    },
    {
      name: `key to frame, ${name}, slow`,
      unit: 'ms',
      ours: quantile(pick(long), 0.99),
      floor: quantile(pick(short), 0.99),
      goal: { of: 'value', most: 50 },
      note: `99th percentile ${note}; floor: after 60 parts`,
    },
  ];
  const quietRow: Row = {
    name: 'idle with a clock',
    unit: 'B/s',
    ours: idle,
    floor: null,
    goal: { of: 'value', most: 200 },
    note: 'written to the terminal while a turn runs and nobody does anything; the worse of the open plan and the input',
  };
  return [...keyRows('plan', ({ plan }) => plan), ...keyRows('input', ({ input }) => input), quietRow];
}
