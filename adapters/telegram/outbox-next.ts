import { plainText, run } from './html/rich.ts';
import { split } from './html/split.ts';
import type { Fault } from './outbox-faults.ts';
import { inlineOf } from './outbox-calls.ts';
import type { Job, PostJob } from './outbox-jobs.ts';
import type { Delivery } from './outbox-types.ts';

/** A delivery without the ids, which the job knows. */
type WithoutIds<D> = D extends Delivery ? Omit<D, 'messages'> : never;
export type Outcome = WithoutIds<Delivery>;

/** What a call makes of its job: it is over, or goes on. */
export type Next = { do: 'settle'; job: Job; outcome: Outcome } | { do: 'again'; job: Job };

/** So often an error of Telegram's own is met with another try; a dead line always is. */
const serviceTries = 10;
const backoff = (tries: number): number => Math.min(60_000, 1_000 * 2 ** tries);

/** Tells everybody who waits for the job. */
export function settle(job: Job, outcome: Outcome): void {
  const landed = outcome.kind === 'landed';
  const messages = 'messages' in job ? job.messages : landed ? [job.message] : [];
  for (const tell of job.settle) tell({ ...outcome, messages });
}

/** `id`: of a new message. */
export function afterLanding(job: Job, id: number | null): Next {
  if (job.kind === 'delete') return { do: 'settle', job, outcome: { kind: 'landed', as: 'html' } };
  const outcome: Outcome = { kind: 'landed', as: job.as };
  if (job.kind === 'edit') return { do: 'settle', job, outcome };
  const known = job.kind === 'post' ? unsought(job) : job;
  const sent = { ...known, messages: id === null ? job.messages : [...job.messages, id], due: 0, tries: 0 };
  if (sent.kind === 'document') return { do: 'settle', job: sent, outcome };
  const parts = sent.parts.slice(1);
  return parts.length > 0 ? { do: 'again', job: { ...sent, parts } } : { do: 'settle', job: sent, outcome };
}

/** The same as plain text, through the same splitter (B111); null where it was plain already. */
function asPlain(job: Job): Job | null {
  if (job.kind === 'delete') return null;
  if (job.kind !== 'post') return job.as === 'plain' ? null : { ...job, as: 'plain' };
  const [part, ...rest] = job.parts;
  if (part === undefined || part.as === 'plain') return null;
  const plain = split(run(plainText(part.body))).map((body) => ({ body, as: 'plain' as const }));
  return { ...job, as: 'plain', parts: [...plain, ...rest] };
}

function disturbed(job: Job, { text, from }: Extract<Fault, { kind: 'network' }>, now: number): Next {
  const over = job.keep === 'droppable' || (from === 'service' && job.tries + 1 >= serviceTries);
  if (over) return { do: 'settle', job, outcome: { kind: 'failed', text } };
  return { do: 'again', job: { ...job, due: now + backoff(job.tries), tries: job.tries + 1 } };
}

/** How far a message whose id nobody heard is looked for: people may have written meanwhile. */
const reach = 8;

const unsought = (job: PostJob): PostJob => ({ ...job, seek: null, keep: job.seek?.keep ?? job.keep });

/** A reply field of the client is of a message that can't be edited. */
const isEditable = ({ post: { markup } }: PostJob): boolean =>
  markup === undefined || inlineOf(markup) !== null;

/** The answer was lost: the message is looked for from `newest` on, the newest one of the bot in this chat; null: it can't be. */
export function sought(
  job: Job,
  fault: Fault,
  { now, newest }: { now: number; newest: number | null },
): Next | null {
  const isLost = fault.kind === 'network' && fault.from === 'line';
  if (!isLost || newest === null || job.kind !== 'post' || job.seek !== null || !isEditable(job)) return null;
  const seek = { next: newest + 1, last: newest + reach, keep: job.keep };
  // What was on its way when the line died may arrive a little later.
  return { do: 'again', job: { ...job, seek, keep: 'always', due: now + 1_000, tries: 0 } };
}

/** It is not the message that was looked at: the next one, or it is taken as not sent. null: this is not about that message. */
export function missed(job: Job, fault: Fault, now: number): Next | null {
  if (job.kind !== 'post' || job.seek === null) return null;
  const { next, last } = job.seek;
  const isOther = fault.kind === 'gone' && fault.what === 'message';
  if (!isOther && fault.kind !== 'refused' && fault.kind !== 'unparsable') return null;
  if (next < last) return { do: 'again', job: { ...job, seek: { ...job.seek, next: next + 1 } } };
  const text = 'Nobody knows whether it arrived.';
  return disturbed(unsought(job), { kind: 'network', text, from: 'line' }, now);
}

/** What is droppable is told at once; the rest is tried again where that may help. `until`: the end of a flood wait. */
export function afterFault(job: Job, fault: Fault, { now, until }: { now: number; until: number }): Next {
  switch (fault.kind) {
    case 'flood':
      if (job.keep === 'always') return { do: 'again', job };
      return { do: 'settle', job, outcome: { kind: 'flood', until } };
    case 'unchanged':
      return afterLanding(job, null);
    case 'unparsable': {
      const plain = asPlain(job);
      if (plain !== null) return { do: 'again', job: plain };
      return {
        do: 'settle',
        job,
        outcome: { kind: 'refused', status: 400, text: 'The text can not be read.' },
      };
    }
    case 'network':
      return disturbed(job, fault, now);
    case 'gone':
    case 'tooLong':
    case 'moved':
    case 'refused':
      return { do: 'settle', job, outcome: fault };
  }
}
