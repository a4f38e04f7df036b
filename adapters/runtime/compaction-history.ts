import { estimateTokens } from '../../machines/index.ts';
import type { TranscriptEntry } from '../ports.ts';

type Compacted = Extract<TranscriptEntry, { type: 'compacted' }>;

/** What of a transcript the model still gets (D27): the newest summary, and the lines that stay. */
export interface Kept {
  summary: string | null;
  /** Index in the transcript from where every line stays. */
  from: number;
  /** The message that opened the turn in which the summary was made, where it lies before `from`. */
  opening: TranscriptEntry | null;
  /** The whole transcript, with outputs cut where a line says so. */
  lines: readonly TranscriptEntry[];
}

/** Reads the transcript's own `compacted` lines; the transcript itself is never made shorter. Pure. */
export function keptOf(history: readonly TranscriptEntry[]): Kept {
  const lines = withCuts(history);
  const at = lines.findLastIndex((line) => line.type === 'compacted' && 'summary' in line.how);
  const found = lines[at];
  if (found?.type !== 'compacted' || !('summary' in found.how))
    return { summary: null, from: 0, opening: null, lines };
  const from = Math.max(0, at - found.tail);
  return { summary: found.how.summary, from, opening: openingOf(lines, found, from, at), lines };
}

/** The lines of the conversation from where the summary ends. */
export const keptLines = ({ opening, lines, from }: Kept): TranscriptEntry[] => [
  ...(opening === null ? [] : [opening]),
  ...lines.slice(from),
];

/** A turn's own task stays word for word, however much of the turn the summary covers. */
function openingOf(
  lines: readonly TranscriptEntry[],
  { turn }: Compacted,
  from: number,
  at: number,
): TranscriptEntry | null {
  const opens = (line: TranscriptEntry): boolean => line.type === 'user' && line.turn === turn;
  return lines.slice(from, at).some(opens) ? null : (lines.slice(0, from).findLast(opens) ?? null);
}

function withCuts(history: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const limits = history.map(() => Infinity);
  for (const [at, line] of history.entries()) {
    if (line.type !== 'compacted' || !('limit' in line.how)) continue;
    const { limit } = line.how;
    for (let index = 0; index < at - line.tail; index += 1)
      limits[index] = Math.min(limit, limits[index] ?? limit);
  }
  return history.map((line, index) =>
    line.type === 'tool' ? { ...line, text: cutText(line.text, limits[index] ?? Infinity) } : line,
  );
}

/** Beginning and end of a text that is longer than so many characters, and how much is gone. */
export function cutText(text: string, most: number): string {
  const limit = Math.floor(most);
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.7);
  const gone = text.length - limit;
  const end = limit > head ? text.slice(head - limit) : '';
  const note = `[… ${gone} characters were cut to make room; repeat the call if you need them …]`;
  return `${text.slice(0, head)}\n${note}\n${end}`.toWellFormed();
}

/** What a line costs in the model's window, in tokens; 0 for lines that it never gets. */
export function costOf(line: TranscriptEntry): number {
  // Roles, ids and names come on top of the text.
  const frame = 8;
  switch (line.type) {
    case 'user':
      return estimateTokens(line.expanded?.text ?? line.text) + frame;
    case 'tool':
      return estimateTokens(line.text) + frame;
    case 'assistant':
      return estimateTokens(line.text + JSON.stringify(line.calls)) + frame;
    default:
      return 0;
  }
}

/**
 * Index from where so many tokens of the newest lines begin: never between a call and its result, at least the
 * newest response with its results, and not before `from`. The length of the transcript where there is none.
 */
export function tailStart(lines: readonly TranscriptEntry[], from: number, budget: number): number {
  let start = lines.length;
  let cost = 0;
  for (let index = lines.length - 1; index >= from; index -= 1) {
    const line = lines[index];
    if (line === undefined) break;
    cost += costOf(line);
    if (cost > budget && start < lines.length) break;
    if (line.type === 'user' || line.type === 'assistant') start = index;
  }
  return start;
}

/** Tokens of the lines from an index on. */
export const costFrom = (lines: readonly TranscriptEntry[], from: number): number =>
  lines.slice(from).reduce((sum, line) => sum + costOf(line), 0);
