import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prompt } from '../../../adapters/ports.ts';
import { frame, type FrameSize } from '../../../adapters/tui/frame.ts';
import type { Completion } from '../../../adapters/tui/input/completion.ts';
import { lineText, lineWidth } from '../../../adapters/tui/lines.ts';
import { initialState, reduce, type Action, type TuiState } from '../../../adapters/tui/state.ts';
import type { SessionView } from '../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../support/fake-handle.ts';

const facts = { model: 'rehearsal model', folder: '~/project', home: '/home/ada' };
const turn = 'turn-1';

function stateAfter(view: SessionView, ...actions: readonly Action[]): TuiState {
  return actions.reduce(reduce, initialState(view, []));
}

function drawn(state: TuiState, size: FrameSize = { columns: 80, rows: 24 }): string[] {
  return frame(state, facts, size, 0).lines.map((line) => lineText(line).trimEnd());
}

const typed = (text: string): Action => ({ type: 'edit', edit: { type: 'insert', text } });
const streamed = (text: string): Action => ({
  type: 'published',
  published: { type: 'text', turn, text },
  now: 0,
});
const opened = (prompt: Prompt): Action => ({
  type: 'published',
  published: { type: 'prompt.opened', turn, prompt },
  now: 0,
});

describe('frame', () => {
  it('shows the input with an invitation, and the status', () => {
    const rows = drawn(stateAfter(viewOf()));
    expect(rows.at(-3)).toBe('› Write a message, or /plan to design first');
    expect(rows.at(-1)).toBe('asks before acting · rehearsal model · ~/project');
  });

  it('puts the cursor behind wide characters', () => {
    const state = stateAfter(viewOf(), typed('完了 ok'));
    const { lines, cursor } = frame(state, facts, { columns: 80, rows: 24 }, 0);
    expect(cursor).toEqual({ x: 2 + 7, y: lines.length - 3 });
    expect(lineText(lines[cursor?.y ?? 0] ?? [])).toBe('› 完了 ok');
  });

  it('draws the newest rows of a long stream, and the strip below it', () => {
    const text = Array.from({ length: 200 }, (_, index) => `- row ${index}`).join('\n');
    const rows = drawn(stateAfter(running(checklistView(5, 2)), streamed(text)));
    expect(rows).toHaveLength(22);
    expect(rows.join('\n')).toContain('row 199');
    expect(rows.join('\n')).not.toContain('row 100\n');
    expect(rows.findIndex((row) => row.includes('row 199'))).toBeLessThan(
      rows.findIndex((row) => row.includes('2/5')),
    );
  });

  it('goes on with a code block whose beginning is out of sight', () => {
    const code = Array.from({ length: 200 }, (_, index) => `* code ${index}`).join('\n');
    const rows = drawn(stateAfter(running(viewOf()), streamed(`Look:\n\n\`\`\`ts\n${code}`)));
    expect(rows).toContain('\u2502 * code 199');
  });

  it('gives an armed key its row', () => {
    const armed = { what: 'leave', until: 3000, text: 'Press Ctrl+C again to leave' } as const;
    expect(drawn(stateAfter(viewOf(), { type: 'arm', armed }))).toContain('Press Ctrl+C again to leave');
  });

  it('draws nothing while leaving', () => {
    expect(drawn(stateAfter(viewOf(), { type: 'leave' }))).toEqual([]);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.constantFrom('word ', '完了', '\n', '👩‍💻', '- a\n', '```\n')).map((parts) => parts.join('')),
  );
  const view = text.chain((value) =>
    fc.constantFrom(
      viewOf({ goal: { user: value, task: null } }),
      running(checklistView(30, 7, { title: value, hint: value })),
      reviewView(value, 'h', { title: value, hint: value }),
      viewOf({ badge: value, phase: 'unreadable', unreadable: { path: value, cause: value }, hint: value }),
      viewOf({ badge: 'Active', seedError: 'empty', title: value, hint: value }),
      viewOf({
        closed: {
          title: value,
          tasks: Array.from({ length: 9 }, () => ({ title: value, status: 'Completed' })),
        },
      }),
      running(viewOf(), { waiting: { what: value, surface: value, since: value } }),
    ),
  );
  const approval = text.map((value): Action =>
    opened({
      id: 'p',
      kind: 'approval',
      tool: 'bash',
      title: value,
      body: value,
      folder: value,
      sandbox: value,
    }),
  );
  const question = text.map((value): Action =>
    opened({ id: 'q', kind: 'question', question: value, options: [value, value] }),
  );
  const completionOf = (input: string, words: readonly string[]): Completion => ({
    input,
    from: 0,
    to: 0,
    choices: words.map((word) => ({ text: word, label: word, detail: word })),
    at: words.length - 1,
  });
  const action = fc.oneof(text.map(typed), text.map(streamed), approval, question);

  it('B92, B93, B95, B101 is always two rows lower than the screen, as wide as it and free of control bytes', () => {
    fc.assert(
      fc.property(
        view,
        fc.array(action, { maxLength: 4 }),
        fc.array(text, { maxLength: 12 }),
        fc.record({ columns: fc.integer({ min: 40, max: 130 }), rows: fc.integer({ min: 12, max: 50 }) }),
        (seen, actions, words, size) => {
          const before = stateAfter(seen, ...actions);
          const to = completionOf(before.editor.text, words);
          const state = words.length === 0 ? before : reduce(before, { type: 'completion', to });
          const { lines, cursor } = frame(state, facts, size, 0);
          expect(lines.length).toBeLessThanOrEqual(size.rows - 2);
          for (const line of lines) {
            expect(lineWidth(line)).toBeLessThanOrEqual(size.columns);
            expect(lineText(line)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          }
          if (cursor === null) return;
          expect(cursor.y).toBeLessThan(lines.length);
          expect(cursor.x).toBeLessThan(size.columns);
        },
      ),
      { numRuns: 400 },
    );
  });
});
