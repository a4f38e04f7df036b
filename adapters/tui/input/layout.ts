import { graphemes, visible, width } from '../text.ts';
import { wrapRows, type Row } from '../wrap.ts';

/*
 * Input is kept as it was typed or pasted; only its picture has control bytes and tabs made visible. Rows
 * hold no line end, so a piece of one never does.
 */
const drawn = visible;

function rowsOf(text: string, cells: number): Row[] {
  return wrapRows(text, cells, drawn);
}

function rowIndex(rows: readonly Row[], offset: number): number {
  // At a soft break the cursor belongs to the row that begins there.
  const last = rows.findLastIndex((row) => row.start <= offset);
  return Math.max(0, last);
}

/** Where the cursor stands: row and column in terminal cells, and how many rows there are. */
export function cursorAt(text: string, cursor: number, cells: number) {
  const rows = rowsOf(text, cells);
  const row = rowIndex(rows, cursor);
  const start = rows[row]?.start ?? 0;
  return { row, column: width(drawn(text.slice(start, cursor))), rows: rows.length };
}

/** The offset at a row and column, never inside a grapheme; the row's end when it is shorter. */
export function offsetAt(text: string, row: number, column: number, cells: number): number {
  const rows = rowsOf(text, cells);
  const found = rows[row];
  if (found === undefined) return text.length;
  const soft = rows[row + 1]?.start === found.end;
  let offset = found.start;
  let used = 0;
  for (const part of graphemes(text.slice(found.start, found.end))) {
    used += width(drawn(part));
    if (used > column) break;
    if (soft && offset + part.length >= found.end) break;
    offset += part.length;
  }
  return offset;
}

/** At most `limit` rows around the cursor, as they are drawn, and the cursor inside them. */
export function inputWindow(text: string, cursor: number, cells: number, limit: number) {
  const rows = rowsOf(text, cells);
  const place = cursorAt(text, cursor, cells);
  const full = place.column >= cells ? 1 : 0;
  const shown = rows.map((row) => drawn(text.slice(row.start, row.end)));
  if (full === 1) shown.splice(place.row + 1, 0, '');
  const row = place.row + full;
  const top = Math.max(0, Math.min(row - limit + 1, shown.length - limit));
  return {
    rows: shown.slice(top, top + limit),
    row: row - top,
    column: full === 1 ? 0 : place.column,
    above: top,
    below: Math.max(0, shown.length - top - limit),
  };
}
