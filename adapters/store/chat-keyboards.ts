import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { KeyboardRecord } from '../../machines/index.ts';
import { errnoOf } from './store-error.ts';

/** Of a chat's record only what a look from outside needs; the bot alone writes it (D36). */
const Chat = z.object({ session: z.string(), keyboard: KeyboardRecord.nullable() });

/**
 * What Telegram's chats show of this session's plan: the record of the chat that carries a keyboard, else of any that is
 * bound to it; null: there is none. Reads only. Records of no known form are left out.
 */
export function readChatKeyboard(home: string, session: string): KeyboardRecord | null {
  const folder = join(home, 'planchart', 'telegram', 'chats');
  const found = namesIn(folder).flatMap((name) => {
    const chat = Chat.safeParse(jsonOf(join(folder, name))).data;
    return chat?.session === session && chat.keyboard !== null ? [chat.keyboard] : [];
  });
  return found.find(({ state }) => state !== 'none') ?? found[0] ?? null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [];
  }
}

/** null: it went away meanwhile, or is no JSON. */
function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    if (errnoOf(error) === '' && !(error instanceof SyntaxError)) throw error;
    return null;
  }
}
