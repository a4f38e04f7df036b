import type { SessionView } from '../../../machines/index.ts';
import { taskRows } from '../chrome/task-lines.ts';
import { dim, span, wrapLine, type Line } from '../lines.ts';
import { sourceRows } from '../markdown/source.ts';
import { visibleLine } from '../text.ts';
import type { Overlay } from './overlay.ts';

/** A row of the body; `line` is the line of the file, or the task, that it belongs to. */
export interface BodyRow {
  line: number;
  spans: Line;
}

/** Widths from which the text gets line numbers in the margin. */
const gutterFrom = 60;

function textRows(revision: Overlay['revision'], view: SessionView, cells: number): BodyRow[] {
  const text = revision.text;
  if (text === null) {
    const path = visibleLine(view.document?.path ?? '');
    return wrapLine([span(`The file is missing: ${path}`)], cells).map((spans) => ({ line: 1, spans }));
  }
  const faulty = new Set((view.document?.faults ?? []).map((fault) => fault.line));
  const digits = String(text.split('\n').length).length;
  const margin = cells >= gutterFrom ? digits + 2 : 0;
  const current = revision.hash === view.document?.hash;
  return sourceRows(text, cells - margin).map((row) => {
    if (margin === 0) return { line: row.line, spans: row.spans };
    const number = (row.first ? String(row.line) : '').padStart(digits);
    const mark = current && row.first && faulty.has(row.line);
    const gutter = mark ? span(`${number}! `, { bold: true, colour: 'yellow' }) : dim(`${number}  `);
    return { line: row.line, spans: [gutter, ...row.spans] };
  });
}

/** The whole body of one side, wrapped at `cells`. */
export function bodyRows(
  side: Pick<Overlay, 'revision' | 'tab'>,
  view: SessionView,
  cells: number,
): BodyRow[] {
  if (side.tab === 'text') return textRows(side.revision, view, cells);
  return view.tasks.flatMap((task, index) =>
    taskRows(task, cells).map((spans) => ({ line: index + 1, spans })),
  );
}
