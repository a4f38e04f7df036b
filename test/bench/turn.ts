import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ModelPort, TranscriptEntry } from '../../adapters/ports.ts';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import { initialState } from '../../adapters/tui/state.ts';
import { createStore } from '../../adapters/tui/store.ts';
import { viewOf } from '../support/fake-handle.ts';
import { harnessWorld, newSession, person } from '../support/harness-world.ts';
import { start } from '../support/terminal.ts';
import { makeFolder } from './floor.ts';
import { median, quantile } from './measure.ts';
import { program, runNode } from './processes.ts';
import type { Row } from './table.ts';

const child = fileURLToPath(new URL('turn-memory.ts', import.meta.url));

/** Turns that pay for compiling, as those of a program that has just started do. */
const warmUp = 20;

/** A model that answers at once: what is left of a turn is the harness. */
export const instant: ModelPort = {
  name: 'openai:instant',
  label: null,
  context: 10_000_000,
  async *step() {
    yield { type: 'text', text: 'ok' };
    yield { type: 'end', reason: 'stop' };
  },
};

const at = '2026-03-01T12:00:00.000Z';

/** One turn of four messages: a person's, two of the model, and the result of a read. */
function turnLines(index: number): TranscriptEntry[] {
  const turn = `11111111-2222-4333-8444-${String(index).padStart(12, '0')}`;
  const line = { v: 1, at, turn } as const;
  const call = { id: 'c', name: 'read_file', input: { path: 'src/a.ts' } };
  const code = 'export const value = compute(1, 2, 3);\n'.repeat(30);
  return [
    {
      ...line,
      type: 'user',
      text: 'Look at this and say what it does. '.repeat(8),
      from: 'person',
      kind: 'chat',
    },
    { ...line, type: 'assistant', text: 'I look at the file first.', calls: [call] },
    { ...line, type: 'tool.started', call: 'c', name: 'read_file' },
    { ...line, type: 'tool', call: 'c', name: 'read_file', text: code, failed: false },
    { ...line, type: 'assistant', text: 'It computes a value from three numbers. '.repeat(12), calls: [] },
    { ...line, type: 'turn.ended', outcome: 'done' },
  ];
}

/** A home with one session of that many messages; answers its world and id. */
async function longSession(folder: string, messages: number) {
  const home = makeFolder(join(folder, `messages-${randomUUID()}`));
  const project = join(home, 'project');
  mkdirSync(project);
  const world = harnessWorld({ home, model: instant });
  const id = await newSession(world, project);
  const lines = Array.from({ length: Math.floor(messages / 4) }, (_, index) => turnLines(index)).flat();
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  if (text !== '') appendFileSync(join(world.store.paths(id).own, 'transcript.jsonl'), text);
  return { home, project, world, id };
}

/** Turns of a session that already has `messages`: wall time and processor time of each, in ms. */
async function turns(folder: string, messages: number, rounds: number) {
  const { world, id } = await longSession(folder, messages);
  const session = await RuntimeSession.open(id, world);
  let ended = (): void => undefined;
  session.subscribe(({ type }) => {
    if (type === 'turn.ended') ended();
  });
  const taken: { wall: number; cpu: number }[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const before = process.cpuUsage();
    const from = performance.now();
    await new Promise<void>((resolve) => {
      ended = resolve;
      void session.send({ type: 'user.chat', by: person, text: 'hello', origin: 'typed' });
    });
    const wall = performance.now() - from;
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) taken.push({ wall, cpu: (user + system) / 1000 });
  }
  await session.close();
  return taken;
}

/** Milliseconds from the arrival of an answer's first piece to the telling of whoever draws. */
function firstPiece(rounds: number): number[] {
  return Array.from({ length: rounds }, () => {
    const store = createStore(initialState(viewOf(), []));
    let told = Number.NaN;
    store.subscribe(() => {
      told = performance.now();
    });
    const from = performance.now();
    store.dispatch({ type: 'published', published: { type: 'text', turn: 't', text: 'H' }, now: 0 });
    return told - from;
  });
}

/** What `turn-memory.ts` prints: bytes in use after a collection, with everything that is loaded. */
export const Held = z.object({ heapBytes: z.number(), externalBytes: z.number() });
export type Held = z.infer<typeof Held>;

/** A process that holds the session with what a surface shows of it, in MB. */
async function held(folder: string, messages: number): Promise<number> {
  const { home, id } = await longSession(folder, messages);
  const { output } = await runNode(['--expose-gc', child, home, id]);
  const { heapBytes, externalBytes } = Held.parse(JSON.parse(output));
  return (heapBytes + externalBytes) / 1e6;
}

/** Resident memory of the terminal UI after a turn in a session of that many messages, in MB; Linux only. */
async function resident(folder: string, messages: number): Promise<number> {
  const { home, project, id } = await longSession(folder, messages);
  const args = [program, '--home', home, '--session', id];
  const terminal = start(process.execPath, args, { cols: 100, rows: 30, cwd: project });
  try {
    await terminal.waitFor(/^\u203a /mu, 30_000);
    terminal.type('hello there\r');
    await terminal.waitFor(/openai:<model>[\s\S]*^\u203a /mu, 30_000);
    const status = readFileSync(`/proc/${terminal.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1]) / 1000;
  } finally {
    terminal.kill();
    await terminal.exit();
  }
}

/** Overhead of a turn, how it grows, the wait for the first piece, and the memory of a long session. */
export async function measureTurn(folder: string, rounds: number): Promise<Row[]> {
  const short = await turns(folder, 200, rounds);
  const long = await turns(folder, 2000, rounds);
  const cpu = (taken: typeof short): number => median(taken.map((one) => one.cpu));
  const note = (words: string): string =>
    `${words}; median of ${rounds} turns with a model that answers at once`;
  const row = (name: string, unit: Row['unit'], ours: number, goal: Row['goal'], words: string): Row => {
    return { name, unit, ours, floor: null, goal, note: words };
  };
  const wall = row(
    'turn at 200 messages, wall',
    'ms',
    median(short.map((one) => one.wall)),
    null,
    note('with the syncing of the disk'),
  );
  const growth = {
    ...row(
      'turn at 2,000 messages',
      'ms',
      cpu(long),
      { of: 'ratio', most: 10 },
      note('floor: at 200 messages'),
    ),
    floor: cpu(short),
  } as const;
  return [
    row('turn at 200 messages', 'ms', cpu(short), { of: 'value', most: 5 }, note('processor time')),
    wall,
    growth,
    row(
      'first piece told',
      'ms',
      quantile(firstPiece(200), 0.99),
      { of: 'value', most: 50 },
      '99th percentile',
    ),
    ...(await memoryRows(folder, row)),
  ];
}

type MakeRow = (name: string, unit: Row['unit'], ours: number, goal: Row['goal'], words: string) => Row;

async function memoryRows(folder: string, row: MakeRow): Promise<Row[]> {
  const most: Row['goal'] = { of: 'value', most: 150 };
  const words = 'heap after collection and memory outside it, of a whole process';
  const rows = [row('memory at 2,000 messages', 'MB', await held(folder, 2000), most, words)];
  if (process.platform !== 'linux') return rows;
  const slack = 'the terminal UI after a turn, as the kernel sees it, with what the collector keeps free';
  return [...rows, row('resident at 2,000 messages', 'MB', await resident(folder, 2000), null, slack)];
}
