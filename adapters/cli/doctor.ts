import { accessSync, constants, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { journalNames } from '../store/journal.ts';
import { probeSandbox } from '../workspace/sandbox.ts';
import { socketFilter } from '../workspace/socket-filter.ts';
import { realFolder } from './folders.ts';
import { version } from './help.ts';
import type { Process, Settings } from './settings.ts';

/** One line of `planchart doctor`. `fail`: planchart can't be used so; `todo` says what to do about it. */
export interface Check {
  name: 'version' | 'sandbox' | 'model' | 'home' | 'space' | 'terminal' | 'settings' | 'project' | 'journal';
  level: 'ok' | 'warn' | 'fail';
  text: string;
  todo?: string;
}

/** The terminal as the streams show it. */
export interface Screen {
  stdin: Pick<NodeJS.ReadStream, 'isTTY'>;
  stdout: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'> & {
    getColorDepth?: (env?: object) => number;
  };
}

/** Everything that can be said without asking a server, and without changing anything. */
export async function examine(
  settings: Pick<Settings, 'home' | 'model' | 'servers' | 'hint' | 'shell' | 'config' | 'folder'>,
  { env }: Pick<Process, 'env'>,
  screen: Screen,
): Promise<Check[]> {
  return [
    { name: 'version', level: 'ok', text: `planchart ${version} on Node ${process.versions.node}` },
    await sandboxCheck('bwrap', env, { arch: process.arch, network: settings.shell.network }),
    modelCheck(settings),
    homeCheck(settings.home),
    ...spaceCheck(settings.home),
    terminalCheck(screen, env),
    settingsCheck(settings.config),
    projectCheck(settings.folder),
    journalCheck(settings.home),
  ];
}

const ok = (name: Check['name'], text: string): Check => ({ name, level: 'ok', text });
const warn = (name: Check['name'], text: string, todo: string): Check => ({
  name,
  level: 'warn',
  text,
  todo,
});
const fail = (name: Check['name'], text: string, todo: string): Check => ({
  name,
  level: 'fail',
  text,
  todo,
});

/** Which level of D22 holds, found by running it. */
export async function sandboxCheck(
  program: string,
  env: Process['env'],
  { arch, network }: { arch: string; network: Settings['shell']['network'] },
): Promise<Check> {
  const found = await probeSandbox(program, { PATH: env['PATH'] ?? '' });
  if (!found.works) {
    const text = `no sandbox (${found.cause}): only listed read-only commands before init, then your own rights`;
    return warn('sandbox', text, 'Install bubblewrap (apt install bubblewrap, dnf install bubblewrap).');
  }
  if (socketFilter(arch) === null) {
    const text = `bubblewrap works, but Unix sockets stay reachable before init on ${arch}`;
    return warn('sandbox', text, 'Nothing can be done on this processor.');
  }
  const reach = network === 'open' ? 'with the network, as set' : 'offline';
  return ok(
    'sandbox',
    `bubblewrap works: read-only and ${reach} before init, then planchart's own files closed`,
  );
}

/** What is configured; no key is shown and no server asked. */
export function modelCheck({ model, servers, hint }: Pick<Settings, 'model' | 'servers' | 'hint'>): Check {
  if (model.kind === 'rehearsal') {
    const text = 'rehearsal, which is no real model';
    return hint === null
      ? warn(
          'model',
          text,
          'Choose one with --model openai:<model> or anthropic:<model>, or stay with it to try things out.',
        )
      : warn('model', text, hint);
  }
  const { baseUrl, apiKey } = servers[model.kind];
  const variable = model.kind.toUpperCase();
  const name = `${model.kind}:${model.model}`;
  const url = baseUrl === null ? null : URL.parse(baseUrl);
  if (baseUrl !== null && (url === null || !/^https?:$/u.test(url.protocol)))
    return fail('model', `${name}: the base URL is not an http address`, `Set ${variable}_BASE_URL to one.`);
  if (apiKey === null && baseUrl === null)
    return fail(
      'model',
      `${name}: there is no key`,
      `Set ${variable}_API_KEY, or ${variable}_BASE_URL for a server of your own.`,
    );
  const key = apiKey === null ? 'no key' : 'a key is set';
  return ok(
    'model',
    `${name} at ${url?.host ?? 'its own address'}, ${key}; not asked, as doctor stays offline`,
  );
}

/** Readable, writable, and closed to others (D4). Nothing is made: the first start does that. */
export function homeCheck(home: string): Check {
  const found = realFolder(home);
  if ('cause' in found && found.kind === 'absent') {
    const parent = nearest(home);
    return isWritable(parent)
      ? ok('home', `${home} is made at the first start`)
      : fail(
          'home',
          `${home} can't be made: ${parent} is not writable`,
          'Choose another with --home or OPENCRABS_HOME.',
        );
  }
  if ('cause' in found)
    return fail('home', `${home}: ${found.cause}`, 'Choose another with --home or OPENCRABS_HOME.');
  if (!isWritable(found.path))
    return fail('home', `${found.path} is not writable`, `Give yourself the right to write there.`);
  const open = ['planchart', 'planchart.toml'].filter((name) => isOpen(join(found.path, name)));
  if (open.length === 0) return ok('home', `${found.path}, writable`);
  const paths = open.map((name) => join(found.path, name)).join(' ');
  return warn('home', `others may read ${paths}`, `chmod go= ${paths}`);
}

const megabyte = 1024 * 1024;

/** Free space where the home is or will be; below 1 MB nothing can be saved. */
export function spaceCheck(home: string, free: (path: string) => number = freeBytes): Check[] {
  const bytes = free(nearest(home));
  const text = `${Math.floor(bytes / megabyte)} MB free`;
  const todo = 'Free some space: what cannot be saved is refused.';
  if (bytes < megabyte) return [fail('space', text, todo)];
  return [bytes < 100 * megabyte ? warn('space', text, todo) : ok('space', text)];
}

/** Whether the terminal UI can run here, and how it will look. */
export function terminalCheck({ stdin, stdout }: Screen, env: Process['env']): Check {
  const term = env['TERM'] ?? '';
  if (!stdin.isTTY || !stdout.isTTY || term === 'dumb')
    return warn('terminal', 'this is no terminal', 'Use planchart run "<prompt>" here.');
  const size = `${stdout.columns}×${stdout.rows}`;
  const depth = stdout.getColorDepth?.({ ...env }) ?? 1;
  const colours =
    env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '' ? 'no colours' : `${2 ** depth} colours`;
  const text = `${term === '' ? 'TERM is not set' : term}, ${size}, ${depth === 1 ? 'no colours' : colours}`;
  if (stdout.columns < 40 || stdout.rows < 12) return warn('terminal', text, 'Make it at least 40×12.');
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return /utf-?8/iu.test(locale ?? '')
    ? ok('terminal', `${text}, Unicode`)
    : warn('terminal', `${text}, the locale is not UTF-8`, 'Set LANG to a UTF-8 locale, e.g. C.UTF-8.');
}

/** What is not understood in the settings; what is wrong ends every command before this one. */
export const settingsCheck = ({ warnings }: Pick<Settings['config'], 'warnings'>): Check =>
  warnings.length === 0
    ? ok('settings', 'nothing unknown in them')
    : warn('settings', warnings.join(' '), 'planchart config shows what holds, and where it comes from.');

/** D53: whether what the folder brings along is loaded. */
export function projectCheck({ path, brings, trust }: Settings['folder']): Check {
  if (brings === null) return ok('project', `${path} brings no settings, skills or commands`);
  if (trust === 'trusted') return ok('project', `${brings} is loaded, for you trust the folder`);
  const text = `${brings} is not loaded: the folder is not trusted${trust === 'unasked' ? ' yet' : ''}`;
  return warn('project', text, 'Look at what is in it; planchart trust loads it.');
}

/** What a bug report can carry, and whether it is there (decision 0080). */
export function journalCheck(home: string): Check {
  const blocked = blockedJournal(join(home, 'planchart', 'sessions'));
  if (blocked !== null)
    return warn(
      'journal',
      `${blocked} can't be written: no event of that session is noted`,
      'Move away what stands there.',
    );
  return ok(
    'journal',
    'what happens to a session is noted without its texts; planchart replay <session id> shows it, a bug report can carry it',
  );
}

/** The first journal that can't be written; null: there is none, or nothing can be said of the sessions. */
function blockedJournal(sessions: string): string | null {
  try {
    const paths = readdirSync(sessions).map((name) => join(sessions, name, journalNames[1]));
    return paths.find(isBlocked) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** Something stands there that is no file open for writing. */
function isBlocked(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isFile() || !isWritable(path, constants.W_OK));
}

/** The path itself, or the nearest folder above it that is there. */
function nearest(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return there || dirname(path) === path ? path : nearest(dirname(path));
}

function isWritable(path: string, rights = constants.W_OK | constants.X_OK): boolean {
  try {
    accessSync(path, rights);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

const isOpen = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & 0o077) !== 0;
};

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** 0 when planchart can be used as it is, 1 when a check fails. */
export const doctorExit = (checks: readonly Check[]): 0 | 1 =>
  checks.some(({ level }) => level === 'fail') ? 1 : 0;

export function doctorText(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ name, level, text, todo }) => [
    `${level.padEnd(5)}${name.padEnd(10)}${text}`,
    ...(todo === undefined ? [] : [`${' '.repeat(15)}${todo}`]),
  ]);
  return `${lines.join('\n')}\n`;
}

/** For scripts; `v` changes when a field changes its meaning. */
export const doctorJson = (checks: readonly Check[]): string =>
  `${JSON.stringify({ v: 1, usable: doctorExit(checks) === 0, checks }, null, 2)}\n`;
