import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { agentMachine, codes, flowMachine, keyboardMachine, sessionMachine } from '../../machines/index.ts';

export const machines: Readonly<Record<string, AnyStateMachine>> = {
  session: sessionMachine,
  keyboard: keyboardMachine,
  flow: flowMachine,
  agent: agentMachine,
};

/** The ways in which a machine is broken. */
export type Break =
  | 'guard dropped'
  | 'transition removed'
  | 'refusal removed'
  | 'refusal recoded'
  | 'target swapped'
  | 'target dropped'
  | 'action dropped';

/** One break of one branch; the id is made of names, so that it stays the same while others come and go. */
export interface Mutant {
  id: string;
  machine: string;
  break: Break;
  /** Breaks the machine in this process, and answers what mends it again. */
  apply: () => () => void;
}

/** What XState keeps of a branch. */
interface Branch {
  guard?: unknown;
  target?: readonly AnyStateNode[] | undefined;
  actions: readonly unknown[];
  meta?: { answer?: { kind: string; code?: string } } | undefined;
}

interface Place {
  machine: string;
  node: AnyStateNode;
  branch: Branch;
  name: string;
}

/** Every typed break of every branch of every machine. */
export function mutants(): Mutant[] {
  return Object.entries(machines).flatMap(([machine, { root }]) =>
    nodesOf(root).flatMap((node) =>
      [...node.transitions].flatMap(([event, list]) =>
        (list as Branch[]).flatMap((branch, index) =>
          breaksOf({
            machine,
            node,
            branch,
            name: `${machine} ${node.path.join('.')} ${event} #${index + 1}`,
          }),
        ),
      ),
    ),
  );
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => nodesOf(child as AnyStateNode))];
}

function breaksOf(place: Place): Mutant[] {
  const { branch } = place;
  const code = branch.meta?.answer?.code;
  const refuses = branch.meta?.answer?.kind === 'refused';
  return [
    ...(branch.guard === undefined
      ? []
      : [broken(place, 'guard dropped', guardName(branch), { guard: undefined })]),
    broken(place, refuses ? 'refusal removed' : 'transition removed', '', { guard: () => false }),
    ...(code === undefined ? [] : [broken(place, 'refusal recoded', code, { meta: recoded(branch, code) })]),
    ...targetBreaks(place),
    ...branch.actions.map((action, index) =>
      broken(place, 'action dropped', actionName(action), { actions: branch.actions.toSpliced(index, 1) }),
    ),
  ];
}

function targetBreaks(place: Place): Mutant[] {
  const [to] = place.branch.target ?? [];
  if (to === undefined) return [];
  const siblings = Object.values(to.parent?.states ?? {}) as AnyStateNode[];
  const other = siblings[(siblings.indexOf(to) + 1) % siblings.length];
  const swapped =
    other === undefined || other === to
      ? []
      : [broken(place, 'target swapped', other.key, { target: [other] })];
  // To stay where it leads to anyway breaks nothing.
  const stays = to === place.node;
  return [...swapped, ...(stays ? [] : [broken(place, 'target dropped', to.key, { target: undefined })])];
}

function broken(place: Place, how: Break, what: string, change: Partial<Branch>): Mutant {
  const { branch, machine, name } = place;
  return {
    id: `${name}: ${how}${what === '' ? '' : ` (${what})`}`,
    machine,
    break: how,
    apply: () => {
      const was = { ...branch };
      Object.assign(branch, change);
      return () => {
        Object.assign(branch, { guard: undefined, target: undefined, meta: undefined }, was);
      };
    },
  };
}

const recoded = ({ meta }: Branch, code: string): Branch['meta'] => ({
  answer: { kind: meta?.answer?.kind ?? '', code: codes.find((other) => other !== code) ?? '' },
});

function guardName({ guard }: Branch): string {
  if (typeof guard === 'string') return guard;
  const { type, params } = guard as { type: string; params?: { code?: string } };
  return params?.code ?? type;
}

const actionName = (action: unknown): string =>
  typeof action === 'string' ? action : String((action as { type?: string }).type);
