import * as fc from 'fast-check';
import { derive, phaseOf, Said, type StoredSession } from '../../machines/index.ts';
import { headless, owner, stranger, texts } from './samples.ts';
import { calls, draft, importable, people, turnEnd } from './samples-said.ts';

/**
 * One entry of a list, as JSON. `live`, `now`, `oldest` and `unsent` in an event stand for what its process finds in the
 * files just before it acts; until then the other process may have changed it.
 */
export type Move =
  /** The next step on the main road: blind lists hardly ever reach a seed. */
  | { do: 'onward' }
  | { do: 'say'; said: Said }
  /** What editors do: in place, by rename, with the old file out of the way first; or the file is deleted. */
  | { do: 'edit'; how: 'rename' | 'inPlace' | 'aside' | 'remove'; text: keyof typeof texts }
  | { do: 'look'; look: 'watch' | 'missing' };

const by = fc.oneof(
  { weight: 8, arbitrary: fc.constant(owner) },
  { weight: 1, arbitrary: fc.constantFrom(stranger, headless('run')) },
);
const text = fc.constantFrom('hello', 'make a plan for it', '/execute', 'go on');
const now = fc.constantFrom('now', null, '0'.repeat(64));
const button = fc.record({
  plan: fc.constantFrom('live', 'other'),
  phase: fc.constantFrom('editing', 'active'),
  owns: fc.boolean(),
});
const type = <T extends string>(name: T) => fc.constant(name);
const optional = { requiredKeys: ['type', 'by'] as ['type', 'by'] };

const talk = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: type('user.plan'), by, text }, optional) },
  { weight: 5, arbitrary: fc.record({ type: type('user.chat'), by, text, origin: type('typed') }) },
  { weight: 2, arbitrary: fc.record({ type: type('user.execute'), by, shown: now }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.execute'), by, button, shown: now }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.approveText'), by, shown: type('now') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('user.restore', 'user.continue'), by }) },
  { weight: 2, arbitrary: fc.record({ type: type('user.revise'), by, note: text, seen: now }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.discard'), by, button }, optional) },
  { weight: 1, arbitrary: fc.record({ type: type('user.stop'), by }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('user.show', 'user.switch'), by }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.policy'), by, yolo: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.compact'), by }) },
  { weight: 3, arbitrary: fc.record({ type: type('user.goal'), by, text: fc.option(text) }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.rename'), by, name: text }) },
  { weight: 1, arbitrary: fc.record({ type: type('user.place'), by, cwd: fc.constantFrom('/a', '/b') }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: type('user.place'), by, project: fc.constantFrom('shop', null) }),
  },
  { weight: 4, arbitrary: fc.record({ type: type('queue.take'), item: type('oldest') }) },
  { weight: 2, arbitrary: fc.record({ type: type('queue.send'), by, item: type('unsent') }) },
  { weight: 1, arbitrary: fc.record({ type: type('queue.drop'), item: fc.constantFrom('oldest', 'none') }) },
);

const turn = fc.oneof(
  { weight: 6, arbitrary: type('live') },
  { weight: 1, arbitrary: fc.constantFrom('over', 'other') },
);
const call = { turn, child: fc.constantFrom(false, false, false, true) };
const called = { requiredKeys: ['type', 'turn', 'child'] as ['type', 'turn', 'child'] };
const tasks = fc.array(
  fc.record({
    title: fc.constantFrom('A', 'B', ' '),
    description: fc.constantFrom('Do it.', ''),
    dependencies: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 1 }),
  }),
  { maxLength: 3 },
);
const task = fc.integer({ min: 0, max: 4 });
const action = fc.constantFrom('success', 'fail', 'skip', 'later');
const group = fc.constantFrom(null, { pid: 0x7fff_ffff, started: 'never' });

const tools = fc.oneof(
  fc.record({ type: type('tool.init'), ...call, title: text, mode: type('checklist'), tasks }, called),
  fc.record({ type: type('tool.init'), ...call, title: type('By hand'), mode: type('design') }),
  fc.record({ type: type('tool.init'), ...call, title: type('Again'), from: type(texts.valid) }),
  fc.record({ type: type('tool.init'), ...call, file: fc.constant(importable) }),
  fc.record({ type: type('tool.addTasks'), ...call, tasks }),
  fc.record({ type: type('tool.start'), ...call, task }, called),
  fc.record({ type: type('tool.complete'), ...call, task, action, output: text }, called),
  fc.record({
    type: type('tool.document'),
    ...call,
    text: fc.constantFrom(texts.valid, texts.changed, texts.invalid),
    base: fc.constantFrom('now', 'now', null),
    plan: fc.constantFrom('live', 'live', null),
  }),
  fc.record({ type: type('turn.end'), turn, outcome: fc.constantFrom('done', 'failed', 'cancelled') }),
  fc.record({ type: type('turn.note'), turn, group }),
  fc.record({ type: type('turn.note'), turn, shell: fc.constantFrom('begins', 'begins', 'ended') }),
  fc.record({ type: type('tool.unknown'), ...call, operation: type('finalize') }),
);

const edit: fc.Arbitrary<Move> = fc.record({
  do: type('edit'),
  how: fc.constantFrom('rename', 'inPlace', 'aside', 'remove'),
  text: fc.constantFrom('valid', 'changed', 'invalid'),
});

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<Move>({ do: 'onward' }) },
  { weight: 4, arbitrary: talk.map((said): Move => ({ do: 'say', said: said as Said })) },
  { weight: 4, arbitrary: tools.map((said): Move => ({ do: 'say', said: said as Said })) },
  { weight: 1, arbitrary: edit },
  { weight: 1, arbitrary: fc.record({ do: type('look'), look: fc.constantFrom('watch', 'missing') }) },
);

/** While a command runs with nothing around it, whatever an editor writes is undone (D22); blind lists hardly do both. */
const underCommand: fc.Arbitrary<Move[]> = edit.map((change) => [
  { do: 'say', said: { type: 'turn.note', turn: 'live', shell: 'begins' } },
  change,
]);

/** Two lists of `events` moves each; the same ones for the same seed. */
export function twoLists(seed: number, events: number): [Move[], Move[]] {
  const moves = fc.oneof(
    { weight: 12, arbitrary: move.map((one) => [one]) },
    { weight: 1, arbitrary: underCommand },
  );
  const list = fc
    .array(moves, { minLength: events, maxLength: events })
    .map((several) => several.flat().slice(0, events));
  const [lists] = fc.sample(fc.tuple(list, list), { seed, numRuns: 1 });
  if (lists === undefined) throw new Error('fast-check gave no lists');
  return lists;
}

/** The event of a move in the state that its process has read. `mark` makes texts differ from all others. */
export function spoken(
  move: Extract<Move, { do: 'onward' | 'say' }>,
  stored: StoredSession,
  mark: string,
): Said {
  const said = move.do === 'onward' ? onward(stored) : move.said;
  const { plan, document, record } = derive(stored).snapshot.context;
  const live = {
    turn: record.lease?.turn ?? 'over',
    plan: plan?.id ?? null,
    item: record.queue[0]?.id ?? 'none',
    unsent: record.queue.find(({ process }) => stored.gone.includes(process))?.id ?? 'none',
  };
  const stands: Record<string, unknown> = {
    live: live.plan,
    now: document?.hash ?? null,
    oldest: live.item,
    unsent: live.unsent,
  };
  const meant = (name: string, value: unknown): unknown => {
    if (name === 'turn') return value === 'live' ? live.turn : value;
    return typeof value === 'string' && value in stands ? stands[value] : value;
  };
  const fields = Object.entries(said).map(([name, value]) => [name, meant(name, value)] as const);
  const event = Object.fromEntries(fields) as Record<string, unknown>;
  if (event['type'] === 'tool.document') event['text'] = `${String(event['text'])}<!-- ${mark} -->\n`;
  if ('button' in said && said.button?.plan === 'live')
    event['button'] = { ...said.button, plan: live.plan ?? '' };
  if (event['type'] === 'user.approveText') event['shown'] ??= '';
  return Said.parse(event);
}

function onward(stored: StoredSession): Said {
  const { snapshot } = derive(stored);
  const { record, plan, document } = snapshot.context;
  const turn = record.lease?.turn ?? null;
  if (record.lease !== null && record.lease.cancel !== null) return turnEnd('cancelled', record.lease.turn);
  if (record.lease !== null && record.lease.by.entry !== 'interactive')
    return turnEnd('done', record.lease.turn);
  switch (phaseOf(snapshot)) {
    case 'noPlan':
      if (record.yolo) return people.policy('ask');
      return turn === null ? people.chat('make a plan for it') : calls.init({ turn });
    case 'preInit':
      return turn === null ? people.chat('go on') : calls.init({ turn });
    case 'postInit': {
      const isWritten = document !== null && document.scan.faults.length === 0;
      if (turn === null) return isWritten ? people.execute(document.hash) : people.chat('go on');
      if (isWritten) return turnEnd('done', turn);
      return calls.document({
        turn,
        text: texts.valid,
        base: document?.hash ?? null,
        plan: plan?.id ?? null,
      });
    }
    case 'seeding':
      return snapshot.hasTag('building')
        ? calls.addTasks(
            (document?.scan.steps ?? []).map(({ title }) => draft(title)),
            { turn: turn ?? '' },
          )
        : calls.start(undefined, { turn: turn ?? '' });
    case 'seedFailedEmpty':
      if (turn !== null) return turnEnd('done', turn);
      return document?.hash === plan?.approval?.hash ? people.execute(document?.hash) : people.restore();
    case 'checklist': {
      if (turn === null) return people.resume();
      const runs = plan?.tasks.some(({ status }) => status === 'InProgress') === true;
      return runs ? calls.complete({ turn }) : calls.start(undefined, { turn });
    }
    case 'seedFailedPartial':
    case 'unreadable':
      return people.discard();
  }
}
