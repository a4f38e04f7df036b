import type { SessionView, TaskView } from '../../../machines/index.ts';
import { taskRows } from '../chrome/task-lines.ts';
import { dim, span, wrapLine, type Line } from '../lines.ts';
import { sourceRows } from '../markdown/source.ts';
import { visibleLine } from '../text.ts';
import { changeRows, type Base } from './changes.ts';
import type { Overlay } from './overlay.ts';

/** A row of the body; `line` is the line of the file, or the task, that it belongs to, 1-based. */
export interface BodyRow {
  line: number;
  /** The first row of its line. */
  first: boolean;
  spans: Line;
}

/** What the body is made of, and no more, so that a long text is laid out again only when it changes. */
export interface BodySource {
  text: string | null;
  path: string;
  /** Null while the text is shown. */
  tasks: readonly TaskView[] | null;
  /** What the text is compared with; null while it is not. */
  base: Base | null;
}

export function bodySource({ revision, tab, base }: Overlay, view: SessionView): BodySource {
  const path = view.document?.path ?? '';
  return {
    text: revision.text,
    path,
    tasks: tab === 'tasks' ? view.tasks : null,
    base: tab === 'changes' ? base : null,
  };
}

/** Widths from which the text gets line numbers in the margin. */
const gutterFrom = 60;

function digitsOf(text: string): number {
  return String(text.split('\n').length).length;
}

/** Cells of the margin with the line numbers. */
function margin(text: string, cells: number): number {
  return cells >= gutterFrom ? digitsOf(text) + 2 : 0;
}

/** The whole body, wrapped at `cells`, without the line numbers but with room for them. */
export function bodyRows({ text, path, tasks, base }: BodySource, cells: number): BodyRow[] {
  if (tasks !== null) {
    return tasks.flatMap((task, index) =>
      taskRows(task, cells).map((spans, row) => ({ line: index + 1, first: row === 0, spans })),
    );
  }
  if (base !== null) return changeRows(base, text ?? '', cells);
  if (text !== null) return sourceRows(text, cells - margin(text, cells));
  return wrapLine([span(`The file is missing: ${visibleLine(path)}`)], cells).map((spans, row) => ({
    line: 1,
    first: row === 0,
    spans,
  }));
}

/** Puts line numbers before rows of the text, with a `!` where something is missing. */
export function numbered(
  rows: readonly BodyRow[],
  overlay: Overlay,
  view: SessionView,
  cells: number,
): Line[] {
  const { text, hash } = overlay.revision;
  const room = text === null || overlay.tab !== 'text' ? 0 : margin(text, cells);
  if (room === 0) return rows.map((row) => row.spans);
  const current = hash === view.document?.hash;
  const faulty = new Set(current ? view.document?.faults.map((fault) => fault.line) : []);
  return rows.map((row) => {
    const number = (row.first ? String(row.line) : '').padStart(room - 2);
    const mark = row.first && faulty.has(row.line);
    const gutter = mark ? span(`${number}! `, { bold: true, colour: 'yellow' }) : dim(`${number}  `);
    return [gutter, ...row.spans];
  });
}
