import { afterAll, describe, expect, it } from 'vitest';
import { flowMachine } from '../../machines/index.ts';
import { exploreFlow, flowFaults, flowPlace } from '../support/cover-flow.ts';
import { uncovered } from '../support/explore-machine.ts';
import { flowState } from '../support/samples-flow.ts';

const edges = exploreFlow();

describe('every reachable place × every event', () => {
  it('explores', () => {
    expect(new Set(edges.map(({ from }) => flowPlace(from))).size).toBeGreaterThan(300);
  });
  it.each(['closed', 'live', 'frozen', 'settled'])('%s', (state) => {
    const here = edges.filter(({ from }) => flowState(from) === state);
    expect(here.length).toBeGreaterThan(0);
    expect(here.flatMap(flowFaults).slice(0, 5)).toEqual([]);
  });
});

describe('coverage is complete', () => {
  const { sizes, missing } = uncovered(flowMachine, edges);
  it.each(Object.keys(missing) as (keyof typeof missing)[])('all of %s', (kind) => {
    expect(Object.values(sizes).every((size) => size > 3)).toBe(true);
    expect(missing[kind]).toEqual([]);
  });
  afterAll(() => console.log('flow machine, edge cover', { edges: edges.length, ...sizes }));
});
