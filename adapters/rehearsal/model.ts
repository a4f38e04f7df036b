import { createHash } from 'node:crypto';
import type { ModelPart, ModelPort, ModelRequest } from '../ports.ts';
import { decide } from './decide.ts';
import type { Reply } from './reply.ts';

export interface RehearsalOptions {
  /** Given by the demo for its own sample project, never because of what a user asks for (D5). */
  editsSample?: true;
  /** Pause between two pieces of text, in milliseconds; none by default. */
  paceMs?: number;
}

/** A model made of rules: no weights, no memory, no network. Says so on screen in every turn (D5). */
export function createRehearsalModel(options: RehearsalOptions = {}): ModelPort {
  const place = options.editsSample === true ? 'sample' : 'user';
  return {
    name: 'rehearsal',
    label: 'Rehearsal model: fixed rules, not an LLM',
    async *step(request, signal) {
      const parts = respond(request, (asked) => decide(asked, place));
      for (const part of parts) {
        if (part.type === 'text') await pause(options.paceMs ?? 0, signal);
        if (signal.aborted) {
          yield { type: 'end', reason: 'aborted' };
          return;
        }
        yield part;
      }
    },
  };
}

/** Contract: never throws; ends with exactly one `end`. */
function respond(request: ModelRequest, rules: (request: ModelRequest) => Reply): ModelPart[] {
  try {
    const { text, calls } = rules(request);
    const stem = callStem(request);
    return [
      ...pieces(text).map((piece): ModelPart => ({ type: 'text', text: piece })),
      ...calls.map(({ name, input }, index): ModelPart => {
        return { type: 'call', call: { id: `${stem}-${index + 1}`, name, input } };
      }),
      { type: 'end', reason: calls.length > 0 ? 'calls' : 'stop' },
    ];
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `The rehearsal model failed (${cause}). Please report it, or choose a model with --model.`;
    return [{ type: 'end', reason: 'failed', fault: { code: 'MODEL_FAILED', message } }];
  }
}

/** Call ids differ between steps of a session and are the same for the same request. */
function callStem({ messages }: ModelRequest): string {
  return `rehearsal-${createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 12)}`;
}

/** A few words at a time; joined they are the text. */
function pieces(text: string): string[] {
  return text.match(/\s*(?:\S+\s+){0,2}\S+\s*/g) ?? (text === '' ? [] : [text]);
}

/** Resolves after the time or at once on abort. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });
}
