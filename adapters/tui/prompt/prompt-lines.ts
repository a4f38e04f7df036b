import { inputWindow } from '../input/layout.ts';
import { bold, clipLine, dim, lineWidth, span, spread, wrapLine, type Line } from '../lines.ts';
import { clipStart, visible, visibleLine, width } from '../text.ts';
import { shortFolder } from '../chrome/words.ts';
import { wrapRows } from '../wrap.ts';
import type { OpenPrompt } from './prompt.ts';

/** Rows of a drawn part and where the cursor stands in them; null when it shows none. */
export interface Drawn {
  lines: Line[];
  cursor: { x: number; y: number } | null;
}

const marker = '\u203a ';

type Approval = Extract<OpenPrompt['prompt'], { kind: 'approval' }>;
type Question = Extract<OpenPrompt['prompt'], { kind: 'question' }>;

function diffLine(text: string): Line {
  if (text.startsWith('+')) return [span(text, { colour: 'green' })];
  if (text.startsWith('-')) return [span(text, { colour: 'red' })];
  return text.startsWith('@@') ? [span(text, { colour: 'cyan' })] : [span(text)];
}

/** The body of an approval: the diff or the whole command, wrapped at `cells`; a title that is cut stands there whole. */
export function bodyLines(prompt: OpenPrompt['prompt'], cells: number): Line[] {
  if (prompt.kind === 'question') return [];
  const title = titleLines(prompt, cells).length > titleRows ? `${visibleLine(prompt.title)}\n` : '';
  const text = `${title}${visible(prompt.body)}`.replace(/\n+$/u, '');
  if (text === '') return [];
  const room = cells - 2;
  return text.split('\n').flatMap((row) => {
    const [look] = diffLine(row);
    return wrapRows(row, room).map((part): Line => [
      dim('\u2502 '),
      { ...(look ?? span('')), text: row.slice(part.start, part.end) },
    ]);
  });
}

/** Where and how it would run; the sandbox is never cut off, so it may take a second row. */
function placeLines(prompt: Approval, cells: number, home: string): Line[] {
  const folder = clipStart(shortFolder(visibleLine(prompt.folder), home), Math.max(10, cells - 3));
  const sandbox = prompt.sandbox === null ? '' : ` \u00b7 ${visibleLine(prompt.sandbox)}`;
  return wrapLine([dim(`in ${folder}`), dim(sandbox)], cells).slice(0, 2);
}

const titleRows = 2;

function titleLines(prompt: Approval, cells: number): Line[] {
  const title: Line = [span('Allow? ', { bold: true, colour: 'yellow' }), bold(visibleLine(prompt.title))];
  return wrapLine(title, cells, [span('  ')]);
}

function approvalHead(prompt: Approval, cells: number, home: string): Line[] {
  const lines = titleLines(prompt, cells);
  const cut =
    lines.length > titleRows ? [clipLine([...(lines[1] ?? []), span('\u2026')], cells)] : lines.slice(1);
  return [...lines.slice(0, 1), ...cut, ...placeLines(prompt, cells, home)];
}

const keys: Line = [
  bold('y'),
  span(' once \u00b7 '),
  bold('s'),
  span(' this session \u00b7 '),
  bold('n'),
  span(' no'),
];

/** Where one is in a body that is longer than its window, beside the keys where there is room. */
function positions(first: number, last: number, total: number): string[] {
  return [
    `rows ${first}\u2013${last} of ${total} \u00b7 \u2191\u2193 PgUp PgDn`,
    `${first}\u2013${last}/${total}`,
  ];
}

function approvalKeys(open: OpenPrompt, cells: number, where: readonly string[]): Line[] {
  const note = open.note === null ? [] : wrapLine([dim(open.note)], cells);
  const room = cells - lineWidth(keys) - 2;
  const place = where.find((text) => width(text) <= room);
  return [...note, clipLine(place === undefined ? keys : spread(keys, [dim(place)], cells), cells)];
}

export interface PromptRoom {
  cells: number;
  rows: number;
  home: string;
}

/** How many rows the body has, and how many of them are visible. */
export function promptPage(
  open: OpenPrompt,
  { cells, rows, home }: PromptRoom,
): { page: number; total: number } {
  if (open.prompt.kind === 'question') return { page: 1, total: 0 };
  const total = bodyLines(open.prompt, cells).length;
  const around = approvalHead(open.prompt, cells, home).length + approvalKeys(open, cells, []).length;
  return { page: Math.min(total, Math.max(1, rows - around)), total };
}

function approvalLines(open: OpenPrompt, prompt: Approval, room: PromptRoom): Drawn {
  const { cells, home } = room;
  const body = bodyLines(prompt, cells);
  const { page } = promptPage(open, room);
  const top = Math.max(0, Math.min(open.top, body.length - page));
  const where = body.length > page ? positions(top + 1, top + page, body.length) : [];
  return {
    lines: [
      ...approvalHead(prompt, cells, home),
      ...body.slice(top, top + page),
      ...approvalKeys(open, cells, where),
    ],
    cursor: null,
  };
}

function optionLines(prompt: Question, cells: number): Line[] {
  return prompt.options.flatMap((option, index) =>
    wrapLine([bold(`${index + 1} `), span(visibleLine(option))], cells, [span('  ')]),
  );
}

function questionLines(open: OpenPrompt, prompt: Question, { cells, rows }: PromptRoom): Drawn {
  const question = visible(prompt.question)
    .split('\n')
    .flatMap((row) => wrapLine([bold(row)], cells - 2, []));
  const head = question.map((line, index): Line => [
    index === 0 ? span('? ', { bold: true, colour: 'yellow' }) : span('  '),
    ...line,
  ]);
  const field = inputWindow(open.editor.text, open.editor.cursor, cells - 3, 3);
  const input = field.rows.map((row, index): Line => [index === 0 ? bold(marker) : span('  '), span(row)]);
  const help = prompt.options.length > 0 ? 'Number or your own words, then Enter' : 'Your answer, then Enter';
  const foot: Line = clipLine([dim(open.note ?? help)], cells);
  const room = Math.max(1, rows - input.length - 1);
  const asked = [...head, ...optionLines(prompt, cells)];
  // The options matter most when not everything fits.
  const shown = asked.length <= room ? asked : asked.slice(asked.length - room);
  return {
    lines: [...shown, ...input, foot],
    cursor: { x: 2 + field.column, y: shown.length + field.row },
  };
}

/** The open question in at most `rows` rows (six at least). */
export function promptLines(open: OpenPrompt, room: PromptRoom): Drawn {
  return open.prompt.kind === 'approval'
    ? approvalLines(open, open.prompt, room)
    : questionLines(open, open.prompt, room);
}
