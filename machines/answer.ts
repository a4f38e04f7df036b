import type { SessionEvent } from './events.ts';
import { refusalFacts } from './facts.ts';
import { type Code, refusalText } from './refusals.ts';
import { acceptedText } from './results.ts';
import type { SessionSnapshot } from './session/derive.ts';
import type { Verdict } from './verdict.ts';

/**
 * What the machine says to one event. `text` is for people and for the model alike: one clear
 * sentence and what to do next, from the tables in `refusals.ts` and `results.ts`.
 */
export type Answer =
  | { kind: 'accepted' | 'view' | 'queued'; text: string }
  | { kind: 'info' | 'refused'; code: Code; text: string };

/** The answer to an event that changes nothing here and now. `before` is the snapshot it was judged on. */
export function answerOf(verdict: Verdict, before: SessionSnapshot, event: SessionEvent): Answer {
  if ('code' in verdict) {
    return { ...verdict, text: refusalText(verdict.code, refusalFacts(before, event, verdict.code)) };
  }
  return { kind: verdict.kind, text: verdict.kind === 'queued' ? 'Waiting until the turn has ended.' : '' };
}

/** The answer to an accepted event, worded on the state that was committed. */
export function acceptedAnswer(before: SessionSnapshot, next: SessionSnapshot, event: SessionEvent): Answer {
  return { kind: 'accepted', text: acceptedText(before, next, event) };
}
