import type { CallbackQuery, Chat, InlineKeyboardButton, MessageEntity, User } from 'grammy/types';
import type { Updates } from './updates.ts';
import { add, messageOf, type Query, type Room, type Stored, wireMessage, type World } from './world.ts';

export interface SayOptions {
  topic?: number;
  replyTo?: number;
  /** Seconds. */
  date?: number;
}

/** A message as a person sees it. */
export interface Shown {
  id: number;
  topic: number | null;
  from: number;
  text: string;
  entities: readonly MessageEntity[];
  /** Labels, row by row. */
  buttons: readonly (readonly string[])[];
  document: { name: string; text: string } | null;
  replyTo: number | null;
  notifies: 'yes' | 'no';
  forceReply: 'yes' | 'no';
  edits: number;
}

/** What people do in the chats of a test. A mistake of the test throws. */
export interface People {
  /** A person's own chat has the person's id; a group's is negative. */
  addChat(id: number, options?: { title?: string; topics?: readonly number[] }): void;
  /** Answers the id of the message. */
  say(chat: number, from: User | number, text: string, options?: SayOptions): number;
  /**
   * Presses a button by its label or data, on the newest message that has it, or on `message`. `data` that the message
   * does not carry any more is a press on an old screen. Answers the id of the query.
   */
  press(chat: number, button: string, from: User | number, message?: number): string;
  view(chat: number, topic?: number): Shown[];
  block(chat: number): void;
  deleteTopic(chat: number, topic: number): void;
  /** A person deletes a message; the bot is not told. */
  remove(chat: number, message: number): void;
  /** Nobody may delete this message any more. */
  fix(chat: number, message: number): void;
  /** Open presses can't be answered any more. */
  expireQueries(): void;
}

export const person = (given: User | number): User =>
  typeof given === 'number' ? { id: given, is_bot: false, first_name: `P${given}` } : given;

function chatOf(id: number, { title, topics }: { title?: string; topics?: readonly number[] }): Chat {
  if (id > 0) return { id, type: 'private', first_name: `P${id}` };
  return {
    id,
    type: 'supergroup',
    title: title ?? `G${-id}`,
    ...(topics === undefined ? {} : { is_forum: true }),
  };
}

/** `/command` and `/command@bot` as the service marks them. */
function commandsIn(text: string): MessageEntity[] {
  const pattern = /(?<![\w/<>])\/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\w/<>])/gu;
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index: offset }) => ({
    type: 'bot_command' as const,
    offset,
    length,
  }));
}

const buttonsOf = ({ keyboard }: Stored): InlineKeyboardButton[] => keyboard?.inline_keyboard.flat() ?? [];
const dataOf = (button: InlineKeyboardButton): string | null =>
  'callback_data' in button && button.callback_data !== undefined ? button.callback_data : null;

const shown = (message: Stored): Shown => ({
  id: message.id,
  topic: message.topic,
  from: message.from.id,
  text: message.text,
  entities: message.entities,
  buttons: (message.keyboard?.inline_keyboard ?? []).map((row) => row.map(({ text }) => text)),
  document: message.document,
  replyTo: message.replyTo,
  notifies: message.notifies,
  forceReply: message.forceReply,
  edits: message.edits,
});

export function createPeople(world: World, updates: Updates): People {
  const room = (chat: number): Room => {
    const found = world.rooms.get(chat);
    if (found === undefined) throw new Error(`There is no chat ${chat}; add it first`);
    return found;
  };
  const known = (chat: number, id: number): Stored => {
    const found = messageOf(room(chat), id);
    if (found === undefined) throw new Error(`There is no message ${id} in chat ${chat}`);
    return found;
  };

  function target(chat: number, button: string, message: number | undefined): { on: Stored; data: string } {
    const has = (one: InlineKeyboardButton): boolean => one.text === button || dataOf(one) === button;
    const on =
      message === undefined
        ? room(chat).messages.findLast((one) => buttonsOf(one).some(has))
        : known(chat, message);
    if (on === undefined) throw new Error(`No message of chat ${chat} has a button "${button}"`);
    return { on, data: dataOf(buttonsOf(on).find(has) ?? { text: button, callback_data: button }) ?? button };
  }

  return {
    addChat: (id, options = {}) => {
      const topics = new Set(options.topics ?? []);
      world.rooms.set(id, { chat: chatOf(id, options), messages: [], next: 1, topics, blocked: 'no' });
    },
    say: (chat, from, text, { topic, replyTo, date } = {}) => {
      const place = room(chat);
      const message = add(world, place, {
        from: person(from),
        topic: topic ?? null,
        text,
        entities: commandsIn(text),
        replyTo: replyTo ?? null,
        ...(date === undefined ? {} : { date }),
      });
      updates.add({ message: wireMessage(world, place, message) });
      return message.id;
    },
    press: (chat, button, from, message) => {
      const { on, data } = target(chat, button, message);
      const query: Query = {
        id: `query-${world.queries.length + 1}`,
        state: 'open',
        text: null,
        alert: 'no',
      };
      world.queries.push(query);
      const body: CallbackQuery = {
        id: query.id,
        from: person(from),
        message: wireMessage(world, room(chat), on),
        chat_instance: String(chat),
        data,
      };
      updates.add({ callback_query: body });
      return query.id;
    },
    view: (chat, topic) =>
      room(chat)
        .messages.filter((one) => topic === undefined || one.topic === topic)
        .map(shown),
    block: (chat) => {
      room(chat).blocked = 'yes';
    },
    deleteTopic: (chat, topic) => {
      const place = room(chat);
      place.topics.delete(topic);
      place.messages = place.messages.filter((one) => one.topic !== topic);
    },
    remove: (chat, message) => {
      const gone = known(chat, message);
      room(chat).messages = room(chat).messages.filter((one) => one !== gone);
    },
    fix: (chat, message) => {
      known(chat, message).fixed = 'yes';
    },
    expireQueries: () => {
      for (const query of world.queries) if (query.state === 'open') query.state = 'expired';
    },
  };
}
