import { nearestLine } from './nearest.ts';
import { counted, cutLine, linesOf } from './text.ts';

export interface Edit {
  old_text: string;
  new_text: string;
  all?: boolean | undefined;
}

/** The text after an edit and the lines (from 1) where it begins, or why it can't be made. */
export type Edited = { text: string; lines: readonly number[] } | { cause: string };

/**
 * Replaces an exact piece of text; every other byte stays. A file with CRLF ends only is edited with
 * CRLF, since the model is shown its lines without their ends.
 */
export function editText(text: string, edit: Edit): Edited {
  const old = asInFile(text, edit.old_text);
  if (old === '') return { cause: 'old_text is empty. Give the piece to replace, or use write_file' };
  if (edit.old_text === edit.new_text) return { cause: 'old_text and new_text are the same' };
  const lines = placesOf(text, old).map((place) => lineAt(text, place));
  if (lines.length === 0) return { cause: missed(text, edit.old_text) };
  if (lines.length > 1 && edit.all !== true) {
    const where = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ' …' : '');
    return {
      cause:
        `old_text occurs ${lines.length} times (lines ${where}). ` +
        'Give more of the text around it, or all: true to replace every one',
    };
  }
  return { text: text.split(old).join(asInFile(text, edit.new_text)), lines };
}

function asInFile(text: string, piece: string): string {
  const crlfOnly = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return crlfOnly && !piece.includes('\r') ? piece.replaceAll('\n', '\r\n') : piece;
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at);
  return places;
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;

function missed(text: string, old: string): string {
  const lines = linesOf(text);
  const near = nearestLine(lines, old);
  const start = `old_text is not in the file (${counted(lines.length, 'line')})`;
  if (near === null) return `${start}. Read the file again and copy the piece exactly`;
  return `${start}. The nearest is line ${near.number}: ${cutLine(near.text, 200)}\nRead it again and copy it exactly, with its white space`;
}
