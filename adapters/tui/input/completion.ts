/** Something that a word can become: `text` stands in the input then, `detail` is for people. */
export interface Choice {
  text: string;
  label: string;
  detail: string;
}

/** The word before the cursor that can be completed; `from` is where it begins, a UTF-16 offset. */
export type Token =
  | { kind: 'command'; from: number; typed: string }
  | { kind: 'file'; from: number; typed: string; quoted: 'quoted' | 'bare' };

/**
 * An open list of choices. `input` is the whole text that it belongs to: with any other text it is over. `from` and
 * `to` enclose what a choice replaces; `at` is the one that stands in the input, -1 while none was taken.
 */
export interface Completion {
  input: string;
  from: number;
  to: number;
  choices: readonly Choice[];
  at: number;
}

/** What completing comes to: the new text between `from` and `to`, and the list that stays open. */
export interface Completed {
  from: number;
  to: number;
  text: string;
  completion: Completion | null;
}

const commandStart = /^\/[^\s/]*$/u;
const fileStart = /(?<=^|\s)@(?:"([^"\n]*)|([^\s"]*))$/u;

/** A command begins the text; a file is named by `@` and its path, in quotes where that has spaces. */
export function tokenAt(text: string, cursor: number): Token | null {
  const before = text.slice(0, cursor);
  if (commandStart.test(before)) return { kind: 'command', from: 0, typed: before };
  const found = fileStart.exec(before);
  if (found === null) return null;
  const [, quoted, bare = ''] = found;
  return quoted === undefined
    ? { kind: 'file', from: found.index, typed: bare, quoted: 'bare' }
    : { kind: 'file', from: found.index, typed: quoted, quoted: 'quoted' };
}

/** How a path of a file, or of a folder with `/` at its end, is written after `@`; `detail` is where it lies. */
export function fileChoice(path: string, quoted: 'quoted' | 'bare', detail = ''): Choice {
  const folder = path.endsWith('/');
  const label = path.slice(path.slice(0, -1).lastIndexOf('/') + 1);
  if (quoted === 'bare' && !/\s/u.test(path)) {
    return { text: `@${path}${folder ? '' : ' '}`, label, detail };
  }
  return { text: `@"${path}${folder ? '' : '" '}`, label, detail };
}

function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  // Half of a surrogate pair is no text.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/u, '');
}

/** Completes as far as all choices agree that go on from what is typed, if any do; more than one stay open as a list. */
export function complete(text: string, cursor: number, from: number, choices: readonly Choice[]): Completed {
  const typed = text.slice(from, cursor);
  const texts = choices.map((choice) => choice.text);
  const going = texts.filter((one) => one.startsWith(typed));
  const common = commonStart(going.length > 0 ? going : texts);
  const longer = common.length > typed.length ? common : typed;
  const input = text.slice(0, from) + longer + text.slice(cursor);
  const completion = { input, from, to: from + longer.length, choices, at: -1 };
  return { from, to: cursor, text: longer, completion: choices.length === 1 ? null : completion };
}

/** The next choice of an open list, or the one before, round and round. */
export function turned(open: Completion, step: 1 | -1): Completed {
  const { input, from, to, choices } = open;
  const size = choices.length;
  const at = open.at === -1 && step === -1 ? size - 1 : (open.at + step + size) % size;
  const text = choices[at]?.text ?? '';
  const next = input.slice(0, from) + text + input.slice(to);
  return { from, to, text, completion: { input: next, from, to: from + text.length, choices, at } };
}
