import type { Prompt, PromptAnswer } from '../../ports.ts';
import { parseCommand } from '../commands.ts';
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
  /** A command typed at the question, such as `/stop`: it acts, and answers nothing (D26, D36). */
  command: string | null;
}

export function openPrompt(prompt: Prompt, now: number): OpenPrompt {
  return { prompt, quietUntil: now + quietMs, top: 0, editor: emptyEditor, note: null };
}

const answers: Readonly<Record<string, 'once' | 'session' | 'no'>> = { y: 'once', s: 'session', n: 'no' };

/** Rows that one step of a mouse wheel scrolls by. */
const wheelRows = 3;

/** Rows that a key or the wheel scrolls by; null when it does not scroll. */
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
    wheelUp: -wheelRows,
    wheelDown: wheelRows,
  };
  return Object.hasOwn(steps, press.name) ? (steps[press.name] ?? null) : null;
}

export function scrolled(top: number, step: number, page: number, total: number): number {
  return Math.max(0, Math.min(top + step, total - page));
}

const stay = (open: OpenPrompt): PromptStep => ({ open, answer: null, command: null });

/** A key typed while the question had only just appeared was meant for something else: it waits for quiet. */
function tooSoon(open: OpenPrompt, now: number): PromptStep | null {
  if (now >= open.quietUntil) return null;
  const note = 'This had only just opened: press the key again.';
  return stay({ ...open, quietUntil: now + quietMs, note });
}

/** A line that starts with a slash is being typed: its letters are no answers, Enter runs it. */
function commandPress(open: OpenPrompt, press: Press, size: PromptSize): PromptStep | null {
  const typing = open.editor.text !== '';
  if (!typing && !(press.type === 'text' && press.text.startsWith('/'))) return null;
  if (press.type === 'key' && press.name === 'enter') {
    return { open: { ...open, editor: emptyEditor, note: null }, answer: null, command: open.editor.text };
  }
  const change = editOf(press, size.cells);
  if (change === null) return stay(open);
  const editor = edit(open.editor, change);
  return stay({ ...open, editor, note: editor.text === '' ? null : `\u203a ${editor.text}` });
}

function approvalPress(open: OpenPrompt, press: Press, size: PromptSize): PromptStep {
  const command = commandPress(open, press, size);
  if (command !== null) return command;
  const step = scrollStep(press, size.page);
  if (step !== null) return stay({ ...open, top: scrolled(open.top, step, size.page, size.total) });
  const typed = press.type === 'text' ? press.text.toLowerCase() : '';
  const allow = Object.hasOwn(answers, typed) ? answers[typed] : undefined;
  // Whoever is typing words is not answering: the next key waits for quiet too.
  if (allow === undefined) return stay(typed === '' ? open : { ...open, quietUntil: size.now + quietMs });
  return tooSoon(open, size.now) ?? { open, answer: { kind: 'approval', allow }, command: null };
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
    if (text === '') return stay({ ...open, note: 'Write an answer first.' });
    if (acts(text)) return { open: { ...open, editor: emptyEditor }, answer: null, command: text };
    const answer = { kind: 'question', text: chosen(text, options) } as const;
    return tooSoon(open, size.now) ?? { open, answer, command: null };
  }
  const change = editOf(press, size.cells);
  if (change === null) return stay(open);
  return stay({ ...open, editor: edit(open.editor, change), note: null });
}

/** A known command acts; anything else that starts with a slash, such as a path, may well be the answer. */
function acts(text: string): boolean {
  const { kind } = parseCommand(text, 'switchable');
  return kind !== 'chat' && kind !== 'usage';
}

/** What a key does to the open question: scrolls, writes, or answers it. A paste never presses a key. */
export function promptPress(open: OpenPrompt, press: Press, size: PromptSize): PromptStep {
  return open.prompt.kind === 'approval'
    ? approvalPress(open, press, size)
    : questionPress(open, open.prompt.options, press, size);
}
