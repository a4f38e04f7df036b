import type { SessionView } from '../../../machines/index.ts';
import { inputWindow } from '../input/layout.ts';
import { bold, clipLine, dim, lineWidth, span, wrapLine, type Line, type Span } from '../lines.ts';
import type { Drawn } from '../prompt/prompt-lines.ts';
import { approveOffer, editOffer } from './offers.ts';
import { standing, tabs, type Overlay } from './overlay.ts';

interface KeyHint {
  key: string;
  long: string;
  short: string;
  off?: true;
}

function approveHints(overlay: Overlay, view: SessionView): KeyHint[] {
  const offer = approveOffer(view);
  if (offer === null) return [];
  const hint = { key: 'a', long: offer.long, short: offer.short };
  return [offer.off !== null || standing(overlay, view) === 'stale' ? { ...hint, off: true } : hint];
}

function textHints(overlay: Overlay, view: SessionView): KeyHint[] {
  if (view.document === null) return [];
  const edit = editOffer(view);
  const compare =
    overlay.tab === 'changes'
      ? { key: 'c', long: 'whole text', short: 'text' }
      : { key: 'c', long: 'what changed', short: 'diff' };
  if (edit === null) return [compare];
  const hint = { key: 'e', long: 'edit', short: 'edit' };
  return [compare, edit.off === null ? hint : { ...hint, off: true }];
}

function tabHints({ tab }: Overlay, view: SessionView): KeyHint[] {
  const name = tab === 'tasks' ? 'text' : 'checklist';
  return tabs(view).length > 1 ? [{ key: 'Tab', long: name, short: name }] : [];
}

function keyHints(overlay: Overlay, view: SessionView): KeyHint[] {
  const { revise, discard, restore } = view.decisions;
  const stale = standing(overlay, view) === 'stale';
  return [
    ...approveHints(overlay, view),
    ...(restore ? [{ key: 't', long: 'restore the approved text', short: 'restore' }] : []),
    ...(revise ? [{ key: 'r', long: 'ask for changes', short: 'change' }] : []),
    ...(stale ? [{ key: 'u', long: 'load the new text', short: 'load' }] : []),
    ...textHints(overlay, view),
    ...tabHints(overlay, view),
    ...(discard ? [{ key: 'd', long: 'discard', short: 'discard' }] : []),
    { key: 'q', long: 'close', short: 'close' },
  ];
}

function keyLabel(hint: KeyHint, form: 'long' | 'short'): Line {
  if (hint.off === true) return [dim(`${hint.key} ${hint[form]} (off)`)];
  return [bold(hint.key), span(` ${hint[form]}`)];
}

/** The keys in one row where they fit, else with short labels, a key never parted from its label. */
function keyLines(hints: readonly KeyHint[], cells: number): Line[] {
  const rows: Span[][] = [[]];
  const long = hints.map((hint) => keyLabel(hint, 'long'));
  const gap = '   ';
  const wide = long.reduce((sum, label) => sum + lineWidth(label) + gap.length, -gap.length) <= cells;
  for (const label of wide ? long : hints.map((hint) => keyLabel(hint, 'short'))) {
    const row = rows.at(-1) ?? [];
    const space = wide ? gap : '  ';
    if (row.length === 0) row.push(...label);
    else if (lineWidth(row) + space.length + lineWidth(label) <= cells) row.push(span(space), ...label);
    else rows.push([...label]);
  }
  return rows;
}

function discardLines(overlay: Overlay, cells: number): Line[] {
  const what = overlay.tab === 'tasks' ? 'the checklist' : 'the session plan';
  const ask = span(`Discard ${what}? `, { bold: true, colour: 'red' });
  return wrapLine([ask, bold('d'), span(' discard   '), bold('Esc'), span(' keep')], cells);
}

function noteLines(overlay: Overlay, cells: number): Drawn {
  const field = inputWindow(overlay.note.text, overlay.note.cursor, cells - 3, 3);
  const rows = field.rows.map((row, index): Line => [index === 0 ? bold('\u203a ') : span('  '), span(row)]);
  const help =
    cells < 50 ? 'What to change? Enter sends, Esc back' : 'What should change? Enter sends, Esc goes back';
  return {
    lines: [clipLine([dim(help)], cells), ...rows],
    cursor: { x: 2 + field.column, y: 1 + field.row },
  };
}

/** The bottom of the overlay: its keys, the question before a discard, or the note field. */
export function footLines(overlay: Overlay, view: SessionView, cells: number): Drawn {
  const place = standing(overlay, view);
  if (place === 'gone' || place === 'decided') return { lines: [], cursor: null };
  if (overlay.mode === 'noting') return noteLines(overlay, cells);
  const lines =
    overlay.mode === 'discarding' ? discardLines(overlay, cells) : keyLines(keyHints(overlay, view), cells);
  return { lines, cursor: null };
}
