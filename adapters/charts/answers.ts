import { codes } from './markdown.ts';
import { asked, childrenOf, eventsOf, leavesOf, type MachineNode, outcomeOf, pathOf } from './nodes.ts';

type Outcome = ReturnType<typeof outcomeOf>;

/** What one event may come to in one innermost state. */
export interface Answered {
  event: string;
  leaf: MachineNode;
  outcome: Outcome;
  /** Of a refusal or an info. */
  code: string | null;
}

/** Everything that each innermost state of a machine may answer to each event. */
export function answersOf(root: MachineNode): Answered[] {
  return eventsOf(root).flatMap((event) =>
    deciders(root, event).flatMap((leaf) => answersIn(root, leaf, event)),
  );
}

/** The region that decides an event: the other one of a parallel machine never hears of it. */
export function regionOf(root: MachineNode, event: string): MachineNode {
  if (root.type !== 'parallel') return root;
  return childrenOf(root).find((region) => eventsOf(region).includes(event)) ?? root;
}

const deciders = (root: MachineNode, event: string): MachineNode[] => leavesOf(regionOf(root, event));

function answersIn(root: MachineNode, leaf: MachineNode, event: string): Answered[] {
  const branches = asked(root, leaf, event).map(({ branch }) => branch);
  const found = branches.map((branch) => ({
    event,
    leaf,
    outcome: outcomeOf(branch),
    code: branch.meta?.answer?.code ?? null,
  }));
  if (branches.at(-1)?.guard === undefined && branches.length > 0) return found;
  return [...found, { event, leaf, outcome: 'ignored', code: null }];
}

/** A set of innermost states in as few names as there are: a whole compound state goes by its own. */
function placesOf(around: MachineNode, leaves: readonly MachineNode[]): string[] {
  const within = leavesOf(around);
  if (!within.some((leaf) => leaves.includes(leaf))) return [];
  if (within.every((leaf) => leaves.includes(leaf))) return [pathOf(around)];
  return childrenOf(around).flatMap((child) => placesOf(child, leaves));
}

/** The same in words, for a cell of a table. */
export function placeWords(region: MachineNode, leaves: readonly MachineNode[]): string {
  const places = placesOf(region, leaves);
  return places[0] === pathOf(region) ? 'every state' : codes(places);
}
