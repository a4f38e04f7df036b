import { count, shortFolder } from '../chrome/words.ts';
import { bold, clipLine, dim, lineWidth, span, spread, wrapLine, type Line } from '../lines.ts';
import type { Drawn, PromptRoom } from '../prompt/prompt-lines.ts';
import { clip, clipStart, visibleLine, width } from '../text.ts';
import type { Choice, Picker } from './picker.ts';

/** Rows of one session, and of the head above them. */
const each = 2;
const head = 1;
const noteRows = 2;

function noteLines({ note }: Picker, cells: number): Line[] {
  if (note === null) return [];
  const look = { colour: 'red' } as const;
  return wrapLine([span(visibleLine(note), look)], cells).slice(0, noteRows);
}

/** How many sessions are visible at once; at least one. */
export function pickerPage(picker: Picker, room: Pick<PromptRoom, 'rows' | 'cells'>): number {
  return Math.max(1, Math.floor((room.rows - head - noteLines(picker, room.cells).length) / each));
}

const minute = 60_000;

/** `now`, `5 minutes ago`, `3 hours ago`, `2 days ago`, then the date. */
function ago(used: string, now: number): string {
  const minutes = (now - Date.parse(used)) / minute;
  if (Number.isNaN(minutes)) return visibleLine(used);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${count(Math.floor(minutes), 'minute')} ago`;
  if (minutes < 24 * 60) return `${count(Math.floor(minutes / 60), 'hour')} ago`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 14 ? `${count(days, 'day')} ago` : used.slice(0, 10);
}

function choiceLines(choice: Choice, marked: boolean, room: PromptRoom, facts: Facts): Line[] {
  const { cells, home } = room;
  const mark = marked ? span('\u203a ', { bold: true, colour: 'cyan' }) : span('  ');
  if ('error' in choice) {
    return [
      clipLine([mark, span(choice.id)], cells),
      clipLine([dim(`  ${visibleLine(choice.error)}`)], cells),
    ];
  }
  const { id, name, cwd, state, used } = choice;
  const when = dim(ago(used, facts.now));
  const here = id === facts.current ? ' (here)' : '';
  const left = cells - 2 - width(when.text) - 2 - here.length;
  const title = clip(visibleLine(name ?? `session ${id}`), Math.max(8, left));
  const words = `  ${visibleLine(state)} \u00b7 `;
  const folder = clipStart(shortFolder(visibleLine(cwd), home), Math.max(8, cells - width(words)));
  return [
    spread([mark, marked ? bold(title) : span(title), dim(here)], [when], cells),
    clipLine([dim(words), dim(folder)], cells),
  ];
}

interface Facts {
  current: string;
  now: number;
}

function headLine({ choices, at }: Picker, cells: number): Line {
  const where = `${at + 1}/${choices.length}`;
  const long: Line = [
    bold('Sessions'),
    dim(` ${where} \u00b7 \u2191\u2193 Enter opens \u00b7 Esc goes back`),
  ];
  const short: Line = [bold('Sessions'), dim(` ${where} \u00b7 Enter \u00b7 Esc`)];
  return clipLine(lineWidth(long) <= cells ? long : short, cells);
}

/** The list in at most `room.rows` rows, the marked session in view. `now` is in milliseconds. */
export function pickerLines(picker: Picker, room: PromptRoom, now: number): Drawn {
  const page = pickerPage(picker, room);
  const { choices, at, current } = picker;
  const top = Math.max(0, Math.min(at - Math.floor(page / 2), choices.length - page));
  const rows = choices
    .slice(top, top + page)
    .flatMap((choice, index) => choiceLines(choice, top + index === at, room, { current, now }));
  return { lines: [headLine(picker, room.cells), ...rows, ...noteLines(picker, room.cells)], cursor: null };
}
