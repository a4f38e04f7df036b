import { type FlowContent, scanDocument, type SessionView, type TaskView } from '../../../machines/index.ts';
import { visibleLine } from '../../text.ts';
import { bold, italic, join, type Rich, run } from './rich.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const longest = { title: 150, context: 160, goal: 200 } as const;

/** One line of at most `limit` characters as people count them, and four times as many units, cut with `\u2026`. */
function oneLine(text: string, limit: number): string {
  const line = visibleLine(text);
  if (line.length <= limit) return line;
  let kept = '';
  let characters = 0;
  for (const { segment } of segmenter.segment(line)) {
    characters += 1;
    if (characters > limit || kept.length + segment.length > limit * 4) return `${last(kept)}\u2026`;
    kept += segment;
  }
  return line;
}

/** Room for the mark that something is left out. */
function last(kept: string): string {
  const parts = Array.from(segmenter.segment(kept), ({ segment }) => segment);
  return parts.slice(0, -1).join('').trimEnd();
}

/** A text of the harness with the commands as Telegram spells them, where a dash would end their link (D51). */
export function telegramWords(text: string): string {
  return text.replaceAll('/show-plan', '/show_plan');
}

const count = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? '' : 's'}`;

const marks: Readonly<Record<TaskView['status'], string>> = {
  pending: '\u2610',
  running: '\u25b6\ufe0f',
  completed: '\u2611',
  skipped: '\u2796',
  failed: '\u2716\ufe0f',
  blocked: '\u26d4',
};

function taskLine({ number, title, status, waitsFor }: TaskView): Rich {
  const waits = status === 'pending' && waitsFor.length > 0 ? ` \u2022 waits for ${waitsFor.join(', ')}` : '';
  const says = status === 'skipped' || status === 'failed' || status === 'blocked' ? ` \u2022 ${status}` : '';
  const name = run(visibleLine(title), ...(status === 'running' ? [bold] : []));
  return [...run(`${marks[status]} ${number}. `), ...name, ...run(says + waits)];
}

/** The tasks, one a line; those of a finished checklist while it is still shown (D17). */
export function taskLines(view: SessionView): Rich {
  if (view.closed === null) return join(view.tasks.map(taskLine), '\n');
  const done = view.closed.tasks.map(({ title, status }, index): TaskView => {
    const skipped = status.toLowerCase() === 'skipped';
    return { number: index + 1, title, status: skipped ? 'skipped' : 'completed', waitsFor: [] };
  });
  return join(done.map(taskLine), '\n');
}

function titleLine(icon: string, title: string): Rich {
  return [...run(`${icon} `), ...run(oneLine(title, longest.title), bold)];
}

const warning = (text: string): Rich => run(`\u26a0\ufe0f ${telegramWords(visibleLine(text))}`);

/** The one line that says what the plan is for: its intent, else what of the Context is filled (D32). */
function contextLine(text: string | null): Rich {
  const { intent, targetState, problem } = scanDocument(text ?? '').context;
  return run(oneLine(intent ?? targetState ?? problem ?? '', longest.context), italic);
}

function editingLines({ title, document }: SessionView): Rich[] {
  const missing = document?.faults.length ?? 0;
  const steps = `\u270d\ufe0f ${count(document?.steps ?? 0, 'step')}`;
  return [
    titleLine('\u{1f4cb}', title ?? 'Session plan'),
    contextLine(document?.text ?? null),
    run(missing === 0 ? steps : `${steps} \u2022 ${count(missing, 'part')} missing`),
  ];
}

function progressLine({ progress, tasks }: SessionView): Rich {
  if (progress.total === 0) return [];
  const running = tasks.find(({ status }) => status === 'running');
  const now =
    running === undefined ? '' : ` \u2022 ${running.number}. ${oneLine(running.title, longest.title)}`;
  return [...run(`${progress.done}/${progress.total}`, bold), ...run(now)];
}

function activeLines(view: SessionView): Rich[] {
  const head = titleLine('\u{1f4cb}', view.title ?? 'Checklist');
  if (view.building) return [head, run('\u23f3 Building checklist\u2026')];
  if (view.seedError !== null) return [head, progressLine(view), warning(view.hint)];
  const drift = 'The session plan is not the text that was approved: /show-plan';
  return [
    head,
    progressLine(view),
    view.document?.drifted === true ? warning(drift) : [],
    view.phase === 'checklist' ? run(telegramWords(visibleLine(view.hint)), italic) : [],
  ];
}

/** What is always in sight: title, Context or progress, what is wrong. Nothing before there is a plan. */
export function headLines(view: SessionView): Rich {
  if (view.closed !== null) {
    const total = view.closed.tasks.length;
    return join([titleLine('\u2705', view.closed.title), run(`${total}/${total}`, bold)], '\n');
  }
  switch (view.phase) {
    case 'noPlan':
    case 'preInit':
      return [];
    case 'unreadable':
      return warning(view.hint);
    case 'postInit':
      return join(editingLines(view), '\n');
    case 'seeding':
    case 'seedFailedEmpty':
    case 'seedFailedPartial':
    case 'checklist':
      return join(activeLines(view), '\n');
  }
}

/** The goal on one line, and whole where that is not all of it; nothing while Editing. */
export function goalLines({ goal, phase }: SessionView): { line: Rich; whole: string | null } {
  const text = goal.user ?? goal.task;
  if (text === null || phase === 'postInit' || phase === 'preInit') return { line: [], whole: null };
  const short = oneLine(text, longest.goal);
  const line = [...run('\u{1f3af} '), ...run('Goal:', bold), ...run(` ${short}`)];
  return { line, whole: short === text.trim() ? null : text };
}

/** What is left in an old message of a plan that is no more (D17, D33). */
export function closedLine({
  as,
  title,
  done,
  total,
}: Extract<FlowContent['sections'], { kind: 'closed' }>): Rich {
  const progress = total === 0 ? '' : ` \u2022 ${done}/${total}`;
  if (as === 'completed') return [...titleLine('\u2705', title), ...run(progress)];
  return [...titleLine('\u{1f5d1}', title), ...run(` \u2022 discarded${progress}`)];
}
