import { z } from 'zod';

/** One line of a turn's log, in the order in which it came. */
const FlowEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('tool'),
    call: z.string(),
    name: z.string(),
    summary: z.string(),
    /** `stopped`: the turn ended before the tool did. */
    status: z.enum(['running', 'done', 'failed', 'stopped']),
  }),
  z.object({ kind: z.literal('narration'), text: z.string() }),
  /** The harness speaks, about one thing (a retry, say): the next notice of it takes the place of this one. */
  z.object({ kind: z.literal('notice'), about: z.string(), text: z.string() }),
]);
export type FlowEntry = z.infer<typeof FlowEntry>;

/** How a turn ended, as its header says it (D32); `interrupted`: the program that ran it is gone. */
const FlowOutcome = z.enum(['finished', 'failed', 'timedOut', 'cancelled', 'interrupted']);
export type FlowOutcome = z.infer<typeof FlowOutcome>;

/** What stands where the plan sections are: the sections, nothing (D33), or the one line that is left of a plan (D17). */
const FlowSections = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('closed'),
    as: z.enum(['completed', 'discarded']),
    title: z.string(),
    done: z.number(),
    total: z.number(),
  }),
]);
export type FlowSections = z.infer<typeof FlowSections>;

const Waiting = z.object({ what: z.string(), surface: z.string(), since: z.string() });
const Activity = z.object({ from: z.enum(['narration', 'tool', 'thought']), text: z.string() });

/** The flow message of one turn, as stored before anything is sent. Times are milliseconds. */
export const FlowRecord = z.object({
  v: z.literal(1),
  state: z.enum(['closed', 'live', 'frozen', 'settled']),
  turn: z.string(),
  started: z.number(),
  ended: z.number().nullable(),
  outcome: FlowOutcome.nullable(),
  /** The message that is edited; null: none is there yet, or any more. */
  message: z.number().nullable(),
  /** From 1; each split adds one. */
  part: z.number(),
  /** Of this part only. */
  entries: z.array(FlowEntry),
  /** Tool calls of the whole turn. */
  tools: z.number(),
  activity: Activity.nullable(),
  waiting: Waiting.nullable(),
  sections: FlowSections,
  /** The part before this one, still to be marked as continued; `message` null: it was too long to be posted whole. */
  leaving: z
    .object({ message: z.number().nullable(), part: z.number(), entries: z.array(FlowEntry) })
    .nullable(),
  /** Copies further up, to be deleted now that a newer one is there. */
  stale: z.array(z.number()),
  restick: z.enum(['no', 'wanted']),
  /** When the message last moved down. */
  stuckAt: z.number().nullable(),
  /** What was sent and has no answer; one thing at a time. */
  flight: z.enum(['post', 'repost', 'edit', 'leave', 'delete']).nullable(),
  /** When this message was last edited or posted. */
  sentAt: z.number().nullable(),
  /** Seconds on the clock as last sent. */
  clock: z.number().nullable(),
  /** Whether something but the clock has changed since. */
  content: z.enum(['sent', 'changed']),
  /** Nothing is sent before: a flood wait, or a failure that is tried again. */
  due: z.number().nullable(),
  tries: z.number(),
  /** `over`: nothing is shown of this turn any more, its place is gone or there never was anything. */
  place: z.enum(['there', 'over']),
});
export type FlowRecord = z.infer<typeof FlowRecord>;
