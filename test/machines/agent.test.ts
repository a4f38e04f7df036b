import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentEffect,
  type AgentEvent,
  agentMachine,
  type AgentSnapshot,
  agentStep,
} from '../../machines/index.ts';
import { asksPerTurn } from '../../machines/agent.ts';

const a = { id: 'a', name: 'ls' };
const b = { id: 'b', name: 'bash' };

/** Every event, with payloads for each outcome of each guard. */
const events: Readonly<Record<string, AgentEvent>> = {
  started: { type: 'model.started' },
  'ended, no calls': { type: 'model.ended', reason: 'stop', calls: [] },
  'ended, a': { type: 'model.ended', reason: 'calls', calls: [a] },
  'ended, a b': { type: 'model.ended', reason: 'calls', calls: [a, b] },
  'cut, no calls': { type: 'model.ended', reason: 'length', calls: [] },
  'cut, a b': { type: 'model.ended', reason: 'length', calls: [a, b] },
  failed: { type: 'model.failed', cause: 'no network' },
  allowed: { type: 'call.allowed' },
  asks: { type: 'call.asks' },
  answered: { type: 'call.ended', endsTurn: false },
  'answered, over': { type: 'call.ended', endsTurn: true, cause: 'TEXT_CHANGED' },
  'answered, over, no cause': { type: 'call.ended', endsTurn: true },
  cancel: { type: 'cancel' },
};

const settles = (outcome: string, cause: string | null = null) => `settle ${outcome} ${cause}`;
const tooLong = settles('failed', 'The turn asked the model 200 times without an end.');
const over = settles('failed', 'TEXT_CHANGED');

/**
 * What the turn loop does, as a literal: state, calls at hand, number of the request, event → next state
 * and what the driver is told. Whatever is not here is ignored.
 */
const table: readonly (readonly [place: string, event: string, next: string, ...effects: string[]])[] = [
  ['asking', 'started', 'streaming', 'model.read'],
  ['asking', 'failed', 'settling', settles('failed', 'no network')],
  ['asking', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['streaming', 'ended, no calls', 'settling', settles('done')],
  ['streaming', 'cut, no calls', 'settling', settles('done')],
  ['streaming', 'ended, a', 'judging', 'call.judge a'],
  ['streaming', 'ended, a b', 'judging', 'call.judge a'],
  ['streaming', 'cut, a b', 'asking', 'drop a b cut', 'model.ask'],
  ['streaming, last', 'cut, a b', 'settling', 'drop a b cut', tooLong],
  ['streaming', 'failed', 'settling', settles('failed', 'no network')],
  ['streaming', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['judging', 'allowed', 'runningTool', 'call.run a'],
  ['judging', 'asks', 'awaitingApproval', 'prompt.open a'],
  ['awaitingApproval', 'allowed', 'runningTool', 'call.run a'],
  ...(['judging', 'awaitingApproval', 'runningTool'] as const).flatMap((state) => [
    [state, 'answered', 'asking', 'model.ask'] as const,
    [`${state}, last`, 'answered', 'settling', tooLong] as const,
    [`${state} a b`, 'answered', 'judging', 'call.judge b'] as const,
    [state, 'answered, over', 'settling', 'drop nothing cancelled', over] as const,
    [`${state} a b`, 'answered, over', 'settling', 'drop b cancelled', over] as const,
    [state, 'answered, over, no cause', 'settling', 'drop nothing cancelled', settles('failed')] as const,
    [`${state} a b`, 'answered, over, no cause', 'settling', 'drop b cancelled', settles('failed')] as const,
    [state, 'cancel', 'settling', 'drop a cancelled', settles('cancelled')] as const,
    [`${state} a b`, 'cancel', 'settling', 'drop a b cancelled', settles('cancelled')] as const,
  ]),
];

function worded(effect: AgentEffect): string {
  switch (effect.type) {
    case 'calls.drop':
      return `drop ${effect.calls.map(({ id }) => id).join(' ') || 'nothing'} ${effect.why}`;
    case 'settle':
      return settles(effect.outcome, effect.cause?.replace(/(?<=an end\.).*/u, '') ?? null);
    case 'call.judge':
    case 'call.run':
    case 'prompt.open':
      return `${effect.type} ${effect.call.id}`;
    case 'model.ask':
    case 'model.read':
      return effect.type;
  }
}

/** A state as the table names it: which calls are at hand, and whether this was the last request allowed. */
function placeOf({ value, context }: AgentSnapshot): string {
  const calls = context.calls.length > 1 ? ` ${context.calls.map(({ id }) => id).join(' ')}` : '';
  return `${value}${calls}${context.asks >= asksPerTurn ? ', last' : ''}`;
}

interface Edge {
  from: AgentSnapshot;
  name: string;
  event: AgentEvent;
  next: AgentSnapshot;
  effects: AgentEffect[];
}

/** Every place that can be reached, each with an edge for every event. */
function explore(): Edge[] {
  const [start] = agentStep(null, null);
  const late = agentMachine.resolveState({
    value: 'asking',
    context: { ...start.context, asks: asksPerTurn },
  });
  const waiting: AgentSnapshot[] = [start, late];
  const seen = new Set(waiting.map(placeOf));
  const edges: Edge[] = [];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const [name, event] of Object.entries(events)) {
      const [next, effects] = agentStep(from, event);
      edges.push({ from, name, event, next, effects });
      if (seen.has(placeOf(next))) continue;
      seen.add(placeOf(next));
      waiting.push(next);
    }
  }
  return edges;
}

const edges = explore();

/** The row for an edge: the place itself, or the place without what this event does not ask about. */
function rowOf({ from, name }: Edge): (typeof table)[number] | undefined {
  const place = placeOf(from);
  const names = [place, place.replace(', last', ''), place.replace(/ a b|, last/gu, ''), from.value];
  return names.flatMap((wanted) => table.filter(([at, event]) => at === wanted && event === name)).at(0);
}

describe('the turn loop, every reachable state × every event', () => {
  it('starts by asking the model', () => {
    const [snapshot, effects] = agentStep(null, null);
    expect([snapshot.value, effects.map(worded)]).toEqual(['asking', ['model.ask']]);
  });

  it.each(edges.map((edge) => [`${placeOf(edge.from)} × ${edge.name}`, edge] as const))('%s', (_, edge) => {
    const [, , next, ...effects] = rowOf(edge) ?? [placeOf(edge.from), edge.name, edge.from.value];
    expect([edge.next.value, ...edge.effects.map(worded)]).toEqual([next, ...effects]);
  });

  it('uses every row of the table', () => {
    const used = new Set(edges.map(rowOf));
    expect(table.filter((row) => !used.has(row))).toEqual([]);
  });
});

describe('coverage is complete', () => {
  interface Branch {
    guard?: unknown;
  }
  const nodes = [agentMachine.root, ...Object.values(agentMachine.states)];
  const branches = new Map<Branch, string>(
    nodes.flatMap((node) =>
      [...node.transitions.values()]
        .flat()
        .map((one, index) => [one, `${node.id} ${one.eventType} ${index}`]),
    ),
  );
  const took = new Set<Branch>();
  const saidNo = new Set<Branch>();
  for (const { from, event } of edges) {
    const [selected] = agentMachine.getTransitionData(from, event);
    if (selected !== undefined) took.add(selected);
    for (const branch of agentMachine.states[from.value]?.transitions.get(event.type) ?? []) {
      if (branch === selected) break;
      saidNo.add(branch);
    }
  }
  const guarded = [...branches].filter(([branch]) => branch.guard !== undefined);
  const missing = (all: readonly (readonly [Branch, string])[], covered: ReadonlySet<Branch>): string[] =>
    all.filter(([branch]) => !covered.has(branch)).map(([, name]) => name);

  it('100 % of states', () => {
    const reached = new Set(edges.map(({ from }) => from.value));
    expect(
      Object.keys(agentMachine.states).filter((state) => !reached.has(state as AgentSnapshot['value'])),
    ).toEqual([]);
  });
  it('100 % of transitions', () => {
    expect(branches.size).toBeGreaterThan(20);
    expect(missing([...branches], took)).toEqual([]);
  });
  it('100 % of guards, both ways', () => {
    expect(guarded.length).toBeGreaterThan(8);
    expect([missing(guarded, took), missing(guarded, saidNo)]).toEqual([[], []]);
  });
});

describe('any list of events', () => {
  const calls = fc.array(fc.record({ id: fc.string(), name: fc.string() }), { maxLength: 4 });
  const event: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.constantFrom(...Object.values(events)),
    fc.record({
      type: fc.constant('model.ended' as const),
      reason: fc.constantFrom('stop' as const, 'calls' as const, 'length' as const),
      calls,
    }),
  );
  const isSettle = (effect: AgentEffect): boolean => effect.type === 'settle';

  it('never throws, settles at most once, and a cancel always settles', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (list) => {
        let [snapshot] = agentStep(null, null);
        let settled = 0;
        const late: unknown[] = [];
        for (const one of list) {
          const [next, effects] = agentStep(snapshot, one);
          // Nothing of a turn is run after it has settled.
          if (snapshot.value === 'settling') late.push(next.value, ...effects);
          settled += effects.filter(isSettle).length;
          snapshot = next;
        }
        const [end, effects] = agentStep(snapshot, { type: 'cancel' });
        expect(end.value).toBe('settling');
        expect(late.filter((told) => told !== 'settling')).toEqual([]);
        expect(settled + effects.filter(isSettle).length).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  it('tells the driver about each call exactly once: judged, dropped or both in that order', () => {
    const whole = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(whole, fc.nat(), (ids, cut) => {
        let [snapshot] = agentStep(null, null);
        const told: string[] = [];
        const send = (one: AgentEvent): void => {
          const [next, effects] = agentStep(snapshot, one);
          snapshot = next;
          for (const effect of effects) {
            if (effect.type === 'call.judge') told.push(effect.call.id);
            if (effect.type === 'calls.drop') told.push(...effect.calls.map(({ id }) => id));
          }
        };
        send({ type: 'model.started' });
        send({ type: 'model.ended', reason: 'calls', calls: ids.map((id) => ({ id, name: 'x' })) });
        const stop = cut % ids.length;
        for (let at = 0; at < stop; at += 1) send({ type: 'call.ended', endsTurn: false });
        send({ type: 'cancel' });
        expect([...new Set(told)]).toEqual(ids);
        expect(told).toHaveLength(ids.length + 1);
      }),
    );
  });
});
