import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command, ParsedScript } from 'unbash';
import { argumentsObjection, isWalk } from './allow-options.ts';
import { type OpenPlaces, pathObjection } from './allow-paths.ts';
import { redirections } from './allow-redirects.ts';
import { expandWord, knownText, quoted, type Refused, type WordWorld, type Written } from './allow-words.ts';
import type { ReadOnlyCommand } from './read-only-row.ts';
import { readOnlyCommands, readOnlyNames } from './read-only-table.ts';

/** What simple commands are judged with. */
export interface CommandWorld {
  /** Folder in which the commands start. */
  base: string;
  places: OpenPlaces;
  /** The one `cd` that was looked at beforehand: the first command of the line. */
  entered: Command | null;
  /** Collects the folders in which git starts. */
  git: string[];
  script(script: ParsedScript, world: CommandWorld): Promise<string | Refused>;
}

type Start = Pick<CommandWorld, 'base' | 'places' | 'entered'>;

/**
 * Where the line works: in the session's folder, or where its first command goes with `cd`. A `cd` further on
 * would leave open where relative paths lead, so that is the only one.
 */
export async function enterFolder(script: ParsedScript, places: OpenPlaces): Promise<Start | Refused> {
  const start = { base: places.cwd, places: withFolder(places, places.cwd), entered: null };
  const command = script.commands[0]?.command;
  const isChain = command?.type === 'AndOr' && command.operators[0] === '&&';
  const first = isChain ? command.commands[0] : command;
  if (first?.type !== 'Command' || first.name?.text !== 'cd' || first.suffix.length !== 1) return start;
  const [word] = first.args;
  if (word?.type !== 'Word' || first.prefix.length > 0) return start;
  const given = await knownText(word, {
    ...start,
    script: async () => ({ refused: 'its folder is not known' }),
  });
  if (typeof given !== 'string') return given;
  const base = resolve(places.cwd, given);
  const objection = await pathObjection(given, 'name', places.cwd, places);
  if (objection !== null) return { refused: objection };
  const isFolder = given !== '' && !given.startsWith('-') && (await isDirectory(base));
  if (!isFolder) return { refused: `${given} is not a folder` };
  return { base, places: withFolder(places, base), entered: first };
}

const withFolder = (places: OpenPlaces, base: string): OpenPlaces => ({
  ...places,
  env: { ...places.env, PWD: base },
});

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** One simple command, written anew, or why it is not read-only. */
export async function simpleCommand(command: Command, world: CommandWorld): Promise<string | Refused> {
  if (command === world.entered) return `{ cd ${quoted(world.base)} || exit; }`;
  const words = await wordsOf(command, wordWorld(world, world.base));
  if ('refused' in words) return words;
  const [name, ...args] = words;
  if (name?.text !== 'git') return plainCommand(name?.text ?? null, args, command, world);
  return gitCommand(args, command, world);
}

/** The same for the words of a command. */
export const wordWorld = (world: CommandWorld, base: string): WordWorld => ({
  base,
  places: world.places,
  script: (script) => world.script(script, world),
});

async function wordsOf(command: Command, world: WordWorld): Promise<Written[] | Refused> {
  const assigned = [...command.prefix, ...command.suffix].some(({ type }) => type === 'Assignment');
  if (assigned) return { refused: 'setting variables is not judged' };
  if (command.name === undefined) return { refused: 'a redirect without a command is not judged' };
  const words: Written[] = [];
  for (const word of [command.name, ...command.args]) {
    const found =
      word.type === 'Word' ? await expandWord(word, world) : { refused: 'setting variables is not judged' };
    if ('refused' in found) return found;
    words.push(...found);
  }
  return words;
}

async function plainCommand(
  name: string | null,
  args: readonly Written[],
  command: Command,
  world: CommandWorld,
): Promise<string | Refused> {
  const row = readOnlyCommands.find((candidate) => candidate.name === name);
  if (name === 'cd') return { refused: '`cd <folder>` is taken only as the first command of the line' };
  if (row === undefined || name === null) return unlisted(name);
  return written([quoted(name)], row, args, command, world, world.base);
}

async function gitCommand(
  words: readonly Written[],
  command: Command,
  world: CommandWorld,
): Promise<string | Refused> {
  const globals: string[] = [];
  let base = world.base;
  let at = 0;
  for (; words[at]?.text?.startsWith('-') === true; at++) {
    const option = words[at]?.text;
    if (option === '--no-pager') continue;
    const folder = words[at + 1]?.text;
    if (option !== '-C' || typeof folder !== 'string') return { refused: `\`git ${option}\` is not judged` };
    const objection = await pathObjection(folder, 'name', base, world.places);
    if (objection !== null) return { refused: objection };
    base = resolve(base, folder);
    globals.push('-C', quoted(folder));
    at++;
  }
  const name = `git ${words[at]?.text ?? ''}`;
  const row = readOnlyCommands.find((candidate) => candidate.name === name);
  if (row === undefined) return unlisted(name);
  world.git.push(base);
  return written(
    ['git', ...globals, quoted(words[at]?.text ?? '')],
    row,
    words.slice(at + 1),
    command,
    world,
    base,
  );
}

const unlisted = (name: string | null): Refused => ({
  refused: `\`${name ?? '$(…)'}\` is not one of the read-only commands: ${readOnlyNames()}`,
});

async function written(
  start: readonly string[],
  row: ReadOnlyCommand,
  args: readonly Written[],
  command: Command,
  world: CommandWorld,
  base: string,
): Promise<string | Refused> {
  const texts = args.map(({ text }) => text);
  const objection = argumentsObjection(row, texts) ?? (await placesObjection(row, texts, base, world.places));
  if (objection !== null) return { refused: objection };
  const redirects = await redirections(command.redirects, wordWorld(world, world.base));
  if (typeof redirects !== 'string') return redirects;
  const line = [...start, ...(row.adds ?? []), ...args.map(({ source }) => source)].join(' ');
  return `${line}${redirects}`;
}

/** A command that takes any words opens none of them. */
async function placesObjection(
  row: ReadOnlyCommand,
  texts: readonly (string | null)[],
  base: string,
  places: OpenPlaces,
): Promise<string | null> {
  if (row.unknownWords !== undefined) return null;
  const use = isWalk(row, texts) ? 'walk' : 'name';
  for (const text of use === 'walk' ? ['.', ...texts] : texts) {
    const objection = text === null ? null : await pathObjection(text, use, base, places);
    if (objection !== null) return objection;
  }
  return null;
}
