import { clip, takeCells, width } from './text.ts';

export type Colour = 'cyan' | 'green' | 'red' | 'yellow';

/** A run of text in one style. Colour is never the only carrier of a meaning. */
export interface Span {
  text: string;
  colour?: Colour;
  bold?: true;
  dim?: true;
  italic?: true;
  inverse?: true;
}

/** One row of the screen. Its text holds no control byte and no line end. */
export type Line = readonly Span[];

export function span(text: string, style: Omit<Span, 'text'> = {}): Span {
  return { text, ...style };
}

export function dim(text: string): Span {
  return { text, dim: true };
}

export function bold(text: string): Span {
  return { text, bold: true };
}

export function lineText(line: Line): string {
  return line.map((part) => part.text).join('');
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, part) => sum + width(part.text), 0);
}

/** Cuts a row to `cells`, with `…` when something is left out. */
export function clipLine(line: Line, cells: number): Line {
  if (lineWidth(line) <= cells) return line;
  const kept: Span[] = [];
  let left = cells;
  for (const part of line) {
    const size = width(part.text);
    if (size >= left) {
      kept.push({ ...part, text: size === left ? clip(`${part.text}\u2026`, left) : clip(part.text, left) });
      return kept;
    }
    kept.push(part);
    left -= size;
  }
  return kept;
}

/** Puts `right` at the right edge; it gives way when both do not fit. */
export function spread(left: Line, right: Line, cells: number): Line {
  const gap = cells - lineWidth(left) - lineWidth(right);
  if (gap < 2) return clipLine(left, cells);
  return [...left, { text: ' '.repeat(gap) }, ...right];
}

interface Token {
  span: Span;
  blank: boolean;
}

function tokens(spans: Line): Token[] {
  return spans.flatMap((part) =>
    part.text
      .split(/( +)/u)
      .filter((text) => text !== '')
      .map((text) => ({ span: { ...part, text }, blank: text.startsWith(' ') })),
  );
}

/** A word moves to the next row when it fits there and not here; a longer one is broken where it stands. */
function startsRow(word: string, here: number, whole: number): boolean {
  return takeCells(word, Math.max(0, here)).rest !== '' && takeCells(word, whole).rest === '';
}

/** Wraps styled text at `cells`; continued rows begin with `indent` and take no leading spaces. */
export function wrapLine(spans: Line, cells: number, indent: Line = []): Line[] {
  const rows: Span[][] = [];
  const inset = lineWidth(indent);
  let row: Span[] = [];
  let used = 0;
  const next = (): void => {
    rows.push(row);
    row = [...indent];
    used = inset;
  };
  for (const token of tokens(spans)) {
    const fresh = rows.length > 0 && used === inset;
    if (token.blank && (fresh || used + token.span.text.length > cells)) continue;
    if (!fresh && used > 0 && startsRow(token.span.text, cells - used, cells - inset)) next();
    let rest = token.span.text;
    for (;;) {
      const cut = takeCells(rest, Math.max(0, cells - used));
      // A character that is wider than a whole row is drawn anyway.
      const head = cut.head === '' && used <= inset ? rest : cut.head;
      if (head !== '') row.push({ ...token.span, text: head });
      rest = rest.slice(head.length);
      if (rest === '') {
        used += width(head);
        break;
      }
      next();
    }
  }
  rows.push(row);
  return rows;
}
