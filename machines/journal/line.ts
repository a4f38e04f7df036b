import { z } from 'zod';
import { entryKinds, type Found, type Said, turnKinds } from '../events.ts';
import { tracks } from '../sidecar.ts';

/** More tasks or steps than this are counted as this many; also keeps a forged line from costing memory. */
export const countLimit = 10_000;

const count = z.number().int().min(0).max(countLimit);
const same = z.enum(['this', 'other']);

/** Who acted, without a name. `starter`: the person who started the turn that runs. */
const WhoFacts = z.strictObject({
  surface: z.string().regex(/^[a-z0-9]{1,16}$/u),
  entry: z.enum(entryKinds),
  owner: z.boolean(),
  starter: z.boolean().optional(),
});
export type WhoFacts = z.infer<typeof WhoFacts>;

const ButtonFacts = z.strictObject({
  plan: same,
  phase: z.enum(['editing', 'active']),
  owns: z.boolean(),
  hash: same.optional(),
});

const eventTypes = [
  'user.plan',
  'user.show',
  'user.execute',
  'user.approveText',
  'user.restore',
  'user.revise',
  'user.discard',
  'user.continue',
  'user.chat',
  'user.compact',
  'user.stop',
  'user.switch',
  'user.policy',
  'user.place',
  'user.goal',
  'user.rename',
  'tool.init',
  'tool.addTasks',
  'tool.start',
  'tool.complete',
  'tool.unknown',
  'tool.document',
  'queue.take',
  'queue.send',
  'queue.drop',
  'turn.end',
  'turn.note',
  'file.orphan',
  'file.finished',
  'file.edited',
  'file.lost',
] as const satisfies readonly (Said | Found)['type'][];

/**
 * One event as guards see it: texts by what they count for, ids and hashes by whether they are those of the session
 * (`this`), numbers and words of a fixed set as they are.
 */
export const EventFacts = z.strictObject({
  type: z.enum(eventTypes),
  by: WhoFacts.optional(),
  button: ButtonFacts.optional(),
  /** Of a message: `command` is one of the acts of a person, `plan words` ask for a plan. */
  text: z.enum(['blank', 'command', 'plan words', 'plain']).optional(),
  origin: z.enum(['typed', 'command']).optional(),
  /** Revision that was shown, seen, or read before a write; null: none was. */
  shown: same.nullable().optional(),
  base: same.optional(),
  plan: same.optional(),
  yolo: z.boolean().optional(),
  turn: same.optional(),
  child: z.boolean().optional(),
  title: z.enum(['blank', 'given']).optional(),
  mode: z.enum(['design', 'checklist', 'other']).optional(),
  tasks: count.optional(),
  /** Whether the tasks are faulty. */
  faulty: z.boolean().optional(),
  file: z.enum(['unreadable', 'invalid', 'empty', 'faulty', 'good']).optional(),
  task: z.number().optional(),
  action: z.enum(['success', 'fail', 'skip', 'other']).optional(),
  /** Place in the queue, from 1; 0: it is not there. */
  item: count.optional(),
  outcome: z.enum(['done', 'failed', 'cancelled', 'lost']).optional(),
  shell: z.enum(['begins', 'ended']).optional(),
  waiting: z.boolean().optional(),
  as: z.enum(['completed', 'discarded']).optional(),
});
export type EventFacts = z.infer<typeof EventFacts>;

/** Left out: Pending, no retries of three, waits for nothing. */
const TaskFacts = z.strictObject({
  is: z.enum(['InProgress', 'Completed', 'Skipped', 'Failed', 'Blocked', 'other']).optional(),
  tries: z.number().optional(),
  of: z.number().optional(),
  /** Numbers of the tasks it waits for; 0: one that nobody knows. */
  after: z.array(count).max(countLimit).optional(),
  /** Number of an earlier task that has the same id. */
  twin: count.optional(),
});
export type TaskFacts = z.infer<typeof TaskFacts>;

const PlanFacts = z.strictObject({
  status: z.enum(['Editing', 'Active']),
  flag: z.boolean().optional(),
  track: z.enum(tracks),
  seed: z.enum(['pending', 'done']),
  /** The mirror, or the approved text; `document`: the text of the `.md`; `empty`: neither holds any. */
  text: z.enum(['none', 'empty', 'document', 'another']),
  /** Whose text was approved; left out: nobody approved one. */
  approved: same.optional(),
  tasks: z.array(TaskFacts).max(countLimit).optional(),
});

/** What guards can look at of a session before the event. What is left out is not there. */
export const StateFacts = z.strictObject({
  yolo: z.boolean().optional(),
  turn: z
    .strictObject({
      kind: z.enum(turnKinds),
      entry: z.enum(entryKinds),
      owner: z.boolean(),
      cancel: z.enum(['stop', 'discard']).optional(),
    })
    .optional(),
  queue: z
    .array(z.strictObject({ of: z.enum(['this', 'other', 'gone']), said: EventFacts }))
    .max(countLimit)
    .optional(),
  plan: PlanFacts.optional(),
  /** `hash`: the first 12 digits, to tell revisions apart. */
  document: z
    .strictObject({
      hash: z.string().regex(/^[0-9a-f]{0,12}$/u),
      steps: count,
      faults: z.array(z.string().regex(/^[a-z]+\.[a-z]+$/u)).max(countLimit),
    })
    .optional(),
  unreadable: z.boolean().optional(),
});
export type StateFacts = z.infer<typeof StateFacts>;

/** `editing.postInit/idle`: state of the plan, state of the turn. */
const StateName = z.string().regex(/^[a-zA-Z]+(?:\.[a-zA-Z]+){0,2}\/[a-z]+$/u);

/** One line of a session's journal (JSONL, decision 0079): one event, judged. */
export const JournalLine = z.strictObject({
  v: z.literal(1),
  /** RFC 3339, UTC. */
  at: z.string().max(40),
  /** Start of the id of the process that dispatched it. */
  process: z.string().max(8),
  event: EventFacts,
  verdict: z.enum(['accepted', 'view', 'queued', 'info', 'refused']),
  code: z
    .string()
    .regex(/^[A-Z_]{1,40}$/u)
    .optional(),
  before: StateFacts,
  from: StateName,
  to: StateName,
  /** False: the disk refused the commit, so nothing has changed. */
  saved: z.literal(false).optional(),
});
export type JournalLine = z.infer<typeof JournalLine>;

export interface JournalText {
  lines: { number: number; line: JournalLine }[];
  /** Numbers of lines, from 1, that are none of this version. */
  unreadable: number[];
  /** The last line was not written to its end, as a crash leaves it. */
  torn: boolean;
}

/** Contract: total; any text gives lines. */
export function readJournalText(text: string): JournalText {
  const found: JournalText = { lines: [], unreadable: [], torn: false };
  const all = text.split('\n');
  for (const [index, one] of all.entries()) {
    if (one.trim() === '') continue;
    const line = parsed(one);
    const last = index === all.length - 1;
    if (line !== null) found.lines.push({ number: index + 1, line });
    else if (last) found.torn = true;
    else found.unreadable.push(index + 1);
  }
  return found;
}

function parsed(text: string): JournalLine | null {
  try {
    return JournalLine.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
