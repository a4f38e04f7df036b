import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ModelChoice, parseModelChoice } from '../llm/choice.ts';

/** What the command line and the environment ask for, checked. */
export interface Settings {
  command: 'tui' | 'run' | 'status';
  prompt: string;
  cwd: string;
  home: string;
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
  new: { type: 'boolean' },
  model: { type: 'string' },
  yolo: { type: 'boolean' },
} as const;

/** Flag, then environment, then default (D4). `error` is one line for people. Never throws. */
export function readSettings({ argv, env, cwd, userHome }: Process): Settings | { error: string } {
  const parsed = parse(argv);
  if ('error' in parsed) return parsed;
  const { values, positionals } = parsed;
  const command = commandOf(positionals);
  if ('error' in command) return command;
  const folder = resolve(cwd, values.cwd ?? '.');
  if (!isFolder(folder)) return { error: `--cwd ${values.cwd}: there is no such folder.` };
  const chosen = nonEmpty(values.model) ?? nonEmpty(env['PLANCHART_MODEL']);
  const model = parseModelChoice(chosen ?? 'rehearsal');
  if ('error' in model) return model;
  if (values.session !== undefined && values.new === true)
    return { error: 'Give either --session or --new, not both.' };
  for (const [flag, value] of Object.entries(values)) {
    if (value === '') return { error: `--${flag} needs a value.` };
  }
  const openai = {
    baseUrl: nonEmpty(env['OPENAI_BASE_URL']) ?? null,
    apiKey: nonEmpty(env['OPENAI_API_KEY']) ?? null,
  };
  return {
    ...command,
    cwd: folder,
    home: resolve(cwd, values.home ?? nonEmpty(env['OPENCRABS_HOME']) ?? join(userHome, '.opencrabs')),
    session: values.session ?? null,
    fresh: values.new ?? false,
    model,
    yolo: values.yolo ?? false,
    openai,
    hint: chosen === undefined ? keyHint(openai) : null,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/u, 1);
    return { error: `${line}. See planchart --help.` };
  }
}

function commandOf([command, ...rest]: readonly string[]):
  | Pick<Settings, 'command' | 'prompt'>
  | { error: string } {
  if (command === undefined) return { command: 'tui', prompt: '' };
  if (command === 'run') {
    if (rest.length !== 1 || rest[0]?.trim() === '')
      return { error: 'run needs one prompt: planchart run "<prompt>".' };
    return { command: 'run', prompt: rest[0] ?? '' };
  }
  if (command !== 'status')
    return { error: `Unknown command ${JSON.stringify(command)}. See planchart --help.` };
  if (rest.length > 0) return { error: `status takes no argument, but got ${JSON.stringify(rest[0])}.` };
  return { command: 'status', prompt: '' };
}

function keyHint({ baseUrl, apiKey }: Settings['openai']): string | null {
  if (baseUrl === null && apiKey === null) return null;
  return 'OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is chosen: use --model openai:<model>. Rehearsing meanwhile.';
}

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
