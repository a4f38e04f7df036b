import { afterAll, describe, expect, it } from 'vitest';
import { keyboardMachine } from '../../machines/index.ts';
import { exploreKeyboard, keyboardFaults, keyboardPlace } from '../support/cover-keyboard.ts';
import { uncovered } from '../support/explore-machine.ts';

const edges = exploreKeyboard();

describe('every reachable place × every event', () => {
  const places = Map.groupBy(edges, ({ from }) => keyboardPlace(from));

  it('explores', () => {
    expect(places.size).toBeGreaterThan(300);
  });
  it.each(['none', 'attaching', 'owned', 'confirming', 'stripping'])('%s', (state) => {
    const here = edges.filter(({ from }) => from.value === state);
    expect(here.length).toBeGreaterThan(0);
    expect(here.flatMap(keyboardFaults)).toEqual([]);
  });
});

describe('coverage is complete', () => {
  const { sizes, missing } = uncovered(keyboardMachine, edges);
  it.each(Object.keys(missing) as (keyof typeof missing)[])('all of %s', (kind) => {
    expect(Object.values(sizes).every((size) => size > 4)).toBe(true);
    expect(missing[kind]).toEqual([]);
  });
  afterAll(() => console.log('keyboard machine, edge cover', { edges: edges.length, ...sizes }));
});
