import { z } from 'zod';
import { Actor, Said, turnKinds } from './events.ts';

/** A plan file as the last commit left it; `unwatched`: it could not be read, or is too long to keep. */
export const KeptFile = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('text'), hash: z.string(), text: z.string() }),
  z.object({ kind: z.literal('unwatched') }),
]);
export type KeptFile = z.infer<typeof KeptFile>;

/** The plan files while commands run that could change them; `restored` names those that had to be put back (D22). */
export const KeptFiles = z.object({
  calls: z.number(),
  sidecar: KeptFile,
  document: KeptFile,
  restored: z.array(z.string()),
});
export type KeptFiles = z.infer<typeof KeptFiles>;

/** A turn that runs, or one whose process died (D15, D16). The lock on the per-turn file says which. */
export const Lease = z.object({
  turn: z.string(),
  kind: z.enum(turnKinds),
  by: Actor,
  since: z.string(),
  /** What a person said to start it: until the transcript has it, it is nowhere else. */
  text: z.string().optional(),
  /** Process group of the running tool; `started` tells it from a later process with the same number. */
  group: z.object({ pid: z.number(), started: z.string() }).nullable().default(null),
  /** Null unless a command runs with the person's rights alone, without a sandbox (D22). */
  files: KeptFiles.nullable().optional(),
  waiting: z.object({ what: z.string(), surface: z.string(), since: z.string() }).nullable().default(null),
  cancel: z
    .object({ then: z.enum(['stop', 'discard']), by: z.string(), via: z.string(), at: z.string() })
    .nullable()
    .default(null),
  /** The checklist that this turn finished or discarded: shown until the turn settles (D17). */
  closed: z
    .object({
      plan: z.string(),
      title: z.string(),
      tasks: z.array(z.object({ title: z.string(), status: z.string() })),
      at: z.string(),
    })
    .nullable()
    .default(null),
});
export type Lease = z.infer<typeof Lease>;

/** Something said while a turn ran; decided again when it has ended (D26). */
export const QueueItem = z.object({
  id: z.string(),
  at: z.string(),
  /** The process that said it, or last sent it; it takes the item when the turn has ended. */
  process: z.string(),
  said: Said,
});
export type QueueItem = z.infer<typeof QueueItem>;

/** Newest version of our own record that this build writes. */
export const recordVersion = 1;

/** A project's name as it becomes a folder (D4): nothing that climbs or hides. */
export const ProjectSlug = z.string().regex(/^[a-z0-9_-][a-z0-9._-]{0,63}$/u);

/** `<home>/planchart/sessions/<id>/session.json`: what a session is apart from its plan (D4, D36). */
export const SessionRecord = z.looseObject({
  v: z.number(),
  id: z.string(),
  cwd: z.string(),
  /** Slug of the project whose folder holds the plan files; null: the home's own folder (D4, D14). */
  project: ProjectSlug.nullable().default(null),
  created: z.string(),
  /** Last change, RFC 3339; the folder's last session is the one resumed. */
  used: z.string(),
  yolo: z.boolean().default(false),
  goal: z
    .object({ user: z.string().nullable(), task: z.string().nullable() })
    .default({ user: null, task: null }),
  lease: Lease.nullable().default(null),
  queue: z.array(QueueItem).default([]),
  /** What lists call it: given by a person, else how its first message begins. Older records have none. */
  name: z.string().optional(),
  /** A turn that ended without an answer: Continue is offered while tasks are open (D37). */
  interrupted: z.boolean().default(false),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** Text of our own record: pretty JSON with a final newline. */
export const recordText = (record: SessionRecord): string => `${JSON.stringify(record, null, 2)}\n`;

type Fields = Record<string, unknown>;

/** How the fields of one version become those of the next; the index is the version they come from (D4). */
const upgrades: readonly ((old: Fields) => Fields)[] = [
  // 0: a record without a version. Its fields are those of version 1.
  (old) => old,
];

/** The fields of an older record as this version names them. `version` is an integer from 0 below `recordVersion`. */
export function upgradeRecord(old: Readonly<Fields>, version: number): Fields {
  const fields = upgrades.slice(version).reduce((from, upgrade) => upgrade(from), { ...old });
  return { ...fields, v: recordVersion };
}
