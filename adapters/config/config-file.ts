import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { keyLines, type LineOf } from './key-lines.ts';
import { type ConfigKey, type ConfigValue, findKey } from './schema.ts';

/** Whose file it is; the order is that of precedence, the last one wins. */
export type Place = 'home' | 'profile' | 'project';

export interface Found {
  /** Dotted, such as `mcp.servers.db.command`. */
  name: string;
  key: ConfigKey;
  value: ConfigValue;
  line: number;
}

/** What one file says. A fault ends the program with exit code 2, a warning is shown; both start with `path:line`. */
export interface FileConfig {
  place: Place;
  path: string;
  state: 'absent' | 'read';
  found: Found[];
  warnings: string[];
  faults: string[];
}

/** A larger one is no config file. */
const mostBytes = 1024 * 1024;

/** Reads and checks one file. Contract: never throws for what the file is or holds. */
export async function readConfigFile(place: Place, path: string): Promise<FileConfig> {
  const config: FileConfig = { place, path, state: 'absent', found: [], warnings: [], faults: [] };
  const content = readText(path);
  if (content === null) return config;
  config.state = 'read';
  if ('fault' in content) {
    config.faults.push(`${path}: ${content.fault}.`);
    return config;
  }
  if (place !== 'project' && (content.mode & 0o077) !== 0) {
    const mode = (content.mode & 0o777).toString(8).padStart(4, '0');
    config.warnings.push(`${path} is open to other users (mode ${mode}): chmod 600 it.`);
  }
  const parsed = await parse(content.text);
  if ('fault' in parsed) config.faults.push(`${path}:${parsed.fault}`);
  else new Reader(config, parsed.lineOf).table(parsed.data, []);
  return config;
}

function readText(path: string): { text: string; mode: number } | { fault: string } | null {
  let file: number | null = null;
  try {
    // A pipe in its place would block for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { mode, size } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return { fault: 'it is not a file' };
    if (size > mostBytes) return { fault: `it is larger than ${mostBytes} bytes` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), mode };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { fault: code.startsWith('ERR_ENCODING') ? 'it is not UTF-8 text' : `it can't be read (${code})` };
  } finally {
    if (file !== null) closeSync(file);
  }
}

type Data = Readonly<Record<string, unknown>>;

async function parse(text: string): Promise<{ data: Data; lineOf: LineOf } | { fault: string }> {
  // Loaded only where there is a file: most starts have none.
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    const data = parseToml(text);
    const unescape = (quoted: string): string => Object.keys(parseToml(`${quoted} = 0`))[0] ?? '';
    return { data, lineOf: keyLines(text, unescape) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of its message quotes the file, which may hold keys.
    const what = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '') ?? '';
    return { fault: `${error.line}:${error.column}: ${what}.` };
  }
}

class Reader {
  private readonly config: FileConfig;
  private readonly lineOf: LineOf;

  constructor(config: FileConfig, lineOf: LineOf) {
    this.config = config;
    this.lineOf = lineOf;
  }

  table(data: Data, path: readonly string[]): void {
    for (const [part, value] of Object.entries(data)) this.entry([...path, part], value);
    const isServer = path.length === 3 && path[0] === 'mcp';
    if (isServer && !Object.hasOwn(data, 'command')) this.fault(path, 'needs a command');
  }

  private entry(path: readonly string[], value: unknown): void {
    const known = findKey(path);
    if (known === null) {
      this.warn(path, 'is no known key and does nothing; planchart config lists those that there are');
    } else if (known !== 'table') this.value(path, known, value);
    else if (isTable(value)) this.table(value, path);
    else this.fault(path, `has to be a table, but it is ${wordsFor(value)}`);
  }

  private value(path: readonly string[], key: ConfigKey, value: unknown): void {
    if (this.config.place === 'project' && key.setBy === 'user') {
      this.warn(path, "is not a project's to set and is left out; it belongs in planchart.toml of your home");
      return;
    }
    const parsed = key.type.safeParse(plain(value));
    if (!parsed.success) {
      const found = key.shown === 'secret' ? '' : `, but it is ${wordsFor(value)}`;
      this.fault(path, `has to be ${key.expects}${found}`);
      return;
    }
    this.config.found.push({ name: path.join('.'), key, value: parsed.data, line: this.lineOf(path) });
  }

  private warn(path: readonly string[], what: string): void {
    this.config.warnings.push(this.line(path, what));
  }

  private fault(path: readonly string[], what: string): void {
    this.config.faults.push(this.line(path, what));
  }

  private line(path: readonly string[], what: string): string {
    return `${this.config.path}:${this.lineOf(path)}: ${path.join('.')} ${what}.`;
  }
}

function isTable(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

/** The parser's tables have no prototype, and zod wants one. */
const plain = (value: unknown): unknown => (isTable(value) ? { ...value } : value);

function wordsFor(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return isTable(value) ? 'a table' : 'a date';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
