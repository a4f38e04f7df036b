import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { entryKinds, ProjectSlug } from '../../machines/index.ts';
import type { Config, Trust } from '../config/index.ts';
import type { ModelChoice } from '../llm/choice.ts';
import type { ModelSettings } from '../llm/index.ts';
import { realFolder } from './folders.ts';
import { type CommandName, misplaced, options, type Values } from './options.ts';
import type { HeadlessEntry } from './run.ts';

/** What the command line asks for, checked, with the folders that the environment names. */
export interface CommandLine {
  command: CommandName;
  /** Of `run`; empty unless it is an argument. */
  prompt: string;
  /** `stdin`: the prompt is `-`. `pipe`: there is none, so it has to come over a pipe or from a file. */
  promptFrom: 'argument' | 'stdin' | 'pipe';
  /** What `rename` calls its session. */
  name: string;
  /** Who starts what `run` runs (D2). */
  entry: HeadlessEntry;
  /** Folder that `trust` is about, or the journal of `replay`, as given; null: the working folder. */
  path: string | null;
  /** `trust` forgets an answer. */
  remove: boolean;
  /** Resolved, links followed. */
  cwd: string;
  /** `--cwd` was given; a session of another folder then is a mistake. */
  cwdGiven: boolean;
  /** Home of the profile in use, absolute; it may be missing or a file. */
  home: string;
  /** The root home, which profiles and projects share (D4). */
  root: string;
  /** Project to keep the plan files with; null: as the session has it. */
  project: string | null;
  /** `sessions`, `status`, `doctor` and `config` print JSON, `run` one event a line. */
  json: boolean;
  /** Where `home` comes from, for people: `--home`, `OPENCRABS_HOME` or the default. */
  homeFrom: string;
  session: string | null;
  /** The options that lead to the same home from any folder, as words of a shell. */
  again: readonly string[];
  fresh: boolean;
  /** `--model`, as given. */
  modelFlag: string | null;
  yolo: boolean;
  /** The terminal UI runs the Telegram bot beside it. */
  bot: boolean;
  /** Folder of `charts`, as given, and what is done with it (decision 0073). */
  charts: { out: string; act: 'write' | 'check' | 'open' | 'live' };
  /** `charts --live` and `replay` open their page in the browser. */
  open: boolean;
}

/** The command line and what config says where it is silent (D4). */
export interface Settings extends CommandLine {
  /** With its window and longest response in tokens, where config names them (D27); null: judged by the name. */
  model: ModelChoice & { context?: number | null; maxOutput?: number | null };
  servers: ModelSettings['servers'];
  shell: { network: 'none' | 'open'; timeoutSeconds: number };
  /** A key or address without a model: rehearsal goes on, and says how to choose (D54). */
  hint: string | null;
  config: Config;
  /** Folder whose settings, skills and commands count, and whether they are loaded (D53). */
  folder: ProjectFolder;
}

export interface ProjectFolder {
  /** Real path. */
  path: string;
  /** Its `.planchart`; null when it has none. */
  brings: string | null;
  trust: Trust;
}

export interface Process {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  userHome: string;
}

type Fault = { error: string };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `error` is one line for people. Contract: never throws. */
export function readCommandLine(invoked: Process): CommandLine | Fault {
  const { argv, cwd } = invoked;
  const parsed = parse(argv);
  if ('error' in parsed) return parsed;
  const { values, positionals } = parsed;
  const command = commandOf(positionals);
  if ('error' in command) return command;
  const home = homeOf(values, invoked);
  const wrong =
    wrongValue(values) ?? misplaced(command.command, values) ?? ('error' in home ? home.error : null);
  if (wrong !== null || 'error' in home) return { error: wrong ?? '' };
  const folder = realFolder(resolve(cwd, values.cwd ?? '.'));
  if ('cause' in folder)
    return { error: `--cwd ${quoted(values.cwd ?? '.')} can't be used: ${folder.cause}.` };
  return {
    ...command,
    ...home,
    cwd: folder.path,
    cwdGiven: values.cwd !== undefined,
    project: values.project ?? null,
    json: values.json ?? false,
    session: values.session ?? command.session,
    entry: entries.find((entry) => entry === values.entry) ?? 'run',
    again: againOf(values, home.root),
    fresh: values.new ?? false,
    modelFlag: values.model ?? null,
    yolo: values.yolo ?? false,
    bot: values.bot ?? false,
    remove: values.remove ?? false,
    charts: chartsOf(values),
    open: values.open ?? false,
  };
}

function parse(argv: readonly string[]): { values: Values; positionals: string[] } | Fault {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/u, 1);
    return { error: `${line}. See planchart --help.` };
  }
}

function chartsOf({ out = 'docs/charts', check, open, live }: Values): CommandLine['charts'] {
  if (live === true) return { out, act: 'live' };
  return { out, act: check === true ? 'check' : open === true ? 'open' : 'write' };
}

type Command = Pick<CommandLine, 'command' | 'prompt' | 'promptFrom' | 'path' | 'session' | 'name'>;

const plain = { prompt: '', promptFrom: 'argument', path: null, session: null, name: '' } as const;

function commandOf([command, ...rest]: readonly string[]): Command | Fault {
  const [first = null, second] = rest;
  switch (command) {
    case undefined:
      return { ...plain, command: 'tui' };
    case 'run':
      return runOf(rest);
    case 'trust':
      if (second === undefined) return { ...plain, command, path: first };
      return { error: `trust takes one folder, but got ${quoted(second)} too.` };
    case 'replay':
      return replayOf(rest);
    case 'sessions':
      return first === 'rename' ? renameOf(rest.slice(1)) : withoutArguments(command, first);
    case 'status':
    case 'doctor':
    case 'config':
    case 'bot':
    case 'charts':
      return withoutArguments(command, first);
    default:
      return { error: `Unknown command ${quoted(command)}. See planchart --help.` };
  }
}

function withoutArguments(command: CommandLine['command'], first: string | null): Command | Fault {
  if (first === null) return { ...plain, command };
  return { error: `${command} takes no argument, but got ${quoted(first)}.` };
}

/** Of a run without a prompt, `run` is told with the command line, since that is wrong usage. */
export const noPrompt = 'run needs one prompt: planchart run "<prompt>", or - and the prompt on stdin.';

function runOf(prompts: readonly string[]): Command | Fault {
  const [prompt, second] = prompts;
  if (second !== undefined || prompt?.trim() === '') return { error: noPrompt };
  if (prompt === undefined || prompt === '-')
    return { ...plain, command: 'run', promptFrom: prompt === undefined ? 'pipe' : 'stdin' };
  return { ...plain, command: 'run', prompt };
}

function renameOf([session, ...words]: readonly string[]): Command | Fault {
  const name = words.join(' ');
  if (session === undefined || name.trim() === '')
    return { error: 'sessions rename needs a session and a name: planchart sessions rename <id> <name>.' };
  return uuid.test(session) ? { ...plain, command: 'rename', session, name } : { error: noSession(session) };
}

/** A file, or a session of this home. */
function replayOf([journal, second]: readonly string[]): Command | Fault {
  if (journal === undefined || journal.trim() === '' || second !== undefined)
    return { error: 'replay takes one journal: planchart replay <file or session id>.' };
  const of = uuid.test(journal) ? { session: journal } : { path: journal };
  return { ...plain, command: 'replay', ...of };
}

const noSession = (given: string): string =>
  `${quoted(given)} is not a session id. planchart sessions lists the sessions of this home.`;

const entries = entryKinds.filter((entry) => entry !== 'interactive');

function wrongValue(values: Values): string | null {
  for (const [flag, value] of Object.entries(values)) {
    if (typeof value === 'string' && value.trim() === '') return `--${flag} needs a value.`;
  }
  if (values.entry !== undefined && !entries.some((entry) => entry === values.entry))
    return `--entry ${quoted(values.entry)} is none of ${entries.join(', ')}.`;
  if (values.check === true && values.open === true) return 'Give either --check or --open, not both.';
  if (values.session === undefined) return null;
  if (values.new === true) return 'Give either --session or --new, not both.';
  return uuid.test(values.session) ? null : `--session ${noSession(values.session)}`;
}

/** `--home`, `OPENCRABS_HOME`, `~/.opencrabs`; in it the folder of the profile, if one is named (D4). */
function homeOf(
  values: Values,
  { env, cwd, userHome }: Process,
): Pick<CommandLine, 'home' | 'root' | 'homeFrom'> | Fault {
  const fromEnv = nonEmpty(env['OPENCRABS_HOME']);
  const root = resolve(cwd, values.home ?? fromEnv ?? join(userHome, '.opencrabs'));
  const homeFrom =
    values.home !== undefined ? '--home' : fromEnv === undefined ? 'The home' : 'OPENCRABS_HOME';
  const profile = values.profile ?? nonEmpty(env['OPENCRABS_PROFILE']);
  for (const [flag, name] of Object.entries({ profile, project: values.project })) {
    if (name !== undefined && !ProjectSlug.safeParse(name).success) {
      return {
        error: `--${flag} ${quoted(name)} is not a name: use lower-case letters, digits, "-", "_" and ".".`,
      };
    }
  }
  if (profile === undefined || profile === 'default') return { home: root, root, homeFrom };
  return { home: join(root, 'profiles', profile), root, homeFrom };
}

/** What the environment named is still named there; what the command line named is not. */
function againOf({ home, profile }: Values, root: string): string[] {
  const word = (value: string): string =>
    /^[\w@%+=:,./-]+$/u.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
  return [
    ...(home === undefined ? [] : ['--home', word(root)]),
    ...(profile === undefined ? [] : ['--profile', word(profile)]),
  ];
}

/** A value as it was given, on one line and no longer than a line. */
export function quoted(value: string): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value;
