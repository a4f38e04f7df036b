import { graphemes } from '../text.ts';
import { cursorAt, offsetAt } from './layout.ts';

/**
 * What a person is writing. `cursor` is a UTF-16 offset on a grapheme border; `history` is oldest first
 * and `entry` counts back from its end (0: the draft itself).
 */
export interface Editor {
  text: string;
  cursor: number;
  history: readonly string[];
  entry: number;
  draft: string;
}

export type Edit =
  | { type: 'insert'; text: string }
  | { type: 'set'; text: string }
  | { type: 'replace'; from: number; to: number; text: string }
  | { type: 'left' | 'right' | 'wordLeft' | 'wordRight' | 'home' | 'end' }
  | { type: 'up' | 'down'; cells: number }
  | { type: 'backspace' | 'delete' | 'killWord' | 'killStart' | 'killEnd' }
  | { type: 'submit' };

export const emptyEditor: Editor = { text: '', cursor: 0, history: [], entry: 0, draft: '' };

/** How many texts are kept to go back to. */
export const historyLimit = 200;

function before(text: string, cursor: number): number {
  if (cursor === 0) return 0;
  const from = text.lastIndexOf('\n', cursor - 2) + 1;
  const last = graphemes(text.slice(from, cursor)).at(-1) ?? '';
  return cursor - Math.max(1, last.length);
}

function after(text: string, cursor: number): number {
  if (cursor >= text.length) return text.length;
  const end = text.indexOf('\n', cursor + 1);
  const first = graphemes(text.slice(cursor, end === -1 ? text.length : end))[0] ?? '';
  return cursor + Math.max(1, first.length);
}

function wordBefore(text: string, cursor: number): number {
  const found = /\S+\s*$/u.exec(text.slice(0, cursor));
  return found === null ? 0 : found.index;
}

function wordAfter(text: string, cursor: number): number {
  const found = /^\s*\S+/u.exec(text.slice(cursor));
  return found === null ? text.length : cursor + found[0].length;
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

function replace(editor: Editor, from: number, to: number, text: string): Editor {
  return {
    ...editor,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    cursor: from + text.length,
  };
}

function recall(editor: Editor, entry: number): Editor {
  if (entry < 0 || entry > editor.history.length) return editor;
  const draft = editor.entry === 0 ? editor.text : editor.draft;
  const text = entry === 0 ? draft : (editor.history.at(-entry) ?? '');
  return { ...editor, entry, draft, text, cursor: text.length };
}

function vertical(editor: Editor, step: 1 | -1, cells: number): Editor {
  const place = cursorAt(editor.text, editor.cursor, cells);
  const row = place.row + step;
  if (row < 0 || row >= place.rows) return recall(editor, editor.entry - step);
  return { ...editor, cursor: offsetAt(editor.text, row, place.column, cells) };
}

function submitted(editor: Editor): Editor {
  const text = editor.text;
  const known = text.trim() === '' || editor.history.at(-1) === text;
  const history = known ? editor.history : [...editor.history, text].slice(-historyLimit);
  return { ...emptyEditor, history };
}

/** The next state of the editor. Keys that arrive in one chunk are applied one after another. */
export function edit(editor: Editor, change: Edit): Editor {
  const { text, cursor } = editor;
  switch (change.type) {
    case 'insert':
      return replace(editor, cursor, cursor, change.text);
    case 'replace':
      return replace(editor, change.from, change.to, change.text);
    case 'set':
      return { ...editor, text: change.text, cursor: change.text.length, entry: 0, draft: '' };
    case 'left':
      return { ...editor, cursor: before(text, cursor) };
    case 'right':
      return { ...editor, cursor: after(text, cursor) };
    case 'wordLeft':
      return { ...editor, cursor: wordBefore(text, cursor) };
    case 'wordRight':
      return { ...editor, cursor: wordAfter(text, cursor) };
    case 'home':
      return { ...editor, cursor: lineStart(text, cursor) };
    case 'end':
      return { ...editor, cursor: lineEnd(text, cursor) };
    case 'up':
      return vertical(editor, -1, change.cells);
    case 'down':
      return vertical(editor, 1, change.cells);
    case 'submit':
      return submitted(editor);
    case 'backspace':
      return replace(editor, before(text, cursor), cursor, '');
    case 'delete':
      return replace(editor, cursor, after(text, cursor), '');
    case 'killWord':
      return replace(editor, wordBefore(text, cursor), cursor, '');
    case 'killStart':
      return replace(editor, lineStart(text, cursor), cursor, '');
    case 'killEnd':
      return replace(editor, cursor, lineEnd(text, cursor), '');
  }
}
