import { lineHash } from './line-hash.ts';
import { counted, cutLine } from './text.ts';

/** One edit at a line (from 1) that was read with this hash. Exactly one of the three says what becomes of it. */
export interface LineEdit {
  line: number;
  hash: string;
  /** Takes the line's place; may hold several lines. */
  new_text?: string | undefined;
  delete?: boolean | undefined;
  /** Goes behind the line, which stays; behind line 0 is the beginning. */
  insert_after?: string | undefined;
}

/** A line as it stands in the file: its text, and its end, empty for a last line without one. */
interface Line {
  text: string;
  end: string;
}

/**
 * The text after all edits, or why none can be made. The numbers are those of the text as it was read, whatever
 * the other edits add or remove; a line that changed since is named with its present content. Every other
 * byte stays: byte order mark, line ends, a missing end of the last line.
 */
export function editLines(text: string, edits: readonly LineEdit[]): { text: string } | { cause: string } {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = split(text.slice(mark.length));
  const faults = edits.flatMap((edit) => faultOf(edit, lines) ?? []);
  if (edits.length === 0) faults.push('edits is empty');
  faults.push(...doubles(edits));
  if (faults.length > 0) return { cause: faults.join('\n') };
  return { text: mark + apply(lines, edits) };
}

function split(text: string): Line[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n)|[^\n]+$/g)].map(([whole, line, end]) =>
    line === undefined || end === undefined ? { text: whole, end: '' } : { text: line, end },
  );
}

function faultOf(edit: LineEdit, lines: readonly Line[]): string | null {
  const { line: number, hash } = edit;
  const acts = [edit.new_text !== undefined, edit.delete === true, edit.insert_after !== undefined];
  if (acts.filter(Boolean).length !== 1) {
    return `line ${number}: give exactly one of new_text, delete: true and insert_after`;
  }
  if (number === 0) return edit.insert_after === undefined ? 'line 0 takes insert_after only' : null;
  const line = lines[number - 1];
  if (line === undefined)
    return `line ${number} is not there any more: the file has ${counted(lines.length, 'line')}`;
  const now = lineHash(line.text);
  if (now === hash.toLowerCase()) return null;
  return `line ${number} has the hash ${now}, not ${hash}, and is now: ${cutLine(line.text, 200)}${moved(lines, edit)}`;
}

/** Where the line went that was meant, if it is still there once. */
function moved(lines: readonly Line[], { hash }: LineEdit): string {
  const places = lines.flatMap(({ text }, at) => (lineHash(text) === hash.toLowerCase() ? [at + 1] : []));
  return places.length === 1 ? ` (the line with the hash ${hash} is now line ${places[0]})` : '';
}

/** A line is replaced or deleted once, and one text goes behind it: of two nobody knows which comes first. */
function doubles(edits: readonly LineEdit[]): string[] {
  const keys = edits.map(
    ({ line, insert_after }) => `${line} ${insert_after === undefined ? 'change' : 'insert'}`,
  );
  const repeated = keys.filter((key, at) => keys.indexOf(key) !== at);
  return [...new Set(repeated)].map(
    (key) => `line ${key.split(' ')[0]} is addressed twice; put it into one edit`,
  );
}

function apply(lines: readonly Line[], edits: readonly LineEdit[]): string {
  const usual = lines.find(({ end }) => end !== '')?.end ?? '\n';
  const changed: Line[] = [];
  for (let number = 0; number <= lines.length; number++) {
    const at = edits.filter(({ line }) => line === number);
    const line = lines[number - 1];
    const change = at.find(({ insert_after }) => insert_after === undefined);
    if (change?.new_text !== undefined) changed.push(...linesIn(change.new_text, line?.end || usual));
    else if (line !== undefined && change === undefined) changed.push(line);
    const added = at.find(({ insert_after }) => insert_after !== undefined)?.insert_after;
    if (added !== undefined) changed.push(...linesIn(added, line?.end || usual));
  }
  // Only the last line may lack its end, and does if it did before.
  const isOpen = lines.at(-1)?.end === '';
  return changed
    .map(({ text, end }, at) => (at === changed.length - 1 && isOpen ? text : text + (end || usual)))
    .join('');
}

/** The lines of a text that a model wrote: an end at its end opens no further line. */
const linesIn = (text: string, end: string): Line[] =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => ({ text: line, end }));
