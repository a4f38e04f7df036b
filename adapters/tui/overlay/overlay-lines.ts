import type { SessionView } from '../../../machines/index.ts';
import { badgeSpan } from '../chrome/status.ts';
import { progressBar } from '../chrome/task-lines.ts';
import { bold, dim, lineWidth, spread, type Line } from '../lines.ts';
import type { Drawn } from '../prompt/prompt-lines.ts';
import { clip, visibleLine } from '../text.ts';
import { numbered, type BodyRow } from './body.ts';
import { footLines } from './foot.ts';
import { infoLines } from './info.ts';
import type { Overlay, Tab } from './overlay.ts';

const units: Readonly<Record<Tab, string>> = { text: 'lines', tasks: 'tasks', changes: 'changes' };

function headLines(
  overlay: Overlay,
  view: SessionView,
  body: readonly BodyRow[],
  page: number,
  cells: number,
): Line[] {
  const badge = badgeSpan(view);
  const right: Line = badge === null ? [] : [badge];
  const name = view.title ?? (overlay.tab === 'tasks' ? 'Checklist' : 'Session plan');
  const room = cells - lineWidth(right) - 2;
  const title = bold(clip(visibleLine(name), Math.max(8, room)));
  const first = body[overlay.top]?.line ?? 1;
  const last = body[Math.min(overlay.top + page, body.length) - 1]?.line ?? 1;
  const total = body.at(-1)?.line ?? 1;
  const more = overlay.top + page < body.length ? ' \u2193' : '';
  const where = dim(`${units[overlay.tab]} ${first}\u2013${last} of ${total}${more}`);
  const { done, total: all } = view.progress;
  const side: Line = overlay.tab === 'tasks' ? progressBar(done, all, 20) : [];
  return [spread([title], right, cells), spread([where], side, cells)];
}

export interface Screen extends Drawn {
  /** Visible body rows. */
  page: number;
}

/** An answer to a key may take half of a low screen; what always stands there takes less. */
function infoLimit(overlay: Overlay, rows: number): number {
  return overlay.message === null ? Math.max(2, Math.floor(rows / 4)) : Math.max(3, Math.floor(rows / 2));
}

/** The whole screen in exactly `rows` rows. */
export function overlayScreen(
  overlay: Overlay,
  view: SessionView,
  body: readonly BodyRow[],
  size: { cells: number; rows: number; waiting: 'prompt' | 'none' },
): Screen {
  const { cells, rows } = size;
  const foot = footLines(overlay, view, cells);
  const info = infoLines(overlay, view, size.waiting, { cells, limit: infoLimit(overlay, rows) });
  const rules = rows >= 15 ? 2 : 0;
  const page = Math.max(1, rows - 2 - rules - info.length - foot.lines.length);
  const rule: Line[] = rules > 0 ? [[dim('\u2500'.repeat(cells))]] : [];
  const top = Math.max(0, Math.min(overlay.top, body.length - page));
  const shown = numbered(body.slice(top, top + page), overlay, view, cells);
  const filler = Array.from({ length: page - shown.length }, (): Line => []);
  const lines = [
    ...headLines({ ...overlay, top }, view, body, page, cells),
    ...rule,
    ...shown,
    ...filler,
    ...rule,
    ...info,
    ...foot.lines,
  ];
  const start = lines.length - foot.lines.length;
  const cursor = foot.cursor === null ? null : { x: foot.cursor.x, y: start + foot.cursor.y };
  return { lines, cursor, page };
}
