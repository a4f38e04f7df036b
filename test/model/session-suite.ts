import { explored, type Place } from '../support/explore.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { everything, kinds } from './found.ts';
import { graphOf } from './graph.ts';
import { type Failure, runPaths } from './run.ts';
import type { Case, Count, Suite } from './suite.ts';
import type { Path, Surface } from './surface.ts';
import { pathId, walk } from './walk.ts';
import { type Tour, type TourOptions, tourFor } from './tour.ts';
import { type PairFault, twoSwitch } from './two-switch.ts';
import { doneIn, placeOf, redoLines } from './worded.ts';

export interface SessionSuiteOptions extends TourOptions {
  /** Only the path with this id. */
  id?: string;
  /** Paths that are walked side by side; 1 unless given. */
  atOnce?: number;
  /** Told after each path. */
  done?: (id: string, failure: Failure | null) => void;
}

/** The tour of the session machine on a surface. `places` is everything that the machine can do. */
export async function sessionSuite(
  surface: Surface,
  places: readonly Place[],
  { id, atOnce = 1, done = () => {}, ...options }: SessionSuiteOptions,
): Promise<Suite> {
  const start = performance.now();
  const tour = tourFor(surface, options);
  const chosen = tour.paths.filter((path) => id === undefined || path.id === id);
  const coverage = coverageOf(tour, surface, places);
  const results = await runPaths(surface, chosen, {
    atOnce,
    done: (result) => done(result.path.id, result.failure),
  });
  const cases = results.map(({ path, ...result }) => caseOf(path, result));
  const steps = chosen.reduce((sum, path) => sum + path.steps.length, 0);
  return {
    machine: 'session',
    surface: surface.name,
    counts: [...countsOf(coverage), missedOf(tour)],
    owes: surface.name === 'engine' && options.only === undefined ? 'everything' : 'what it can do',
    steps,
    ms: performance.now() - start,
    cases,
    // In one state alone, all others are left out on purpose.
    cannot: options.only === undefined ? coverage.cannot : [],
  };
}

function caseOf(path: Path, { ms, failure }: { ms: number; failure: Case['failure'] }): Case {
  const last = path.steps.at(-1);
  const name = last === undefined ? 'nothing' : `${doneIn(last)}, in ${placeOf(last.before)}`;
  const steps = failure === null ? path.steps : path.steps.slice(0, failure.step + 1);
  return { id: path.id, name, lines: redoLines(steps), ms, failure };
}

const countsOf = (coverage: Coverage): Count[] =>
  kinds.map((kind) => ({
    kind,
    covered: coverage.kinds[kind].covered.length,
    of: everything[kind].length,
    missing: coverage.kinds[kind].missing,
  }));

/** Everything counts here that the surface can do, moves included; less than all of it is a fault of the tour. */
const missedOf = ({ wanted, missed }: Tour): Count => ({
  kind: 'what it can do',
  covered: wanted.length - missed.length,
  of: wanted.length,
  missing: missed,
});

/** Every pair of consecutive transitions of the session machine, in the model alone. */
export function twoSwitchSuite(places: readonly Place[], seed: number, stepped = explored): Suite {
  const { pairs, faulty, ms } = twoSwitch(places, seed, stepped);
  const all: Case = { id: pathId(['two-switch']), name: 'every pair', lines: [], ms, failure: null };
  return {
    machine: 'session',
    surface: 'two-switch',
    counts: [{ kind: 'pairs', covered: pairs, of: pairs, missing: [] }],
    owes: 'everything',
    steps: pairs,
    ms,
    cases: [all, ...faulty.map((fault) => pairCase(places, fault))],
    cannot: [],
  };
}

/** A pair with a fault, with the shortest way to it. */
function pairCase(places: readonly Place[], { at, moves, faults }: PairFault): Case {
  const path = walk([...wayTo(places, at), ...moves]);
  const failure = { step: path.steps.length - 1, differences: faults };
  return { id: path.id, name: moves.join(', then '), lines: redoLines(path.steps), ms: 0, failure };
}

/** Names of the moves that lead from an empty session to a place by the shortest way. */
export function wayTo(places: readonly Place[], place: string): string[] {
  const graph = graphOf(places);
  const [start = ''] = graph.keys();
  const from = new Map<string, readonly string[]>([[start, []]]);
  for (const at of from.keys()) {
    const way = from.get(at) ?? [];
    if (at === place) return [...way];
    for (const { to, move } of graph.get(at)?.ways ?? [])
      if (!from.has(to)) from.set(to, [...way, move.name]);
  }
  throw new Error(`no way to ${place}`);
}
