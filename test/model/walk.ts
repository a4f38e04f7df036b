import { createHash } from 'node:crypto';
import type { Stamp } from '../../machines/index.ts';
import { advance, emptyWorld, type Move, type World } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { stampOf } from '../support/samples.ts';
import type { Path, Step } from './surface.ts';

const longest = 10_000;

/** The process that a walk's messages wait for; the store wants a UUID. */
const process = '00000000-0000-4000-8000-0000000000a1';

/**
 * Facts of the n-th step of a walk. Unlike the exploration's, ids are never used twice and time goes on, a minute a
 * step from 2026-03-02 on, so that what the model says of ids and archives can be told from reality's.
 */
export function stampAt(index: number): Stamp {
  if (index >= longest) throw new Error(`a walk of ${index} steps`);
  return { ...stampOf(0x1000 + index), at: new Date(Date.UTC(2026, 2, 2, 0, index)).toISOString(), process };
}

/** One step of a walk, `index` from 0. Retries are the product's three, not the exploration's one. */
export const stepAt = (before: World, move: Move, index: number): Step => ({
  before,
  move,
  after: advance(before, move, stampAt(index)),
});

/** The move of this name, with what it says here: plan, turn and text of this very world. */
export const moveNamed = (at: World, name: string): Move | null =>
  movesAt(at).find((move) => move.name === name) ?? null;

export const namesOf = (steps: readonly Step[]): string[] => steps.map(({ move }) => move.name);

/** Eight hex digits made of the names of the moves, so equal for every surface and seed. */
export const pathId = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 8);

export const pathOf = (steps: readonly Step[]): Path => ({ id: pathId(namesOf(steps)), steps });

/** Walks these moves from an empty session. Throws where there is no such move. */
export function walk(names: readonly string[]): Path {
  const steps: Step[] = [];
  let at = emptyWorld();
  for (const [index, name] of names.entries()) {
    const move = moveNamed(at, name);
    if (move === null) throw new Error(`step ${index + 1}: there is no "${name}" here`);
    const step = stepAt(at, move, index);
    steps.push(step);
    at = step.after;
  }
  return pathOf(steps);
}
