import { z } from 'zod';

/** How work reaches the session (D2). Only `interactive` without yolo can enter Editing. */
export const entryKinds = ['interactive', 'run', 'cron', 'a2a'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Who acts, and where. `owner` is decided by the surface, never read from outside by a guard (D29). */
export const Actor = z.strictObject({
  entry: z.enum(entryKinds),
  surface: z.string().min(1),
  person: z.string().min(1),
  owner: z.boolean(),
});
export type Actor = z.infer<typeof Actor>;

/**
 * What a plan button says of itself (D30): the plan it was drawn for, its phase, whether its message owns the keyboard,
 * and the hash of the text it was drawn for; without one the text is not asked about.
 */
export const ButtonToken = z.strictObject({
  plan: z.string(),
  phase: z.enum(['editing', 'active']),
  owns: z.boolean(),
  hash: z.string().nullable().optional(),
});

const task = z.strictObject({
  title: z.string(),
  description: z.string(),
  dependencies: z.array(z.union([z.number(), z.string()])).optional(),
  acceptance_criteria: z.array(z.string()).optional(),
  task_type: z.string().optional(),
  complexity: z.number().optional(),
});

/** A task as an agent or a file words it; `machines/tasks.ts` judges it. */
export type TaskDraft = z.infer<typeof task>;

const by = Actor;
const button = ButtonToken.optional();
const turn = z.string();
/** Facts of a tool call: the turn that made it, and whether a sub-agent did. */
const call = { turn, child: z.boolean() };

/**
 * What an actor said. Facts (time, new ids) are stamped on by `dispatch` under the lock (D7),
 * so a payload can be forged only in what the actor may say anyway.
 */
export const Said = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('user.plan'), by, text: z.string().optional() }),
  z.strictObject({ type: z.literal('user.show'), by }),
  z.strictObject({
    type: z.literal('user.execute'),
    by,
    button,
    /** Hash of the revision last shown in full on that surface, null when none was (D45). */
    shown: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('user.approveText'), by, button, shown: z.string() }),
  z.strictObject({ type: z.literal('user.restore'), by, button }),
  z.strictObject({
    type: z.literal('user.revise'),
    by,
    button,
    note: z.string(),
    seen: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('user.discard'), by, button }),
  z.strictObject({ type: z.literal('user.continue'), by, button }),
  z.strictObject({
    type: z.literal('user.chat'),
    by,
    text: z.string(),
    /** Only `typed` text is searched for plan words; skills and synthetic prompts are not (D25). */
    origin: z.enum(['typed', 'command']),
  }),
  z.strictObject({ type: z.literal('user.compact'), by }),
  z.strictObject({ type: z.literal('user.stop'), by }),
  z.strictObject({ type: z.literal('user.switch'), by }),
  z.strictObject({ type: z.literal('user.policy'), by, yolo: z.boolean() }),
  z.strictObject({
    type: z.literal('user.place'),
    by,
    /** Absolute folder to work in, and the project whose folder holds the plan files; absent: as it is (D14, D36). */
    cwd: z.string().optional(),
    project: z.string().nullable().optional(),
  }),
  z.strictObject({ type: z.literal('user.goal'), by, text: z.string().nullable() }),
  z.strictObject({ type: z.literal('user.rename'), by, name: z.string() }),
  z.strictObject({
    type: z.literal('tool.init'),
    ...call,
    title: z.string().optional(),
    description: z.string().optional(),
    mode: z.string().optional(),
    tasks: z.array(task).optional(),
    /** The import file as the tool found it: its text, or why it could not be read. */
    file: z
      .union([
        z.strictObject({ path: z.string(), text: z.string() }),
        z.strictObject({ path: z.string(), cause: z.string() }),
      ])
      .optional(),
    /** Body of an archived plan of this session (D43). */
    from: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('tool.addTasks'), ...call, tasks: z.array(task) }),
  z.strictObject({ type: z.literal('tool.start'), ...call, task: z.number().optional() }),
  z.strictObject({
    type: z.literal('tool.complete'),
    ...call,
    task: z.number().optional(),
    action: z.string().optional(),
    output: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('tool.unknown'), ...call, operation: z.string() }),
  z.strictObject({
    type: z.literal('tool.document'),
    ...call,
    text: z.string(),
    /** Hash of the text that the model last read, null when it never read it (D23). */
    base: z.string().nullable(),
    plan: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('queue.take'), item: z.string() }),
  /** A person sends what a process that has ended did not send; from now on it is theirs (D26). */
  z.strictObject({ type: z.literal('queue.send'), by, item: z.string() }),
  z.strictObject({ type: z.literal('queue.drop'), item: z.string() }),
  z.strictObject({
    type: z.literal('turn.end'),
    turn,
    outcome: z.enum(['done', 'failed', 'cancelled', 'lost']),
    cause: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('turn.note'),
    turn,
    group: z.strictObject({ pid: z.number(), started: z.string() }).nullable().optional(),
    /** A command that could change the plan files, since nothing is around it, begins or has ended (D22). */
    shell: z.enum(['begins', 'ended']).optional(),
    waiting: z
      .strictObject({ what: z.string(), surface: z.string(), since: z.string() })
      .nullable()
      .optional(),
  }),
]);
export type Said = z.infer<typeof Said>;

/**
 * Facts that only the dispatcher knows: now (RFC 3339, UTC), fresh UUIDs (at least `idsNeeded(said)`
 * of them: plan or queue item, turn, then one per task) and the process that dispatches.
 */
export interface Stamp {
  at: string;
  ids: readonly string[];
  process: string;
}

/** Found by derivation under the lock, never sent from outside: a forged one would put state and files apart. */
export type Found =
  | { type: 'file.orphan' }
  | { type: 'file.finished'; as: 'completed' | 'discarded' }
  | { type: 'file.edited' }
  | { type: 'file.lost' };

/** Raised by the region that decided; the other region follows. */
export type Raised =
  | { type: 'plan.arm'; words: string }
  | { type: 'plan.turnEnded' }
  | { type: 'plan.clear' }
  | {
      type: 'turn.begin';
      kind: TurnKind;
      by: Actor;
      text: string;
      again: boolean;
      /** Hash of the revision that a note is about (D44). */
      seen: string | null;
    }
  | { type: 'turn.discard'; by: Actor };

/**
 * Why a turn runs. `seed` is the implement turn after Approve, `resume` the turn that Continue starts, `compact`
 * makes the conversation shorter and asks the model for nothing else (D27).
 */
export const turnKinds = ['chat', 'seed', 'revise', 'resume', 'compact'] as const;
export type TurnKind = (typeof turnKinds)[number];

export type SessionEvent = (Said | Found | Raised) & Stamp;

/** How many fresh UUIDs an event can use up: plan, turn or queue item, and one per task. */
export function idsNeeded(said: Said): number {
  const tasks = said.type === 'tool.init' || said.type === 'tool.addTasks' ? (said.tasks?.length ?? 0) : 0;
  return 2 + tasks;
}
