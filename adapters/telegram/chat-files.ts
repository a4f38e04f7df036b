import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ChatRecord } from './chat-record.ts';
import { placeKey, type Place } from './place.ts';

/** What the bot itself remembers: the newest update that was begun, so that none runs twice (D37). */
const BotRecord = z.object({ v: z.literal(1), update: z.number() });

/** Durable records in `<home>/planchart/telegram`. Writes throw what the disk throws. */
export interface ChatFiles {
  /** Files that are of no known form are left alone, and named in `faults`. */
  all(): { records: ChatRecord[]; faults: string[] };
  save(record: ChatRecord): void;
  remove(place: Place): void;
  /** Id of the newest update that was begun; 0: none. */
  update(): number;
  begin(update: number): void;
}

const chatsIn = (folder: string): string => join(folder, 'chats');

/** The chats that a bot with this folder knows; reads only, and of a folder that is not there nothing. */
export function chatRecords(folder: string): ReturnType<ChatFiles['all']> {
  const chats = chatsIn(folder);
  if (!existsSync(chats)) return { records: [], faults: [] };
  const names = readdirSync(chats).filter((name) => name.endsWith('.json'));
  const found = names.map((name) => ({ name, record: read(join(chats, name), ChatRecord) }));
  return {
    records: found.flatMap(({ record }) => (record === null ? [] : [record])),
    faults: found.filter(({ record }) => record === null).map(({ name }) => join(chats, name)),
  };
}

export function createChatFiles(folder: string): ChatFiles {
  const chats = chatsIn(folder);
  mkdirSync(chats, { recursive: true, mode: 0o700 });
  const bot = join(folder, 'bot.json');
  const pathOf = (place: Place): string => join(chats, `${placeKey(place)}.json`);
  return {
    all: () => chatRecords(folder),
    save: (record) => write(pathOf(record), record),
    remove: (place) => rmSync(pathOf(place), { force: true }),
    update: () => read(bot, BotRecord)?.update ?? 0,
    begin: (update) => write(bot, { v: 1, update }),
  };
}

/** null: missing, or of no known form. */
function read<T>(path: string, schema: z.ZodType<T>): T | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whole or not at all. Synchronous: what is sent after it has been stored before it. */
function write(path: string, value: unknown): void {
  const next = `${path}.tmp`;
  const file = openSync(next, 'w', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify(value)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}
