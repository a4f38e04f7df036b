import type { Actor, Said, TaskDraft } from '../../machines/index.ts';
import type { Move, World } from './explore.ts';
import { commandMoves, diskMoves } from './explore-disk.ts';
import { headless, owner, stranger, texts } from './samples.ts';
import { draft, everyCall, importable, importFile, people, turnEnd } from './samples-said.ts';

type Named = Record<string, Said>;

const run = headless('run');

/** Every move that can be tried in a place: a payload for each outcome of each guard. */
export function movesAt(world: World): Move[] {
  const said = { ...decisions(world), ...talk(world), ...inits(world), ...taskCalls(world), ...turns(world) };
  const spoken = Object.entries(said).map(([name, one]): Move => ({
    type: one.type,
    name: `${one.type} ${name}`,
    said: one,
  }));
  return [...spoken, ...diskMoves(world), ...commandMoves(world)];
}

/** What plan commands and buttons say, by each kind of actor. */
function decisions({ snapshot }: World): Named {
  const { plan, document } = snapshot.context;
  const shown = document?.hash ?? null;
  const phase = plan?.status === 'Active' ? 'active' : 'editing';
  const mine = { plan: plan?.id ?? 'none', phase, owns: true } as const;
  const stale = {
    'other plan': { ...mine, plan: 'other' },
    'other phase': { ...mine, phase: phase === 'active' ? 'editing' : 'active' },
    'not owning': { ...mine, owns: false },
  } as const;
  const each = (name: string, make: (by: Actor) => Said): Named => ({
    [`${name} by the owner`]: make(owner),
    [`${name} by another`]: make(stranger),
    [`${name} under run`]: make(run),
    [`${name} by its button`]: { ...make(owner), button: mine } as Said,
    ...Object.fromEntries(
      Object.entries(stale).map(([what, button]) => [
        `${name} by a button: ${what}`,
        { ...make(owner), button } as Said,
      ]),
    ),
  });
  return {
    '/plan by the owner': people.plan(),
    '/plan text by the owner': people.planText('the cache'),
    '/plan blank': people.planText('  '),
    '/plan by another': people.plan(stranger),
    '/plan under run': people.plan(run),
    '/show-plan': people.show(),
    '/execute nothing shown': people.execute(null),
    '/execute another text shown': people.execute('0'.repeat(64)),
    'approve another text': people.approveText('0'.repeat(64)),
    ...each('/execute', (by) => people.execute(shown, by)),
    ...each('approve text', (by) => people.approveText(shown ?? '', by)),
    ...each('restore', (by) => people.restore(by)),
    ...Object.fromEntries(
      Object.entries({ 'this text': shown, 'another text': '0'.repeat(64) }).flatMap(([what, hash]) => [
        [`/execute by a button for ${what}`, { ...people.execute(hash), button: { ...mine, hash } } as Said],
        [`restore by a button for ${what}`, { ...people.restore(), button: { ...mine, hash } } as Said],
      ]),
    ),
    ...each('revise', (by) => people.revise(by)),
    'place by the owner': people.place({ cwd: '/elsewhere', project: 'shop' }),
    'place by another': people.place({ project: 'shop' }, stranger),
    'place under run': people.place({ project: 'shop' }, run),
    ...each('/discard', (by) => people.discard(by)),
    ...each('continue', (by) => people.resume(by)),
  };
}

function talk({ snapshot }: World): Named {
  const starter = snapshot.context.record.lease?.by ?? owner;
  return {
    'plain text': people.chat('hello'),
    'plan words': people.chat('make a plan for it'),
    'plan words of a command': people.command('make a plan for it'),
    'plan words of another': people.chat('make a plan for it', stranger),
    'plan words under run': people.chat('make a plan for it', run),
    'a plan command under run': people.chat('/execute now', run),
    compact: people.compact(),
    'compact by another': people.compact(stranger),
    'compact under run': people.compact(run),
    'stop by the owner': people.stop(),
    'stop by another': people.stop({ ...stranger, person: 'eve' }),
    'stop by who started it': people.stop({ ...starter, owner: false }),
    switch: people.switch(),
    'yolo on': people.policy('yolo'),
    'yolo off': people.policy('ask'),
    'yolo by another': people.policy('yolo', stranger),
    'yolo under run': people.policy('yolo', run),
    'goal set': people.goal('Ship it'),
    'goal cleared': people.goal(null),
    'goal by another': people.goal('Ship it', stranger),
    'goal under run': people.goal('Ship it', run),
    rename: people.rename('The cache'),
    'rename by another': people.rename('The cache', stranger),
    'rename under run': people.rename('The cache', run),
  };
}

/** The same call by the turn, by a sub-agent and by a turn that is over. */
function byCallers(world: World): Named {
  const turn = world.snapshot.context.record.lease?.turn ?? 'over';
  const named = (said: Said[], who: string) => said.map((one) => [`${one.type} ${who}`, one]);
  return Object.fromEntries([
    ...named(everyCall({ turn, child: true }), 'from a sub-agent'),
    ...named(everyCall({ turn: 'over' }), 'of a turn that is over'),
  ]) as Named;
}

const two: TaskDraft[] = [draft('A'), draft('B', { dependencies: [1] })];

function inits({ snapshot }: World): Named {
  const turn = snapshot.context.record.lease?.turn ?? 'over';
  const init = (fields: object): Said => ({ type: 'tool.init', turn, child: false, ...fields });
  const title = 'Split the key';
  return {
    design: init({ title, mode: 'design' }),
    'design from the archive': init({ title, from: texts.valid }),
    'checklist of one': init({ title, mode: 'checklist', tasks: [draft('A')] }),
    'checklist of two': init({ title, tasks: two }),
    'checklist of two apart': init({ title, tasks: [draft('A'), draft('B')] }),
    import: init({ file: importable }),
    'file and tasks': init({ file: importable, tasks: two }),
    'file unreadable': init({ file: { path: '/none', cause: 'ENOENT' } }),
    'file invalid': init({ file: importFile('{') }),
    'file with bad tasks': init({ file: importFile({ title, description: 'D', tasks: [draft(' ')] }) }),
    'file empty': init({ file: importFile({ title, description: 'D' }) }),
    'no title': init({}),
    'unknown mode': init({ title, mode: 'other' }),
    'design with tasks': init({ title, mode: 'design', tasks: two }),
    'checklist without tasks': init({ title, mode: 'checklist' }),
    'bad tasks': init({ title, tasks: [draft('A', { dependencies: [9] })] }),
  };
}

function taskCalls(world: World): Named {
  const { lease } = world.snapshot.context.record;
  const call = { turn: lease?.turn ?? 'over', child: false };
  const add = (tasks: TaskDraft[]): Said => ({ type: 'tool.addTasks', ...call, tasks });
  const start = (fields: object): Said => ({ type: 'tool.start', ...call, ...fields });
  const complete = (fields: object): Said => ({ type: 'tool.complete', ...call, ...fields });
  const { plan, document } = world.snapshot.context;
  const write = (fields: object): Said => ({
    type: 'tool.document',
    ...call,
    text: texts.valid,
    base: document?.hash ?? null,
    plan: plan?.id ?? null,
    ...fields,
  });
  return {
    ...byCallers(world),
    'one task': add([draft('A')]),
    'two tasks': add(two),
    'two tasks apart': add([draft('A'), draft('B')]),
    'no task': add([]),
    'two bad tasks': add([draft(' '), draft('B')]),
    next: start({}),
    'number 1': start({ task: 1 }),
    'number 2': start({ task: 2 }),
    'number 9': start({ task: 9 }),
    'the running one': complete({}),
    'fail the running one': complete({ action: 'fail' }),
    'task 1': complete({ task: 1 }),
    'skip 1': complete({ task: 1, action: 'skip' }),
    'skip 2': complete({ task: 2, action: 'Skip' }),
    'task 9': complete({ task: 9 }),
    'another action': complete({ action: 'approve' }),
    finalize: { type: 'tool.unknown', ...call, operation: 'finalize' },
    'write a valid text': write({}),
    'write a faulty text': write({ text: texts.invalid }),
    'write over a stale text': write({ base: 'stale' }),
    'write for another plan': write({ plan: 'other' }),
  };
}

function turns({ snapshot }: World): Named {
  const { lease, queue } = snapshot.context.record;
  const turn = lease?.turn ?? 'over';
  const item = queue[0]?.id ?? 'gone';
  return {
    done: turnEnd('done', turn),
    failed: turnEnd('failed', turn),
    'of another turn': turnEnd('done', 'another'),
    waits: { type: 'turn.note', turn, waiting: { what: 'your answer', surface: 'tui', since: '12:03' } },
    'a command begins': { type: 'turn.note', turn, shell: 'begins' },
    'a command has ended': { type: 'turn.note', turn, shell: 'ended' },
    'a command begins in another turn': { type: 'turn.note', turn: 'another', shell: 'begins' },
    'waits in another turn': { type: 'turn.note', turn: 'another', waiting: null },
    'the next item': { type: 'queue.take', item },
    'an item that is gone': { type: 'queue.take', item: 'gone for good' },
    'the next item by who it was left to': { type: 'queue.send', by: owner, item },
    'drop the next item': { type: 'queue.drop', item },
    'drop an item that is gone': { type: 'queue.drop', item: 'gone for good' },
  };
}
