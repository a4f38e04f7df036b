import { transition } from 'xstate';
import type { ArchiveOrder, Effect } from '../effects.ts';
import type { SessionEvent, Stamp } from '../events.ts';
import type { Derived, SessionSnapshot } from './derive.ts';
import { verdict } from '../verdict.ts';
import { sessionMachine } from './session.ts';
import { queuedItem, saidAnew } from './turn-changes.ts';

export interface Step {
  snapshot: SessionSnapshot;
  effects: Effect[];
  archive: ArchiveOrder | null;
}

/** One event through the machine, nothing started: next snapshot, turn effects, archive order. */
export function step(snapshot: SessionSnapshot, event: SessionEvent): Step {
  const [next, actions] = transition(sessionMachine, snapshot, event);
  const emitted = (actions as readonly { type: string; params?: unknown }[])
    .filter((action) => action.type === 'xstate.emit')
    .map((action) => (action.params as { event: Effect | ArchiveOrder }).event);
  const archive = emitted.find((effect) => effect.type === 'files.archive') ?? null;
  const effects = emitted.filter((effect) => effect.type !== 'files.archive');
  return { snapshot: next, effects: [...effects, ...handedBack(snapshot, event)], archive };
}

/** A message that waited and cannot apply any more goes back to who sent it, it is not lost (D26, D44). */
function handedBack(snapshot: SessionSnapshot, event: SessionEvent): Effect[] {
  if (event.type === 'queue.drop' || verdict(snapshot, event).kind !== 'accepted') return [];
  const item = queuedItem(snapshot.context, event);
  if (item === null) return [];
  const { kind } = verdict(snapshot, saidAnew(item, event));
  if (kind !== 'refused' && kind !== 'info') return [];
  const items = [{ ...item, process: event.process }];
  return [{ type: 'queue.returned', items, why: 'not applicable' }];
}

/** Steps through what loading found. A view does this in memory; only `dispatch` commits it (D8). */
export function settle({ snapshot, found }: Derived, stamp: Stamp): Step[] {
  const steps: Step[] = [];
  let current = snapshot;
  for (const event of found) {
    const next = step(current, { ...event, ...stamp });
    steps.push(next);
    current = next.snapshot;
  }
  return steps;
}
