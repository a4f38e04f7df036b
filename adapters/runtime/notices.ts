import type { Effect } from '../../machines/index.ts';

/** One line for people about something that a commit did, or null where an answer or the view already says it. */
export function noticeOf(effect: Effect): string | null {
  switch (effect.type) {
    case 'plan.armed':
      if (effect.words === null || effect.words === '/plan') return null;
      return `Plan mode is on, because you wrote "${effect.words}". /discard leaves.`;
    case 'plan.restored':
      return effect.from === 'approved'
        ? 'The approved text was written back.'
        : 'The session plan file was gone; it was restored from the last saved text.';
    case 'plan.ended':
      return effect.as === 'completed'
        ? `✅ ${effect.title}: all ${effect.tasks} tasks are resolved and archived.`
        : `🗑 ${effect.title === '' ? 'Plan mode' : effect.title}: discarded.`;
    case 'plan.approved':
      return `Approved by ${effect.by.person} (${effect.by.surface}).`;
    case 'turn.settle':
      return effect.outcome === 'lost' ? 'The last turn was interrupted: its program ended.' : null;
    case 'queue.returned':
    case 'turn.start':
    case 'turn.abort':
      return null;
  }
}

export type Returned = Extract<Effect, { type: 'queue.returned' }>;

/** What a person is told with the text of a waiting message that comes back (D26). */
export function returnedText(why: Returned['why']): string | null {
  switch (why) {
    case 'cancelled':
      return 'Waiting messages were not sent.';
    case 'not applicable':
      return 'A waiting message does not apply any more and was not sent.';
    // The person took it back themselves.
    case 'dropped':
      return null;
  }
}
