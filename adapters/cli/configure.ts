import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig, readTrust, sourceWords, type Trust, TrustError } from '../config/index.ts';
import { parseModelChoice, type Protocol } from '../llm/choice.ts';
import { createFileStore } from '../store/index.ts';
import { realFolder } from './folders.ts';
import {
  type CommandLine,
  type Process,
  type ProjectFolder,
  readCommandLine,
  type Settings,
} from './settings.ts';

/** Lines for people; any of them ends the program with exit code 2. */
export interface Faults {
  errors: readonly string[];
}

/** Flag, environment, project, profile, home, default (D4). Contract: never throws. Changes nothing on disk. */
export async function readSettings(invoked: Process): Promise<Settings | Faults> {
  const line = readCommandLine(invoked);
  return 'error' in line ? { errors: [line.error] } : configured(line, invoked);
}

/** What config says for this command line, which a change of sessions may have altered. Contract: never throws. */
export async function configured(
  line: CommandLine,
  invoked: Pick<Process, 'env'>,
): Promise<Settings | Faults> {
  // What only other commands need is not checked for a look at the sessions.
  const plain = ['sessions', 'rename', 'status', 'trust', 'charts', 'replay'].includes(line.command);
  const { folder, warning } = await projectFolder(line);
  const config = await readConfig({
    files: plain ? [] : filesOf(line, folder),
    env: plain ? {} : invoked.env,
    flags: plain || line.modelFlag === null ? {} : { 'model.name': line.modelFlag },
  });
  if ('faults' in config) return { errors: config.faults };
  const warnings = [...(warning === null ? [] : [warning]), ...config.warnings];
  return settingsOf(line, { ...config, warnings }, folder);
}

/** Lowest precedence first. A project's file counts only once its folder is trusted (D53). */
function filesOf({ root, home }: CommandLine, { brings, trust }: ProjectFolder) {
  const name = 'planchart.toml';
  return [
    { place: 'home', path: join(root, name) } as const,
    ...(home === root ? [] : [{ place: 'profile', path: join(home, name) } as const]),
    ...(trust !== 'trusted' || brings === null
      ? []
      : [{ place: 'project', path: join(brings, 'config.toml') } as const]),
  ];
}

async function projectFolder(line: CommandLine): Promise<{ folder: ProjectFolder; warning: string | null }> {
  const path = await workingFolder(line);
  const own = join(path, '.planchart');
  const brings = statSync(own, { throwIfNoEntry: false })?.isDirectory() === true ? own : null;
  const known = await trustOf(line, path);
  return { folder: { path, brings, trust: known.trust }, warning: known.warning };
}

/** A session works in its own folder, wherever it is opened from (D36). */
async function workingFolder({ session, cwd, cwdGiven, home, root }: CommandLine): Promise<string> {
  const places = [realFolder(home), realFolder(root)];
  const [real, realRoot] = places.flatMap((found) => ('path' in found ? [found.path] : []));
  if (session === null || cwdGiven || real === undefined || realRoot === undefined) return cwd;
  const store = createFileStore({ home: real, root: realRoot, fallbackCwd: cwd });
  // What is wrong with the session is said when it is opened.
  const folder = await store.read(session).then(
    ({ record }) => realFolder(record.cwd),
    () => null,
  );
  return folder !== null && 'path' in folder ? folder.path : cwd;
}

async function trustOf(
  { home }: CommandLine,
  path: string,
): Promise<{ trust: Trust; warning: string | null }> {
  try {
    return { trust: await readTrust(home, path), warning: null };
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    // Not `unasked`: an answer could not be kept.
    return { trust: 'refused', warning: error.message };
  }
}

function settingsOf(line: CommandLine, config: Config, folder: ProjectFolder): Settings | Faults {
  const name = config.get('model.name');
  const model = parseModelChoice(name.value ?? 'rehearsal');
  if ('error' in model) {
    const { source } = name;
    return { errors: [source.kind === 'file' ? `${sourceWords(source)}: ${model.error}` : model.error] };
  }
  const context = config.get('model.context').value;
  const maxOutput = config.get('model.max_output').value;
  return {
    ...line,
    model: { ...model, context, maxOutput },
    servers: { openai: serverOf('openai', config), anthropic: serverOf('anthropic', config) },
    shell: {
      network: config.get('shell.network').value === true ? 'open' : 'none',
      timeoutSeconds: config.get('shell.timeout').value ?? 120,
    },
    hint: name.source.kind === 'default' ? keyHint(config) : null,
    config,
    folder,
  };
}

const serverOf = (protocol: Protocol, config: Config) => ({
  baseUrl: config.get(`${protocol}.base_url`).value,
  apiKey: config.get(`${protocol}.api_key`).value,
});

function keyHint(config: Config): string | null {
  const set = (['openai', 'anthropic'] satisfies Protocol[]).flatMap((protocol) =>
    ([`${protocol}.api_key`, `${protocol}.base_url`] as const).flatMap((name) => {
      const { value, source } = config.get(name);
      if (value === null) return [];
      return [{ protocol, words: source.kind === 'env' ? source.name : `${name} in ${sourceWords(source)}` }];
    }),
  );
  if (set.length === 0) return null;
  const names = set.map(({ words }) => words).join(' and ');
  const choices = [...new Set(set.map(({ protocol }) => `${protocol}:<model>`))].join(' or ');
  const are = set.length === 1 ? 'is' : 'are';
  return `${names} ${are} set, but no model is chosen: use --model or /model with ${choices}. Rehearsing meanwhile.`;
}
