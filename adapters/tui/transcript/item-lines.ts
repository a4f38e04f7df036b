import { clipLine, dim, lineWidth, span, wrapLine, type Line, type Span } from '../lines.ts';
import { markdownLines } from '../markdown/render.ts';
import { visible, visibleLine } from '../text.ts';
import type { CardItem, Item, ToolItem } from './items.ts';

/** `first` before the first row, spaces of the same width before the others. */
function hang(text: string, first: Span, cells: number, style: Omit<Span, 'text'> = {}): Line[] {
  const indent = ' '.repeat(lineWidth([first]));
  const room = Math.max(8, cells - indent.length);
  const rows = visible(text)
    .split('\n')
    .flatMap((row) => wrapLine([span(row, style)], room));
  return rows.map((row, index) => [index === 0 ? first : span(indent), ...row]);
}

const marks: Readonly<Record<'running' | 'done' | 'failed' | 'stopped', Span>> = {
  running: span('\u2026 ', { colour: 'yellow' }),
  done: span('\u2713 ', { colour: 'green' }),
  failed: span('\u2717 ', { colour: 'red', bold: true }),
  stopped: span('\u25a0 ', { dim: true }),
};

/** One row: status, name, on what, and the first line of the result. */
export function toolLine(tool: ToolItem, cells: number): Line {
  const state = tool.result?.state ?? 'running';
  const first = visible(tool.result?.text ?? '')
    .split('\n')
    .find((row) => row.trim() !== '');
  const name = visibleLine(tool.name);
  const summary = visibleLine(tool.result === null ? (tool.progress ?? tool.summary) : tool.summary);
  const same = summary === name || summary.startsWith(`${name} `);
  const line: Line = [
    span('  '),
    marks[state],
    span(same ? summary : name, { bold: true }),
    ...(same || summary === '' ? [] : [span(` ${summary}`)]),
    ...(first === undefined ? [] : [dim(` \u00b7 ${visibleLine(first)}`)]),
  ];
  return clipLine(line, cells);
}

const reviewCommands = '/show-plan read, change \u00b7 /execute approve \u00b7 /discard drop';
const repairCommands = '/show-plan read \u00b7 say what to mend \u00b7 /discard drop';

function cardLines(card: CardItem, cells: number): Line[] {
  const bar = span('\u2503 ', { colour: card.faults.length === 0 ? 'green' : 'yellow' });
  const steps = `${card.steps} ${card.steps === 1 ? 'step' : 'steps'}`;
  const ready = card.faults.length === 0 ? 'Ready for your review' : 'Not ready to approve yet';
  const rows: Line[] = [
    [span(ready, { bold: true }), dim(` \u00b7 ${steps}`)],
    [span(visibleLine(card.title))],
    ...card.faults.map((fault): Line => [span(`line ${fault.line}: ${visibleLine(fault.text)}`)]),
    ...(card.hint === '' || card.faults.length > 0
      ? []
      : [[dim(`Approve is off: ${visibleLine(card.hint)}.`)]]),
    [dim(card.faults.length === 0 ? reviewCommands : repairCommands)],
  ];
  return rows.flatMap((row) => wrapLine(row, cells - 2).map((line): Line => [bar, ...line]));
}

const endings: Readonly<Record<string, Span>> = {
  failed: span('\u2717 The turn failed', { colour: 'red' }),
  cancelled: span('\u25a0 Stopped', { dim: true }),
  discarded: span('\u25a0 Stopped, the plan was discarded', { dim: true }),
  lost: span('\u25a0 Interrupted: the program that ran this turn ended', { colour: 'yellow' }),
};

function endedLines(outcome: string, cause: string | null, cells: number): Line[] {
  const head = Object.hasOwn(endings, outcome) ? endings[outcome] : undefined;
  if (head === undefined) return [];
  return wrapLine(cause === null ? [head] : [head, span(`: ${visibleLine(cause)}`)], cells, [span('  ')]);
}

function noticeLines(item: Extract<Item, { type: 'notice' }>, cells: number): Line[] {
  const look: Readonly<Record<typeof item.level, Span>> = {
    info: dim('\u2022 '),
    wait: dim('\u2026 '),
    error: span('\u2717 ', { colour: 'red', bold: true }),
  };
  const code = item.code === null ? '' : `${visibleLine(item.code)}  `;
  return hang(code + item.text, look[item.level], cells, item.level === 'error' ? {} : { dim: true });
}

function bannerLines(item: Extract<Item, { type: 'banner' }>, cells: number): Line[] {
  return [
    clipLine(
      [span('planchart', { bold: true, colour: 'cyan' }), dim(` ${visibleLine(item.version)}`)],
      cells,
    ),
    clipLine([dim(`${visibleLine(item.model)} \u00b7 ${visibleLine(item.folder)}`)], cells),
    ...wrapLine([dim('Say what you want, or /plan to design it first. /help lists the keys.')], cells),
  ];
}

/** The rows of one finished part, each at most `cells` wide and free of control bytes. */
export function itemLines(item: Item, cells: number): Line[] {
  switch (item.type) {
    case 'banner':
      return bannerLines(item, cells);
    case 'user':
      return item.from === 'person'
        ? [
            ...hang(item.text, span('\u203a ', { bold: true, colour: 'cyan' }), cells),
            ...(item.command === undefined
              ? []
              : hang(`the text of ${item.command} was sent`, dim('  \u21b3 '), cells, { dim: true })),
          ]
        : [
            [dim('\u203a from planchart, not typed by you')],
            ...hang(item.text, span('  '), cells, { dim: true }),
          ];
    case 'label':
      return hang(item.text, dim('\u25c7 '), cells, { dim: true });
    case 'assistant':
      return markdownLines(item.text, cells);
    case 'reasoning':
      return hang(item.text, dim('\u2234 '), cells, { dim: true, italic: true });
    case 'tool':
      return [toolLine(item, cells)];
    case 'notice':
      return noticeLines(item, cells);
    case 'card':
      return cardLines(item, cells);
    case 'ended':
      return endedLines(item.outcome, item.cause, cells);
  }
}

const close: ReadonlySet<string> = new Set(['tool tool', 'notice notice']);

/** Whether a blank row stands between two neighbours. */
export function gapBetween(previous: Item | undefined, next: Item): 'gap' | 'none' {
  if (previous === undefined || close.has(`${previous.type} ${next.type}`)) return 'none';
  return next.type === 'ended' && !Object.hasOwn(endings, next.outcome) ? 'none' : 'gap';
}
