import {
  contextFigure,
  type ContextUse,
  isFull,
  type Phase,
  type SessionView,
} from '../../../machines/index.ts';
import type { BotState } from '../../bot-port.ts';
import { dim, lineWidth, span, type Colour, type Line, type Span } from '../lines.ts';
import { clip, clipStart, visibleLine, width } from '../text.ts';
import type { TuiState } from '../state.ts';
import { policyWords } from './words.ts';

const badgeColour: Readonly<Record<Phase, Colour>> = {
  noPlan: 'cyan',
  preInit: 'yellow',
  postInit: 'yellow',
  seeding: 'green',
  seedFailedEmpty: 'red',
  seedFailedPartial: 'red',
  checklist: 'green',
  unreadable: 'red',
};

/** The badge as text, with colour on top; nothing without a plan. */
export function badgeSpan(view: SessionView): Span | null {
  if (view.badge === '') return null;
  return span(`[${visibleLine(view.badge)}]`, { bold: true, colour: badgeColour[view.phase] });
}

export interface StatusFacts {
  /** Name and, for the rehearsal, label of the model. */
  model: string;
  /** The working directory as people write it, `~` for the home. */
  folder: string;
  /** Home folder, to write other paths in the same way. */
  home: string;
}

function policySpan(view: SessionView, cells: number): Span {
  const words = policyWords(view.policy, cells < 60 ? 'short' : 'long');
  return view.policy === 'yolo' ? span(words, { bold: true, colour: 'red' }) : dim(words);
}

/** `ctx: 45K/200K 22%`, or the share alone where that does not fit; it stands out before a compaction (D27). */
function contextSpan(context: ContextUse, room: number): Span {
  const figure = contextFigure(context);
  const [label = '', , share = ''] = figure.split(' ');
  const text = width(figure) <= room ? figure : `${label} ${share}`;
  return isFull(context) ? span(text, { colour: 'yellow', bold: true }) : dim(text);
}

const telegramWords: Readonly<Record<BotState, Omit<Span, 'text'> & { word: string }>> = {
  connecting: { word: 'connecting', dim: true },
  connected: { word: 'on', dim: true },
  unreachable: { word: 'not reached', colour: 'yellow' },
  ended: { word: 'ended', colour: 'red' },
};

function telegramSpan(state: BotState): Span {
  const { word, ...look } = telegramWords[state];
  return span(`Telegram: ${word}`, look);
}

const none = { context: null, telegram: null };

/** The bottom row: badge, policy, queue, context and the bot, then model and folder as far as there is room. */
export function statusLine(
  view: SessionView,
  facts: StatusFacts,
  cells: number,
  { context, telegram }: Pick<TuiState, 'context' | 'telegram'> = none,
): Line {
  const separator = dim(' \u00b7 ');
  const row: Span[] = [];
  const add = (make: (room: number) => Span | null, least: number): void => {
    const room = cells - lineWidth(row) - (row.length === 0 ? 0 : lineWidth([separator]));
    const part = room < least ? null : make(room);
    if (part === null || width(part.text) > room) return;
    if (row.length > 0) row.push(separator);
    row.push(part);
  };
  const queued = view.queue.length;
  add(() => badgeSpan(view), 1);
  add(() => policySpan(view, cells), 1);
  add(() => (queued === 0 ? null : span(`${queued} queued`, { colour: 'yellow' })), 1);
  add((room) => (context === null ? null : contextSpan(context, room)), 1);
  add(() => (telegram === null ? null : telegramSpan(telegram)), 1);
  add((room) => dim(clip(visibleLine(facts.model), Math.min(30, room))), 8);
  add((room) => dim(clipStart(visibleLine(facts.folder), Math.min(40, room))), 8);
  return row;
}
