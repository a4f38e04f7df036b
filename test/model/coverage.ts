import { explore, type Place } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { byKind, everything, type Found, foundBy, type Kind, kinds } from './found.ts';
import type { Surface } from './surface.ts';
import type { Tour } from './tour.ts';

export interface Covered {
  covered: readonly string[];
  missing: readonly string[];
}

/** What a surface cannot do for one reason. */
export interface Cannot {
  reason: string;
  /** Names of moves that no path makes. */
  moves: readonly string[];
  /** Branches that no path takes. */
  transitions: readonly string[];
}

export interface Coverage {
  surface: string;
  paths: number;
  steps: number;
  /** Of everything that the session machine has, whether the surface can do it or not. */
  kinds: Readonly<Record<Kind, Covered>>;
  cannot: readonly Cannot[];
}

/** Reason for a branch whose moves the surface can make, but not in the place where they take it. */
const elsewhere = 'no way leads to the place where it happens';

/** What the paths of a tour cover, by kind, and why the surface leaves out the rest. */
export function coverageOf(
  tour: Tour,
  surface: Pick<Surface, 'lacks'>,
  places: readonly Place[] = explore(movesAt),
): Coverage {
  const steps = tour.paths.flatMap((path) => path.steps);
  const found = new Set<Found>(steps.flatMap(({ move, after }) => foundBy(move, after)));
  const covered = byKind(found);
  const entries = kinds.map((kind): [Kind, Covered] => {
    const has = new Set(covered[kind]);
    const missing = everything[kind].filter((name) => !has.has(name));
    return [kind, { covered: everything[kind].filter((name) => has.has(name)), missing }];
  });
  return {
    surface: tour.surface,
    paths: tour.paths.length,
    steps: steps.length,
    kinds: Object.fromEntries(entries) as Record<Kind, Covered>,
    cannot: cannotOf(surface, found, places),
  };
}

function cannotOf(
  surface: Pick<Surface, 'lacks'>,
  found: ReadonlySet<Found>,
  places: readonly Place[],
): Cannot[] {
  const reasons = new Map<string, { moves: Set<string>; transitions: Set<string> }>();
  for (const { world, edges } of places) {
    for (const { move, next } of edges) {
      const left = foundBy(move, next).filter((one) => !found.has(one));
      if (left.length === 0) continue;
      const reason = surface.lacks(world, move) ?? elsewhere;
      const of = reasons.get(reason) ?? { moves: new Set(), transitions: new Set() };
      reasons.set(reason, of);
      if (left.includes(`moves: ${move.name}`)) of.moves.add(move.name);
      for (const name of byKind(left).transitions) of.transitions.add(name);
    }
  }
  return [...reasons].map(([reason, { moves, transitions }]) => ({
    reason,
    moves: [...moves],
    transitions: [...transitions],
  }));
}
