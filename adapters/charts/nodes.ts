import { agentMachine, flowMachine, keyboardMachine, sessionMachine } from '../../machines/index.ts';

/** One branch of an event, as XState resolves it; `target` is absent where the state stays. */
export interface Branch {
  target?: readonly MachineNode[] | undefined;
  guard?: unknown;
  actions: readonly unknown[];
  reenter: boolean;
  meta?: { answer?: { kind: string; code?: string } } | undefined;
}

/** What the charts read of a state node; a part of XState's own. */
export interface MachineNode {
  key: string;
  path: readonly string[];
  type: string;
  description?: string | undefined;
  tags: readonly string[];
  states: Readonly<Record<string, MachineNode>>;
  transitions: ReadonlyMap<string, readonly Branch[]>;
  initial: { target: readonly MachineNode[] };
}

export interface Machine {
  /** The machine's id, which names its files. */
  name: string;
  title: string;
  /** Where it is written, from the root of the repository. */
  source: string;
  /** One sentence on what it decides. */
  about: string;
  root: MachineNode;
}

/** Every machine of the product, in the order of the pages. */
export const machines: readonly Machine[] = [
  {
    name: 'session',
    title: 'Session',
    source: 'machines/session/',
    about: 'The lifecycle of a plan, and beside it the one turn that may run.',
    root: sessionMachine.root,
  },
  {
    name: 'agent',
    title: 'Agent',
    source: 'machines/agent.ts',
    about: 'The loop of one turn: ask the model, judge and run its calls, ask again.',
    root: agentMachine.root,
  },
  {
    name: 'keyboard',
    title: 'Keyboard',
    source: 'machines/keyboard.ts',
    about: 'Which message of a chat carries the plan buttons.',
    root: keyboardMachine.root,
  },
  {
    name: 'flow',
    title: 'Flow message',
    source: 'machines/flow.ts',
    about: 'The one message in a chat that follows a turn.',
    root: flowMachine.root,
  },
];

export const pathOf = ({ path }: MachineNode): string => path.join('.');

export const childrenOf = (node: MachineNode): MachineNode[] => Object.values(node.states);

/** All states of a machine but its root, parents before their children. */
export const statesBelow = (node: MachineNode): MachineNode[] =>
  childrenOf(node).flatMap((child) => [child, ...statesBelow(child)]);

export const leavesOf = (node: MachineNode): MachineNode[] => {
  const children = childrenOf(node);
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
};

export const kindOf = ({ type }: MachineNode): 'atomic' | 'compound' | 'parallel' =>
  type === 'parallel' || type === 'compound' ? type : 'atomic';

/** Where a compound state starts; null for others. */
export function initialOf(node: MachineNode): MachineNode | null {
  return kindOf(node) === 'compound' ? (node.initial.target[0] ?? null) : null;
}

/** The states around one, innermost first, itself included. */
export function lineOf(root: MachineNode, node: MachineNode): MachineNode[] {
  let at = root;
  const line = [root];
  for (const key of node.path) {
    const next = at.states[key];
    if (next === undefined) break;
    at = next;
    line.unshift(at);
  }
  return line;
}

/** All event types that a machine handles somewhere, in the order of its definition. */
export const eventsOf = (root: MachineNode): string[] => [
  ...new Set([root, ...statesBelow(root)].flatMap((node) => [...node.transitions.keys()])),
];

/** What is asked in a leaf when an event comes: its own branches, then those around it, up to the first without a guard. */
export function asked(
  root: MachineNode,
  leaf: MachineNode,
  event: string,
): readonly { branch: Branch; owner: MachineNode }[] {
  const list: { branch: Branch; owner: MachineNode }[] = [];
  for (const owner of lineOf(root, leaf)) {
    for (const branch of owner.transitions.get(event) ?? []) {
      list.push({ branch, owner });
      if (branch.guard === undefined) return list;
    }
  }
  return list;
}

export function guardName({ guard }: Branch): string | null {
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return String(guard.type);
  return typeof guard === 'string' ? guard : null;
}

/** What taking a branch is: a change, a wait, an answer without a change, or nothing at all. */
export function outcomeOf({
  meta,
  target,
  actions,
}: Branch): 'accepted' | 'queued' | 'refused' | 'info' | 'view' | 'ignored' {
  const kind = meta?.answer?.kind;
  if (kind === 'queued' || kind === 'refused' || kind === 'info' || kind === 'view') return kind;
  return target === undefined && actions.length === 0 ? 'ignored' : 'accepted';
}
