import type { Answer } from '../../../machines/index.ts';

/** A tool call on its one line. `summary` says on what, `text` is the result; null while it runs. */
export interface ToolItem {
  type: 'tool';
  call: string;
  name: string;
  summary: string;
  /** What its sub-agent does just now, in place of the summary while it runs. */
  progress?: string;
  result: { text: string; state: 'done' | 'failed' | 'stopped' } | null;
}

/** The card that says once that a plan waits for review (D45, D50). */
export interface CardItem {
  type: 'card';
  title: string;
  steps: number;
  faults: readonly { line: number; text: string }[];
  hint: string;
}

/** A finished part of the transcript: printed once, never changed. */
export type Item =
  | { type: 'banner'; version: string; model: string; folder: string }
  /** `command` is the file whose text the model got instead. */
  | { type: 'user'; text: string; from: 'person' | 'harness'; command?: string }
  /** Opens a turn whose model is not one: the rehearsal's label. */
  | { type: 'label'; text: string }
  | { type: 'assistant'; text: string }
  | { type: 'reasoning'; text: string }
  | ToolItem
  | { type: 'notice'; level: 'info' | 'error' | 'wait'; code: string | null; text: string }
  | CardItem
  | { type: 'ended'; outcome: string; cause: string | null };

/** An engine's answer as a notice line; null when there is nothing to say. */
export function answerItem(answer: Answer): Item | null {
  switch (answer.kind) {
    case 'refused':
      return { type: 'notice', level: 'error', code: answer.code, text: answer.text };
    case 'info':
      return { type: 'notice', level: 'info', code: answer.code, text: answer.text };
    case 'queued':
      return { type: 'notice', level: 'wait', code: null, text: answer.text };
    case 'accepted':
    case 'view':
      return answer.text === '' ? null : notice('info', answer.text);
  }
}

export function notice(level: 'info' | 'error', text: string): Item {
  return { type: 'notice', level, code: null, text };
}
