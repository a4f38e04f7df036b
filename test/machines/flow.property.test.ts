import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FlowContent,
  type FlowEffect,
  type FlowEvent,
  flowRecord,
  type FlowSnapshot,
  flowStart,
  flowStep,
  isFlowDone,
  restoreFlow,
} from '../../machines/index.ts';

const seed = Date.now() % 0x7fff_ffff;
console.log(`flow.property: seed ${seed}`);

/** A chat as Telegram has it, with room for three entries in a message. */
interface World {
  flow: FlowSnapshot;
  now: number;
  flight: FlowEffect | null;
  messages: Map<number, FlowContent>;
  /** What went to a message, and when: for the limits. */
  edits: { message: number; at: number }[];
  moves: number[];
  said: string[];
  tools: number;
}

const room = 3;

const begin = (): World => ({
  flow: flowStart('turn 1', 0),
  now: 0,
  flight: null,
  messages: new Map(),
  edits: [],
  moves: [],
  said: [],
  tools: 0,
});

type Untimed = FlowEvent extends infer E ? (E extends FlowEvent ? Omit<E, 'now'> : never) : never;

function tell(world: World, event: Untimed): void {
  const { message } = world.flow.context;
  const [flow, effects] = flowStep(world.flow, { ...event, now: world.now });
  expect(effects.length + (world.flight === null ? 0 : 1)).toBeLessThanOrEqual(1);
  world.flow = flow;
  const [effect] = effects;
  if (effect === undefined) return;
  world.flight = effect;
  if (effect.type === 'post' && message !== null && effect.content.header.kind !== 'continued') {
    world.moves.push(world.now);
  }
  if (effect.type === 'edit' || effect.type === 'settle') {
    if (effect.content.header.kind !== 'continued')
      world.edits.push({ message: effect.message, at: world.now });
  }
}

/** Telegram's answer to what is in flight; a renderer that has no room sends nothing. */
function answer(world: World, how: 'done' | 'lost' | 'refused' | 'flood'): void {
  const { flight } = world;
  if (flight === null) return;
  world.flight = null;
  if (flight.type !== 'delete' && flight.content.entries.length > room) {
    return tell(world, { type: 'overflow', fits: room });
  }
  if (flight.type !== 'post' && !world.messages.has(flight.message)) return tell(world, { type: 'gone' });
  if (how === 'flood') return tell(world, { type: 'failed', until: world.now + 33_000 });
  // A post whose answer is lost leaves a message that nobody knows: no program can tell, so it is not played.
  if (how === 'refused' || (how === 'lost' && flight.type === 'post')) {
    return tell(world, { type: 'failed', until: null });
  }
  const message = carryOut(world, flight);
  if (how === 'lost') return tell(world, { type: 'failed', until: null });
  if (flight.type === 'post') return tell(world, { type: 'posted', message });
  tell(world, { type: flight.type === 'delete' ? 'deleted' : 'edited' });
}

function carryOut({ messages }: World, effect: FlowEffect): number {
  const message = effect.type === 'post' ? Math.max(0, ...messages.keys()) + 1 : effect.message;
  if (effect.type === 'delete') messages.delete(message);
  else messages.set(message, effect.content);
  return message;
}

/** The program ends, and starts again with what is stored; the turn that it ran is gone (D37). */
function restart(world: World): void {
  if (world.flight !== null && world.flight.type !== 'post') carryOut(world, world.flight);
  world.flight = null;
  const stored: unknown = JSON.parse(JSON.stringify(flowRecord(world.flow)));
  world.flow = restoreFlow(stored) ?? world.flow;
  tell(world, { type: 'turn.ended', outcome: 'interrupted' });
}

type Move = (world: World) => void;

const isOver = ({ flow }: World): boolean => flow.value === 'settled';

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(300, 1500, 6000).map((ms): Move => (world) => {
      world.now += ms;
      tell(world, { type: 'tick' });
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Move>((world) => {
      if (isOver(world)) return;
      const call = `tool ${world.tools}`;
      world.tools += 1;
      world.said.push(call);
      tell(world, { type: 'tool.started', call, name: call, summary: '' });
    }),
  },
  {
    weight: 3,
    arbitrary: fc.nat({ max: 9 }).map(
      (call): Move =>
        (world) =>
          tell(world, { type: 'tool.ended', call: `tool ${call}`, failed: 'no' }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constant<Move>((world) => {
      if (isOver(world)) return;
      const text = `text ${world.said.length}`;
      world.said.push(text);
      tell(world, { type: 'narrated', text, preview: text });
    }),
  },
  { weight: 2, arbitrary: fc.constant<Move>((world) => tell(world, { type: 'buried' })) },
  {
    weight: 1,
    arbitrary: fc.constant<Move>((world) =>
      tell(world, { type: 'waits', waiting: { what: 'you', surface: 'tui', since: '12:03' } }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Move>((world) => tell(world, { type: 'resumes' })) },
  { weight: 8, arbitrary: fc.constant<Move>((world) => answer(world, 'done')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('lost' as const, 'refused' as const, 'flood' as const).map(
      (how): Move =>
        (world) =>
          answer(world, how),
    ),
  },
);

/** Everything that must hold of a turn that has ended and whose last edits have gone through. */
function endFaults(world: World): string[] {
  const shown = [...world.messages.values()];
  const last = shown.at(-1);
  const faults: string[] = [];
  const never = (holds: boolean, text: string): void => {
    if (holds) faults.push(text);
  };
  never(
    shown.slice(0, -1).some(({ header }) => header.kind !== 'continued'),
    'an older part keeps another header',
  );
  never(last !== undefined && last.header.kind !== 'settled', `ends as ${last?.header.kind}`);
  const header = last?.header.kind === 'settled' ? last.header : null;
  never(header !== null && header.tools !== world.tools, `counts ${header?.tools} of ${world.tools} tools`);
  never(
    shown.slice(0, -1).some(({ sections }) => sections.kind !== 'none'),
    'an older part has plan sections',
  );
  const entries = shown.flatMap((content) => content.entries);
  const texts = entries.map((entry) => (entry.kind === 'tool' ? entry.call : entry.text));
  never(
    last !== undefined && texts.toSorted().join() !== world.said.toSorted().join(),
    `shows ${texts.join()}`,
  );
  never(
    entries.some((entry) => entry.kind === 'tool' && entry.status === 'running'),
    'a tool still runs',
  );
  return faults;
}

function limitFaults({ edits, moves }: World): string[] {
  const perMessage = Map.groupBy(edits, ({ message }) => message);
  const quick = [...perMessage.values()].flatMap((list) =>
    list.filter(({ at }, index) => index > 0 && at - (list[index - 1]?.at ?? 0) < 1500),
  );
  const often = moves.filter((at, index) => index > 0 && at - (moves[index - 1] ?? 0) < 15_000);
  return [
    ...quick.map(({ message }) => `edited ${message} twice in 1.5 s`),
    ...often.map(() => 'moved twice in 15 s'),
  ];
}

function settle(world: World): void {
  for (let steps = 0; steps < 40 && !(world.flight === null && isFlowDone(world.flow)); steps += 1) {
    world.now += 60_000;
    tell(world, { type: 'tick' });
    while (world.flight !== null) answer(world, 'done');
  }
}

describe('any turn', () => {
  const ends = fc.constantFrom('finished', 'failed', 'timedOut', 'cancelled', 'restart' as const);

  it('keeps the limits, and ends with every entry in one settled log (D32, D34)', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 5, maxLength: 60 }), ends, (moves, end) => {
        const world = begin();
        for (const one of moves) one(world);
        const opened = world.flow.value !== 'closed';
        if (end === 'restart') restart(world);
        else tell(world, { type: 'turn.ended', outcome: end });
        settle(world);
        expect(isFlowDone(world.flow)).toBe(true);
        expect([...endFaults(world), ...limitFaults(world)]).toEqual([]);
        expect(world.messages.size > 0).toBe(opened);
        const outcome = end === 'restart' ? 'interrupted' : end;
        const last = [...world.messages.values()].at(-1)?.header;
        expect(last?.kind === 'settled' ? last.outcome : null).toBe(opened ? outcome : null);
      }),
      { seed, numRuns: 500 },
    );
  });
});
