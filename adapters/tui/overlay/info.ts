import type { SessionView } from '../../../machines/index.ts';
import { place } from '../chrome/words.ts';
import { clipLine, dim, lineWidth, span, wrapLine, type Line } from '../lines.ts';
import { visible, visibleLine } from '../text.ts';
import { approveOffer } from './offers.ts';
import { standing, type Overlay } from './overlay.ts';

function standingLines(overlay: Overlay, view: SessionView): Line[] {
  const warn = (text: string): Line => [span('! ', { bold: true, colour: 'yellow' }), span(text)];
  switch (standing(overlay, view)) {
    case 'gone':
      return [warn('This plan has ended elsewhere. Any key closes.')];
    case 'decided':
      return [warn(`Decided elsewhere: ${visibleLine(view.badge)}. Any key closes.`)];
    case 'stale': {
      const by = view.running === null ? '' : ` by a turn from ${place(view.running.surface)}`;
      return [warn(`Changed${by} since you opened it. Approve is off: u loads the new text.`)];
    }
    case 'current':
      return [];
  }
}

function faultLines(overlay: Overlay, view: SessionView): Line[] {
  const faults = view.document?.faults ?? [];
  if (overlay.tab !== 'text' || !view.decisions.revise || standing(overlay, view) !== 'current') return [];
  return faults.map((fault) => [
    span(`line ${fault.line}`, { bold: true, colour: 'yellow' }),
    span(` ${visibleLine(fault.text)}${fault.hint === undefined ? '' : ` ${visibleLine(fault.hint)}`}`),
  ]);
}

/** Why Approve is off, unless the faults below or a fresh message say it. */
function whyLines(overlay: Overlay, view: SessionView): Line[] {
  const off = approveOffer(view)?.off ?? null;
  const told = overlay.message !== null || (view.turn === 'idle' && faultLines(overlay, view).length > 0);
  return off === null || told ? [] : [[dim(`Approve is off: ${visibleLine(off)}.`)]];
}

function messageLines(overlay: Overlay): Line[] {
  if (overlay.message === null) return [];
  const { level, text } = overlay.message;
  const mark = level === 'error' ? span('\u2717 ', { colour: 'red', bold: true }) : dim('\u2022 ');
  const style = level === 'error' ? {} : ({ dim: true } as const);
  return visible(text)
    .split('\n')
    .map((row, index) => [index === 0 ? mark : span('  '), span(row, style)]);
}

/** What stands between body and keys: standing, question elsewhere, message or reason, what is missing. */
export function infoLines(
  overlay: Overlay,
  view: SessionView,
  waiting: 'prompt' | 'none',
  size: { cells: number; limit: number },
): Line[] {
  const question: Line[] = [
    [span('? ', { bold: true, colour: 'yellow' }), span('A question waits for you: q goes back to it.')],
  ];
  const lines = [
    ...standingLines(overlay, view),
    ...messageLines(overlay),
    ...(waiting === 'prompt' ? question : []),
    ...whyLines(overlay, view),
    ...faultLines(overlay, view),
  ];
  const rows = lines.flatMap((line) => wrapLine(line, size.cells, [span('  ')]));
  if (rows.length <= size.limit) return rows;
  const more = dim(` +${rows.length - size.limit}`);
  const last = clipLine(rows[size.limit - 1] ?? [], size.cells - lineWidth([more]));
  return [...rows.slice(0, size.limit - 1), [...last, more]];
}
