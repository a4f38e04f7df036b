import { readJournal, writeJournal } from './replay-input.ts';
import type { Choice, Scene, SceneAnswer, Taken } from './scene.ts';

/** One step of a path, and where it led. */
export interface WalkStep {
  /** The id of the choice; null for a step of a journal, which no link names. */
  id: string | null;
  label: string;
  answer: SceneAnswer;
  did: readonly string[];
  scene: Scene;
  /** What the journal says otherwise. */
  deviation: string | null;
}

/** A path through one machine. Immutable. */
export interface Walk {
  machine: string;
  start: Scene;
  steps: readonly WalkStep[];
  /** Why a link could not be followed to its end, for people. */
  problem: string | null;
  /** The journal that the path begins with, as it stood in the link. */
  journal: string | null;
}

export const startWalk = (machine: string, start: Scene): Walk => ({
  machine,
  start,
  steps: [],
  problem: null,
  journal: null,
});

export const sceneAt = ({ start, steps }: Walk): Scene => steps.at(-1)?.scene ?? start;

/** One step further, or the same walk where there is no such choice. A problem is over once somebody goes on. */
export function goOn(walk: Walk, id: string): Walk {
  const choice = sceneAt(walk)
    .choices()
    .find((one) => one.id === id);
  if (choice === undefined) return walk;
  return { ...walk, problem: null, steps: [...walk.steps, stepOf(choice, choice.take())] };
}

function stepOf({ id, label, group }: Choice, { answer, did, next }: Taken): WalkStep {
  return { id, label: `${label} (${group})`, answer, did, scene: next, deviation: null };
}

/** The first `count` steps; of a journal, too, the link keeps only those. */
export const backTo = (walk: Walk, count: number): Walk => ({
  ...walk,
  problem: null,
  journal: walk.journal === null ? null : firstOf(walk.journal, count),
  steps: walk.steps.slice(0, Math.max(0, count)),
});

function firstOf(journal: string, count: number): string | null {
  const read = readJournal(journal);
  if ('cause' in read || count <= 0) return null;
  return count < read.steps.length ? writeJournal(read.steps.slice(0, count)) : journal;
}

/** What stands behind `#`: machine, journal and the names of the steps. */
export interface Link {
  machine: string;
  journal: string | null;
  path: readonly string[];
  /** Parts that mean nothing here. */
  unknown: readonly string[];
}

/** `#session&path=owner.plan,turn.done`; `#session&journal=...` walks a journal first. Never throws. */
export function readLink(hash: string): Link {
  const [machine = '', ...parts] = hash.replace(/^#/u, '').split('&');
  const link: { -readonly [Key in keyof Link]: Link[Key] } = {
    machine,
    journal: null,
    path: [],
    unknown: [],
  };
  for (const part of parts) {
    const [name = '', value = ''] = part.split(/=(.*)/su);
    if (name === 'journal') link.journal = value;
    else if (name === 'path') link.path = value.split(',').filter((id) => id !== '');
    else link.unknown = [...link.unknown, part];
  }
  return link;
}

export function linkOf({ machine, journal, steps }: Walk): string {
  const path = steps.flatMap(({ id }) => id ?? []);
  const parts = [machine, ...(journal === null ? [] : [`journal=${journal}`])];
  return `#${[...parts, ...(path.length === 0 ? [] : [`path=${path.join(',')}`])].join('&')}`;
}

/** Longest text of a problem that repeats what stands in a link. */
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Follows the names of a link as far as they are known, and says where it stopped. */
export function follow(walk: Walk, { path, unknown }: Pick<Link, 'path' | 'unknown'>): Walk {
  let at = walk;
  for (const [index, id] of path.entries()) {
    const next = goOn(at, id);
    if (next === at) {
      const left = path.length - index;
      const problem = `The link stops at step ${index + 1}: nothing is called “${shortened(id)}” there. ${left} of its ${path.length} steps are left out.`;
      return { ...at, problem };
    }
    at = next;
  }
  const [part] = unknown;
  return part === undefined
    ? at
    : { ...at, problem: `A part of the link means nothing here: “${shortened(part)}”.` };
}
