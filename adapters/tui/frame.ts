import { activityLines } from './chrome/activity.ts';
import { completionLines } from './chrome/completion-lines.ts';
import { statusLine, type StatusFacts } from './chrome/status.ts';
import { stripLines } from './chrome/strip.ts';
import { waitingLines } from './chrome/waiting.ts';
import { inputWindow } from './input/layout.ts';
import { clipLine, dim, span, wrapLine, type Line } from './lines.ts';
import { markdownLines } from './markdown/render.ts';
import { pickerLines } from './picker/picker-lines.ts';
import { promptLines, type Drawn, type PromptRoom } from './prompt/prompt-lines.ts';
import { openCompletion, type TuiState } from './state.ts';
import { visible } from './text.ts';
import { toolLine } from './transcript/item-lines.ts';
import type { Transcript } from './transcript/transcript.ts';

export interface FrameSize {
  columns: number;
  rows: number;
}

/** Below this many rows the screen is low: chrome is kept to the least. */
const low = 16;

/** Room of the input beside its marker and the cell that the cursor needs at the end. */
export function inputCells(size: FrameSize): number {
  return Math.max(4, size.columns - 3);
}

/**
 * A frame is always lower than the screen: a taller one would push lines into the scrollback (B92, B93). One
 * row more stays free above it, since tmux takes an erase from the very top for a wish to keep the screen in
 * its history, frame and all.
 */
function budget(size: FrameSize): number {
  return Math.max(4, size.rows - 2);
}

/**
 * The end of a long stream, from a line start: only so much is drawn, so only so much is laid out for each
 * piece that arrives. A code block that began before is opened again.
 */
function streamTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.indexOf('\n', text.length - limit) + 1;
  const start = cut === 0 ? text.length - limit : cut;
  const fences = text.slice(0, start).match(/^ {0,3}```/gmu)?.length ?? 0;
  return `${fences % 2 === 1 ? '```\n' : ''}${text.slice(start)}`;
}

/** What is not finished: reasoning or message so far, then the running calls; the newest `rows` rows. */
function liveLines(live: Transcript, cells: number, rows: number): Line[] {
  if (rows <= 0) return [];
  const limit = rows * cells + 500;
  const reasoning = visible(streamTail(live.reasoning.trim(), limit))
    .split('\n')
    .filter((row) => row !== '')
    .flatMap((row) => wrapLine([dim(`\u2234 ${row}`)], cells, [span('  ')]));
  const text = live.text.trim() === '' ? [] : markdownLines(streamTail(live.text, limit), cells);
  const tools = live.tools.map((tool) => toolLine(tool, cells));
  const lines = [...reasoning, ...text, ...tools];
  return lines.slice(Math.max(0, lines.length - rows));
}

function inputPart(state: TuiState, size: FrameSize, rows: number): Drawn {
  const field = inputWindow(state.editor.text, state.editor.cursor, inputCells(size), rows);
  const marker = span('\u203a ', { bold: true, colour: 'cyan' });
  const invitation = size.columns < 50 ? 'A message, or /plan' : 'Write a message, or /plan to design first';
  const placeholder = state.editor.text === '' ? [dim(invitation)] : [];
  const lines = field.rows.map((row, index): Line => {
    const first = index === 0 && field.above === 0;
    return clipLine([first ? marker : span('  '), ...(row === '' ? placeholder : [span(row)])], size.columns);
  });
  return { lines, cursor: { x: 2 + field.column, y: field.row } };
}

interface Parts {
  strip: Line[];
  activity: Line[];
  waiting: Line[];
  main: Drawn;
  rules: number;
}

/** The room that the open question may take. */
export function promptRoom(size: FrameSize, home: string): PromptRoom {
  const most = size.rows < low ? budget(size) - 2 : Math.min(budget(size) - 4, Math.floor(size.rows * 0.7));
  const rows = Math.max(6, most);
  return { cells: size.columns, rows, home };
}

/** What runs, unless a key waits for its second press or the question below says all there is to say. */
function activityPart(state: TuiState, size: FrameSize, now: number): Line[] {
  const cells = size.columns;
  if (state.armed !== null) return [clipLine([span(state.armed.text, { colour: 'yellow' })], cells)];
  if (state.prompt !== null && state.view.turn === 'running') {
    // A low screen needs the row for what is asked.
    if (size.rows < low) return [];
    return [[span('\u2026 ', { colour: 'yellow' }), span('waits for you'), dim(' \u00b7 Esc Esc stops')]];
  }
  return activityLines(state.view, now, cells);
}

/** The list of choices, else what waits. It stands right above the input, which its keys belong to; an open question has the keys. */
function waitingPart(state: TuiState, { columns, rows }: FrameSize): Line[] {
  const { view, editor, prompt, picker } = state;
  const completion = openCompletion(state);
  if (completion !== null) return completionLines(completion, columns, rows < low ? 3 : 6);
  if (prompt !== null || picker !== null) return [];
  return waitingLines(view.queue, columns, rows < low ? 1 : 3, editor.text === '' ? 'empty' : 'written');
}

/** What has the keys: the open question, the list of sessions, or the input. */
function mainPart(state: TuiState, size: FrameSize, room: PromptRoom, now: number): Drawn {
  if (state.prompt !== null) return promptLines(state.prompt, room);
  if (state.picker !== null) return pickerLines(state.picker, room, now);
  return inputPart(state, size, Math.max(1, Math.min(8, Math.floor(size.rows / 4))));
}

function parts(state: TuiState, facts: StatusFacts, size: FrameSize, now: number): Parts {
  const { columns, rows } = size;
  const room = budget(size);
  const rules = rows >= low ? 2 : 1;
  const main = mainPart(state, size, promptRoom(size, facts.home), now);
  const activity = activityPart(state, size, now);
  const waiting = waitingPart(state, size);
  const used = main.lines.length + 1 + rules + activity.length + waiting.length;
  // A low screen keeps some rows for what is being said; an open question needs them most.
  const wanted =
    state.prompt !== null || state.picker !== null
      ? 2
      : rows >= low || state.view.unreadable !== null
        ? 5
        : 3;
  const stripRows = Math.min(wanted, Math.max(0, room - used - 1));
  const strip = stripLines(state.view, columns, stripRows);
  return { strip, activity, waiting, main, rules };
}

function frameLines(state: TuiState, facts: StatusFacts, size: FrameSize, now: number): Drawn {
  const { strip, activity, waiting, main, rules } = parts(state, facts, size, now);
  const cells = size.columns;
  const rule: Line = [dim('\u2500'.repeat(cells))];
  const below: Line[] = [...(rules > 1 ? [rule] : []), statusLine(state.view, facts, cells, state)];
  const fixed = strip.length + activity.length + waiting.length + 1 + main.lines.length + below.length;
  const left = budget(size) - fixed;
  const live = liveLines(state.transcript, cells, left - 1);
  // One blank row sets the chrome apart from the text above it, where there is a row to spare.
  const gap: Line[] = left > live.length ? [[]] : [];
  const lead: Line[] = live.length > 0 && left > live.length + 1 ? [[]] : [];
  const above = [...lead, ...live, ...gap, ...strip, ...activity, ...waiting, rule];
  const cursor = main.cursor === null ? null : { x: main.cursor.x, y: above.length + main.cursor.y };
  return { lines: [...above, ...main.lines, ...below].slice(-budget(size)), cursor };
}

/**
 * The live part of the screen, below the printed transcript: rows of at most `columns` cells, fewer of
 * them than the screen has, and where the cursor stands. `now` is in milliseconds.
 */
export function frame(state: TuiState, facts: StatusFacts, size: FrameSize, now: number): Drawn {
  if (state.leaving) return { lines: [], cursor: null };
  return frameLines(state, facts, size, now);
}
