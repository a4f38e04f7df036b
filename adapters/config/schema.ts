import { z } from 'zod';

/** A value as a config file may hold it. */
export type ConfigValue =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly number[]
  | Readonly<Record<string, string>>;

/** One row of the table: how a key is read, shown by `planchart config`, and documented in `docs/config.md`. */
export interface ConfigKey<T extends ConfigValue = ConfigValue> {
  type: z.ZodType<T>;
  /** What a value has to be, in words, after "has to be". */
  expects: string;
  /** `anyone`: also a trusted project's file; `user`: only the files of the home (D4, D53). */
  setBy: 'anyone' | 'user';
  shown: 'plain' | 'secret';
  flag: string | null;
  env: string | null;
  /** What the variable's text stands for, before `type` judges it. */
  fromEnv: (text: string) => unknown;
  standard: T | null;
  what: string;
}

type Row<T extends ConfigValue> = Pick<ConfigKey<T>, 'type' | 'expects' | 'what'> & Partial<ConfigKey<T>>;

function key<T extends ConfigValue>(row: Row<T>): ConfigKey<T> {
  const fromEnv = (value: string): unknown => value;
  return { setBy: 'user', shown: 'plain', flag: null, env: null, fromEnv, standard: null, ...row };
}

const text = z.string().regex(/\S/);
const filled = { type: text, expects: 'a string that is not empty' };
const secret = { ...filled, shown: 'secret' as const };
const texts = { type: z.array(text), expects: 'an array of strings' };
const flagged = { type: z.boolean(), expects: 'true or false' };
const person = z.int().positive();
const numbers = (value: string): number[] =>
  value
    .split(/[\s,;]+/u)
    .filter((word) => word !== '')
    .map(Number);
const tokens = (least: number) => ({
  type: z.int().min(least),
  expects: `a whole number of at least ${least}`,
});
const levels = z.enum(['off', 'info', 'debug']);

/** Every key that there is. The order is that of `planchart config`. */
export const configKeys = {
  'model.name': key({
    ...filled,
    setBy: 'anyone',
    flag: '--model',
    env: 'PLANCHART_MODEL',
    standard: 'rehearsal',
    what: 'the model, as `--model` takes it',
  }),
  'model.context': key({
    ...tokens(1000),
    setBy: 'anyone',
    what: "size of the model's context window, in tokens",
  }),
  'model.max_output': key({
    ...tokens(1),
    setBy: 'anyone',
    what: 'longest response to ask the model for, in tokens',
  }),
  'openai.base_url': key({
    ...filled,
    env: 'OPENAI_BASE_URL',
    what: 'a server that speaks the OpenAI protocol',
  }),
  'openai.api_key': key({ ...secret, env: 'OPENAI_API_KEY', what: 'its key' }),
  'anthropic.base_url': key({
    ...filled,
    env: 'ANTHROPIC_BASE_URL',
    what: 'a server that speaks the Anthropic protocol',
  }),
  'anthropic.api_key': key({ ...secret, env: 'ANTHROPIC_API_KEY', what: 'its key' }),
  'shell.network': key({
    ...flagged,
    standard: false,
    what: 'whether commands of the read-only sandbox reach the network',
  }),
  'shell.timeout': key({
    type: z.int().min(1).max(600),
    expects: 'a whole number of seconds from 1 to 600',
    setBy: 'anyone',
    standard: 120,
    what: 'seconds after which a command is ended, where the agent names no time',
  }),
  'telegram.enabled': key({
    ...flagged,
    standard: false,
    what: 'whether the terminal UI runs the bot beside it, as `--bot` does',
  }),
  'telegram.owner_id': key({
    type: person,
    expects: 'a Telegram user id, a whole number',
    env: 'TELEGRAM_OWNER_ID',
    fromEnv: Number,
    what: 'Telegram user who owns the sessions',
  }),
  'telegram.allowed_ids': key({
    type: z.array(person),
    expects: 'an array of Telegram user ids, whole numbers',
    env: 'TELEGRAM_ALLOWED_IDS',
    fromEnv: numbers,
    what: 'further users who may write to the bot',
    standard: [],
  }),
  'telegram.token': key({ ...secret, env: 'TELEGRAM_BOT_TOKEN', what: "the bot's token" }),
  'telegram.api_root': key({
    ...filled,
    env: 'TELEGRAM_API_ROOT',
    fromEnv: (address) => address.trim(),
    what: 'address of another Bot API server',
  }),
  'log.level': key({
    type: levels,
    expects: '"off", "info" or "debug"',
    env: 'PLANCHART_LOG',
    standard: 'info',
    what: 'how much goes into the log',
  }),
  'mcp.servers.<name>.command': key({ ...filled, setBy: 'anyone', what: 'program of an MCP server' }),
  'mcp.servers.<name>.args': key({ ...texts, setBy: 'anyone', standard: [], what: 'its arguments' }),
  'mcp.servers.<name>.env': key({
    type: z.record(z.string(), z.string()),
    expects: 'a table of strings',
    setBy: 'anyone',
    shown: 'secret',
    standard: {},
    what: 'its environment variables',
  }),
  'mcp.servers.<name>.read_only': key({
    ...texts,
    standard: [],
    what: 'its tools that only read: they run in Plan mode, and nobody is asked',
  }),
} as const;

/** A name in the table; `<name>` in it stands for any name. */
export type KeyName = keyof typeof configKeys;
/** A name that is one key. */
export type PlainName = Exclude<KeyName, `mcp.${string}`>;
export type ValueOf<N extends KeyName> = z.output<(typeof configKeys)[N]['type']>;

const rows = Object.entries(configKeys).map(([name, row]) => ({
  parts: name.split('.'),
  row: row as ConfigKey,
}));

const fits = (pattern: string | undefined, part: string): boolean =>
  pattern === part || (pattern === '<name>' && /^[A-Za-z0-9_-]+$/.test(part));

/** What stands at a path of a config file: a key, a table that holds keys, or nothing that is known. */
export function findKey(path: readonly string[]): ConfigKey | 'table' | null {
  const near = rows.filter(({ parts }) => path.every((part, at) => fits(parts[at], part)));
  const found = near.find(({ parts }) => parts.length === path.length);
  return found?.row ?? (near.length > 0 ? 'table' : null);
}
