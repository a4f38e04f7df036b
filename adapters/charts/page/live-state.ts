import { z } from 'zod';

const Verdict = z.object({
  kind: z.enum(['accepted', 'view', 'info', 'queued', 'refused']),
  code: z.string().nullable(),
});

const LiveEvent = z.object({
  /** RFC 3339. */
  at: z.string(),
  /** The event's type. */
  event: z.string(),
  by: z.string().nullable(),
  verdict: Verdict,
  /** Innermost states before and after. */
  from: z.array(z.string()),
  to: z.array(z.string()),
});

/** A machine beside the session's, where it runs; `value` is its innermost state. */
const Beside = z
  .object({ value: z.string(), since: z.string().nullable(), facts: z.array(z.string()) })
  .nullable();

/**
 * What `GET state` answers, and what each message of the event stream `GET events` holds as JSON: one running session,
 * read-only. `value`: innermost states of the session machine, one for each region. `since`: when it got there,
 * RFC 3339. `lastEvents`: newest last.
 */
export const LiveState = z.object({
  machine: z.literal('session'),
  session: z.string(),
  value: z.array(z.string()),
  since: z.string(),
  lastEvents: z.array(LiveEvent),
  seed: Beside,
  keyboard: Beside,
});
export type LiveState = z.infer<typeof LiveState>;
