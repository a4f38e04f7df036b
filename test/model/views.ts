import { phaseOf, select, type SessionView } from '../../machines/index.ts';
import type { World } from '../support/explore.ts';

/** What a surface draws in this world: the model knows one process, whatever its mark, and dead ones. */
export function viewOf({ snapshot }: World): SessionView {
  const { record, gone } = snapshot.context;
  return select(snapshot, record.queue.find(({ process }) => !gone.includes(process))?.process);
}

/** The first message that this program sends by itself. */
export const ownMessage = ({ snapshot }: World): string | null =>
  snapshot.context.record.queue.find(({ process }) => !snapshot.context.gone.includes(process))?.id ?? null;

/** What the program does next by itself, before anybody can do anything; null where it waits for somebody. */
export type Next = 'the turn ends' | 'the next message is taken' | null;

export function nextByItself(at: World): Next {
  const { snapshot, taken } = at;
  const { lease } = snapshot.context.record;
  if (lease === null) return ownMessage(at) === null ? null : 'the next message is taken';
  const last = taken.at(-1);
  if (last?.event.type === 'tool.addTasks' && 'code' in last.answer && last.answer.code === 'TEXT_CHANGED')
    return 'the turn ends';
  return null;
}

/** Whether an execute has to be preceded by reading, so that what was shown last is what the model says. */
export const asksWhatWasShown = ({ snapshot }: World): boolean =>
  phaseOf(snapshot) === 'postInit' && snapshot.context.record.lease === null;
