import type { Prompt, PromptAnswer } from '../ports.ts';

/** `Prompt` without its id, which the desk gives. */
export type PromptDraft = Prompt extends infer P ? (P extends Prompt ? Omit<P, 'id'> : never) : never;

/** Where a turn's questions to a person wait: one is open at a time (architecture, "Tool calls"). */
export interface PromptDesk {
  /** Null when the turn was cancelled first. Contract: never throws. */
  ask(draft: PromptDraft, signal: AbortSignal): Promise<PromptAnswer | null>;
  /** False when that prompt is not open any more, or the answer is of the other kind. */
  answer(id: string, answer: PromptAnswer): boolean;
}

export interface DeskEvents {
  newId(): string;
  opened(prompt: Prompt): void;
  closed(id: string, reason: 'answered' | 'cancelled'): void;
}

export function createPromptDesk(events: DeskEvents): PromptDesk {
  let open: { prompt: Prompt; settle: (answer: PromptAnswer | null) => void } | null = null;
  const close = (answer: PromptAnswer | null): void => {
    const waiting = open;
    open = null;
    if (waiting === null) return;
    events.closed(waiting.prompt.id, answer === null ? 'cancelled' : 'answered');
    waiting.settle(answer);
  };
  return {
    ask(draft, signal) {
      if (signal.aborted) return Promise.resolve(null);
      const prompt: Prompt = { ...draft, id: events.newId() };
      return new Promise((resolve) => {
        const abort = (): void => close(null);
        open = {
          prompt,
          settle(answer) {
            signal.removeEventListener('abort', abort);
            resolve(answer);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        events.opened(prompt);
      });
    },
    answer(id, answer) {
      if (open === null || open.prompt.id !== id || open.prompt.kind !== answer.kind) return false;
      close(answer);
      return true;
    },
  };
}
