import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edit, emptyEditor, type Edit, type Editor } from '../../../../adapters/tui/input/editor.ts';
import { cursorAt, inputWindow, offsetAt } from '../../../../adapters/tui/input/layout.ts';
import { graphemes } from '../../../../adapters/tui/text.ts';

/** Applies edits to `before|after`, where the bar is the cursor, and writes the result the same way. */
function after(marked: string, ...edits: readonly Edit[]): string {
  const cursor = marked.indexOf('|');
  const start: Editor = { ...emptyEditor, text: marked.replace('|', ''), cursor };
  const end = edits.reduce(edit, start);
  return `${end.text.slice(0, end.cursor)}|${end.text.slice(end.cursor)}`;
}

describe('editor', () => {
  it.each<[string, string, Edit, string]>([
    ['inserts at the cursor', 'a|c', { type: 'insert', text: 'b' }, 'ab|c'],
    ['takes a whole cluster back', 'x👩‍💻|', { type: 'backspace' }, 'x|'],
    ['takes a line end back', 'a\n|b', { type: 'backspace' }, 'a|b'],
    ['does nothing at the start', '|ab', { type: 'backspace' }, '|ab'],
    ['deletes forward', 'a|e\u0301b', { type: 'delete' }, 'a|b'],
    ['deletes nothing at the end', 'a|', { type: 'delete' }, 'a|'],
    ['moves over a cluster', 'a|👩‍💻b', { type: 'right' }, 'a👩‍💻|b'],
    ['moves back over a line end', 'a\n|b', { type: 'left' }, 'a|\nb'],
    ['moves by words to the left', 'one two |three', { type: 'wordLeft' }, 'one |two three'],
    ['moves by words to the right', 'one| two three', { type: 'wordRight' }, 'one two| three'],
    ['goes to the start of the line', 'one\ntw|o', { type: 'home' }, 'one\n|two'],
    ['stays at the start before a line end', '|\na', { type: 'home' }, '|\na'],
    ['goes to the end of the line', 'o|ne\ntwo', { type: 'end' }, 'one|\ntwo'],
    ['kills the word before', 'one two|', { type: 'killWord' }, 'one |'],
    ['kills to the start of the line', 'one\ntwo|x', { type: 'killStart' }, 'one\n|x'],
    ['kills to the end of the line', 'o|ne\ntwo', { type: 'killEnd' }, 'o|\ntwo'],
    ['goes up at the same column', 'abc\nde|f', { type: 'up', cells: 20 }, 'ab|c\ndef'],
    ['goes down to the end of a shorter row', 'abc|\nd', { type: 'down', cells: 20 }, 'abc\nd|'],
    ['goes up inside a wrapped line', 'abcdef|', { type: 'up', cells: 4 }, 'ab|cdef'],
    ['lands beside a wide character', 'a完b\nxy|', { type: 'up', cells: 20 }, 'a|完b\nxy'],
  ])('%s', (_name, before, change, wanted) => {
    expect(after(before, change)).toBe(wanted);
  });

  it('walks through the history and comes back to the draft', () => {
    const up: Edit = { type: 'up', cells: 20 };
    const down: Edit = { type: 'down', cells: 20 };
    const said = ['one', 'two'].reduce(
      (editor, text) => edit(edit(editor, { type: 'insert', text }), { type: 'submit' }),
      emptyEditor,
    );
    const draft = edit(said, { type: 'insert', text: 'draft' });
    const steps = [up, up, up, down, down, down];
    const seen: string[] = [];
    let editor = draft;
    for (const step of steps) {
      editor = edit(editor, step);
      seen.push(editor.text);
    }
    expect(seen).toEqual(['two', 'one', 'one', 'two', 'draft', 'draft']);
  });

  it('remembers no blank line and none twice', () => {
    const say = (editor: Editor, text: string): Editor =>
      edit(edit(editor, { type: 'insert', text }), { type: 'submit' });
    expect(['a', 'a', ' ', 'b'].reduce(say, emptyEditor).history).toEqual(['a', 'b']);
  });

  it('keeps the cursor on a cluster border, whatever is done', () => {
    const change = fc.oneof(
      fc.constantFrom<Edit>(
        ...(
          [
            'left',
            'right',
            'wordLeft',
            'wordRight',
            'home',
            'end',
            'backspace',
            'delete',
            'killWord',
          ] as const
        ).map((type): Edit => ({ type })),
        { type: 'up', cells: 5 },
        { type: 'down', cells: 5 },
      ),
      fc
        .constantFrom('a ', '完了', '👩‍💻', '\n', 'e\u0301', '\u001b[A')
        .map((text): Edit => ({ type: 'insert', text })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const { text, cursor } = changes.reduce(edit, emptyEditor);
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
        const borders = graphemes(text).reduce<number[]>(
          (ends, part) => [...ends, (ends.at(-1) ?? 0) + part.length],
          [0],
        );
        expect(borders).toContain(cursor);
      }),
    );
  });
});

describe('input layout', () => {
  it('measures the cursor in cells', () => {
    expect(cursorAt('a完', 2, 20)).toEqual({ row: 0, column: 3, rows: 1 });
    expect(cursorAt('ab\n完了', 5, 20)).toEqual({ row: 1, column: 4, rows: 2 });
    expect(offsetAt('a完b', 0, 2, 20)).toBe(1);
    expect(offsetAt('a完b', 0, 3, 20)).toBe(2);
  });

  it('shows raw bytes in place and counts what it shows', () => {
    const shown = inputWindow('a\u001b[2Jb\tc', 8, 40, 3);
    expect(shown.rows).toEqual(['a␛[2Jb    c']);
    expect(shown.column).toBe(11);
  });

  it('opens a row for the cursor when it stands behind a full one', () => {
    expect(inputWindow('abcd', 4, 4, 3)).toMatchObject({ rows: ['abcd', ''], row: 1, column: 0 });
  });

  it('keeps the cursor in a window that is smaller than the text', () => {
    const text = 'a\nb\nc\nd\ne';
    expect(inputWindow(text, text.length, 10, 3)).toMatchObject({
      rows: ['c', 'd', 'e'],
      row: 2,
      above: 2,
      below: 0,
    });
    expect(inputWindow(text, 0, 10, 3)).toMatchObject({ rows: ['a', 'b', 'c'], row: 0, above: 0, below: 2 });
  });
});
