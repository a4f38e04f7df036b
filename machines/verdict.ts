import type { SessionEvent } from './events.ts';
import type { Code } from './refusals.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { sessionMachine } from './session/session.ts';

export type Verdict = { kind: 'accepted' | 'view' | 'queued' } | { kind: 'info' | 'refused'; code: Code };

/**
 * The machine's answer to an event, without taking it. View, info, queued and refused branches say
 * so themselves; `can` is asked only for the rest. `getTransitionData` is public but undocumented:
 * `test/machines/verdict.test.ts` pins what this file needs of it.
 */
export function verdict(snapshot: SessionSnapshot, event: SessionEvent): Verdict {
  const [branch] = sessionMachine.getTransitionData(snapshot, event);
  const answer = branch?.meta?.answer;
  if (answer !== undefined) return answer;
  return branch !== undefined && snapshot.can(event)
    ? { kind: 'accepted' }
    : { kind: 'refused', code: 'NOT_APPLICABLE' };
}
