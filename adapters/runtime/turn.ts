import { type Effect, implementPrompt, reminderOf } from '../../machines/index.ts';
import { modelTools } from '../../tools/registry.ts';
import type { ModelMessage, ModelRequest, TranscriptEntry } from '../ports.ts';
import { runAgent, type TurnEnd } from './agent-loop.ts';
import { toMessages } from './conversation.ts';
import type { TurnWorld } from './turn-world.ts';

export type TurnStart = Extract<Effect, { type: 'turn.start' }>;

/** What opens a turn: the text that everybody sees and that history keeps, and what only this turn's model gets. */
interface Opening {
  shown: string;
  from: 'person' | 'harness';
  /** Replaces the shown text in the model's request; null: the same. */
  sent: string | null;
}

/** Runs one turn to its end. Contract: never throws; an outside failure is the turn's cause. */
export async function runTurn(
  world: TurnWorld,
  start: TurnStart,
  history: TranscriptEntry[],
): Promise<TurnEnd> {
  const { turn } = world;
  world.publish({ type: 'turn.started', turn, kind: start.kind, label: world.model.label });
  let end: TurnEnd;
  try {
    const opening = await openingOf(world, start);
    await world.record({
      v: 1,
      at: world.clock.now(),
      type: 'user',
      turn,
      text: opening.shown,
      from: opening.from,
      kind: start.kind,
    });
    world.publish({ type: 'user', turn, text: opening.shown, from: opening.from });
    end = await runAgent(world, () => request(world, history, opening));
  } catch (error) {
    end = { outcome: 'failed', cause: error instanceof Error ? error.message : String(error) };
  }
  return world.signal.aborted ? { outcome: 'cancelled', cause: null } : end;
}

/** Which text a person had before them when they wrote the note (D44). */
const revisions = {
  newest: 'the newest',
  older: 'an older one; the text has changed since, so look whether the note still fits',
} as const;

async function openingOf(world: TurnWorld, start: TurnStart): Promise<Opening> {
  const { prompts } = world;
  switch (start.kind) {
    case 'chat':
      return { shown: start.text, from: 'person', sent: withHint(world, start) };
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

/** A hint goes to the model only; what people see and what history keeps is the text as typed (D25). */
function withHint({ prompts }: TurnWorld, { text, hint }: TurnStart): string | null {
  if (hint === null) return null;
  return `${text}\n\n${prompts.render(hint === 'plan' ? 'plan-hint' : 'unattended-hint', {})}`;
}

async function request(
  world: TurnWorld,
  history: TranscriptEntry[],
  opening: Opening,
): Promise<ModelRequest> {
  const { snapshot } = await world.fresh();
  const reminder = reminderOf(snapshot);
  const system = [
    world.prompts.render('preamble', {}),
    `Working folder: ${snapshot.context.record.cwd}`,
    ...(reminder === null ? [] : [world.prompts.render(reminder.prompt, reminder.variables)]),
  ];
  return { system: system.join('\n\n'), messages: messagesOf(history, opening), tools: modelTools() };
}

function messagesOf(history: TranscriptEntry[], { sent }: Opening): ModelMessage[] {
  const messages = toMessages(history);
  if (sent === null) return messages;
  const last = messages.findLastIndex((message) => message.role === 'user');
  return messages.map((message, index) => (index === last ? { role: 'user', text: sent } : message));
}
