import type { SessionView, TaskView } from '../../../machines/index.ts';
import { bold, clipLine, dim, lineWidth, span, wrapLine, type Line } from '../lines.ts';
import { clip, visibleLine } from '../text.ts';
import { progressBar, taskLine, taskMarks } from './task-lines.ts';
import { count } from './words.ts';

function header(title: string, right: Line, cells: number): Line {
  const room = cells - lineWidth(right) - 3;
  if (room < 8 || title === '') return clipLine(right, cells);
  return [bold(clip(visibleLine(title), room)), span('  '), ...right];
}

/** As many tasks as fit, the running or next one in the middle. */
function taskWindow(tasks: readonly TaskView[], rows: number): readonly TaskView[] {
  if (tasks.length <= rows) return tasks;
  const running = tasks.findIndex((task) => task.status === 'running');
  const next = tasks.findIndex((task) => task.status === 'pending' || task.status === 'failed');
  const middle = running === -1 ? Math.max(0, next) : running;
  const top = Math.max(0, Math.min(middle - Math.floor((rows - 1) / 2), tasks.length - rows));
  return tasks.slice(top, top + rows);
}

function goalLine(view: SessionView, cells: number): Line[] {
  const goal = view.goal.user ?? view.goal.task;
  return goal === null ? [] : [clipLine([dim('Goal: '), span(visibleLine(goal))], cells)];
}

function hintLines(view: SessionView, cells: number): Line[] {
  return view.hint === '' ? [] : wrapLine([dim(visibleLine(view.hint))], cells);
}

function closedLines(closed: NonNullable<SessionView['closed']>, cells: number, rows: number): Line[] {
  const total = closed.tasks.length;
  const room = Math.max(0, rows - 1);
  const shown = closed.tasks.slice(Math.max(0, total - room));
  const right = [span(`\u2713 ${total}/${total} done`, { colour: 'green', bold: true })];
  return [
    header(closed.title, right, cells),
    ...shown.map((task): Line => {
      const skipped = task.status.toLowerCase() === 'skipped';
      return clipLine(
        [span('  '), taskMarks[skipped ? 'skipped' : 'completed'], span(` ${visibleLine(task.title)}`)],
        cells,
      );
    }),
  ];
}

function seedErrorLines(view: SessionView, cells: number): Line[] {
  const what = view.seedError === 'empty' ? 'No checklist was built' : 'The checklist is incomplete';
  return [
    header(view.title ?? '', [span(`\u2717 ${what}`, { colour: 'red', bold: true })], cells),
    ...hintLines(view, cells),
  ];
}

function driftLines(view: SessionView, cells: number): Line[] {
  if (view.document?.drifted !== true) return [];
  const text = span('The session plan is not the text that was approved: /show-plan');
  return [clipLine([span('! ', { colour: 'yellow', bold: true }), text], cells)];
}

function checklistLines(view: SessionView, cells: number, rows: number): Line[] {
  const { done, total } = view.progress;
  const notes = [...driftLines(view, cells), ...hintLines(view, cells), ...goalLine(view, cells)];
  const extra = notes.slice(0, Math.max(0, rows - 2));
  const bar = total === 0 ? [dim('no tasks')] : progressBar(done, total, Math.floor(cells / 3));
  const tasks = taskWindow(view.tasks, Math.max(0, rows - 1 - extra.length));
  return [
    header(view.title ?? 'Checklist', bar, cells),
    ...tasks.map((task) => taskLine(task, cells)),
    ...extra,
  ];
}

function editingLines(view: SessionView, cells: number): Line[] {
  const document = view.document;
  if (document === null) return [...hintLines(view, cells), ...goalLine(view, cells)];
  const missing = document.faults.length;
  const right: Line = [
    dim(count(document.steps, 'step')),
    ...(missing === 0 ? [] : [span(` \u00b7 ${missing} missing`, { colour: 'yellow' })]),
  ];
  return [
    header(view.title ?? 'Session plan', right, cells),
    ...hintLines(view, cells),
    ...goalLine(view, cells),
  ];
}

/** The hint names the file, the cause and the way out (D9), except while a turn is being stopped. */
function unreadableLines(view: SessionView, cells: number): Line[] {
  if (view.turn === 'stopping' || view.turn === 'discarding') return hintLines(view, cells);
  const mark = span('\u2717 ', { colour: 'red', bold: true });
  return wrapLine([mark, span(visibleLine(view.hint))], cells, [span('  ')]);
}

function content(view: SessionView, cells: number, rows: number): Line[] {
  if (view.closed !== null) return closedLines(view.closed, cells, rows);
  if (view.unreadable !== null) return unreadableLines(view, cells);
  if (view.building)
    return [header(view.title ?? '', [span('Building checklist\u2026', { colour: 'yellow' })], cells)];
  if (view.seedError !== null) return seedErrorLines(view, cells);
  // A seed that has its tasks shows them, before the first one is started (D41).
  if (view.phase === 'checklist' || view.phase === 'seeding') return checklistLines(view, cells, rows);
  if (view.badge !== '') return editingLines(view, cells);
  return goalLine(view, cells);
}

/** The plan above the input: at most `rows` rows (five at most, D38), each at most `cells` wide. */
export function stripLines(view: SessionView, cells: number, rows: number): Line[] {
  const limit = Math.min(5, rows);
  if (limit <= 0) return [];
  const all = content(view, cells, limit).filter((line) => lineWidth(line) > 0);
  if (all.length <= limit) return all;
  // What is left out is the rest of a sentence: that it goes on has to show.
  const last = all[limit - 1] ?? [];
  const room = cells - 2;
  const cut = lineWidth(last) > room ? clipLine(last, room) : [...last, dim(' \u2026')];
  return [...all.slice(0, limit - 1), cut];
}
