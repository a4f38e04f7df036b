import { z } from 'zod';

/** A message of the bot that shows the plan outside of a turn: after `/show_plan`, or as the ready notice (D50). */
export const Card = z.object({
  /** The last message, which carries the keyboard. */
  message: z.number(),
  /** Parts of the text before it. */
  parts: z.array(z.number()),
  /** What it shows, as a mark that changes with it. */
  mark: z.string(),
});
export type Card = z.infer<typeof Card>;

/** A question for a note (D44). `closed`: why a reply is not run any more. */
export const NotePrompt = z.object({
  message: z.number(),
  plan: z.string(),
  hash: z.string().nullable(),
  person: z.string(),
  closed: z.string().nullable(),
});
export type NotePrompt = z.infer<typeof NotePrompt>;

/**
 * What did not get through (D34). `lost`: it is not sent again, and the next message that lands tells of it; otherwise it is
 * tried on, and forgotten once something lands. `at` is RFC 3339, UTC.
 */
export const Failure = z.object({ at: z.string(), text: z.string(), lost: z.enum(['yes', 'no']) });
export type Failure = z.infer<typeof Failure>;

/** What one chat and topic is bound to and shows, as stored before anything is sent (D36). */
export const ChatRecord = z.object({
  v: z.literal(1),
  chat: z.number(),
  topic: z.number().nullable(),
  kind: z.enum(['private', 'group']),
  session: z.string(),
  /** Sessions that began here: one that began in the terminal shows up in the owner's private chat only. */
  made: z.array(z.string()),
  /** Records of the machines; they check them themselves. */
  keyboard: z.unknown(),
  flows: z.array(z.unknown()),
  card: Card.nullable(),
  /** Hash of the plan text that was last delivered here in full (D45). */
  shown: z.string().nullable(),
  /** Plan and text whose being ready was said (D50). */
  announced: z.string().nullable(),
  /** The plan as last seen: what is left of it is one line when it ends (D17). */
  plan: z.object({ title: z.string().nullable(), done: z.number(), total: z.number() }).nullable(),
  notes: z.array(NotePrompt),
  /** Questions of a turn that are open, to be marked expired after a restart (D37). */
  prompts: z.array(z.object({ id: z.string(), message: z.number(), head: z.string() })),
  /** Older records have none. */
  failure: Failure.nullable().default(null),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

export const newChat = (
  place: Pick<ChatRecord, 'chat' | 'topic' | 'kind'>,
  session: string,
  made: readonly string[],
): ChatRecord => ({
  v: 1,
  ...place,
  session,
  made: [...made],
  keyboard: null,
  flows: [],
  card: null,
  shown: null,
  announced: null,
  plan: null,
  notes: [],
  prompts: [],
  failure: null,
});
