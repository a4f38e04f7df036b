import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { peopleChoices } from '../../../adapters/charts/page/session-people.ts';
import { diskChoices } from '../../../adapters/charts/page/session-disk.ts';
import { toolChoices } from '../../../adapters/charts/page/session-tools.ts';
import {
  disturb,
  emptyWorld,
  type SessionWorld,
  stampOf,
  take,
} from '../../../adapters/charts/page/session-world.ts';
import {
  codes,
  derive,
  type SessionEvent,
  sessionMachine,
  type SessionSnapshot,
  settle,
  verdict,
} from '../../../machines/index.ts';
import { askedOf, type Branch, branches, leaves, leavesOf } from '../../support/explore-branches.ts';
import { keyOf } from '../../support/explore-key.ts';

/** What clicking in the page has met so far. */
const met = { states: new Set<string>(), codes: new Set<string>(), took: new Set<Branch>() };

const inspected = new Set<string>();

/** `transition` does not tell which branches it took; an actor's inspector does. */
function note(snapshot: SessionSnapshot, event: SessionEvent): void {
  const { selected } = askedOf(snapshot, event);
  selected.forEach((branch) => met.took.add(branch));
  const answer = verdict(snapshot, event);
  if ('code' in answer) met.codes.add(answer.code);
  const once = `${leavesOf(snapshot).join()} ${selected.map((branch) => branches.get(branch)).join()}`;
  if (answer.kind !== 'accepted' || inspected.has(once)) return;
  inspected.add(once);
  const inspect = (seen: { type: string; _transitions?: unknown }): void => {
    if (seen.type !== '@xstate.microstep') return;
    for (const branch of seen._transitions as Branch[]) met.took.add(branch);
  };
  const actor = createActor(sessionMachine, { snapshot, input: snapshot.context, inspect });
  actor.start();
  actor.send(event);
  actor.stop();
}

/** Every place that one press leads to. */
function* presses(world: SessionWorld): Generator<SessionWorld> {
  const stamp = stampOf(world.count);
  for (const [, said] of Object.values({
    ...peopleChoices(world.snapshot),
    ...toolChoices(world.snapshot),
  })) {
    const event = { ...said, ...stamp };
    note(world.snapshot, event);
    if (verdict(world.snapshot, event).kind !== 'refused') yield take(world, event).world;
  }
  for (const [, change] of Object.values(diskChoices(world))) {
    const derived = derive(change(world.files));
    let before = derived.snapshot;
    for (const [index, { snapshot }] of settle(derived, stamp).entries()) {
      const found = derived.found[index];
      if (found !== undefined) note(before, { ...found, ...stamp });
      before = snapshot;
    }
    yield disturb(world, change).world;
  }
}

const missing = () => ({
  states: leaves.filter((leaf) => !met.states.has(leaf)),
  // The store says it, no branch of the machine.
  codes: codes.filter((code) => code !== 'NOT_SAVED' && !met.codes.has(code)),
  transitions: [...branches].flatMap(([branch, name]) => (met.took.has(branch) ? [] : [name])),
});

const isComplete = (): boolean => Object.values(missing()).every((list) => list.length === 0);

/** A checklist of a design is another place: only its text can be restored. */
const placeOf = (snapshot: SessionSnapshot): string => `${keyOf(snapshot)} ${snapshot.context.plan?.track}`;

/** There are hundreds of checklists; the first of each track, with their own statuses of tasks, show all there is. */
const mostOfAKind = 20;

/** Checklists of more than two tasks are reached, not explored further. */
const isLong = ({ snapshot }: SessionWorld): boolean => (snapshot.context.plan?.tasks.length ?? 0) > 2;

describe('the session machine, by pressing what the page offers', () => {
  it('meets every state, transition and refusal code', () => {
    const expanded = new Map<string, number>();
    const waiting = [emptyWorld()];
    const seen = new Set(waiting.map(({ snapshot }) => placeOf(snapshot)));
    for (let world = waiting.shift(); world !== undefined && !isComplete(); world = waiting.shift()) {
      leavesOf(world.snapshot).forEach((leaf) => met.states.add(leaf));
      const kind = `${leavesOf(world.snapshot).join()} ${world.snapshot.context.plan?.track}`;
      expanded.set(kind, (expanded.get(kind) ?? 0) + 1);
      if (isLong(world) || (expanded.get(kind) ?? 0) > mostOfAKind) continue;
      for (const next of presses(world)) {
        const key = placeOf(next.snapshot);
        if (!seen.has(key)) waiting.push(next);
        seen.add(key);
      }
    }
    expect(missing()).toEqual({ states: [], codes: [], transitions: [] });
  });
});
