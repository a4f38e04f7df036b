import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { bodyRows, bodySource } from '../../../../adapters/tui/overlay/body.ts';
import { overlayScreen } from '../../../../adapters/tui/overlay/overlay-lines.ts';
import { openOverlay, type Overlay } from '../../../../adapters/tui/overlay/overlay.ts';
import type { SessionView } from '../../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../../support/fake-handle.ts';

const plan = Array.from({ length: 400 }, (_, index) => `plan line ${index + 1}`).join('\n');
const review = reviewView(plan, 'h1');

interface Look {
  cells?: number;
  rows?: number;
  change?: Partial<Overlay>;
  opened?: SessionView;
  waiting?: 'prompt' | 'none';
}

function screen(view: SessionView, look: Look = {}): string[] {
  const { cells = 80, rows = 23, change = {}, opened = view, waiting = 'none' } = look;
  const overlay = { ...openOverlay(opened, 0), ...change };
  const body = bodyRows(bodySource(overlay, view), cells);
  const { lines } = overlayScreen(overlay, view, body, { cells, rows, waiting });
  return lines.map((line) => lineText(line).trimEnd());
}

describe('overlay screen', () => {
  it('B99 shows title, badge, position, the text and the keys', () => {
    const rows = screen(review);
    expect(rows).toHaveLength(23);
    expect(rows[0]).toMatch(/^Dark mode +\[Editing\]$/u);
    expect(rows[1]).toBe('lines 1–18 of 400 ↓');
    expect(rows[3]).toBe('  1  plan line 1');
    expect(rows.at(-1)).toBe('a approve   r ask for changes   c what changed   e edit   d discard   q close');
    expect(screen(review, { change: { top: 17 } })[1]).toBe('lines 18–35 of 400 ↓');
    expect(screen(review, { change: { top: 382 } })[1]).toBe('lines 383–400 of 400');
  });

  it('B99 keeps its keys at 40×12', () => {
    const rows = screen(review, { cells: 40, rows: 11 });
    expect(rows).toHaveLength(11);
    expect(rows.slice(-2)).toEqual(['a approve  r change  c diff  e edit', 'd discard  q close']);
  });

  it('names what is missing with its lines, and marks them', () => {
    const faults = [{ code: 'intent.blank' as const, line: 3, text: 'Intent has no text.' }];
    const document = review.document === null ? null : { ...review.document, faults };
    const decisions = { ...review.decisions, approve: 'off' as const, why: '1 part is missing' };
    const rows = screen({ ...review, document, decisions });
    expect(rows).toContain('  3! plan line 3');
    expect(rows).toContain('line 3 Intent has no text.');
    expect(rows.at(-1)).toContain('a approve (off)');
  });

  it('D44 says that the text has changed, by whom, and how to load it', () => {
    const changed = running(reviewView('other', 'h2'), { surface: 'telegram' });
    const rows = screen(changed, { opened: review }).join('\n');
    expect(rows).toContain('Changed by a turn from Telegram');
    expect(rows).toContain('u load ');
    expect(rows).toContain('a approve (off)');
    expect(rows).toContain('plan line 1');
  });

  it('D47 says that it was decided, and offers nothing more', () => {
    const rows = screen(checklistView(3, 0, { document: review.document }), { opened: review }).join('\n');
    expect(rows).toContain('Decided elsewhere: Active. Any key closes.');
    expect(rows).not.toContain('a approve');
    expect(screen(viewOf(), { opened: review }).join('\n')).toContain('has ended elsewhere');
  });

  it('asks before a discard, and shows the note field in place of the keys', () => {
    expect(screen(review, { change: { mode: 'discarding' } }).at(-1)).toBe(
      'Discard the session plan? d discard   Esc keep',
    );
    const rows = screen(review, { change: { mode: 'noting' } });
    expect(rows.at(-2)).toContain('What should change?');
    expect(rows).toContain('  1  plan line 1');
  });

  it('shows a refusal with all its lines', () => {
    const message = {
      level: 'error' as const,
      text: 'TEMPLATE_INVALID  Not complete:\n- line 6\n- line 8\nApprove again.',
    };
    for (const [cells, rows] of [
      [80, 23],
      [40, 11],
    ] as const) {
      const shown = screen(review, { cells, rows, change: { message } }).join('\n');
      expect(shown).toContain('✗ TEMPLATE_INVALID');
      expect(shown).toContain('- line 8');
    }
  });

  it('says that a question waits on the other screen', () => {
    expect(screen(review, { waiting: 'prompt' }).join('\n')).toContain('q goes back to it');
  });

  it('D52 shows the checklist with whole titles and never calls it a plan', () => {
    const view = checklistView(3, 1, { title: null });
    const long = view.tasks.map((task) => ({
      ...task,
      title: `${task.title} ${'with many words '.repeat(6)}end`,
    }));
    const rows = screen({ ...view, tasks: long }, { change: { mode: 'discarding' } });
    expect(rows[0]).toMatch(/^Checklist/u);
    expect(rows[1]).toMatch(/^tasks 1–3 of 3 +█+░+ 1\/3$/u);
    expect(rows.filter((row) => row.endsWith('end'))).toHaveLength(3);
    expect(rows.join('\n')).not.toMatch(/plan/iu);
  });

  it('shows a missing file with its path', () => {
    const document = review.document === null ? null : { ...review.document, text: null, hash: null };
    expect(screen({ ...review, document }).join('\n')).toContain('The file is missing: /home/ada');
  });

  it('fits every size from 40×12 upward, whatever stands in it', () => {
    const text = fc.oneof(fc.constant(plan), fc.string({ unit: 'binary', maxLength: 400 }));
    const sizes = fc.tuple(fc.integer({ min: 40, max: 130 }), fc.integer({ min: 11, max: 50 }));
    const mode = fc.constantFrom('reading' as const, 'discarding' as const, 'noting' as const);
    const message = fc.option(fc.record({ level: fc.constantFrom('info' as const, 'error' as const), text }));
    fc.assert(
      fc.property(text, sizes, mode, message, fc.nat(500), (value, [cells, rows], one, said, top) => {
        const view = reviewView(value, 'h1', { title: value, badge: 'Editing' });
        const lines = screen(view, { cells, rows, change: { mode: one, message: said, top } });
        expect(lines).toHaveLength(rows);
        const overlay = { ...openOverlay(view, 0), mode: one, message: said, top };
        const drawn = overlayScreen(overlay, view, bodyRows(bodySource(overlay, view), cells), {
          cells,
          rows,
          waiting: 'none',
        });
        for (const line of drawn.lines) {
          expect(lineWidth(line)).toBeLessThanOrEqual(cells);
          expect(lineText(line)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });
});
