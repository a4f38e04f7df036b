import stringWidth from 'string-width';

export { visible, visibleLine } from '../text.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const printableAscii = /^[\x20-\x7e]*$/u;

/** The user-perceived characters of a text, in order. */
export function graphemes(text: string): string[] {
  if (printableAscii.test(text)) return [...text];
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Terminal cells of a text without control bytes: the one width rule of this surface (D39). */
export function width(text: string): number {
  return stringWidth(text);
}

/** As many leading graphemes as fit into `cells`, and what is left. */
export function takeCells(text: string, cells: number): { head: string; rest: string } {
  if (printableAscii.test(text)) return { head: text.slice(0, cells), rest: text.slice(cells) };
  let used = 0;
  let end = 0;
  // Only as much as fits is looked at: the rest may be long.
  for (const { segment } of segmenter.segment(text)) {
    used += width(segment);
    if (used > cells) break;
    end += segment.length;
  }
  return { head: text.slice(0, end), rest: text.slice(end) };
}

/** Cuts to at most `cells`, with `…` at the end when something is left out; never inside a grapheme. */
export function clip(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (cells <= 0) return '';
  return `${takeCells(text, cells - 1).head}\u2026`;
}

/** Cuts in the front instead, for paths: `…/deep/folder`. */
export function clipStart(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (cells <= 0) return '';
  let tail = '';
  for (const part of graphemes(text).reverse()) {
    if (width(part) + width(tail) > cells - 1) break;
    tail = part + tail;
  }
  return `\u2026${tail}`;
}

/** Pads with spaces up to `cells`. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - width(text)));
}
