import { z } from 'zod';
import { entryKinds, type SessionView } from '../../machines/index.ts';
import type { Published } from '../ports.ts';
import { harmless } from '../text.ts';

const turn = z.string().describe('id of the turn');
const call = z.string().describe('id of the call');
const text = z.string();
const code = z.string();

/** Its members are told apart by `type`; the description is what the page about `run` says of it. */
const event = <Name extends string, Shape extends z.core.$ZodLooseShape>(
  type: Name,
  what: string,
  shape: Shape,
) => z.strictObject({ v: z.literal(1), type: z.literal(type), ...shape }).describe(what);

/**
 * One line of `planchart run --json`. The fields of a type keep their meaning while `v` is 1; new types and new fields
 * may come. `docs/headless.md` shows this schema as a table.
 */
export const JsonEvent = z.discriminatedUnion('type', [
  event('session', 'the session that the prompt goes to; always first', {
    session: z.string(),
    cwd: z.string(),
    model: z.string(),
    entry: z.enum(entryKinds),
  }),
  event('queued', 'the prompt waits for the end of another turn of this session', { text }),
  event('refused', 'the prompt was refused, and no turn begins', { code, text }),
  event('turn.started', '`label` is there when the model is not one, such as the rehearsal model', {
    turn,
    kind: z.string(),
    label: z.string().nullable(),
  }),
  event('user', 'what opens the turn, and who wrote it', { turn, text, from: z.enum(['person', 'harness']) }),
  event('reasoning', 'a piece of what the model thinks', { turn, text }),
  event('text', 'a piece of an answer, as it comes', { turn, text }),
  event('message', 'a whole answer, after its pieces; empty when the model only called tools', {
    turn,
    text,
  }),
  event('tool.started', 'a call runs; `summary` says on what', {
    turn,
    call,
    name: z.string(),
    summary: z.string(),
  }),
  event('tool.progress', 'what a sub-agent does now', { turn, call, text }),
  event('tool.ended', 'the result that the model gets; `code` is there when the call was refused', {
    turn,
    call,
    name: z.string(),
    text,
    failed: z.boolean(),
    code: code.optional(),
  }),
  event('question', 'the agent asked, and was told that nobody is there', {
    turn,
    question: z.string(),
    options: z.array(z.string()),
  }),
  event('state', 'the plan and its checklist, after each change', {
    phase: z.string(),
    turn: z.string(),
    title: z.string().nullable(),
    progress: z.strictObject({ done: z.number(), total: z.number() }),
    tasks: z.array(z.strictObject({ number: z.number(), title: z.string(), status: z.string() })),
  }),
  event('context', 'tokens in use, and how many the model takes', { used: z.number(), window: z.number() }),
  event('notice', 'a line for people', { level: z.enum(['info', 'error']), text }),
  event('returned', 'text that was not sent', { text }),
  event('turn.ended', '`cause` says why a turn failed', {
    turn,
    outcome: z.string(),
    cause: z.string().nullable(),
  }),
  event('end', 'always last; `exit` is the exit code', { session: z.string().nullable(), exit: z.number() }),
]);

type Versioned = z.infer<typeof JsonEvent>;
/** An event without its version, which `jsonLine` adds. */
export type RunEvent = Versioned extends infer E ? (E extends Versioned ? Omit<E, 'v'> : never) : never;

/** One event on one line. What a terminal may act on is escaped as JSON allows it, so nothing is lost (D39). */
export function jsonLine(said: RunEvent): string {
  const line = JSON.stringify({ v: 1, ...said });
  return `${line.replace(/[^\u0020-\u007e]/gu, (found) => (harmless(found) === found ? found : escaped(found)))}\n`;
}

/** A character beyond the basic plane takes two of these. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** What was published as a line says it; null for what says nothing to a script. */
export function eventOf(published: Published): RunEvent | null {
  switch (published.type) {
    case 'view':
      return stateOf(published.view);
    case 'message.ended':
      return { type: 'message', turn: published.turn, text: published.text };
    case 'prompt.opened': {
      const { turn: of, prompt } = published;
      if (prompt.kind === 'approval') return null;
      return { type: 'question', turn: of, question: prompt.question, options: [...prompt.options] };
    }
    case 'prompt.closed':
      return null;
    case 'turn.started':
    case 'user':
    case 'text':
    case 'reasoning':
    case 'tool.started':
    case 'tool.progress':
    case 'tool.ended':
    case 'context':
    case 'notice':
    case 'returned':
    case 'turn.ended':
      return published;
  }
}

function stateOf({ phase, turn: of, title, progress, tasks }: SessionView): RunEvent {
  const listed = tasks.map(({ number, title: name, status }) => ({ number, title: name, status }));
  return { type: 'state', phase, turn: of, title, progress, tasks: listed };
}
