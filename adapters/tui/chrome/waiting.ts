import type { SessionView } from '../../../machines/index.ts';
import { clipLine, dim, lineWidth, span, type Line, type Span } from '../lines.ts';
import { clip, visibleLine } from '../text.ts';

type Waiting = SessionView['queue'][number];

/** The oldest message that nobody sends any more: the one that the keys are for (D26). */
export function unsentOf(queue: SessionView['queue']): Waiting | null {
  return queue.find(({ state }) => state === 'not sent') ?? null;
}

/** The newest message of this process: the one that goes back into the input. */
export function waitingHere(queue: SessionView['queue']): Waiting | null {
  return queue.findLast(({ owner }) => owner === 'here') ?? null;
}

function mark({ owner, state }: Waiting): Span {
  if (state === 'not sent') return span('! not sent ', { colour: 'yellow', bold: true });
  return dim(owner === 'here' ? '\u2026 waits ' : '\u2026 waits elsewhere ');
}

function keys(item: Waiting, queue: SessionView['queue'], cells: number): string {
  const form = cells < 60 ? 'short' : 'long';
  if (item === unsentOf(queue))
    return form === 'long' ? ' \u00b7 Ctrl+S sends \u00b7 Ctrl+X takes back' : ' ^S send ^X edit';
  return item === waitingHere(queue) ? ` \u00b7 Up ${form === 'long' ? 'takes back' : 'edits'}` : '';
}

/** One row: what becomes of it, its first line, and the keys while they can be pressed. */
function row(item: Waiting, queue: SessionView['queue'], cells: number, input: 'empty' | 'written'): Line {
  const lead = mark(item);
  const help = dim(input === 'empty' ? keys(item, queue, cells) : '');
  const [first = '', ...more] = item.text.trim().split('\n');
  const text = `${visibleLine(first)}${more.length > 0 ? ' \u2026' : ''}`;
  const room = Math.max(4, cells - lineWidth([lead, help]));
  return clipLine([lead, span(clip(text, room)), help], cells);
}

/**
 * The messages that wait, those that nobody sends first: at most `rows` rows of at most `cells` (D26). Written
 * text in the input has the keys for itself, so they are not offered then.
 */
export function waitingLines(
  queue: SessionView['queue'],
  cells: number,
  rows: number,
  input: 'empty' | 'written',
): Line[] {
  if (queue.length === 0 || rows <= 0) return [];
  const unsent = queue.filter(({ state }) => state === 'not sent');
  const sorted = [...unsent, ...queue.filter((item) => !unsent.includes(item))];
  const shown = sorted.length > rows && rows > 1 ? rows - 1 : rows;
  const lines = sorted.slice(0, shown).map((item) => row(item, queue, cells, input));
  const left = sorted.length - shown;
  return left > 0 && rows > 1 ? [...lines, clipLine([dim(`\u2026 and ${left} more`)], cells)] : lines;
}
