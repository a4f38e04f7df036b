import { type Code, codes } from '../../machines/index.ts';
import type { Move, World } from '../support/explore.ts';
import { type Branch, branches, leaves, leavesOf } from '../support/explore-branches.ts';

export const kinds = ['states', 'transitions', 'guards true', 'guards false', 'refusal codes'] as const;
export type Kind = (typeof kinds)[number];

/** What there is to be covered in the session machine, by name. */
export const everything: Readonly<Record<Kind, readonly string[]>> = {
  states: leaves,
  transitions: [...branches.values()],
  'guards true': guardedNames(),
  'guards false': guardedNames(),
  // No branch answers it, the runtime does, when the store could not write.
  'refusal codes': codes.filter((code) => code !== ('NOT_SAVED' satisfies Code)),
};

function guardedNames(): string[] {
  return [...branches].flatMap(([branch, name]) => (branch.guard === undefined ? [] : [name]));
}

/** Something that a step covers: a kind and a name, or the move itself. */
export type Found = `${Kind | 'moves'}: ${string}`;

const found = (kind: Kind | 'moves', names: readonly string[]): Found[] =>
  names.map((name): Found => `${kind}: ${name}`);

/** Everything that a move into this world has covered, each once. */
export function foundBy(move: Move, { taken, snapshot }: World): Found[] {
  const took = taken.flatMap(({ asked, took }) => [...asked.selected, ...took]);
  const all = [
    ...found('states', leavesOf(snapshot)),
    ...found('transitions', took.map(nameOf)),
    ...found('guards true', took.filter(({ guard }) => guard !== undefined).map(nameOf)),
    ...found('guards false', taken.flatMap(({ asked }) => asked.no).map(nameOf)),
    ...found(
      'refusal codes',
      taken.flatMap(({ answer }) => ('code' in answer ? [answer.code] : [])),
    ),
    ...found('moves', [move.name]),
  ];
  return [...new Set(all)];
}

function nameOf(branch: Branch): string {
  const name = branches.get(branch);
  if (name === undefined) throw new Error(`not a branch of the machine: ${branch.eventType}`);
  return name;
}

/** Sorts what was found into its kinds. */
export function byKind(all: Iterable<Found>): Readonly<Record<Kind, readonly string[]>> {
  const sorted: Record<Kind, string[]> = {
    states: [],
    transitions: [],
    'guards true': [],
    'guards false': [],
    'refusal codes': [],
  };
  for (const one of all) {
    const kind = kinds.find((name) => one.startsWith(`${name}: `));
    if (kind !== undefined) sorted[kind].push(one.slice(kind.length + 2));
  }
  return sorted;
}
