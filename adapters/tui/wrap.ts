import { graphemes, width } from './text.ts';

/** One row of a wrapped text: `text.slice(start, end)`; a soft break keeps its spaces on the row. */
export interface Row {
  start: number;
  end: number;
}

const printableAscii = /^[\x20-\x7e]*$/u;

/** How one grapheme is drawn; the identity unless the text is raw input. */
type Display = (grapheme: string) => string;

interface Scan {
  rows: Row[];
  start: number;
  used: number;
  /** Where the row may break: after the last space or wide character, and the cells up to there. */
  breakAt: number;
  breakUsed: number;
}

function breakRow(scan: Scan, position: number): void {
  const soft = scan.breakAt > scan.start;
  const end = soft ? scan.breakAt : position;
  scan.rows.push({ start: scan.start, end });
  scan.used = soft ? scan.used - scan.breakUsed : 0;
  scan.start = end;
  scan.breakUsed = 0;
}

function wrapLine(text: string, from: number, to: number, cells: number, display: Display): Row[] {
  const line = text.slice(from, to);
  if (line.length <= cells && printableAscii.test(line)) return [{ start: from, end: to }];
  const scan: Scan = { rows: [], start: from, used: 0, breakAt: from, breakUsed: 0 };
  let position = from;
  for (const part of graphemes(line)) {
    const size = width(display(part));
    if (scan.used + size > cells && position > scan.start) breakRow(scan, position);
    // A soft break can leave a tail that is still too wide together with this character.
    if (scan.used + size > cells && position > scan.start) breakRow(scan, position);
    position += part.length;
    scan.used += size;
    if (part === ' ' || size > 1) {
      scan.breakAt = position;
      scan.breakUsed = scan.used;
    }
  }
  scan.rows.push({ start: scan.start, end: to });
  return scan.rows;
}

/**
 * Wraps at `cells` terminal cells, after a space where there is one, else after a whole grapheme.
 * Every offset of the text lies in exactly one row, so that a cursor can be placed.
 */
export function wrapRows(text: string, cells: number, display: Display = (part) => part): Row[] {
  const rows: Row[] = [];
  const limit = Math.max(2, cells);
  let from = 0;
  for (;;) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    rows.push(...wrapLine(text, from, to, limit, display));
    if (end === -1) return rows;
    from = end + 1;
  }
}
