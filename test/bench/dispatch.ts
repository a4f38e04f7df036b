import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../adapters/clock.ts';
import { createDispatcher, type Dispatcher } from '../../adapters/runtime/index.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { type Actor, type Said, SessionRecord, type TaskDraft } from '../../machines/index.ts';
import { inodesOf, makeFolder, prepareBare, writeBare, writeBareAsync, writtenSince } from './floor.ts';
import { timed } from './measure.ts';
import { type Row, rowOfPairs } from './table.ts';

const person: Actor = { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true };

/** One dispatch in ms, with the bare sequences of exactly the bytes it wrote, taken right after it. */
interface Sample {
  ours: number;
  bare: number;
  bareAsync: number;
  files: number;
  bytes: number;
}

type Samples = Map<string, Sample[]>;

interface Bench {
  home: string;
  floor: string;
  dispatcher: Dispatcher;
  session: string;
  samples: Samples;
  tasks: number;
}

/**
 * A durable dispatch against the bare sequence. Each round works a new plan in a new session; the first round is
 * not counted.
 */
export async function measureDispatch(folder: string, rounds: number, tasks = 30): Promise<Row[]> {
  const home = makeFolder(join(folder, 'home'));
  const store = createFileStore({ home });
  const workspace = { endGroup: () => Promise.resolve() };
  const dispatcher = createDispatcher({ store, workspace, clock: systemClock, process: randomUUID() });
  let samples: Samples = new Map();
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) samples = new Map();
    const session = randomUUID();
    const at = systemClock.now();
    await store.create(SessionRecord.parse({ v: 1, id: session, cwd: folder, created: at, used: at }));
    await workPlan({ home, floor: join(folder, 'floor'), dispatcher, session, samples, tasks });
  }
  const kinds = ['tool.start', 'tool.complete', 'tool.addTasks', 'user.policy'];
  const all = kinds.flatMap((kind) => samples.get(kind) ?? []);
  return [...kinds.map((kind) => rowOf(kind, samples.get(kind) ?? [])), promisesRow(all)];
}

/** Every kind of change in one plan; the last task stays open, since a plan that is done is archived as well. */
async function workPlan(bench: Bench): Promise<void> {
  const later = Math.ceil(bench.tasks / 5) - 1;
  for (let times = 0; times < 10; times += 1)
    await take(bench, { type: 'user.policy', by: person, yolo: times % 2 === 0 });
  const { snapshot } = await take(bench, {
    type: 'user.chat',
    by: person,
    text: 'Split the key.',
    origin: 'typed',
  });
  const call = { turn: snapshot.context.record.lease?.turn ?? '', child: false };
  const tasks = Array.from({ length: bench.tasks - later }, (_, index) => draft(index + 1));
  await take(bench, { type: 'tool.init', ...call, title: 'Split the key', mode: 'checklist', tasks });
  for (let task = 1; task < bench.tasks; task += 1) {
    if (task % 5 === 0)
      await take(bench, { type: 'tool.addTasks', ...call, tasks: [draft(bench.tasks - task / 5)] });
    await take(bench, { type: 'tool.start', ...call, task });
    await take(bench, { type: 'tool.complete', ...call, action: 'success', output: 'Done, all tests pass.' });
  }
}

const draft = (number: number): TaskDraft => ({
  title: `Move reader ${number} to its own key`,
  description: `Replace the shared key in src/reader-${number}.ts, keep the old one for a release, and log its use.`,
  acceptance_criteria: [`reader-${number} starts with its own key`, 'the old key is still accepted'],
});

async function take(bench: Bench, said: Said): ReturnType<Dispatcher['dispatch']> {
  const { home, floor, dispatcher, session, samples } = bench;
  const before = inodesOf(home);
  const from = performance.now();
  const result = await dispatcher.dispatch(session, said);
  const ours = performance.now() - from;
  if (result.answer?.kind !== 'accepted')
    throw new Error(`${said.type} was not accepted: ${JSON.stringify(result.answer)}`);
  const files = writtenSince(home, before);
  if (files.length === 0) throw new Error(`${said.type} wrote nothing.`);
  await prepareBare(floor, files);
  const had = samples.get(said.type) ?? [];
  const sides = {
    bare: () => writeBare(floor, files),
    bareAsync: () => writeBareAsync(floor, files),
  };
  // What runs right after another write may find the disk still busy with it: the two floors change places.
  const order = had.length % 2 === 0 ? (['bare', 'bareAsync'] as const) : (['bareAsync', 'bare'] as const);
  const took = { bare: 0, bareAsync: 0 };
  for (const side of order) took[side] = await timed(sides[side]);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  samples.set(said.type, [...had, { ours, ...took, files: files.length, bytes }]);
  return result;
}

function rowOf(kind: string, samples: readonly Sample[]): Row {
  const files = [...new Set(samples.map((sample) => sample.files))].join(' or ');
  const kilobytes = samples.reduce((sum, { bytes }) => sum + bytes, 0) / samples.length / 1000;
  const note = `floor: write + fsync + rename + folder fsync of the same ${files} file(s), ${kilobytes.toFixed(1)} kB`;
  return rowOfPairs(
    { name: `dispatch ${kind}`, unit: 'ms', goal: { of: 'ratio', most: 1.5 }, note },
    samples.map(({ ours }) => ours),
    samples.map(({ bare }) => bare),
  );
}

/** A program that must not block its screen while the disk works cannot do better than this. */
function promisesRow(samples: readonly Sample[]): Row {
  return rowOfPairs(
    {
      name: 'dispatch, promises',
      unit: 'ms',
      goal: null,
      note: 'all kinds; floor: the same through fs/promises',
    },
    samples.map(({ ours }) => ours),
    samples.map(({ bareAsync }) => bareAsync),
  );
}
