import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentEffect,
  type AgentEvent,
  agentMachine,
  type AgentSnapshot,
  agentStep,
} from '../../machines/index.ts';
import {
  agentEvents,
  agentGot,
  agentPlace,
  agentRow,
  agentRows,
  agentWanted,
  agentWorded,
  exploreAgent,
} from '../support/cover-agent.ts';

const edges = exploreAgent();

describe('the turn loop, every reachable state × every event', () => {
  it('starts by asking the model', () => {
    const [snapshot, effects] = agentStep(null, null);
    expect([snapshot.value, effects.map(agentWorded)]).toEqual(['asking', ['model.ask']]);
  });

  it.each(edges.map((edge) => [`${agentPlace(edge.from)} × ${edge.name}`, edge] as const))(
    '%s',
    (_, edge) => {
      expect(agentGot(edge)).toEqual(agentWanted(edge));
    },
  );

  it('uses every row of the table', () => {
    const used = new Set(edges.map(agentRow));
    expect(agentRows.filter((row) => !used.has(row))).toEqual([]);
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
    fc.constantFrom(...Object.values(agentEvents)),
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
