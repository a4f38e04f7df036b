import type { Options, ReadOnlyCommand, Words } from './read-only-row.ts';

/** Words of one command after its name, as the program gets them; null is one that is not known beforehand. */
export type Arguments = readonly (string | null)[];

/** Why a row of the table does not let these arguments through, or null. Pure. */
export function argumentsObjection(row: ReadOnlyCommand, args: Arguments): string | null {
  if (args.includes(null) && !takesUnknown(row, args)) {
    return `\`${row.name}\` can't take the output of a command as a word: nobody knows it beforehand`;
  }
  const words = args.filter((word) => word !== null);
  const split =
    'but' in row.options ? butSplit(row.options.but, words) : onlySplit(row, row.options.only, words);
  if ('refused' in split) return `\`${row.name}\` is not read-only with \`${split.refused}\``;
  if (row.words?.first !== undefined && !isFirst(row.words.first, words)) {
    return `only \`${row.name} ${row.words.first.of.join(' | ')}\` is read-only`;
  }
  return wordsObjection(row, split);
}

function takesUnknown({ unknownWords }: ReadOnlyCommand, [first]: Arguments): boolean {
  if (unknownWords === 'afterFirst') return typeof first === 'string' && !first.startsWith('-');
  return unknownWords === 'all';
}

/** Whether a command walks through whole folders with these arguments. */
export function isWalk({ walks }: ReadOnlyCommand, args: Arguments): boolean {
  if (walks === undefined || walks === 'always') return walks === 'always';
  return args.some((word) => word !== null && names(walks, word));
}

interface Split {
  options: readonly string[];
  operands: readonly string[];
}

/**
 * Everything that begins with a dash is an option here, behind `--` too: `--` may itself be the value of an
 * option, and then what follows is none the less one.
 */
function butSplit(but: readonly string[], words: readonly string[]): Split | { refused: string } {
  const options = words.filter((word) => word.length > 1 && word.startsWith('-'));
  const refused = options.find((word) => names(but, word));
  if (refused !== undefined) return { refused };
  return { options, operands: words.filter((word) => !options.includes(word)) };
}

/** Letters count anywhere in a group (`-ro`), and long names also when they are shortened (`--out`). */
function names(listed: readonly string[], word: string): boolean {
  if (word.startsWith('--')) {
    const name = longName(word);
    return name.length > 2 && listed.some((option) => option.startsWith(name));
  }
  if (!word.startsWith('-')) return false;
  return listed.some((option) => option.length === 2 && word.includes(option.slice(1)));
}

const longName = (word: string): string => word.split('=', 1)[0] ?? word;

/**
 * Reads the words as the program does, since the values of options are known to be such. Where words are
 * counted no option may follow one: some programs take it for a further word then, others for an option.
 */
function onlySplit(
  { words: rules }: ReadOnlyCommand,
  only: readonly string[],
  words: readonly string[],
): Split | { refused: string } {
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { options, operands: [...operands, ...words.slice(at + 1)] };
    if (word.length < 2 || !word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const value = word.startsWith('--') ? longOption(only, word) : shortOptions(only, word);
    const isLate = rules !== undefined && rules.first === undefined && operands.length > 0;
    if (value === 'refused' || isLate) return { refused: isLate ? `${word} after other words` : word };
    options.push(longName(word));
    if (value === 'next') at++;
  }
  return { options, operands };
}

type Value = 'none' | 'next' | 'refused';

function longOption(only: readonly string[], word: string): Value {
  const name = longName(word);
  if (only.includes(`${name}=`)) return word === name ? 'next' : 'none';
  return only.includes(name) ? 'none' : 'refused';
}

function shortOptions(only: readonly string[], word: string): Value {
  if (only.includes(word)) return 'none';
  if (only.includes(`${word}=`)) return 'next';
  if (only.includes('-#') && /^-\d+$/.test(word)) return 'none';
  // A program with long words behind one dash knows no groups of letters.
  if (only.some((option) => /^-[^-]{2}/.test(option.replace(/[=?]$/, '')))) return 'refused';
  for (const [at, letter] of word.slice(1).split('').entries()) {
    const last = at === word.length - 2;
    if (only.includes(`-${letter}=`)) return last ? 'next' : 'none';
    if (only.includes(`-${letter}?`)) return 'none';
    if (!only.includes(`-${letter}`)) return 'refused';
  }
  return 'none';
}

function wordsObjection({ name, words = {} }: ReadOnlyCommand, { options, operands }: Split): string | null {
  const { most, begin, needs, never } = words;
  if (never !== undefined) {
    const found = [...options, ...operands].find((word) => new RegExp(never).test(word));
    if (found !== undefined) return `\`${name}\` is not read-only with ${JSON.stringify(found)}`;
  }
  if (most !== undefined && operands.length > most) return `\`${name}\` takes one word here, no more`;
  if (begin !== undefined && !operands.every((word) => word.startsWith(begin))) {
    return `the words of \`${name}\` have to begin with \`${begin}\``;
  }
  const due = needs !== undefined && (needs.when === 'always' || operands.length > 0);
  if (due && !options.some((option) => needs.of.includes(option))) {
    return `\`${name}\` is read-only with one of ${needs.of.join(', ')}`;
  }
  return null;
}

/** The word right behind the name: further on it could be taken for something else, by this or another git. */
function isFirst({ of, required }: NonNullable<Words['first']>, words: readonly string[]): boolean {
  if (!required && words.every((word) => word.startsWith('-') && word !== '--')) return true;
  return of.includes(words[0] ?? '');
}

/** The options of a row in words, for the docs. */
export function optionsInWords(options: Options): string {
  if ('but' in options) {
    return options.but.length === 0 ? 'all' : `all but ${options.but.join(', ')}`;
  }
  const plain = options.only.map((option) => option.replace(/[=?]$/, '').replace('-#', '-<number>'));
  return plain.length === 0 ? 'none' : plain.join(', ');
}
