import { describe, expect, it } from 'vitest';
import { explore, type Move, type World } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { keyOf } from '../support/explore-key.ts';
import { leavesOf } from '../support/explore-branches.ts';
import { coverageOf } from './coverage.ts';
import { everything, kinds } from './found.ts';
import type { SurfaceName } from './surface.ts';
import { tourFor } from './tour.ts';
import { namesOf, pathId, walk } from './walk.ts';

const places = explore(movesAt);
const whole = { name: 'engine' as SurfaceName, lacks: () => null };

/** A surface on which only its owner speaks. */
const narrow = {
  name: 'tui' as SurfaceName,
  lacks: (_: World, move: Move): string | null =>
    'said' in move && 'by' in move.said && !move.said.by.owner ? 'nobody else is there' : null,
};

describe('a tour of everything', () => {
  const tour = tourFor(whole, { places });
  const coverage = coverageOf(tour, whole, places);

  it.each(kinds)('covers all %s', (kind) => {
    expect(everything[kind].length).toBeGreaterThan(10);
    expect(coverage.kinds[kind].missing).toEqual([]);
  });

  it('makes every move', () => {
    const made = new Set(tour.paths.flatMap(({ steps }) => namesOf(steps)));
    const all = new Set(places.flatMap(({ edges }) => edges.map(({ move }) => move.name)));
    expect([...all].filter((name) => !made.has(name))).toEqual([]);
  });

  it('has short paths, and nothing left over', () => {
    expect(tour.missed).toEqual([]);
    expect(coverage.cannot).toEqual([]);
    expect(Math.max(...tour.paths.map(({ steps }) => steps.length))).toBeLessThanOrEqual(15);
    expect(coverage.steps).toBeLessThan(750);
  });

  it('gives fewer and longer paths where they may be long', () => {
    const long = tourFor(whole, { longest: 60, places });
    expect(long.missed).toEqual([]);
    expect(long.paths.length).toBeLessThan(tour.paths.length / 2);
  });

  it('has an id of its own for each path, made of the moves alone', () => {
    expect(new Set(tour.paths.map(({ id }) => id)).size).toBe(tour.paths.length);
    for (const { id, steps } of tour.paths) expect(pathId(namesOf(steps))).toBe(id);
    expect(pathId(['user.plan /plan by the owner', 'turn.end done'])).toBe('c44af17d');
  });

  it('is the same each time, and another one for another seed', () => {
    const ids = (seed: number): string[] => tourFor(whole, { seed, places }).paths.map(({ id }) => id);
    const [first, other] = [ids(0), ids(5)];
    expect(first).toEqual(tour.paths.map(({ id }) => id));
    expect(other).not.toEqual(first);
  });

  it('can be walked again by the names of its moves', () => {
    const path = tour.paths.at(-1);
    const again = walk(namesOf(path?.steps ?? []));
    expect(again.id).toBe(path?.id);
    const ends = [path, again].map((one) => one?.steps.at(-1)?.after.stored);
    expect(ends[0]).toBeDefined();
    expect(ends[1]).toEqual(ends[0]);
  });

  it('takes each step from where the one before has led', () => {
    const broken = tour.paths.flatMap(({ steps }) =>
      steps.filter(({ before }, index) => index > 0 && before !== steps[index - 1]?.after),
    );
    expect(broken).toEqual([]);
  });
});

describe('a tour of a part', () => {
  it('leaves out what a surface lacks, covers the rest, and says why', { timeout: 120_000 }, () => {
    const tour = tourFor(narrow);
    const steps = tour.paths.flatMap((path) => path.steps);
    expect(steps.filter(({ before, move }) => narrow.lacks(before, move) !== null)).toEqual([]);
    expect(tour.missed).toEqual([]);
    const { cannot, kinds: covered } = coverageOf(tour, narrow, places);
    expect(cannot.map(({ reason }) => reason)).toEqual(['nobody else is there']);
    expect(cannot[0]?.moves).toContain('user.plan /plan by another');
    expect(cannot[0]?.transitions.toSorted()).toEqual(covered.transitions.missing.toSorted());
    expect(covered.transitions.missing.length).toBeGreaterThan(10);
  });

  it('says so where a place cannot be reached at all', { timeout: 120_000 }, () => {
    const blind = {
      name: 'tui' as SurfaceName,
      lacks: ({ snapshot }: World, move: Move) =>
        keyOf(snapshot).startsWith('"noPlan"') && move.name.includes('lan') ? 'no plan ever' : null,
    };
    const { cannot } = coverageOf(tourFor({ ...blind }, { only: 'noPlan' }), blind, places);
    expect(cannot.map(({ reason }) => reason)).toContain('no plan ever');
    expect(cannot.map(({ reason }) => reason)).toContain('no way leads to the place where it happens');
  });

  it('ends its paths in the state that is asked for', () => {
    const { paths, missed } = tourFor(whole, { only: 'preInit', places });
    expect(missed).toEqual([]);
    expect(paths.length).toBeGreaterThan(3);
    for (const { steps } of paths) {
      const last = steps.at(-1)?.before;
      expect(last && leavesOf(last.snapshot)).toContain('plan.editing.preInit');
    }
    expect(() => tourFor(whole, { only: 'nowhere', places })).toThrow('no reachable state');
  });
});
