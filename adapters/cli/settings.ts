import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ProjectSlug } from '../../machines/index.ts';
import { type ModelChoice, parseModelChoice } from '../llm/choice.ts';
import { realFolder } from './folders.ts';

/** What the command line and the environment ask for, checked. */
export interface Settings {
  command: 'tui' | 'run' | 'status';
  prompt: string;
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
  /** `status` prints JSON. */
  json: boolean;
  /** Where `home` comes from, for people: `--home`, `OPENCRABS_HOME` or the default. */
  homeFrom: string;
  session: string | null;
  fresh: boolean;
  model: ModelChoice;
  yolo: boolean;
  openai: { baseUrl: string | null; apiKey: string | null };
  /** A key or address without a model: rehearsal goes on, and says how to choose (D54). */
  hint: string | null;
}

export interface Process {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  userHome: string;
}

const options = {
  cwd: { type: 'string' },
  home: { type: 'string' },
  session: { type: 'string' },
  profile: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
  new: { type: 'boolean' },
  model: { type: 'string' },
  yolo: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
type Fault = { error: string };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Flag, then environment, then default (D4). `error` is one line for people. Contract: never throws. */
export function readSettings(invoked: Process): Settings | Fault {
  const { argv, env, cwd } = invoked;
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
  const chosen = values.model ?? nonEmpty(env['PLANCHART_MODEL']);
  // What only other commands need is not checked for a look at the sessions.
  const model = parseModelChoice(command.command === 'status' ? 'rehearsal' : (chosen ?? 'rehearsal'));
  if ('error' in model) return model;
  const openai = {
    baseUrl: nonEmpty(env['OPENAI_BASE_URL']) ?? null,
    apiKey: nonEmpty(env['OPENAI_API_KEY']) ?? null,
  };
  return {
    ...command,
    ...home,
    cwd: folder.path,
    cwdGiven: values.cwd !== undefined,
    project: values.project ?? null,
    json: values.json ?? false,
    session: values.session ?? null,
    fresh: values.new ?? false,
    model,
    yolo: values.yolo ?? false,
    openai,
    hint: chosen === undefined ? keyHint(openai) : null,
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

function commandOf([command, ...rest]: readonly string[]): Pick<Settings, 'command' | 'prompt'> | Fault {
  if (command === undefined) return { command: 'tui', prompt: '' };
  if (command === 'run') {
    if (rest.length !== 1 || rest[0]?.trim() === '')
      return { error: 'run needs one prompt: planchart run "<prompt>".' };
    return { command: 'run', prompt: rest[0] ?? '' };
  }
  if (command !== 'status') return { error: `Unknown command ${quoted(command)}. See planchart --help.` };
  if (rest.length > 0) return { error: `status takes no argument, but got ${quoted(rest[0] ?? '')}.` };
  return { command: 'status', prompt: '' };
}

function wrongValue(values: Values): string | null {
  for (const [flag, value] of Object.entries(values)) {
    if (typeof value === 'string' && value.trim() === '') return `--${flag} needs a value.`;
  }
  if (values.session === undefined) return null;
  if (values.new === true) return 'Give either --session or --new, not both.';
  return uuid.test(values.session)
    ? null
    : `--session ${quoted(values.session)} is not a session id. planchart status lists the sessions of this home.`;
}

/** An option that would do nothing is a mistake, not a wish to ignore. */
function misplaced(command: Settings['command'], values: Values): string | null {
  const other =
    command === 'status' ? (['cwd', 'new', 'model', 'yolo', 'project'] as const) : (['json'] as const);
  const unused = other.find((flag) => values[flag] !== undefined);
  if (unused === undefined) return null;
  return unused === 'json'
    ? '--json goes with status only. See planchart --help.'
    : `--${unused} does not go with status. See planchart --help.`;
}

/** `--home`, `OPENCRABS_HOME`, `~/.opencrabs`; in it the folder of the profile, if one is named (D4). */
function homeOf(
  values: Values,
  { env, cwd, userHome }: Process,
): Pick<Settings, 'home' | 'root' | 'homeFrom'> | Fault {
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

function keyHint({ baseUrl, apiKey }: Settings['openai']): string | null {
  if (baseUrl === null && apiKey === null) return null;
  return 'OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is chosen: use --model openai:<model>. Rehearsing meanwhile.';
}

/** A value as it was given, on one line and no longer than a line. */
export function quoted(value: string): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value;
