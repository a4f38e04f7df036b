import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentCall,
  type AgentEffect,
  type AgentEvent,
  agentMachine,
  type AgentSnapshot,
  agentStep,
} from '../../machines/index.ts';
import { asksPerTurn } from '../../machines/agent.ts';
import { contextFull } from '../../machines/context-window.ts';

const [a, b] = (['a', 'b'] as const).map((id) => ({ id, name: 'bash', kind: 'other' as const }));
const [r, s] = (['r', 's'] as const).map((id) => ({ id, name: 'ls', kind: 'read' as const }));
const calls = (...list: (AgentCall | undefined)[]): AgentCall[] => list.filter((one) => one !== undefined);

/** Every event, with payloads for each outcome of each guard. */
const events: Readonly<Record<string, AgentEvent>> = {
  started: { type: 'model.started' },
  'ended, no calls': { type: 'model.ended', reason: 'stop', calls: [] },
  'ended, a': { type: 'model.ended', reason: 'calls', calls: calls(a) },
  'ended, a b': { type: 'model.ended', reason: 'calls', calls: calls(a, b) },
  'ended, r s': { type: 'model.ended', reason: 'calls', calls: calls(r, s) },
  'ended, r s b': { type: 'model.ended', reason: 'calls', calls: calls(r, s, b) },
  'ended, a r s': { type: 'model.ended', reason: 'calls', calls: calls(a, r, s) },
  'cut, no calls': { type: 'model.ended', reason: 'length', calls: [] },
  'cut, a b': { type: 'model.ended', reason: 'length', calls: calls(a, b) },
  failed: { type: 'model.failed', cause: 'no network' },
  allowed: { type: 'call.allowed' },
  asks: { type: 'call.asks' },
  answered: { type: 'call.ended', endsTurn: false },
  'answered, over': { type: 'call.ended', endsTurn: true, cause: 'TEXT_CHANGED' },
  'answered, over, no cause': { type: 'call.ended', endsTurn: true },
  'none read': { type: 'reads.ended', count: 0 },
  'one read': { type: 'reads.ended', count: 1 },
  'two read': { type: 'reads.ended', count: 2 },
  'more read': { type: 'reads.ended', count: 9 },
  full: { type: 'context.full', why: 'full' },
  refused: { type: 'context.full', why: 'refused' },
  compacted: { type: 'context.compacted' },
  'not compacted': { type: 'context.failed' },
  cancel: { type: 'cancel' },
};

const settles = (outcome: string, cause: string | null = null) => `settle ${outcome} ${cause}`;
const tooLong = settles('failed', 'The turn asked the model 200 times without an end.');
const noRoom = settles('failed', contextFull);
const over = settles('failed', 'TEXT_CHANGED');

/** Calls at hand, and what comes after the first of them has been answered; nothing: the model is asked again. */
const afterFirst: readonly (readonly [calls: string, next?: string, effect?: string])[] = [
  ['a'],
  ['b'],
  ['s'],
  ['a b', 'judging', 'call.judge b'],
  ['s b', 'judging', 'call.judge b'],
  ['r s', 'judging', 'call.judge s'],
  ['r s b', 'judging', 'call.judge s'],
  ['a r s', 'readingTogether', 'reads.run r s'],
];

type Row = readonly [place: string, event: string, next: string, ...effects: string[]];

function workRows(state: string): Row[] {
  return afterFirst.flatMap(([at, next, effect]): Row[] => {
    const place = `${state} ${at}`;
    const rest = `drop ${at.slice(2) || 'nothing'} cancelled`;
    const answered: Row[] =
      next === undefined || effect === undefined
        ? [
            [place, 'answered', 'asking', 'model.ask'],
            [`${place}, last`, 'answered', 'settling', tooLong],
          ]
        : [[place, 'answered', next, effect]];
    return [
      ...answered,
      [place, 'answered, over', 'settling', rest, over],
      [place, 'answered, over, no cause', 'settling', rest, settles('failed')],
      [place, 'cancel', 'settling', `drop ${at} cancelled`, settles('cancelled')],
    ];
  });
}

/**
 * What the turn loop does, as a literal: state, calls at hand, number of the request, event → next state
 * and what the driver is told. Whatever is not here is ignored.
 */
const table: readonly Row[] = [
  ['asking', 'started', 'streaming', 'model.read'],
  ['asking', 'failed', 'settling', settles('failed', 'no network')],
  ['asking', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['asking', 'full', 'compacting', 'context.compact full'],
  ['asking', 'refused', 'compacting', 'context.compact refused'],
  // Each reason counts once until a response has come.
  ['asking (full)', 'full', 'settling', noRoom],
  ['asking (refused)', 'refused', 'settling', noRoom],
  ...['asking (full refused)', 'asking (refused full)'].flatMap((place): Row[] => [
    [place, 'full', 'settling', noRoom],
    [place, 'refused', 'settling', noRoom],
  ]),
  ['compacting', 'compacted', 'asking', 'model.ask'],
  ['compacting', 'not compacted', 'settling', noRoom],
  ['compacting', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['streaming', 'ended, no calls', 'settling', settles('done')],
  ['streaming', 'cut, no calls', 'settling', settles('done')],
  ['streaming', 'ended, a', 'judging', 'call.judge a'],
  ['streaming', 'ended, a b', 'judging', 'call.judge a'],
  ['streaming', 'ended, a r s', 'judging', 'call.judge a'],
  ['streaming', 'ended, r s', 'readingTogether', 'reads.run r s'],
  ['streaming', 'ended, r s b', 'readingTogether', 'reads.run r s'],
  ['streaming', 'cut, a b', 'asking', 'drop a b cut', 'model.ask'],
  ['streaming, last', 'cut, a b', 'settling', 'drop a b cut', tooLong],
  ['streaming', 'failed', 'settling', settles('failed', 'no network')],
  ['streaming', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ...afterFirst.flatMap(([at]): Row[] => [
    [`judging ${at}`, 'allowed', 'runningTool', `call.run ${at[0]}`],
    [`judging ${at}`, 'asks', 'awaitingApproval', `prompt.open ${at[0]}`],
    [`awaitingApproval ${at}`, 'allowed', 'runningTool', `call.run ${at[0]}`],
  ]),
  ...['judging', 'awaitingApproval', 'runningTool'].flatMap(workRows),
  // The first that is left asks a person, so it is judged by itself.
  ...(['r s', 'r s b'] as const).flatMap((at): Row[] => [
    [`readingTogether ${at}`, 'none read', 'judging', 'call.judge r'],
    [`readingTogether ${at}`, 'one read', 'judging', 'call.judge s'],
    [`readingTogether ${at}`, 'more read', 'asking', 'model.ask'],
    [`readingTogether ${at}, last`, 'more read', 'settling', tooLong],
    [`readingTogether ${at}`, 'cancel', 'settling', `drop ${at} cancelled`, settles('cancelled')],
  ]),
  ['readingTogether r s', 'two read', 'asking', 'model.ask'],
  ['readingTogether r s, last', 'two read', 'settling', tooLong],
  ['readingTogether r s b', 'two read', 'judging', 'call.judge b'],
];

function worded(effect: AgentEffect): string {
  switch (effect.type) {
    case 'calls.drop':
      return `drop ${effect.calls.map(({ id }) => id).join(' ') || 'nothing'} ${effect.why}`;
    case 'settle':
      return settles(effect.outcome, effect.cause?.replace(/(?<=an end\.).*/u, '') ?? null);
    case 'reads.run':
      return `${effect.type} ${effect.calls.map(({ id }) => id).join(' ')}`;
    case 'call.judge':
    case 'call.run':
    case 'prompt.open':
      return `${effect.type} ${effect.call.id}`;
    case 'context.compact':
      return `${effect.type} ${effect.why}`;
    case 'model.ask':
    case 'model.read':
      return effect.type;
  }
}

/** A state as the table names it: which calls are at hand, and whether this was the last request allowed. */
function placeOf({ value, context }: AgentSnapshot): string {
  const at = context.calls.map(({ id }) => ` ${id}`).join('');
  const made = context.compacted.length === 0 ? '' : ` (${context.compacted.join(' ')})`;
  return `${value}${at}${made}${context.asks >= asksPerTurn ? ', last' : ''}`;
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

/** The row for an edge: the place itself, or the place without the number of the request. */
function rowOf({ from, name }: Edge): Row | undefined {
  const place = placeOf(from);
  const first = place.replace(', last', '');
  const names = [place, first, first.replace(/ \(.*\)/u, '')];
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
  const kind = fc.constantFrom('read' as const, 'other' as const);
  const list = fc.array(fc.record({ id: fc.string(), name: fc.string(), kind }), { maxLength: 4 });
  const event: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.constantFrom(...Object.values(events)),
    fc.record({
      type: fc.constant('model.ended' as const),
      reason: fc.constantFrom('stop' as const, 'calls' as const, 'length' as const),
      calls: list,
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
        send({
          type: 'model.ended',
          reason: 'calls',
          calls: ids.map((id) => ({ id, name: 'x', kind: 'other' })),
        });
        const stop = cut % ids.length;
        for (let at = 0; at < stop; at += 1) send({ type: 'call.ended', endsTurn: false });
        send({ type: 'cancel' });
        expect([...new Set(told)]).toEqual(ids);
        expect(told).toHaveLength(ids.length + 1);
      }),
    );
  });

  it('has each call answered exactly once, in order, whatever reads together and whatever asks', () => {
    const some = fc.array(fc.record({ kind, asks: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(some, (made) => {
        const whole = made.map(({ kind: of }, index) => ({ id: `${index}`, name: 'x', kind: of }));
        const answered: string[] = [];
        let groups = 0;
        let [snapshot] = agentStep(null, null);
        const send = (one: AgentEvent): void => {
          const [next, effects] = agentStep(snapshot, one);
          snapshot = next;
          for (const effect of effects) {
            if (effect.type === 'call.judge') {
              answered.push(effect.call.id);
              send({ type: 'call.ended', endsTurn: false });
            }
            if (effect.type !== 'reads.run') continue;
            groups += 1;
            expect(effect.calls.map((call) => call.kind)).toEqual(effect.calls.map(() => 'read'));
            expect(effect.calls.length).toBeGreaterThan(1);
            const stop = effect.calls.findIndex(({ id }) => made[Number(id)]?.asks === true);
            const count = stop === -1 ? effect.calls.length : stop;
            answered.push(...effect.calls.slice(0, count).map(({ id }) => id));
            send({ type: 'reads.ended', count });
          }
        };
        send({ type: 'model.started' });
        send({ type: 'model.ended', reason: 'calls', calls: whole });
        expect(answered).toEqual(whole.map(({ id }) => id));
        expect(snapshot.value).toBe('asking');
        expect(groups).toBeLessThanOrEqual(whole.filter((call) => call.kind === 'read').length);
      }),
    );
  });
});
