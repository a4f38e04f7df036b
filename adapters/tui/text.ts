import stringWidth from 'string-width';

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

/*
 * Everything a terminal may act on: C0 but newline and tab, DEL, C1, bidi marks, embeddings and isolates,
 * line and paragraph separators, zero-width characters that hide text. Both joiners stay, for emoji and
 * for scripts that need them.
 */
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- naming control characters is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;
/** Tag characters are legitimate only in a flag. */
const tags = /\u{1f3f4}[\u{e0020}-\u{e007f}]+|[\u{e0000}-\u{e007f}]/gu;

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * Content of a model, tool, file, title, path or note with every control byte made visible (D39), so that
 * it can neither move the cursor nor turn text around. Newlines stay, `\r\n` becomes one, tabs become spaces.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/gu, '\n')
    .replace(hidden, show)
    .replace(tags, (found) => (found.length > 2 ? found : show(found)))
    .replace(/\t/gu, '    ');
}

/** The same on one line: line ends and runs of white space become one space. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/gu, ' ').trim();
}

/** As many leading graphemes as fit into `cells`, and what is left. */
export function takeCells(text: string, cells: number): { head: string; rest: string } {
  if (printableAscii.test(text)) return { head: text.slice(0, cells), rest: text.slice(cells) };
  let used = 0;
  let end = 0;
  for (const part of graphemes(text)) {
    used += width(part);
    if (used > cells) break;
    end += part.length;
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
