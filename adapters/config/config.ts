import { type FileConfig, type Found, type Place, readConfigFile } from './config-file.ts';
import {
  type ConfigKey,
  configKeys,
  type ConfigValue,
  type KeyName,
  type PlainName,
  type ValueOf,
} from './schema.ts';

/** Where a value comes from. */
export type Source =
  | { kind: 'flag'; name: string }
  | { kind: 'env'; name: string }
  | { kind: 'file'; path: string; line: number }
  | { kind: 'default' };

/** The value in force; null: not set. */
export interface Setting {
  name: string;
  value: ConfigValue | null;
  shown: ConfigKey['shown'];
  source: Source;
}

/** A program that speaks MCP. All of it comes from one file, the one of the highest precedence that names it. */
export interface McpServer {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  readOnly: readonly string[];
  source: Source;
}

export interface Config {
  /** Every key of the table, and those of each MCP server, in the table's order. */
  settings: readonly Setting[];
  servers: readonly McpServer[];
  /** Every API key and token, also one that another place overrides: no child process gets one. */
  secrets: readonly string[];
  /** The same and the variables of MCP servers: what must not be in a log. */
  hidden: readonly string[];
  files: readonly Pick<FileConfig, 'place' | 'path' | 'state'>[];
  warnings: readonly string[];
  get<N extends PlainName>(name: N): { value: ValueOf<N> | null; source: Source };
}

export interface ConfigPlaces {
  /** Lowest precedence first. */
  files: readonly { place: Place; path: string }[];
  /** Given on the command line, by key. */
  flags: Readonly<Partial<Record<PlainName, string>>>;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Flag, environment, project, profile, home, default: the first that says something counts (D4). `faults` are
 * lines for people, one per wrong value. Contract: never throws for what a file or a variable holds.
 */
export async function readConfig(places: ConfigPlaces): Promise<Config | { faults: readonly string[] }> {
  const files = await Promise.all(places.files.map(({ place, path }) => readConfigFile(place, path)));
  const env = readVariables(places.env);
  const faults = [...files.flatMap((file) => file.faults), ...env.faults];
  if (faults.length > 0) return { faults };
  const layers: Layer[] = [
    ...files.map((file) => ({ found: file.found, source: fileSource(file) })),
    { found: env.found, source: (found) => ({ kind: 'env', name: found.key.env ?? '' }) },
    { found: flagged(places.flags), source: (found) => ({ kind: 'flag', name: found.key.flag ?? '' }) },
  ];
  const settings = [...plainSettings(layers), ...serverSettings(layers)];
  const secrets = secretsOf(layers, 'text');
  return {
    settings,
    servers: serversOf(settings),
    secrets,
    hidden: [...secrets, ...secretsOf(layers, 'table')],
    files: files.map(({ place, path, state }) => ({ place, path, state })),
    warnings: files.flatMap((file) => file.warnings),
    get: (name) => getSetting(settings, name),
  };
}

/** Values of one place. */
interface Layer {
  found: readonly Found[];
  source: (found: Found) => Source;
}

const fileSource =
  ({ path }: FileConfig): Layer['source'] =>
  ({ line }) => ({ kind: 'file', path, line });

const plainNames = Object.keys(configKeys).filter((name) => !name.includes('<')) as PlainName[];

function readVariables(env: ConfigPlaces['env']): { found: Found[]; faults: string[] } {
  const found: Found[] = [];
  const faults: string[] = [];
  for (const name of plainNames) {
    const key: ConfigKey = configKeys[name];
    const value = key.env === null ? undefined : env[key.env];
    if (value === undefined || value.trim() === '') continue;
    const parsed = key.type.safeParse(key.fromEnv(value));
    if (parsed.success) found.push({ name, key, value: parsed.data, line: 0 });
    else faults.push(`${key.env} has to be ${key.expects}.`);
  }
  return { found, faults };
}

function flagged(flags: ConfigPlaces['flags']): Found[] {
  return Object.entries(flags).map(([name, value]) => ({
    name,
    key: configKeys[name as PlainName],
    value,
    line: 0,
  }));
}

function plainSettings(layers: readonly Layer[]): Setting[] {
  return plainNames.map((name) => {
    const key: ConfigKey = configKeys[name];
    return (
      lastOf(layers, name) ?? { name, value: key.standard, shown: key.shown, source: { kind: 'default' } }
    );
  });
}

function lastOf(layers: readonly Layer[], name: string): Setting | null {
  for (const { found, source } of layers.toReversed()) {
    const hit = found.find((one) => one.name === name);
    if (hit !== undefined) return { name, value: hit.value, shown: hit.key.shown, source: source(hit) };
  }
  return null;
}

const serverOf = (name: string): string | null => /^mcp\.servers\.([^.]+)\./u.exec(name)?.[1] ?? null;

/** A project's server of the same name takes over nothing of the user's: neither its variables nor its rights. */
function serverSettings(layers: readonly Layer[]): Setting[] {
  const names = new Set(layers.flatMap(({ found }) => found.map((one) => serverOf(one.name))));
  return [...names].flatMap((server) => {
    if (server === null) return [];
    const owner = layers.findLast(({ found }) => found.some((one) => serverOf(one.name) === server));
    return serverFields.map(([field, key]): Setting => {
      const name = `mcp.servers.${server}.${field}`;
      const unset = { name, value: key.standard, shown: key.shown, source: { kind: 'default' } } as const;
      return lastOf(owner === undefined ? [] : [owner], name) ?? unset;
    });
  });
}

const serverFields = Object.entries(configKeys).flatMap(([name, key]): [string, ConfigKey][] =>
  name.startsWith('mcp.servers.') ? [[name.split('.').at(-1) ?? '', key]] : [],
);

function serversOf(settings: readonly Setting[]): McpServer[] {
  const of = <N extends KeyName>(server: string, name: N): ValueOf<N> | null =>
    (settings.find((one) => one.name === name.replace('<name>', server))?.value ?? null) as ValueOf<N> | null;
  return settings.flatMap(({ name, value, source }) => {
    const server = name.endsWith('.command') ? serverOf(name) : null;
    if (server === null || typeof value !== 'string') return [];
    const args = of(server, 'mcp.servers.<name>.args') ?? [];
    const env = of(server, 'mcp.servers.<name>.env') ?? {};
    const readOnly = of(server, 'mcp.servers.<name>.read_only') ?? [];
    return [{ name: server, command: value, args, env, readOnly, source }];
  });
}

/** Words that a server's variables hold just as other texts do, such as `1` or `debug`, would black out half a log. */
const shortestVariable = 8;

function secretsOf(layers: readonly Layer[], kind: 'text' | 'table'): string[] {
  const values = layers
    .flatMap(({ found }) => found)
    .filter(({ key }) => key.shown === 'secret')
    .flatMap(({ value }) => {
      if (typeof value !== 'object') return kind === 'text' ? [String(value)] : [];
      const all = kind === 'table' ? Object.values(value).map(String) : [];
      return all.filter(({ length }) => length >= shortestVariable);
    });
  return [...new Set(values)];
}

function getSetting<N extends PlainName>(
  settings: readonly Setting[],
  name: N,
): { value: ValueOf<N> | null; source: Source } {
  const found = settings.find((one) => one.name === name);
  // The table's own types have checked it when it was read.
  return { value: (found?.value ?? null) as ValueOf<N> | null, source: found?.source ?? { kind: 'default' } };
}

/** The source in words: `--model`, `env PLANCHART_MODEL`, `path:line` or `default`. */
export function sourceWords(source: Source): string {
  switch (source.kind) {
    case 'flag':
      return source.name;
    case 'env':
      return `env ${source.name}`;
    case 'file':
      return `${source.path}:${source.line}`;
    case 'default':
      return 'default';
  }
}
