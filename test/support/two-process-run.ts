import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TwoProcessOrder } from './two-process-child.ts';
import { lineText, readLog } from './two-process-log.ts';

export type Kill = NonNullable<TwoProcessOrder['kill']>;

export interface ListOptions extends Omit<TwoProcessOrder, 'by' | 'from' | 'kill'> {
  program: string;
  /** Name of the list; its processes are called A1, A2 and so on. */
  list: 'A' | 'B';
  /** Where its processes die, in turn. */
  kills: readonly Kill[];
}

/** A process that is ready to work its list. */
export interface ListRun {
  options: ListOptions;
  child: Child;
}

interface Child {
  by: string;
  from: number;
  ready: Promise<void>;
  /** How its work ended; rejects when it failed. */
  over: Promise<'finished' | 'killed'>;
  send(word: 'go' | 'leave'): void;
  closed: Promise<void>;
}

export function startRun(options: ListOptions): ListRun {
  return { options, child: start(options, 1, 0) };
}

/** Lets all work at once, starts anew what is killed, and ends when every list has been worked. */
export async function runList(runs: readonly ListRun[]): Promise<{ kills: number }> {
  const children = runs.map(({ child }) => child);
  try {
    await Promise.all(children.map(({ ready }) => ready));
    const kills = await Promise.all(runs.map((run) => work(run, children)));
    for (const child of children) child.send('leave');
    await Promise.all(children.map(({ closed }) => closed));
    return { kills: kills.reduce((sum, count) => sum + count, 0) };
  } finally {
    for (const child of children) child.send('leave');
  }
}

/** Answers how often a process of this list was killed. */
async function work({ options, child }: ListRun, children: Child[]): Promise<number> {
  let current = child;
  for (let kills = 0; ; kills += 1) {
    await current.ready;
    current.send('go');
    if ((await current.over) === 'finished') return kills;
    appendFileSync(options.log, lineText({ by: current.by, t: 'died' }));
    current = start(options, kills + 2, nextMove(options.log, current));
    children.push(current);
  }
}

/** The move at which a process died is not tried again: it may have been saved. */
function nextMove(log: string, { by, from }: Child): number {
  const last = readLog(log).lines.findLast((line) => line.by === by && 'n' in line);
  return last !== undefined && 'n' in last ? last.n + 1 : from;
}

function start({ program, list, kills, ...order }: ListOptions, run: number, from: number): Child {
  const by = `${list}${run}`;
  const given: TwoProcessOrder = { ...order, by, from, kill: kills[run - 1] ?? null };
  const process = spawn(globalThis.process.execPath, ['--no-warnings', program, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return { by, from, ...follow(process) };
}

function follow(child: ChildProcess): Omit<Child, 'by' | 'from'> {
  const ready = Promise.withResolvers<void>();
  const over = Promise.withResolvers<'finished' | 'killed'>();
  const closed = Promise.withResolvers<void>();
  let errors = '';
  let dying = false;
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  // What it is told after its death goes nowhere.
  child.stdin?.on('error', () => undefined);
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (word) => {
      if (word === 'ready') ready.resolve();
      if (word === 'finished' && !dying) over.resolve('finished');
      if (word !== 'kill') return;
      dying = true;
      child.kill('SIGKILL');
    });
  }
  child.on('close', (code, signal) => {
    const error = new Error(`the process ended with ${code}: ${errors}`);
    if (signal !== 'SIGKILL' && code !== 0) for (const one of [ready, over]) one.reject(error);
    ready.resolve();
    over.resolve('killed');
    closed.resolve();
  });
  for (const one of [ready, over]) one.promise.catch(() => undefined);
  return {
    ready: ready.promise,
    over: over.promise,
    closed: closed.promise,
    send: (word) => void child.stdin?.write(`${word}\n`),
  };
}
