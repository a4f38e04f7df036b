import { explore, type Move, type Place } from '../support/explore.ts';
import { leavesOf } from '../support/explore-branches.ts';
import { keyOf } from '../support/explore-key.ts';
import { movesAt } from '../support/explore-moves.ts';
import { type Found, foundBy } from './found.ts';
import type { Surface } from './surface.ts';

/** What one move does in one place, as the exploration has seen it. */
export interface GraphEdge {
  move: Move;
  to: string;
  found: readonly Found[];
}

export interface GraphNode {
  name: string;
  edges: readonly GraphEdge[];
  /** One edge to each other place that can be reached from here. */
  ways: readonly GraphEdge[];
}

/** Places by name; the empty session is the first. */
export type Graph = ReadonlyMap<string, GraphNode>;

/** What a surface can make happen, from an empty session on. */
export const placesOf = (surface: Pick<Surface, 'lacks'>): Place[] =>
  explore((world) => movesAt(world).filter((move) => surface.lacks(world, move) === null));

/** The order of edges decides between equally short ways; `order` changes it. */
export function graphOf(
  places: readonly Place[],
  order: <T>(list: readonly T[]) => readonly T[] = (list) => list,
): Graph {
  return new Map(
    places.map(({ name, edges: from }): [string, GraphNode] => {
      const edges = order(from).map(({ move, next }) => ({
        move,
        to: keyOf(next.snapshot),
        found: foundBy(move, next),
      }));
      const ways = new Map(edges.filter(({ to }) => to !== name).map((edge) => [edge.to, edge]));
      return [name, { name, edges, ways: [...ways.values()] }];
    }),
  );
}

/** Names of places that are in this state; a part of its name is enough, such as `postInit`. */
export const placesIn = (places: readonly Place[], state: string): ReadonlySet<string> =>
  new Set(
    places.flatMap(({ name, world }) =>
      leavesOf(world.snapshot).some((leaf) => `.${leaf}.`.includes(`.${state}.`)) ? [name] : [],
    ),
  );
