import { isAbsolute } from 'node:path';

/** Names that hold keys by habit; a command never gets them (D22). */
const secretName = /(^|_)(API_KEY|TOKEN|SECRET)$|^(OPENAI|ANTHROPIC|TELEGRAM|PLANCHART)_/i;

/** Shorter ones would take every variable that happens to hold the same few letters. */
const searchableLength = 8;

/** What a command may see of the program's environment: no keys by name, none by value (D22). */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || secretName.test(name)) continue;
    if (!secrets.some((secret) => holds(value, secret))) kept[name] = value;
  }
  return kept;
}

/** All that a command without a sandbox gets: other names could make bash or a reading tool start a program. */
const plainName = /^(HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ|COLUMNS|NO_COLOR)$/;

/** Settings under which git neither writes (index, missing objects) nor starts a program of the repository. */
const gitSettings = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'diff.autoRefreshIndex': 'false',
  'log.showSignature': 'false',
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
};

/**
 * The environment of the read-only commands: `PATH` without folders that the project fills, no exported
 * functions, no start files, git at its quietest (D22).
 */
export function readOnlyEnvironment(
  env: Readonly<Record<string, string>>,
  cwd: string,
): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => plainName.test(name)));
  const path = (env['PATH'] ?? '').split(':').filter((folder) => isForeign(folder, cwd));
  const git = Object.entries(gitSettings).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...kept,
    PATH: path.join(':'),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_CONFIG_COUNT: String(Object.keys(gitSettings).length),
    ...(Object.fromEntries(git) as Record<string, string>),
  };
}

const isForeign = (folder: string, cwd: string): boolean =>
  isAbsolute(folder) && folder !== cwd && !folder.startsWith(`${cwd}/`) && !folder.includes('/node_modules/');

function holds(value: string, secret: string): boolean {
  if (secret === '') return false;
  return secret.length < searchableLength ? value === secret : value.includes(secret);
}
