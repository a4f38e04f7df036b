import type { AnyStateNode } from 'xstate';
import { type SessionEvent, sessionMachine, type SessionSnapshot } from '../../machines/index.ts';
import { type FaultName, faults } from '../../machines/session/faults.ts';

/** A transition of the machine; the objects are the machine's own, so identity counts. */
export interface Branch {
  source: AnyStateNode;
  eventType: string;
  guard?: unknown;
  target?: readonly AnyStateNode[] | undefined;
  meta?: { answer?: { kind: string; code?: string } };
}

/** What one event asked the machine. */
export interface Asked {
  selected: readonly Branch[];
  /** Guarded branches that were looked at and said no. */
  no: readonly Branch[];
}

/** Every branch of the machine with a name that tells state, event and place in the list. */
export const branches: ReadonlyMap<Branch, string> = new Map(nodesOf(sessionMachine.root).flatMap(named));

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => nodesOf(child as AnyStateNode))];
}

function named(node: AnyStateNode): [Branch, string][] {
  return [...node.transitions.values()].flatMap((list) =>
    list.map((branch: Branch, index: number): [Branch, string] => [
      branch,
      `${node.path.join('.')} ${branch.eventType} #${index + 1}${describe(branch)}`,
    ]),
  );
}

function describe(branch: Branch): string {
  const guard = guardOf(branch);
  const answer = branch.meta?.answer;
  const says = answer === undefined ? 'accepted' : [answer.kind, answer.code].filter(Boolean).join(' ');
  return ` ${guard === null ? '' : `[${guard.name}] `}→ ${says}`;
}

/** Name and parameters of a guard; null without one. */
export function guardOf({ guard }: Branch): { name: string; of: FaultName | null } | null {
  if (guard === undefined) return null;
  if (typeof guard === 'string') return { name: guard, of: null };
  const { type, params } = guard as { type: string; params?: { of: FaultName; code: string } };
  return params === undefined
    ? { name: type, of: null }
    : { name: `${params.of}: ${params.code}`, of: params.of };
}

/** Every state that has no states inside, as `plan.editing.preInit`. */
export const leaves: readonly string[] = nodesOf(sessionMachine.root)
  .filter((node) => node.type === 'atomic')
  .map((node) => node.path.join('.'));

/** The leaves that a snapshot is in. */
export function leavesOf(snapshot: SessionSnapshot): string[] {
  return nodesAt(snapshot).flatMap(([leaf]) => (leaf === undefined ? [] : [leaf.path.join('.')]));
}

/** Active states of each region, innermost first. */
function nodesAt(snapshot: SessionSnapshot): AnyStateNode[][] {
  return Object.entries(snapshot.value).map(([region, value]) => {
    const nodes: AnyStateNode[] = [];
    let node: AnyStateNode | undefined = sessionMachine.root.states[region as 'plan' | 'turn'];
    let at: unknown = value;
    while (node !== undefined) {
      nodes.unshift(node);
      const key: string | undefined = typeof at === 'string' ? at : Object.keys(at ?? {})[0];
      at =
        typeof at === 'object' && at !== null && key !== undefined
          ? (at as Record<string, unknown>)[key]
          : null;
      node = key === undefined ? undefined : (node.states[key] as AnyStateNode | undefined);
    }
    return nodes;
  });
}

/** Which branch an event selects, and which guards it asked on the way, innermost state first. */
export function askedOf(snapshot: SessionSnapshot, event: SessionEvent): Asked {
  const selected = sessionMachine.getTransitionData(snapshot, event) as unknown as Branch[];
  const no = nodesAt(snapshot).flatMap((nodes) => {
    const list = nodes.flatMap((node) => (node.transitions.get(event.type) ?? []) as Branch[]);
    const at = list.findIndex((branch) => selected.includes(branch));
    return list.slice(0, at < 0 ? list.length : at).filter((branch) => branch.guard !== undefined);
  });
  return { selected, no };
}

/** Faults that a question finds although no branch refuses them: one code is missing in a list. */
export function faultsLetThrough(snapshot: SessionSnapshot, event: SessionEvent, asked: Asked): string[] {
  const taken = asked.selected.map((branch) => guardOf(branch)?.of ?? null);
  if (taken.some((of) => of !== null)) return [];
  const questions = new Set(asked.no.flatMap((branch) => guardOf(branch)?.of ?? []));
  return [...questions].flatMap((of) => {
    const code = faults[of](snapshot.context, event);
    return code === null ? [] : [`${of} finds ${code}, and nothing refuses it`];
  });
}
