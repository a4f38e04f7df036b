import { dim, span, type Line, type Span } from '../lines.ts';
import { visible } from '../text.ts';
import { wrapRows } from '../wrap.ts';

/** A row of the source view and the line of the file it belongs to, 1-based. */
export interface SourceRow {
  line: number;
  /** The first row of its line. */
  first: boolean;
  spans: Line;
}

type LineKind = 'heading' | 'code' | 'text';

const fence = /^ {0,3}(`{3,}|~{3,})/u;

function kinds(lines: readonly string[]): LineKind[] {
  let open: string | null = null;
  return lines.map((line) => {
    const mark = fence.exec(line)?.[1] ?? null;
    if (open !== null) {
      if (mark !== null && mark[0] === open[0] && mark.length >= open.length) open = null;
      return 'code';
    }
    if (mark !== null) {
      open = mark;
      return 'code';
    }
    return /^#{1,6}\s/u.test(line) ? 'heading' : 'text';
  });
}

/** Marks `**bold**` and `` `code` `` inside one row and keeps every character of the source. */
function inline(text: string): Span[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/u)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**') && part.length > 4) return span(part, { bold: true });
      if (part.startsWith('`') && part.length > 2) return span(part, { colour: 'cyan' });
      return span(part);
    });
}

function styled(text: string, kind: LineKind): Line {
  if (kind === 'heading') return [span(text, { bold: true, colour: 'cyan' })];
  return kind === 'code' ? [dim(text)] : inline(text);
}

/**
 * A document in its own words, wrapped at `cells` and lightly styled, so that what is approved is what
 * stands on the screen (D46). Control bytes are made visible (D39).
 */
export function sourceRows(text: string, cells: number): SourceRow[] {
  const lines = visible(text).replace(/\n$/u, '').split('\n');
  const kind = kinds(lines);
  return lines.flatMap((line, index) =>
    wrapRows(line, cells).map((row, part) => ({
      line: index + 1,
      first: part === 0,
      spans: styled(line.slice(row.start, row.end).trimEnd(), kind[index] ?? 'text'),
    })),
  );
}
