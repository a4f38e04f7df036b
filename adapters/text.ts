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
 * it can neither move the cursor nor turn text around. Newlines and tabs stay, `\r\n` becomes a newline.
 */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/gu, '\n')
    .replace(hidden, show)
    .replace(tags, (found) => (found.length > 2 ? found : show(found)));
}

/** The same for text whose cells are counted: tabs become spaces. */
export function visible(text: string): string {
  return harmless(text).replace(/\t/gu, '    ');
}

/** The same on one line: line ends and runs of white space become one space. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/gu, ' ').trim();
}

// eslint-disable-next-line no-control-regex -- what no text needs
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** The text of a file that goes to the model: one kind of line end, no control bytes, the rest as `harmless`. */
export const withoutControls = (text: string): string =>
  harmless(text.replace(/\r\n?/gu, '\n').replace(control, ''));
