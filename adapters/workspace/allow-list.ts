import {
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  parse,
  type PipelineNode,
  type Statement,
} from 'unbash';
import { type CommandWorld, enterFolder, simpleCommand, wordWorld } from './allow-command.ts';
import type { OpenPlaces } from './allow-paths.ts';
import { redirections } from './allow-redirects.ts';
import type { Refused } from './allow-words.ts';

/**
 * `line` is the command written anew from what was judged, every word quoted: bash runs this and not the
 * text of the model, so that nothing depends on both reading it alike. `git` names the folders in which git
 * starts. `text` is one sentence without its end.
 */
export type Judged =
  | { allowed: true; line: string; git: readonly string[] }
  | { allowed: false; text: string };

const lengthLimit = 10_000;

/**
 * Whether a command line only reads, by the table of `read-only-table.ts` over a real parse: every simple
 * command in it has to be there (B24), with options that write nothing (B26), without redirects into files
 * (B29). What is not understood is refused. Contract: never throws on any text.
 */
export async function judgeCommand(command: string, places: OpenPlaces): Promise<Judged> {
  if (command.length > lengthLimit) return { allowed: false, text: 'the command is too long to be judged' };
  const script = parse(command);
  const start = await enterFolder(script, places);
  if ('refused' in start) return { allowed: false, text: start.refused };
  const git: string[] = [];
  const line = await scriptLine(script, {
    ...start,
    git,
    script: (inner, world) => scriptLine(inner, world),
  });
  return typeof line === 'string' ? { allowed: true, line, git } : { allowed: false, text: line.refused };
}

type Line = string | Refused;

async function scriptLine(script: ParsedScript, world: CommandWorld): Promise<Line> {
  const [error] = script.errors ?? [];
  if (error !== undefined) return { refused: `the shell syntax can't be parsed: ${error.message}` };
  if (script.commands.length === 0) return { refused: 'there is no command in it' };
  return statements(script.commands, world);
}

async function statements(commands: readonly Statement[], world: CommandWorld): Promise<Line> {
  const lines = await each(commands, (statement) => {
    if (statement.background === true) return { refused: 'a command in the background (`&`) is not judged' };
    const { command } = statement;
    if (command.type !== 'AndOr') return pipeline(command, world);
    return joined(command.commands, command.operators, (part) => pipeline(part, world));
  });
  return Array.isArray(lines) ? lines.join('\n') : lines;
}

async function pipeline(node: PipelineNode, world: CommandWorld): Promise<Line> {
  if (node.type !== 'Pipeline') return commandLine(node, world);
  if (node.prefixes.some(({ type }) => type === 'Time')) return { refused: '`time` is not judged' };
  const line = await joined(node.commands, node.operators, (part) => commandLine(part, world));
  return typeof line === 'string' ? `${'! '.repeat(node.prefixes.length)}${line}` : line;
}

async function commandLine(node: CommandNode, world: CommandWorld): Promise<Line> {
  switch (node.type) {
    case 'Command':
      return simpleCommand(node, world);
    case 'Redirected': {
      const line = await commandLine(node.command, world);
      const more = await redirections(node.redirects, wordWorld(world, world.base));
      if (typeof line !== 'string' || typeof more !== 'string') return typeof line === 'string' ? more : line;
      return `${line}${more}`;
    }
    case 'Subshell':
      return block(['(', ')'], [node.body], world);
    case 'BraceGroup':
      return block(['{', '}'], [node.body], world);
    case 'If': {
      const more = node.elif.flatMap(({ clause, then }) => [clause, then]);
      const words = ['if', 'then', ...node.elif.flatMap(() => ['elif', 'then'])];
      if (node.else === undefined) return block([...words, 'fi'], [node.clause, node.then, ...more], world);
      return block([...words, 'else', 'fi'], [node.clause, node.then, ...more, node.else], world);
    }
    default:
      return { refused: `${names[node.type]} is not judged; write the commands out` };
  }
}

const names = {
  For: '`for`',
  ArithmeticFor: '`for`',
  Select: '`select`',
  While: '`while` or `until`',
  Case: '`case`',
  Function: 'a function',
  Coproc: '`coproc`',
  TestCommand: '`[[ ]]`',
  ArithmeticCommand: '`(( ))`',
} as const;

/** Lists between words: one word more than lists. */
async function block(
  words: readonly string[],
  lists: readonly CompoundList[],
  world: CommandWorld,
): Promise<Line> {
  const lines = await each(lists, ({ commands }) =>
    commands.length === 0 ? { refused: 'a part of the command is empty' } : statements(commands, world),
  );
  if (!Array.isArray(lines)) return lines;
  return [...lines.flatMap((line, at) => [words[at] ?? '', line]), words.at(-1)].join('\n');
}

async function joined<T>(
  nodes: readonly T[],
  operators: readonly string[],
  write: (node: T) => Promise<Line>,
): Promise<Line> {
  const lines = await each(nodes, write);
  if (!Array.isArray(lines)) return lines;
  return lines.map((line, at) => (at === 0 ? line : `${operators[at - 1]} ${line}`)).join(' ');
}

/** One line for each, or the first refusal. */
async function each<T>(
  nodes: readonly T[],
  write: (node: T) => Line | Promise<Line>,
): Promise<string[] | Refused> {
  const lines: string[] = [];
  for (const node of nodes) {
    const line = await write(node);
    if (typeof line !== 'string') return line;
    lines.push(line);
  }
  return lines;
}
