import {
  asked,
  type Branch,
  childrenOf,
  eventsOf,
  guardName,
  leavesOf,
  type MachineNode,
  outcomeOf,
  pathOf,
} from './nodes.ts';

export interface Arrow {
  from: string;
  to: string;
  /** One for each event, such as `tool.init [startsDesign]`. */
  labels: readonly string[];
}

/** What is drawn of a machine: only what it accepts. Refusals are in the tables (decision 0074). */
export interface Drawing {
  arrows: readonly Arrow[];
  /** By path: the events that a state takes and stays in; under the empty path those of every state. */
  stays: ReadonlyMap<string, readonly string[]>;
}

interface Taken {
  branch: Branch;
  /** The state that the branch leads to; null where it stays. */
  target: MachineNode | null;
}

/** Pure: one machine in arrows between states, and in lists of what each state takes in place. */
export function draw(root: MachineNode): Drawing {
  const arrows = new Map<string, { from: string; to: string; labels: string[] }>();
  const stays = new Map<string, string[]>();
  for (const event of eventsOf(root)) {
    const reached = reachOf(root, event);
    for (const { source, target } of [...reached].flatMap(([one, leaves]) => drawnFrom(root, one, leaves))) {
      const [leaf = source] = leavesOf(source);
      const all = takenIn(root, leaf, event);
      if (target === null) {
        add(stays, pathOf(source), stayLabel(event, all));
        continue;
      }
      const key = `${pathOf(source)} ${pathOf(target)}`;
      const arrow = arrows.get(key) ?? { from: pathOf(source), to: pathOf(target), labels: [] };
      arrows.set(key, arrow);
      const label = arrowLabel(event, all, target);
      if (!arrow.labels.includes(label)) arrow.labels.push(label);
    }
  }
  return { arrows: [...arrows.values()], stays };
}

/** The accepted branches that an event meets in a leaf, in the order in which they are asked. */
function takenIn(root: MachineNode, leaf: MachineNode, event: string): Taken[] {
  return asked(root, leaf, event).flatMap(({ branch }) => {
    const outcome = outcomeOf(branch);
    if (outcome !== 'accepted' && outcome !== 'queued') return [];
    return [{ branch, target: targetOf(branch, leaf) }];
  });
}

/** A branch from around a state that leads to that same state changes no state: it stays. */
function targetOf(branch: Branch, leaf: MachineNode): MachineNode | null {
  const [target = null] = branch.target ?? [];
  return target === leaf && !branch.reenter ? null : target;
}

interface Reach {
  owner: MachineNode;
  target: MachineNode | null;
}

/** Each accepted branch of an event with the leaves in which it can be taken. */
function reachOf(root: MachineNode, event: string): Map<Reach, Set<MachineNode>> {
  const reached = new Map<string, { reach: Reach; leaves: Set<MachineNode> }>();
  for (const leaf of leavesOf(root)) {
    for (const { branch, owner } of asked(root, leaf, event)) {
      const outcome = outcomeOf(branch);
      if (outcome !== 'accepted' && outcome !== 'queued') continue;
      const target = targetOf(branch, leaf);
      const key = `${pathOf(owner)}>${target === null ? '' : pathOf(target)}`;
      const entry = reached.get(key) ?? { reach: { owner, target }, leaves: new Set<MachineNode>() };
      entry.leaves.add(leaf);
      reached.set(key, entry);
    }
  }
  return new Map([...reached.values()].map(({ reach, leaves }) => [reach, leaves]));
}

/** The outermost states of which every leaf takes the branch, and which do not hold its target. */
function drawnFrom(
  root: MachineNode,
  { owner, target }: Reach,
  leaves: ReadonlySet<MachineNode>,
): { source: MachineNode; target: MachineNode | null }[] {
  const within = leavesOf(owner);
  if (!within.some((leaf) => leaves.has(leaf))) return [];
  const whole = within.every((leaf) => leaves.has(leaf));
  const holds = owner !== target && target !== null && isWithin(target, owner);
  const leaf = childrenOf(owner).length === 0;
  if (leaf || (whole && !holds && (owner !== root || target === null))) return [{ source: owner, target }];
  return childrenOf(owner).flatMap((child) => drawnFrom(root, { owner: child, target }, leaves));
}

const isWithin = (node: MachineNode, around: MachineNode): boolean =>
  around.path.every((key, index) => node.path[index] === key);

const stayLabel = (event: string, all: readonly Taken[]): string =>
  all.filter(({ target }) => target === null).every(({ branch }) => outcomeOf(branch) === 'queued')
    ? `${event} (queued)`
    : event;

/** The guard is named only where the event may also lead elsewhere, or nowhere. */
function arrowLabel(event: string, all: readonly Taken[], target: MachineNode): string {
  const here = all.filter((one) => one.target === target);
  const others = all.filter((one) => one.target !== target);
  const isOpen = here.some(({ branch }) => branch.guard === undefined);
  if (others.length === 0 && isOpen) return event;
  const isLast = all.slice(-here.length).every((one) => here.includes(one));
  const otherGuards = [...new Set(others.flatMap(({ branch }) => guardName(branch) ?? []))];
  if (isLast && isOpen) {
    return otherGuards.length === 1 ? `${event} [not ${otherGuards[0]}]` : `${event} [else]`;
  }
  const guards = [...new Set(here.map(({ branch }) => guardName(branch) ?? 'else'))];
  return `${event} [${guards.join(' or ')}]`;
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key) ?? [];
  if (!list.includes(value)) list.push(value);
  lists.set(key, list);
}
