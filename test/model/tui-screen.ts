import type { SessionView, TaskView } from '../../machines/index.ts';
import { squeezed } from './told.ts';
import { inputIn } from './tui-program.ts';

/** How often a text stands there, however it is wrapped. */
export function timesIn(rows: readonly string[], text: string): number {
  return squeezed(rows.join('')).split(squeezed(text)).length - 1;
}

/** Parts of the screen that say where things stand. */
interface Chrome {
  /** Between the transcript and the input: strip, what runs, what waits. */
  above: string[];
  status: string;
}

function chromeOf(screen: readonly string[]): Chrome | null {
  const rule = (row: string): boolean => /^\u2500{20,}$/u.test(row);
  const bottom = screen.findLastIndex(rule);
  const top = screen.slice(0, Math.max(bottom, 0)).findLastIndex(rule);
  if (top === -1) return null;
  const before = screen.slice(0, top);
  return { above: before.slice(before.lastIndexOf('') + 1), status: screen[bottom + 1] ?? '' };
}

const marks: Readonly<Record<TaskView['status'], string>> = {
  pending: '\u25cb',
  running: '\u25b8',
  completed: '\u2713',
  skipped: '\u2212',
  failed: '\u2717',
  blocked: '!',
};

/** What the screen says otherwise than the view that the model has, a line each. */
export function screenFaults(
  screen: readonly string[],
  view: SessionView,
  keys: 'the input' | 'a question',
): string[] {
  const chrome = chromeOf(screen);
  if (chrome === null || (inputIn(screen) === null) !== (keys === 'a question'))
    return [`${keys} is not there`];
  const faults: string[] = [];
  const check = (what: string, wanted: unknown, is: unknown): void => {
    if (wanted !== is)
      faults.push(`${what}: the model says ${JSON.stringify(wanted)}, it is ${JSON.stringify(is)}`);
  };
  const { above, status } = chrome;
  const has = (text: string): boolean => timesIn(above, text) > 0;
  check('badge', view.badge, /^\[(.+?)\]/u.exec(status)?.[1] ?? '');
  check('policy', view.policy, /yolo: acts without asking/u.test(status) ? 'yolo' : 'ask');
  check('number of waiting messages', view.queue.length, Number(/(\d+) queued/u.exec(status)?.[1] ?? 0));
  check('what runs', keys === 'a question' ? 'waits for you' : activityOf(view), activityIn(above));
  // An open question has the keys for itself, and the rows.
  if (keys === 'the input') check('messages that wait', waitingOf(view), waitingIn(above));
  check('Building checklist', view.building, has('Building checklist\u2026'));
  check('seed error', view.seedError, seedErrorIn(has));
  check('tasks', '', taskFault(view, above));
  for (const text of textsOf(view)) check(`"${text}"`, true, has(text));
  return faults;
}

function activityOf({ running, turn }: SessionView): string | null {
  if (running === null) return null;
  if (turn === 'stopping') return 'stopping';
  return turn === 'discarding' ? 'stopping, then discarding' : 'working';
}

function activityIn(above: readonly string[]): string | null {
  const found = above.flatMap((row) => {
    const [, what] = /^\u2026 (working|waits for you|stopping, then discarding|stopping)\b/u.exec(row) ?? [];
    return what === undefined ? [] : [what];
  });
  return found[0] ?? null;
}

/** Those that nobody sends come first; of more than three the last are only counted. */
function waitingOf({ queue }: SessionView): string {
  const unsent = queue.filter(({ state }) => state === 'not sent');
  const sorted = [...unsent, ...queue.filter((item) => !unsent.includes(item))];
  const shown = sorted.slice(0, sorted.length > 3 ? 2 : 3);
  return shown
    .map(({ state, text }) => `${state === 'not sent' ? '! not sent' : '\u2026 waits'} ${text}`)
    .join('\n');
}

function waitingIn(above: readonly string[]): string {
  return (
    above
      .filter((row) => /^(?:! not sent|\u2026 waits) /u.test(row))
      .map((row) => row.replace(/ \u00b7 (?:Ctrl\+S sends .*|Up takes back)$/u, '').trim())
      // A command of the person's own is typed with a slash; the model says what it is about.
      .map((row) => row.replace(/ \/make /u, ' make '))
      .join('\n')
  );
}

function seedErrorIn(has: (text: string) => boolean): SessionView['seedError'] {
  if (has('\u2717 No checklist was built')) return 'empty';
  return has('\u2717 The checklist is incomplete') ? 'partial' : null;
}

/** Each task row has to be one of the model's; where there are tasks, some are shown, the running one among them. */
function taskFault(view: SessionView, above: readonly string[]): string {
  const rows = above.filter((row) => /^ {2}[\u25cb\u25b8\u2713\u2212\u2717!] \d+ /u.test(row));
  const shows = (view.phase === 'checklist' || view.phase === 'seeding') && view.closed === null;
  if (!shows || view.tasks.length === 0)
    return rows.length === 0 ? '' : `there are none, but ${rows.join(' / ')}`;
  const wanted = view.tasks.map(({ number, title, status }) => `  ${marks[status]} ${number} ${title}`);
  const wrong = rows.filter((row) => !wanted.some((one) => `${row} `.startsWith(`${one} `)));
  if (wrong.length > 0) return `${wrong.join(' / ')} instead of ${wanted.join(' / ')}`;
  const running = wanted.find((row) => row.startsWith(`  ${marks.running}`));
  const missing = running !== undefined && !rows.some((row) => row.startsWith(running));
  return rows.length === 0 || missing ? `only ${rows.join(' / ')} of ${wanted.join(' / ')}` : '';
}

/** Texts that have to stand in the strip. */
function textsOf(view: SessionView): string[] {
  const { closed, building, seedError, phase, title, progress, goal, document, hint } = view;
  if (closed !== null) return [closed.title, `${closed.tasks.length}/${closed.tasks.length} done`];
  // The strip has five rows; a long path may take the end of the sentence.
  const isStopping = view.turn === 'stopping' || view.turn === 'discarding';
  if (view.unreadable !== null) return [isStopping ? hint : '\u2717 The plan file cannot be read'];
  if (building) return [title ?? ''];
  if (seedError !== null) return [title ?? '', hint];
  const goals = [goal.user ?? goal.task].flatMap((one) => (one === null ? [] : [`Goal: ${one}`]));
  if (phase === 'noPlan') return goals;
  if (phase === 'checklist' || phase === 'seeding')
    return [
      ...(document?.drifted === true ? ['The session plan is not the text that was approved'] : []),
      ...(progress.total === 0 ? ['no tasks'] : [title ?? '', `${progress.done}/${progress.total}`]),
      ...(hint === '' ? [] : [hint]),
      ...goals,
    ];
  if (document === null) return [hint, ...goals];
  const missing = document.faults.length;
  return [title ?? '', hint, ...(missing === 0 ? [] : [`${missing} missing`]), ...goals];
}

/** What the plan's own screen says otherwise than the model. */
export function planScreenFaults(screen: readonly string[], view: SessionView): string[] {
  const faults: string[] = [];
  const wants = (text: string): void => {
    if (timesIn(screen, text) === 0) faults.push(`the plan's screen does not show "${text}"`);
  };
  wants(`[${view.badge}]`);
  wants(view.title ?? '');
  const key = (wanted: boolean, label: string): void => {
    if (screen.some((row) => row.includes(label)) !== wanted)
      faults.push(`the plan's screen ${wanted ? 'lacks' : 'has'} the key "${label}"`);
  };
  const { approve, retry, revise, restore, discard } = view.decisions;
  key(approve === 'on', 'a approve  ');
  key(approve === 'off', 'a approve (off)');
  key(retry, 'a try again');
  key(restore, 't restore the approved text');
  key(revise, 'r ask for changes');
  key(discard, 'd discard');
  const steps = (view.document?.text ?? '').split('\n').filter((row) => /^\d+\. /u.test(row));
  if (view.tasks.length === 0 || approve !== 'hidden') for (const step of steps) wants(step);
  else for (const task of view.tasks) wants(`${marks[task.status]} ${task.number} ${task.title}`);
  return faults;
}
