import { plainText, run } from './html/rich.ts';
import { split } from './html/split.ts';
import type { Fault } from './outbox-faults.ts';
import type { Job } from './outbox-jobs.ts';
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
  const sent = { ...job, messages: id === null ? job.messages : [...job.messages, id], due: 0, tries: 0 };
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
