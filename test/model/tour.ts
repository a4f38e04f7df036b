import { emptyWorld, type Place, type World } from '../support/explore.ts';
import { keyOf } from '../support/explore-key.ts';
import { type Found, foundBy } from './found.ts';
import { type Graph, type GraphEdge, type GraphNode, graphOf, placesIn, placesOf } from './graph.ts';
import { shuffled } from './shuffle.ts';
import type { Path, Step, Surface } from './surface.ts';
import { moveNamed, pathOf, stepAt } from './walk.ts';

export interface TourOptions {
  /** Another seed walks other paths to the same ends; 0, the default, keeps the order of the samples. */
  seed?: number;
  /** Only what happens in this state, such as `preInit` or `plan.active.seeding`. */
  only?: string;
  /** Steps after which a path ends, if there is a shorter one to what is left. 15 unless given. */
  longest?: number;
  /** What `placesOf` gives for the surface, where it is at hand. */
  places?: readonly Place[];
}

/** Paths that together cover everything a surface can do. */
export interface Tour {
  surface: Surface['name'];
  paths: readonly Path[];
  /** What the paths have to cover, and of that what no path does; nothing, but for a fault of the generator. */
  wanted: readonly Found[];
  missed: readonly Found[];
}

/**
 * Paths from the empty session that take every branch, each guard's both outcomes, each refusal code and each move
 * that can be reached with what the surface can do. Greedy: always the nearest place where something is left.
 * Throws when `only` is no state.
 */
export function tourFor(
  surface: Pick<Surface, 'name' | 'lacks'>,
  { seed = 0, only, longest = 15, places = placesOf(surface) }: TourOptions = {},
): Tour {
  const graph = graphOf(places, shuffled(seed));
  const inside = only === undefined ? null : placesIn(places, only);
  if (inside?.size === 0) throw new Error(`no reachable state is called "${only}"`);
  const targets = new Targets(graph, inside);
  const wanted = [...targets.left];
  const paths: Path[] = [];
  while (targets.left.size > 0) {
    const before = targets.left.size;
    const steps = new PathMaker(surface, graph, targets, longest).make();
    if (steps.length === 0) break;
    // An edge that kept something else than it had promised can make a path in vain.
    if (targets.left.size < before) paths.push(pathOf(steps));
  }
  return { surface: surface.name, paths, wanted, missed: [...targets.left] };
}

/** What is left to be found, and where. */
class Targets {
  readonly left: Set<Found>;
  private readonly fresh: Map<string, GraphEdge[]>;
  private readonly tries = new Map<GraphEdge, number>();
  /** How often an edge led into a world of its place where less could be done than the exploration saw. */
  private readonly misled = new Map<GraphEdge, number>();

  constructor(graph: Graph, inside: ReadonlySet<string> | null) {
    const nodes = [...graph.values()].filter(({ name }) => inside?.has(name) ?? true);
    this.left = new Set(nodes.flatMap(({ edges }) => edges.flatMap(({ found }) => found)));
    this.fresh = new Map(nodes.map(({ name, edges }) => [name, [...edges]]));
  }

  /** Whether an edge that was taken still has something that it was taken for. */
  isVain(edge: GraphEdge): boolean {
    return this.worth(edge) > 0;
  }

  mislead(edge: GraphEdge): void {
    this.misled.set(edge, (this.misled.get(edge) ?? 0) + 1);
  }

  /** One edge to each other place, of several the one that has misled least. */
  ways(node: GraphNode | undefined): readonly GraphEdge[] {
    if (node === undefined) return [];
    if (!node.edges.some((edge) => this.misled.has(edge))) return node.ways;
    const trust = (edge: GraphEdge): number => -(this.misled.get(edge) ?? 0);
    const best = new Map<string, GraphEdge>();
    for (const edge of node.edges) {
      const other = best.get(edge.to);
      if (edge.to !== node.name && (other === undefined || trust(edge) >= trust(other)))
        best.set(edge.to, edge);
    }
    return [...best.values()];
  }

  /** The edge of this place that finds most; null when nothing is left here. */
  best(place: string, banned: ReadonlySet<GraphEdge>): GraphEdge | null {
    const edges = (this.fresh.get(place) ?? []).filter((edge) => this.worth(edge) > 0);
    this.fresh.set(place, edges);
    const open = edges.filter((edge) => !banned.has(edge));
    return open.reduce<GraphEdge | null>(
      (best, edge) => (best === null || this.worth(edge) > this.worth(best) ? edge : best),
      null,
    );
  }

  private worth({ found }: GraphEdge): number {
    return found.reduce((sum, one) => sum + (this.left.has(one) ? 1 : 0), 0);
  }

  /**
   * Counts what a step has really found. An edge that keeps something else than the exploration saw is given up in the
   * end: a limit of three retries needs some rounds.
   */
  took(edge: GraphEdge, { move, after }: Step): void {
    for (const one of foundBy(move, after)) this.left.delete(one);
    this.failed(edge);
  }

  /** The way to an edge may not be what it seemed either: what a surface can do may hang on how a place was reached. */
  failed(edge: GraphEdge): void {
    if (this.worth(edge) === 0) return;
    const tries = (this.tries.get(edge) ?? 0) + 1;
    this.tries.set(edge, tries);
    if (tries < 18) return;
    for (const [place, edges] of this.fresh)
      this.fresh.set(
        place,
        edges.filter((other) => other !== edge),
      );
  }
}

/** Makes one path; knows only what the exploration saw, and looks at every step at the world it really leads to. */
class PathMaker {
  private readonly surface: Pick<Surface, 'lacks'>;
  private readonly graph: Graph;
  private readonly targets: Targets;
  private readonly longest: number;
  private readonly steps: Step[] = [];
  /** What cannot be done on this path, although it can in another world of the same place. */
  private readonly banned = new Set<GraphEdge>();
  private readonly times = new Map<GraphEdge, number>();
  private at: World = emptyWorld();
  /** The edge by which this path came to the place where it is. */
  private arrived: GraphEdge | null = null;

  constructor(surface: Pick<Surface, 'lacks'>, graph: Graph, targets: Targets, longest: number) {
    this.surface = surface;
    this.graph = graph;
    this.targets = targets;
    this.longest = longest;
  }

  make(): Step[] {
    for (;;) {
      const way = this.nearest();
      if (way === null) return this.steps;
      if (this.steps.length > 0 && this.steps.length + way.length > this.longest) return this.steps;
      this.follow(way);
    }
  }

  private follow(way: readonly GraphEdge[]): void {
    const target = way.at(-1);
    for (const edge of way) {
      const move = moveNamed(this.at, edge.move.name);
      if (move === null || this.surface.lacks(this.at, move) !== null) {
        this.banned.add(edge);
        if (this.arrived !== null) this.targets.mislead(this.arrived);
        if (target !== undefined) this.targets.failed(target);
        return;
      }
      const step = stepAt(this.at, move, this.steps.length);
      this.steps.push(step);
      this.targets.took(edge, step);
      if (this.targets.isVain(edge)) this.vain(edge);
      if (keyOf(this.at.snapshot) !== keyOf(step.after.snapshot)) this.arrived = edge;
      this.at = step.after;
      if (keyOf(step.after.snapshot) === edge.to) continue;
      if (target !== undefined && target !== edge) this.targets.failed(target);
      return;
    }
  }

  /** A limit of three retries needs some rounds; yolo, say, refuses for good, and is off on another path. */
  private vain(edge: GraphEdge): void {
    const times = (this.times.get(edge) ?? 0) + 1;
    this.times.set(edge, times);
    if (times >= 5) this.banned.add(edge);
  }

  /** Edges to the nearest place where something is left, and the edge that finds it. */
  private nearest(): GraphEdge[] | null {
    const start = keyOf(this.at.snapshot);
    const from = new Map<string, GraphEdge[]>([[start, []]]);
    const waiting = [start];
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      const way = from.get(place) ?? [];
      const last = this.targets.best(place, this.banned);
      if (last !== null) return [...way, last];
      for (const edge of this.targets.ways(this.graph.get(place))) {
        if (from.has(edge.to) || this.banned.has(edge)) continue;
        from.set(edge.to, [...way, edge]);
        waiting.push(edge.to);
      }
    }
    return null;
  }
}
