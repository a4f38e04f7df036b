import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelMessage, ModelPort } from '../../adapters/ports.ts';
import { toMessages } from '../../adapters/runtime/conversation.ts';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import type { SessionView } from '../../machines/index.ts';
import type { ChildProgram } from './crash-process.ts';
import type { ChildAct, ChildReply } from './crash-protocol.ts';
import { plan, planText, tasks } from './harness-script.ts';
import { harnessWorld, newSession, person } from './harness-world.ts';

/** One whole job, in which every kind of commit happens: two plans, one worked to its end, one discarded. */
const first = planText('First plan', 'Split it.', 'Move the readers.');
const second = planText('Second plan', 'Drop it.');

const acts: readonly ChildAct[] = [
  { do: 'chat', text: 'make a plan', turn: 'wait' },
  { do: 'execute', turn: 'wait' },
  { do: 'chat', text: 'create a plan', turn: 'wait' },
  { do: 'discard', turn: 'none' },
];

const script = (path: string): readonly ChildReply[] => [
  { calls: [plan('init', { mode: 'design', title: 'First plan' })] },
  { calls: [{ name: 'write_file', input: { path, content: '# First plan\nStill to be written.\n' } }] },
  { calls: [{ name: 'write_file', input: { path, content: first } }] },
  { text: 'Ready.' },
  { calls: [plan('add_tasks', tasks('Split it', 'Move the readers'))] },
  { calls: [plan('start')] },
  { calls: [plan('complete', { task_order: 1 }), plan('start', { task_order: 2 })] },
  { calls: [plan('complete', { task_order: 2 })] },
  { text: 'Done.' },
  { calls: [plan('init', { mode: 'design', title: 'Second plan' })] },
  { calls: [{ name: 'write_file', input: { path, content: second } }] },
  { text: 'Ready.' },
];

export interface CrashReport {
  /** File changes of the whole job, and at how many of them a process was killed. */
  points: number;
  killed: number;
  /** The states that restarts found, in the order of the job. */
  found: string[];
  /** What was wrong, each with the point; empty is good. */
  faults: string[];
}

/**
 * Runs the job once to count its file changes, then again and again, each time with a process that kills
 * itself at one of them, and looks at what a fresh runtime finds. `kills`: how many points, spread evenly,
 * the same ones each time; or all of them; once `isOver` says so, no more
 * after the first one.
 */
export async function crashEverywhere(
  program: ChildProgram,
  kills: number | 'all',
  isOver: () => boolean = () => false,
): Promise<CrashReport> {
  const bench = new Bench(program);
  try {
    const chain = await bench.reference();
    const points = bench.points.length;
    const chosen = choose(points, kills === 'all' ? points : kills);
    const faults: string[] = [];
    const found = new Set<string>();
    let killed = 0;
    await inParallel(2, spread(chosen), async (point) => {
      if (killed > 0 && isOver()) return;
      killed += 1;
      const outcome = await bench.crash(point);
      found.add(outcome.state);
      faults.push(
        ...faultsOf(outcome, chain).map((fault) => `point ${point}, ${bench.points[point - 1]}: ${fault}`),
      );
    });
    return { points, killed, found: chain.filter((state) => found.has(state)), faults };
  } finally {
    bench.end();
  }
}

function choose(points: number, kills: number): number[] {
  const count = Math.min(points, kills);
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * points) / count) + 1);
}

/** In an order that leaves no part of the job out, wherever it is broken off: by steps of the golden ratio. */
function spread(points: readonly number[]): number[] {
  const place = (index: number): number => (index * 0.618_033_988_75) % 1;
  const order = points.map((point, index) => ({ point, at: place(index) }));
  return order.toSorted((a, b) => a.at - b.at).map(({ point }) => point);
}

async function inParallel<T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

interface Outcome {
  signal: string | null;
  /** Last state on the dead process' screen, as a restart would show it. */
  shown: string;
  state: string;
  /** Plan texts on disk before and after the restart, archive included. */
  before: string[];
  after: string[];
  idle: boolean;
  /** Calls of the conversation that have no result right after their response. */
  open: string[];
  /** What is left of the plan after /discard, and its answer. */
  left: string;
}

function faultsOf(outcome: Outcome, chain: readonly string[]): string[] {
  const { signal, shown, state, before, after, idle, open, left } = outcome;
  const at = chain.lastIndexOf(shown);
  // The chain may pass one state twice; any place of what was shown will do.
  const allowed = chain.flatMap((known, index) => (known === shown ? [known, chain[index + 1]] : []));
  const faults: string[] = [];
  if (signal !== 'SIGKILL') faults.push(`the process was not killed (${signal})`);
  if (at === -1) faults.push(`it showed ${shown}, which the whole job never does`);
  if (!allowed.includes(state)) faults.push(`it showed ${shown}, a restart finds ${state}`);
  if (!idle) faults.push('the turn still counts as running');
  const lost = before.filter((text) => !after.includes(text));
  if (lost.length > 0) faults.push(`lost: ${JSON.stringify(lost)}`);
  if (open.length > 0) faults.push(`calls without a result: ${open.join(', ')}`);
  if (left !== '') faults.push(left);
  return faults;
}

/** Homes to crash in, all copies of one. */
class Bench {
  readonly points: string[] = [];
  private readonly program: ChildProgram;
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-crash-')));
  private count = 0;
  private session = '';

  constructor(program: ChildProgram) {
    this.program = program;
  }

  end(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** The whole job without a kill: its states as restarts would show them, in order. */
  async reference(): Promise<string[]> {
    const template = join(this.root, 'template');
    mkdirSync(join(template, 'home'), { recursive: true });
    mkdirSync(join(template, 'project'));
    this.session = await newSession(worldIn(join(template, 'home')), join(this.root, 'template', 'project'));
    const { told, ended } = this.start(this.copy(), 'never');
    await ended;
    if (told.at(-1)?.type !== 'done') throw new Error('the job does not go through without a kill');
    const chain: string[] = [initial];
    for (const one of told) {
      if (one.type === 'point') this.points.push(one.at);
      if (one.type === 'view' && chain.at(-1) !== restarted(one.view)) chain.push(restarted(one.view));
    }
    return chain;
  }

  async crash(point: number): Promise<Outcome> {
    const home = this.copy();
    const run = this.start(home, point);
    const signal = await run.ended;
    const view = run.view();
    const before = plansIn(home);
    const world = worldIn(home);
    const session = await RuntimeSession.open(this.session, world);
    const state = restarted(session.view());
    const idle = session.view().turn === 'idle';
    const after = plansIn(home);
    const open = openCalls(toMessages(await session.transcript()));
    const left = await leave(session);
    await session.close();
    rmSync(join(home, '..'), { recursive: true, force: true });
    const shown = view === undefined ? initial : restarted(view);
    return { signal, shown, state, before, after, idle, open, left };
  }

  private start(home: string, kill: number | 'never') {
    const { document } = worldIn(home).store.paths(this.session);
    return this.program.start({
      home,
      session: this.session,
      script: script(document),
      acts,
      then: 'end',
      kill,
    });
  }

  private copy(): string {
    this.count += 1;
    const place = join(this.root, String(this.count));
    cpSync(join(this.root, 'template'), place, { recursive: true });
    return join(place, 'home');
  }
}

/** The state before anything was said. */
const initial = 'noPlan';

/** A restart never asks the model. */
const silent: ModelPort = {
  name: 'silent',
  label: null,
  async *step() {
    yield { type: 'end', reason: 'stop' };
  },
};
const worldIn = (home: string) => harnessWorld({ home, model: silent });

/** A view in one line, as a restart shows it: no turn runs, and a seed that has not started a task has failed. */
function restarted({ phase, title, tasks: list, document }: SessionView): string {
  const seed = list.length === 0 ? 'seedFailedEmpty' : 'seedFailedPartial';
  const state = phase === 'seeding' ? seed : phase;
  const work = list.map(({ status }) => ` ${status}`).join('');
  const text = document === null ? '' : ` ${document.hash?.slice(0, 8) ?? 'no text'}`;
  return `${state}${title === null ? '' : ` "${title}"`}${work}${text}`;
}

/** Texts of session plans below a home, archive included; half-written temporary files are none. */
function plansIn(home: string): string[] {
  const dir = join(home, 'session');
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return names.map((name) => readFileSync(join(dir, name), 'utf8'));
}

function openCalls(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    const results = messages.slice(index + 1, index + 1 + message.calls.length);
    const answered = results.flatMap((result) => (result.role === 'tool' ? [result.call] : []));
    return message.calls.map(({ id }) => id).filter((id) => !answered.includes(id));
  });
}

/** Whatever the state, a person can leave it; answers what is wrong. */
async function leave(session: RuntimeSession): Promise<string> {
  if (session.view().phase === 'noPlan') return '';
  const answer = await session.send({ type: 'user.discard', by: person });
  if (answer.kind === 'accepted' && session.view().phase === 'noPlan') return '';
  return `/discard does not leave: ${answer.text}, ${session.view().phase}`;
}
