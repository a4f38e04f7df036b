import {
  contextFull,
  type Effect,
  implementPrompt,
  openHints,
  phaseOf,
  reminderOf,
} from '../../machines/index.ts';
import { findTool, modelTools } from '../../tools/registry.ts';
import type { Expansion, ModelMessage, ModelRequest, TranscriptEntry } from '../ports.ts';
import { runAgent, type TurnEnd } from './agent-loop.ts';
import { Conversation, messagesOf } from './compaction.ts';
import { moreTools } from './extensions.ts';
import { standingText } from './standing-text.ts';
import type { TurnWorld } from './turn-world.ts';

export type TurnStart = Extract<Effect, { type: 'turn.start' }>;

/** A turn in which the model is talked to. */
type Conversing = TurnStart & { kind: Exclude<TurnStart['kind'], 'compact'> };

/** What opens a turn: the text that everybody sees and that history keeps, and what only this turn's model gets. */
interface Opening {
  shown: string;
  from: 'person' | 'harness';
  /** Replaces the shown text in the model's request; null: the same. */
  sent: string | null;
  /** What the model gets instead, now and later: the text of a user's own command. */
  expanded?: Expansion;
}

/** Runs one turn to its end. Contract: never throws; an outside failure is the turn's cause. */
export async function runTurn(
  world: TurnWorld,
  start: TurnStart,
  history: TranscriptEntry[],
): Promise<TurnEnd> {
  world.publish({ type: 'turn.started', turn: world.turn, kind: start.kind, label: world.model.label });
  let end: TurnEnd;
  try {
    const { kind } = start;
    end = await (kind === 'compact' ? compact(world, history) : converse(world, { ...start, kind }, history));
  } catch (error) {
    end = { outcome: 'failed', cause: error instanceof Error ? error.message : String(error) };
  }
  return world.signal.aborted ? { outcome: 'cancelled', cause: null } : end;
}

/** /compact: no message is added, and the model is asked for a summary only (D27). */
async function compact(world: TurnWorld, history: TranscriptEntry[]): Promise<TurnEnd> {
  // Recording nothing reads what there is.
  await world.record();
  const conversation = new Conversation(world, history, () => request(world, history, null));
  const compacted = await conversation.compact('asked');
  if (compacted === 'none')
    world.publish({ type: 'notice', level: 'info', text: 'There is nothing to make shorter yet.' });
  return compacted === 'full' ? { outcome: 'failed', cause: contextFull } : { outcome: 'done', cause: null };
}

/** A turn that opens with a message and asks the model until it is done. */
async function converse(world: TurnWorld, start: Conversing, history: TranscriptEntry[]): Promise<TurnEnd> {
  const opening = await open(world, start);
  const { shown, from, expanded } = opening;
  const command = expanded === undefined ? {} : { command: expanded.path };
  world.publish({ type: 'user', turn: world.turn, text: shown, from, ...command });
  return runAgent(world, new Conversation(world, history, () => request(world, history, opening)));
}

/** What was said is on disk before anything is done about it. Where that fails a person gets the text back. */
async function open(world: TurnWorld, start: Conversing): Promise<Opening> {
  const { turn, clock } = world;
  try {
    const opening = await openingOf(world, start);
    const { shown: text, from, expanded } = opening;
    const entry = { v: 1, at: clock.now(), type: 'user', turn, text, from, kind: start.kind } as const;
    await world.record(expanded === undefined ? entry : { ...entry, expanded });
    return opening;
  } catch (error) {
    if (world.entry === 'interactive' && start.text !== '')
      world.publish({ type: 'returned', text: start.text });
    throw error;
  }
}

/** Which text a person had before them when they wrote the note (D44). */
const revisions = {
  newest: 'the newest',
  older: 'an older one; the text has changed since, so look whether the note still fits',
} as const;

async function openingOf(world: TurnWorld, start: Conversing): Promise<Opening> {
  const { prompts } = world;
  switch (start.kind) {
    case 'chat':
      return (
        (await commandOf(world, start.text)) ?? {
          shown: start.text,
          from: 'person',
          sent: await withHints(world, start),
        }
      );
    case 'revise':
      return {
        shown: start.text,
        from: 'person',
        sent: prompts.render('revise', { revision: revisions[start.revision], note: start.text }),
      };
    case 'resume':
      return { shown: prompts.render('resume', {}), from: 'harness', sent: null };
    case 'seed': {
      const { snapshot } = await world.fresh();
      const { prompt, variables } = implementPrompt(snapshot, start.again ? 'again' : 'first');
      return { shown: prompts.render(prompt, variables), from: 'harness', sent: null };
    }
  }
}

/**
 * A line that names a command or skill of the person's own is told as typed, and the model gets the file's text: as it
 * is now, since the line may have waited (0057). Null: it names none.
 */
async function commandOf(world: TurnWorld, typed: string): Promise<Opening | null> {
  const { cwd } = (await world.fresh()).stored.record;
  const found = await world.skills.expand(typed, cwd);
  if (found !== null) {
    const text = world.prompts.render('user-command', { typed: typed.trim(), ...found });
    return { shown: typed, from: 'person', sent: null, expanded: { path: found.path, text } };
  }
  const [name] = /^\/[a-z0-9][a-z0-9_-]*(?=\s|$)/u.exec(typed.trim()) ?? [];
  if (name !== undefined)
    world.publish({
      type: 'notice',
      level: 'info',
      text: `There is no command ${name}; the line was sent as it is.`,
    });
  return null;
}

/** Hints go to the model only; what people see and what history keeps is the text as typed (D25). */
async function withHints(world: TurnWorld, { text, hint, tools }: TurnStart): Promise<string | null> {
  // The state after the commit that started the turn: these words may just have switched Plan mode on.
  const phase = phaseOf((await world.fresh()).snapshot);
  const open = openHints(tools, phase, (tool) => findTool(tool)?.class ?? null);
  const names = [...(hint === null ? [] : [`${hint}-hint`]), ...open.map((family) => `hint-${family}`)];
  if (names.length === 0) return null;
  return [text, ...names.map((name) => world.prompts.render(name, {}))].join('\n\n');
}

async function request(
  world: TurnWorld,
  history: TranscriptEntry[],
  opening: Opening | null,
): Promise<ModelRequest> {
  const { snapshot } = await world.fresh();
  const reminder = reminderOf(snapshot);
  const system = [
    ...(await standingText(world, 'preamble', snapshot.context.record.cwd)),
    ...(reminder === null ? [] : [world.prompts.render(reminder.prompt, reminder.variables)]),
  ];
  const messages = withSent(messagesOf(world, history, snapshot), opening?.sent ?? null);
  return { system: system.join('\n\n'), messages, tools: modelTools('main', await moreTools(world)) };
}

/** A hint or a note goes into the request in the place of the text that everybody sees. */
function withSent(messages: ModelMessage[], sent: string | null): ModelMessage[] {
  if (sent === null) return messages;
  const last = messages.findLastIndex((message) => message.role === 'user');
  return messages.map((message, index) => (index === last ? { role: 'user', text: sent } : message));
}
