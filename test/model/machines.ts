import type { AnyStateMachine } from 'xstate';
import { agentMachine, flowMachine, keyboardMachine } from '../../machines/index.ts';
import { agentGot, agentPlace, agentWanted, exploreAgent } from '../support/cover-agent.ts';
import { exploreFlow, flowFaults, flowPlace } from '../support/cover-flow.ts';
import { exploreKeyboard, keyboardFaults, keyboardPlace } from '../support/cover-keyboard.ts';
import { type Edge, uncovered } from '../support/explore-machine.ts';
import type { Case, Count, Suite } from './suite.ts';
import { pathId } from './walk.ts';

export const otherMachines = ['keyboard', 'flow', 'agent'] as const;
export type OtherMachine = (typeof otherMachines)[number];

/** A machine with what can be reached of it, and what has to hold there. */
export interface Explored<S, E, F> {
  name: string;
  machine: AnyStateMachine;
  edges: readonly Edge<S, E, F>[];
  placeOf: (at: S) => string;
  faults: (edge: Edge<S, E, F>) => string[];
}

interface Machine {
  value: unknown;
}

/** Walks every reachable place × every event of a machine that has no surface of its own. */
export function machineSuite(name: OtherMachine): Suite {
  switch (name) {
    case 'keyboard':
      return suiteOf(() => ({
        name,
        machine: keyboardMachine,
        edges: exploreKeyboard(),
        placeOf: keyboardPlace,
        faults: keyboardFaults,
      }));
    case 'flow':
      return suiteOf(() => ({
        name,
        machine: flowMachine,
        edges: exploreFlow(),
        placeOf: flowPlace,
        faults: flowFaults,
      }));
    case 'agent':
      return suiteOf(() => ({
        name,
        machine: agentMachine,
        edges: exploreAgent(),
        placeOf: agentPlace,
        faults: (edge) => {
          const [got, wanted] = [agentGot(edge).join(', '), agentWanted(edge).join(', ')];
          return got === wanted ? [] : [`the table says ${wanted}, it is ${got}`];
        },
      }));
  }
}

/** One case for each state and kind of event: the shortest way to it, or to its first edge with a fault. */
export function suiteOf<S extends Machine, E extends { type: string }, F extends { type: string }>(
  explore: () => Explored<S, E, F>,
): Suite {
  const start = performance.now();
  const explored = explore();
  const { name: machine, edges, placeOf } = explored;
  const { sizes, missing } = uncovered(explored.machine, edges);
  const counts = (Object.keys(missing) as (keyof typeof missing)[]).map((kind): Count => {
    const of = kind === 'states' || kind === 'transitions' ? sizes[kind] : sizes.guards;
    return { kind, covered: of - missing[kind].length, of, missing: missing[kind] };
  });
  const reached = reachedBy(edges, placeOf);
  const groups = Map.groupBy(edges, ({ from, event }) => `${stateOf(from)} × ${event.type}`);
  const cases = [...groups].map(([name, group]) => caseOf(explored, reached, name, group));
  return {
    machine,
    surface: 'model',
    counts,
    owes: 'everything',
    steps: edges.length,
    ms: performance.now() - start,
    cases,
    cannot: [],
  };
}

/** The first edge into each place, none into those where it begins. Edges are in order of their distance. */
function reachedBy<S, E, F>(
  edges: readonly Edge<S, E, F>[],
  placeOf: (at: S) => string,
): ReadonlyMap<string, Edge<S, E, F> | null> {
  const reached = new Map<string, Edge<S, E, F> | null>();
  let last: S | null = null;
  for (const edge of edges) {
    const begins = edge.from === last ? null : placeOf(edge.from);
    last = edge.from;
    if (begins !== null && !reached.has(begins)) reached.set(begins, null);
    const place = placeOf(edge.next);
    if (!reached.has(place)) reached.set(place, edge);
  }
  return reached;
}

function caseOf<S extends Machine, E extends { type: string }, F extends { type: string }>(
  { name: machine, placeOf, faults }: Explored<S, E, F>,
  reached: ReadonlyMap<string, Edge<S, E, F> | null>,
  name: string,
  group: readonly Edge<S, E, F>[],
): Case {
  const began = performance.now();
  const faulty = group.find((edge) => faults(edge).length > 0);
  const last = faulty ?? group[0];
  if (last === undefined) throw new Error(`no edge in ${name}`);
  const way = [last];
  for (let before = reached.get(placeOf(last.from)); before; before = reached.get(placeOf(before.from)))
    way.unshift(before);
  const failure = faulty === undefined ? null : { step: way.length - 1, differences: faults(faulty) };
  return {
    id: pathId([machine, ...way.map((edge) => edge.name)]),
    name,
    lines: [
      `0. It begins: ${placeOf((way[0] ?? last).from)}`,
      ...way.map((edge, index) => lineOf(edge, index)),
    ],
    ms: performance.now() - began,
    failure,
  };
}

function lineOf<S extends Machine, E, F extends { type: string }>(
  { name, event, next, effects }: Edge<S, E, F>,
  index: number,
): string {
  const told = effects.length === 0 ? '' : `, effects: ${effects.map(({ type }) => type).join(', ')}`;
  return `${index + 1}. ${name} ${JSON.stringify(event)} → ${stateOf(next)}${told}`;
}

const stateOf = ({ value }: Machine): string => (typeof value === 'string' ? value : JSON.stringify(value));
