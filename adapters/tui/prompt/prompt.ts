import type { Prompt, PromptAnswer } from '../../ports.ts';
import { edit, emptyEditor, type Editor } from '../input/editor.ts';
import { editOf } from '../input/edits.ts';
import type { Press } from '../input/keys.ts';

/** How long after opening, in milliseconds, keys are not taken as an answer (B98). */
export const quietMs = 300;

/** The question on screen. `top` is the first visible row of its body; times are in milliseconds. */
export interface OpenPrompt {
  prompt: Prompt;
  quietUntil: number;
  top: number;
  editor: Editor;
  note: string | null;
}

export interface PromptSize {
  now: number;
  /** Width of the answer field, in cells. */
  cells: number;
  /** Rows of the body that are visible, and how many it has. */
  page: number;
  total: number;
}

export interface PromptStep {
  open: OpenPrompt;
  answer: PromptAnswer | null;
}

export function openPrompt(prompt: Prompt, now: number): OpenPrompt {
  return { prompt, quietUntil: now + quietMs, top: 0, editor: emptyEditor, note: null };
}

const answers: Readonly<Record<string, 'once' | 'session' | 'no'>> = { y: 'once', s: 'session', n: 'no' };

/** Rows that a key scrolls by; null when it does not scroll. */
export function scrollStep(press: Press, page: number): number | null {
  if (press.type === 'text') return /^ +$/u.test(press.text) ? page * press.text.length : null;
  if (press.type === 'paste') return null;
  const step = Math.max(1, page - 1);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageUp: -step,
    pageDown: step,
    home: -Infinity,
    end: Infinity,
  };
  return Object.hasOwn(steps, press.name) ? (steps[press.name] ?? null) : null;
}

export function scrolled(top: number, step: number, page: number, total: number): number {
  return Math.max(0, Math.min(top + step, total - page));
}

/** A key typed while the question had only just appeared was meant for something else: it waits for quiet. */
function tooSoon(open: OpenPrompt, now: number): PromptStep | null {
  if (now >= open.quietUntil) return null;
  const note = 'This had only just opened: press the key again.';
  return { open: { ...open, quietUntil: now + quietMs, note }, answer: null };
}

function approvalPress(open: OpenPrompt, press: Press, size: PromptSize): PromptStep {
  const step = scrollStep(press, size.page);
  if (step !== null) {
    return { open: { ...open, top: scrolled(open.top, step, size.page, size.total) }, answer: null };
  }
  const typed = press.type === 'text' ? press.text.toLowerCase() : '';
  const allow = Object.hasOwn(answers, typed) ? answers[typed] : undefined;
  if (allow === undefined) return { open, answer: null };
  return tooSoon(open, size.now) ?? { open, answer: { kind: 'approval', allow } };
}

function chosen(text: string, options: readonly string[]): string {
  const number = /^\d+$/u.test(text) ? Number(text) : 0;
  return options[number - 1] ?? text;
}

function questionPress(
  open: OpenPrompt,
  options: readonly string[],
  press: Press,
  size: PromptSize,
): PromptStep {
  if (press.type === 'key' && press.name === 'enter') {
    const text = open.editor.text.trim();
    if (text === '') return { open: { ...open, note: 'Write an answer first.' }, answer: null };
    return tooSoon(open, size.now) ?? { open, answer: { kind: 'question', text: chosen(text, options) } };
  }
  const change = editOf(press, size.cells);
  if (change === null) return { open, answer: null };
  return { open: { ...open, editor: edit(open.editor, change), note: null }, answer: null };
}

/** What a key does to the open question: scrolls, writes, or answers it. A paste never presses a key. */
export function promptPress(open: OpenPrompt, press: Press, size: PromptSize): PromptStep {
  return open.prompt.kind === 'approval'
    ? approvalPress(open, press, size)
    : questionPress(open, open.prompt.options, press, size);
}
