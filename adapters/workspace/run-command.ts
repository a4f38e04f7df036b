import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShellOutcome } from '../../tools/types.ts';
import { endGroup, type Group, isGroupAlive, startTime } from './group.ts';
import { boundedOutput, type Output } from './output.ts';
import { endMarked } from './strays.ts';

export interface Order {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  outputLimitBytes: number;
  /** Value of the marking variable in `env`, by which children that left the group are found; absent: none is. */
  mark?: string;
  /** A sandbox ends what is left in it by itself, in the moment after its own end. */
  around: 'sandbox' | 'nothing';
  /** Bytes for descriptor 3, or null for none. */
  filter: Uint8Array | null;
  /** Told as soon as the group exists and again, with null, when the call is over (D16). */
  onGroup(group: Group | null): void;
}

/** What is still in the pipe arrives at once; whoever holds it open longer is a process left behind. */
const drainMs = 250;

// One pipe for both streams keeps their order; exec keeps the process, and so its number and group.
const merged = ['-c', 'exec "$@" 2>&1', 'sh'];

const remarks = {
  ended: 'Processes that the command left in the background were ended with it.',
  stray: 'A process that the command left may still run; its output is not waited for.',
};

/**
 * Runs one command in a process group of its own, without input. Time-out and cancel end the whole group:
 * TERM, KILL after 2 s. Processes that the command left, in its group or marked as its own, end with it, so that
 * nothing goes on writing when the gate has closed. Contract: never throws; always answers.
 */
export async function runCommand(order: Order, signal: AbortSignal): Promise<ShellOutcome> {
  const output = boundedOutput(order.outputLimitBytes);
  if (signal.aborted) return ended(null, output, 'cancelled');
  const started = await start(order);
  if ('cause' in started) return { kind: 'refused', text: started.cause };
  const { child, pid, stdout } = started;
  stdout.on('data', (chunk: Uint8Array) => output.push(chunk));
  stdout.on('error', (error) =>
    output.push(Buffer.from(`\n[The output could not be read: ${error.message}]\n`)),
  );
  order.onGroup({ pid, started: startTime(pid) ?? '' });
  const closed = new Promise((resolve) => void child.once('close', resolve));
  const exited = new Promise((resolve) => void child.once('exit', resolve));
  const end = await firstOf(exited, order.timeoutMs, signal);
  if (end !== 'exited') await endGroup(pid);
  let drained = await within(closed, drainMs);
  const left = await endRest(pid, order.mark);
  drained = drained || (await within(closed, drainMs));
  if (left === 'some' && end === 'exited' && order.around === 'nothing')
    output.push(Buffer.from(`\n[${remarks.ended}]\n`));
  if (!drained) output.push(Buffer.from(`\n[${remarks.stray}]\n`));
  stdout.destroy();
  order.onGroup(null);
  return ended(end === 'exited' ? child.exitCode : null, output, end);
}

async function endRest(pid: number, mark: string | undefined): Promise<'none' | 'some'> {
  const inGroup = isGroupAlive(pid);
  if (inGroup) await endGroup(pid);
  const strays = mark === undefined ? 0 : await endMarked(mark);
  return inGroup || strays > 0 ? 'some' : 'none';
}

function ended(exit: number | null, output: Output, end: 'exited' | 'timedOut' | 'cancelled'): ShellOutcome {
  return { kind: 'ended', exit, output: output.text(), cut: output.cut(), timedOut: end === 'timedOut' };
}

type Started = { child: ChildProcess; pid: number; stdout: Readable } | { cause: string };

async function start({ argv, cwd, env, filter }: Order): Promise<Started> {
  try {
    const child = spawn('/bin/sh', [...merged, ...argv], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', ...(filter === null ? [] : (['pipe'] as const))],
    });
    await once(child, 'spawn');
    if (filter !== null) deliver(child.stdio[3], filter);
    if (child.pid === undefined || child.stdout === null) return { cause: 'The command did not start.' };
    return { child, pid: child.pid, stdout: child.stdout };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { cause: `The command could not be started in ${cwd}: ${why}. Nothing was run.` };
  }
}

/** A sandbox that ended before it read this says itself what was wrong. */
function deliver(stream: ChildProcess['stdio'][3], bytes: Uint8Array): void {
  if (!(stream instanceof Writable)) return;
  stream.on('error', () => undefined);
  stream.end(bytes);
}

async function firstOf(
  exited: Promise<unknown>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'exited' | 'timedOut' | 'cancelled'> {
  const over = new AbortController();
  const cancelled = Promise.withResolvers<'cancelled'>();
  const cancel = (): void => cancelled.resolve('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([
      exited.then(() => 'exited' as const),
      cancelled.promise,
      pause(timeoutMs, 'timedOut' as const, over.signal),
    ]);
  } finally {
    over.abort();
    signal.removeEventListener('abort', cancel);
  }
}

async function within(done: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([done.then(() => true), pause(ms, false, over.signal)]);
  } finally {
    over.abort();
  }
}

// A wait that was called off has lost its race; what it answers then is never looked at.
const pause = <T>(ms: number, value: T, signal: AbortSignal): Promise<T> =>
  wait(ms, value, { signal }).catch(() => value);
