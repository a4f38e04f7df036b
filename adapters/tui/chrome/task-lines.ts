import type { TaskView } from '../../../machines/index.ts';
import { bold, clipLine, dim, lineWidth, span, wrapLine, type Line, type Span } from '../lines.ts';
import { clip, visibleLine } from '../text.ts';

/** One cell each, none of them an emoji in any width rule (B95). */
export const taskMarks: Readonly<Record<TaskView['status'], Span>> = {
  pending: dim('\u25cb'),
  running: span('\u25b8', { colour: 'cyan', bold: true }),
  completed: span('\u2713', { colour: 'green' }),
  skipped: dim('\u2212'),
  failed: span('\u2717', { colour: 'red', bold: true }),
  blocked: span('!', { colour: 'yellow', bold: true }),
};

const words: Readonly<Partial<Record<TaskView['status'], string>>> = {
  skipped: 'skipped',
  failed: 'failed',
  blocked: 'blocked',
};

function tail(task: TaskView): Span[] {
  const word = words[task.status];
  const waits = task.status === 'pending' && task.waitsFor.length > 0;
  return [
    ...(word === undefined ? [] : [dim(` \u00b7 ${word}`)]),
    ...(waits ? [dim(` \u00b7 waits for ${task.waitsFor.join(', ')}`)] : []),
  ];
}

function head(task: TaskView): Span[] {
  return [span('  '), taskMarks[task.status], span(` ${task.number} `)];
}

function title(task: TaskView): Span {
  return span(visibleLine(task.title), task.status === 'running' ? { bold: true } : {});
}

/** One task: mark, number, title, and what keeps it. The running one is bold, so no colour is needed. */
export function taskLine(task: TaskView, cells: number): Line {
  const start = head(task);
  const end = tail(task);
  const name = title(task);
  const room = cells - lineWidth(start) - lineWidth(end);
  if (room < 12) return clipLine([...start, name], cells);
  return [...start, { ...name, text: clip(name.text, room) }, ...end];
}

/** The same with the whole title, on as many rows as it takes. */
export function taskRows(task: TaskView, cells: number): Line[] {
  const start = head(task);
  return wrapLine([...start, title(task), ...tail(task)], cells, [span(' '.repeat(lineWidth(start)))]);
}

/** `████░░░░ 2/7`; the numbers carry the meaning. */
export function progressBar(done: number, total: number, cells: number): Line {
  const label = ` ${done}/${total}`;
  const size = Math.max(0, Math.min(16, cells - label.length));
  const filled = total === 0 ? 0 : Math.floor((done / total) * size);
  return [
    span('\u2588'.repeat(filled), { colour: 'green' }),
    dim('\u2591'.repeat(size - filled)),
    bold(label),
  ];
}
