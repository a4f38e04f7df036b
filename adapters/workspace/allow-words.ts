import type { ParsedScript, Word, WordPart } from 'unbash';
import { expandGlob, type GlobPiece } from './allow-globs.ts';
import type { OpenPlaces } from './allow-paths.ts';

export type Refused = { refused: string };

/** A word written anew: `text` when it is known, `source` is what bash gets for it. */
export interface Written {
  text: string | null;
  source: string;
}

/** What words are expanded with: the folder they are in, and how the commands inside them are judged. */
export interface WordWorld {
  base: string;
  places: OpenPlaces;
  script(script: ParsedScript): Promise<string | Refused>;
}

type Piece = GlobPiece | { source: string; kind: 'output' | 'file' };

/** Bash takes nothing in such a word for anything but itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The words that one word of a command line stands for: variables, `~` and globs have the values that they
 * will have, so that what is judged is what the program gets. Only the output of a command stays unknown.
 */
export async function expandWord(word: Word, world: WordWorld): Promise<Written[] | Refused> {
  const pieces = await piecesOf(word, world);
  if ('refused' in pieces) return pieces;
  if (pieces.every(isGlobPiece)) {
    const texts = await textsOf(pieces, world);
    if ('refused' in texts) return texts;
    if (texts.some((text) => text.includes('\0'))) return { refused: 'a word holds a NUL character' };
    return texts.map((text) => ({ text, source: quoted(text) }));
  }
  const sources = pieces.map((piece) => sourceOf(piece));
  if (sources.includes(null)) return { refused: `${word.text} mixes a pattern with the output of a command` };
  const isFile = pieces.length === 1 && pieces.some((piece) => 'kind' in piece && piece.kind === 'file');
  // Bash gives the program a path below /dev/fd that holds the output and can't be anything else.
  return [{ text: isFile ? '/dev/stdin' : null, source: sources.join('') }];
}

/** A word without globs and commands, or why it isn't known beforehand. */
export async function knownText(word: Word | undefined, world: WordWorld): Promise<string | Refused> {
  if (word === undefined) return { refused: 'a word is missing' };
  const words = await expandWord(word, world);
  if ('refused' in words) return words;
  const [first] = words;
  if (first === undefined || words.length > 1 || first.text === null) {
    return { refused: `it is not known beforehand what ${word.text} stands for` };
  }
  return first.text;
}

const isGlobPiece = (piece: Piece): piece is GlobPiece => !('source' in piece);

function sourceOf(piece: Piece): string | null {
  if ('source' in piece) return piece.source;
  return 'text' in piece ? quoted(piece.text) : null;
}

async function textsOf(pieces: readonly GlobPiece[], { base }: WordWorld): Promise<string[] | Refused> {
  if (pieces.some((piece) => 'glob' in piece)) return expandGlob(pieces, base);
  return [pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')];
}

async function piecesOf(word: Word, world: WordWorld): Promise<Piece[] | Refused> {
  const parts = word.parts ?? [{ type: 'Literal', value: word.value, text: word.text, pos: 0, end: 0 }];
  const pieces: Piece[] = [];
  for (const [at, part] of parts.entries()) {
    const found = at === 0 ? withoutTilde(part, parts.length, world) : part;
    if ('refused' in found) return found;
    const piece = 'type' in found ? await pieceOf(found, 'bare', world) : [found];
    if ('refused' in piece) return piece;
    pieces.push(...piece);
  }
  return pieces;
}

/** `~` and `~/…` at the beginning, unquoted, are the user's folder. */
function withoutTilde(part: WordPart, count: number, { places }: WordWorld): WordPart | GlobPiece | Refused {
  if (part.type !== 'Literal' || !part.text.startsWith('~')) return part;
  const home = places.env['HOME'];
  const ends = part.value === '~' && count === 1;
  if (home === undefined || !(ends || part.value.startsWith('~/'))) {
    return { refused: `${part.text} can't be resolved here; write the path out` };
  }
  return { text: home + part.value.slice(1) };
}

async function pieceOf(
  part: WordPart,
  quotes: 'bare' | 'double',
  world: WordWorld,
): Promise<Piece[] | Refused> {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value }];
    case 'Glob':
      return [{ glob: part.text }];
    case 'DoubleQuoted':
      return doubleQuoted(part.parts, world);
    case 'SimpleExpansion':
      return variable(part.text.slice(1), world);
    case 'ParameterExpansion':
      if (part.prefix !== undefined || part.index !== undefined || part.operation !== undefined) break;
      return variable(part.parameter, world);
    case 'CommandExpansion':
      return substituted(part.script, quotes === 'double' ? '"$(|)"' : '$(|)', 'output', world);
    case 'ProcessSubstitution':
      if (part.operator === '>') break;
      return substituted(part.script, '<(|)', 'file', world);
    default:
  }
  return { refused: `${part.text} is not judged here; write out what it stands for` };
}

async function doubleQuoted(parts: readonly WordPart[], world: WordWorld): Promise<Piece[] | Refused> {
  // An empty one is a word too.
  const pieces: Piece[] = [{ text: '' }];
  for (const part of parts) {
    const found = await pieceOf(part, 'double', world);
    if ('refused' in found) return found;
    pieces.push(...found);
  }
  return pieces;
}

function variable(name: string, { places }: WordWorld): Piece[] | Refused {
  const text = Object.hasOwn(places.env, name) ? places.env[name] : undefined;
  if (text !== undefined) return [{ text }];
  return { refused: `it is not known beforehand what $${name} stands for; write its value out` };
}

async function substituted(
  script: ParsedScript | undefined,
  around: string,
  kind: 'output' | 'file',
  world: WordWorld,
): Promise<Piece[] | Refused> {
  if (script === undefined) return { refused: 'a command inside a word could not be parsed' };
  const line = await world.script(script);
  // With a line break: `$((` would be arithmetic, and a comment can't swallow the end.
  return typeof line === 'string' ? [{ source: around.split('|').join(`\n${line}\n`), kind }] : line;
}
