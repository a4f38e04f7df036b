import type { Chat, InlineKeyboardMarkup, Message, MessageEntity, User, UserFromGetMe } from 'grammy/types';
import { badRequest, Refusal } from './refusal.ts';

/** A message as the service keeps it. */
export interface Stored {
  id: number;
  topic: number | null;
  from: User;
  /** Seconds. */
  date: number;
  text: string;
  entities: MessageEntity[];
  keyboard: InlineKeyboardMarkup | null;
  forceReply: 'yes' | 'no';
  document: { name: string; text: string } | null;
  replyTo: number | null;
  notifies: 'yes' | 'no';
  edits: number;
  /** Nobody may delete it any more. */
  fixed: 'yes' | 'no';
}

export interface Room {
  chat: Chat;
  messages: Stored[];
  next: number;
  topics: Set<number>;
  blocked: 'yes' | 'no';
}

export interface Query {
  id: string;
  state: 'open' | 'answered' | 'expired';
  text: string | null;
  alert: 'yes' | 'no';
}

/** Everything the service knows; `now` is in milliseconds. */
export interface World {
  token: string;
  me: UserFromGetMe;
  rooms: Map<number, Room>;
  queries: Query[];
  commands: Map<string, { command: string; description: string }[]>;
  typing: { chat: number; topic: number | null; action: string }[];
  now: () => number;
}

export const me: UserFromGetMe = {
  id: 777_000_001,
  is_bot: true,
  first_name: 'Planchart',
  username: 'planchart_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  can_manage_bots: false,
  supports_guest_queries: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  supports_join_request_queries: false,
};

const seconds = (world: World): number => Math.floor(world.now() / 1000);
/** After that long a message can't be deleted. */
const deletableFor = 48 * 3600;

export function roomOf({ rooms }: World, chat: number): Room {
  const room = rooms.get(chat);
  if (room === undefined) throw badRequest('chat not found');
  if (room.blocked === 'yes') throw new Refusal(403, 'Forbidden: bot was blocked by the user');
  return room;
}

/** The topic of a call. The general one, 1, has no number of its own in sending (B114). */
export function topicOf({ topics }: Room, topic: number | undefined): number | null {
  if (topic === undefined) return null;
  if (!topics.has(topic)) throw badRequest('message thread not found');
  return topic;
}

export function messageOf({ messages }: Room, id: number): Stored | undefined {
  return messages.find((message) => message.id === id);
}

type Given = Pick<Stored, 'from' | 'topic'> & Partial<Stored>;

export function add(world: World, room: Room, given: Given): Stored {
  const message: Stored = {
    id: room.next,
    date: seconds(world),
    text: '',
    entities: [],
    keyboard: null,
    forceReply: 'no',
    document: null,
    replyTo: null,
    notifies: 'yes',
    edits: 0,
    fixed: 'no',
    ...given,
  };
  room.next += 1;
  room.messages.push(message);
  return message;
}

export function isDeletable(world: World, { date, fixed }: Stored): boolean {
  return fixed === 'no' && seconds(world) - date < deletableFor;
}

/** A message in the words of the Bot API. */
export function wireMessage(world: World, room: Room, message: Stored): Message {
  const { id, date, from, topic, text, entities, keyboard, document, replyTo, edits } = message;
  const target = replyTo === null ? undefined : messageOf(room, replyTo);
  const caption = document !== null;
  const words = caption ? { caption: text, caption_entities: entities } : { text, entities };
  const wire: Record<string, unknown> = {
    message_id: id,
    date,
    chat: room.chat,
    from,
    ...(topic === null ? {} : { message_thread_id: topic, is_topic_message: true }),
    ...(text === '' ? {} : words),
    ...(document === null ? {} : { document: fileOf(document, id) }),
    ...(keyboard === null ? {} : { reply_markup: keyboard }),
    ...(target === undefined
      ? {}
      : { reply_to_message: { ...wireMessage(world, room, { ...target, replyTo: null }) } }),
    ...(edits === 0 ? {} : { edit_date: seconds(world) }),
  };
  return wire as unknown as Message;
}

const fileOf = ({ name, text }: { name: string; text: string }, id: number): object => ({
  file_id: `file-${id}`,
  file_unique_id: `unique-${id}`,
  file_name: name,
  file_size: Buffer.byteLength(text),
});
