import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** One event in one reachable place of a machine without parallel states. */
export interface Edge<Snapshot, Event, Effect> {
  from: Snapshot;
  /** Names the event and its payload. */
  name: string;
  event: Event;
  next: Snapshot;
  effects: readonly Effect[];
}

export interface Explored<Snapshot, Event, Effect> {
  start: readonly Snapshot[];
  /** Every event that is tried in a place, by name: a payload for each outcome of each guard. */
  events: (at: Snapshot) => Readonly<Record<string, Event>>;
  step: (at: Snapshot, event: Event) => readonly [Snapshot, readonly Effect[]];
  /** Two snapshots with one key are one place. */
  keyOf: (at: Snapshot) => string;
}

/** Every place that can be reached, each with an edge for every event. Throws when there is no end to it. */
export function exploreMachine<S, E, F>({ start, events, step, keyOf }: Explored<S, E, F>): Edge<S, E, F>[] {
  const waiting = [...start];
  const seen = new Set(waiting.map(keyOf));
  const edges: Edge<S, E, F>[] = [];
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    if (seen.size > 20_000) throw new Error(`no end to the places, such as ${keyOf(from)}`);
    for (const [name, event] of Object.entries(events(from))) {
      const [next, effects] = step(from, event);
      edges.push({ from, name, event, next, effects });
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(next);
    }
  }
  return edges;
}

interface Branch {
  guard?: unknown;
}

interface Configuration {
  value: unknown;
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap((child) => nodesOf(child as AnyStateNode)),
];

/** Active nodes, innermost first. */
function activeNodes(machine: AnyStateMachine, { value }: Configuration): AnyStateNode[] {
  const nodes: AnyStateNode[] = [machine.root];
  let at = value;
  while (at !== undefined) {
    const [key = '', inner] = typeof at === 'string' ? [at] : (Object.entries(at as object)[0] ?? []);
    const node = nodes[0]?.states[key] as AnyStateNode | undefined;
    if (node === undefined) throw new Error(`no state ${key}`);
    nodes.unshift(node);
    at = inner;
  }
  return nodes;
}

/** What the edges leave out: leaf states, branches, and guards that were never true or never false. */
export function uncovered<S extends Configuration, E extends { type: string }, F>(
  machine: AnyStateMachine,
  edges: readonly Edge<S, E, F>[],
) {
  const names = new Map<Branch, string>(
    nodesOf(machine.root).flatMap((node) =>
      [...node.transitions].flatMap(([type, list]) =>
        list.map((one, index): [Branch, string] => [
          one,
          `${node.path.join('.')} ${type} #${index + 1} ${typeof one.guard === 'string' ? one.guard : ''}`,
        ]),
      ),
    ),
  );
  const took = new Set<Branch>();
  const saidNo = new Set<Branch>();
  const reached = new Set<string>();
  for (const { from, event } of edges) {
    const nodes = activeNodes(machine, from);
    reached.add(nodes[0]?.path.join('.') ?? '');
    const [selected] = machine.getTransitionData(from as never, event) as Branch[];
    if (selected !== undefined) took.add(selected);
    for (const branch of nodes.flatMap((node): Branch[] => node.transitions.get(event.type) ?? [])) {
      if (branch === selected) break;
      saidNo.add(branch);
    }
  }
  const leaves = nodesOf(machine.root).filter((node) => node.type === 'atomic');
  const missing = (covered: ReadonlySet<Branch>, all: readonly [Branch, string][]): string[] =>
    all.filter(([branch]) => !covered.has(branch)).map(([, name]) => name);
  const guarded = [...names].filter(([branch]) => branch.guard !== undefined);
  return {
    sizes: { states: leaves.length, transitions: names.size, guards: guarded.length },
    missing: {
      states: leaves.map((node) => node.path.join('.')).filter((leaf) => !reached.has(leaf)),
      transitions: missing(took, [...names]),
      'guards true': missing(took, guarded),
      'guards false': missing(saidNo, guarded),
    },
  };
}
