import { explored, type Move, type Place, type World } from '../support/explore.ts';
import { edgeFaults } from '../support/explore-checks.ts';
import { keyOf } from '../support/explore-key.ts';
import { movesAt } from '../support/explore-moves.ts';
import { byKind, foundBy } from './found.ts';
import { shuffled } from './shuffle.ts';

export interface PairFault {
  /** Names of the first and of the second move, and of the place that the first begins in. */
  at: string;
  moves: readonly [string, string];
  faults: readonly string[];
}

export interface TwoSwitch {
  /** Pairs of consecutive transitions that were taken. */
  pairs: number;
  /** Pairs that two places suggest, and no world in between allows: a place stands for worlds that differ in files. */
  apart: number;
  faulty: readonly PairFault[];
  ms: number;
}

interface Way {
  from: string;
  move: Move;
  next: World;
}

/** Transitions that one move takes, those of the other region included; a move that takes none is one of its own. */
const signature = (move: Move, next: World): string =>
  byKind(foundBy(move, next)).transitions.join(' + ') || move.name;

/**
 * Takes every pair of consecutive transitions: in the world that the first has really led to, the second has to hold
 * what `edgeFaults` asks. `seed` picks which place and which samples stand for a pair, `stepped` takes the second step.
 */
export function twoSwitch(places: readonly Place[], seed = 0, stepped = explored): TwoSwitch {
  const start = performance.now();
  const order = shuffled(seed);
  const [into, out] = waysOf(order(places), order);
  const wanted = new Set<string>();
  const taken = new Set<string>();
  const faulty: PairFault[] = [];
  for (const [place, firsts] of into) {
    for (const [one, first] of firsts) {
      const moves = lazily(() => new Map(movesAt(first.next).map((move) => [move.name, move])));
      for (const [two, { move: second }] of out.get(place) ?? []) {
        const pair = `${one} | ${two}`;
        wanted.add(pair);
        const move = taken.has(pair) ? undefined : moves().get(second.name);
        if (move === undefined) continue;
        const next = stepped(first.next, move);
        taken.add(`${one} | ${signature(move, next)}`);
        const faults = edgeFaults({ name: place, world: first.next, edges: [] }, { move, next });
        if (faults.length > 0) faulty.push({ at: first.from, moves: [first.move.name, move.name], faults });
      }
    }
  }
  const apart = [...wanted].filter((pair) => !taken.has(pair)).length;
  return { pairs: taken.size, apart, faulty, ms: performance.now() - start };
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

type Ways = Map<string, Map<string, Way>>;

/** One way for each transition into each place, and one for each out of it. */
function waysOf(places: readonly Place[], order: ReturnType<typeof shuffled>): [into: Ways, out: Ways] {
  const into: Ways = new Map();
  const out: Ways = new Map();
  const add = (ways: Ways, place: string, name: string, way: Way): void => {
    const known = ways.get(place) ?? new Map<string, Way>();
    ways.set(place, known);
    if (!known.has(name)) known.set(name, way);
  };
  for (const { name: from, edges } of places) {
    for (const { move, next } of order(edges)) {
      const name = signature(move, next);
      add(out, from, name, { from, move, next });
      add(into, keyOf(next.snapshot), name, { from, move, next });
    }
  }
  return [into, out];
}
