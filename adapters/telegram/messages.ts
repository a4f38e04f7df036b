import type { Message, UserFromGetMe } from 'grammy/types';
import type { Actor } from '../../machines/index.ts';
import { actorOf, type People, rankOf } from './access.ts';
import { act, type ActsDeps, send } from './acts.ts';
import { type BotCommand, parseCommand } from './commands.ts';
import { isLive } from './flow-body.ts';
import { run } from './html/rich.ts';
import type { RepliedTo } from './notes.ts';
import { placeOf } from './place.ts';
import type { Room } from './rooms.ts';
import { stranger, textOnly, wasAway } from './words.ts';

export interface MessagesDeps extends ActsDeps {
  people: People;
  me: UserFromGetMe;
  line: (text: string) => void;
  /** People who were told that nobody knows them. */
  told: Set<number>;
}

const isPrivate = ({ chat }: Message): boolean => chat.type === 'private';

/** Handles one message. `old`: it was sent before the start (D37). */
export async function read(message: Message, age: 'old' | 'fresh', deps: MessagesDeps): Promise<void> {
  const { migrate_to_chat_id: moved } = message;
  if (moved !== undefined) return deps.rooms.migrate(message.chat.id, moved);
  const rank = rankOf(deps.people, message);
  const { from } = message;
  if (rank === 'unknown' || from === undefined) return turnAway(message, deps);
  const command = commandOf(message, deps.me);
  if (command === null) {
    const known = deps.rooms.at(placeOf(message))?.chat;
    known?.buried();
    return unread(message) ? known?.say(textOnly, { reply: message.message_id, notify: 'yes' }) : undefined;
  }
  const room = await deps.rooms.enter(placeOf(message), isPrivate(message) ? 'private' : 'group');
  const by = actorOf(from, rank);
  const reply = repliedTo(message, deps.me);
  // What a reply from before the start shows was settled by the start.
  room.chat.buried(age === 'fresh' && isLive(reply?.text ?? '') ? reply?.message : null);
  // Chat waits its turn like any other; what decides about a plan was decided on what was seen then.
  if (age === 'old' && (command.kind !== 'chat' || isAsked(room, reply, by)))
    return room.chat.say(wasAway, { reply: message.message_id, notify: 'yes' });
  if (command.kind === 'chat' && reply !== undefined) {
    const done = await replied(room, { reply, text: command.text, by, message });
    if (done === 'done') return;
  }
  await act({ room, by, message: message.message_id, command }, deps);
}

const unreadable = ['photo', 'document', 'voice', 'audio', 'video', 'video_note', 'animation', 'sticker'];

/** Something that was said to the bot alone and that it can't take in: silence would look like work. */
const unread = (message: Message): boolean =>
  isPrivate(message) && unreadable.some((kind) => Object.hasOwn(message, kind));

/** Nobody owns this bot: it answers nobody, and the log says how that is changed (D29). */
async function turnAway({ from, sender_chat: senderChat, chat }: Message, deps: MessagesDeps): Promise<void> {
  const { people, told, line, wire } = deps;
  if (from === undefined || from.is_bot || senderChat !== undefined) return;
  if (chat.type !== 'private' || told.has(from.id)) return;
  told.add(from.id);
  if (people.owner === null)
    return line(`${from.id} wrote. If that is you, set TELEGRAM_OWNER_ID=${from.id}.`);
  await wire.post({ chat: chat.id, topic: null }, run(stranger(from.id)), { notify: 'no' });
}

/** What the message asks of this bot; null: nothing. Quoted and replied-to text is never looked at (D25). */
function commandOf(message: Message, me: UserFromGetMe): BotCommand | null {
  const { text } = message;
  if (text === undefined) return null;
  const command = parseCommand(text, message.entities ?? [], me.username);
  if (command.kind === 'foreign') return null;
  if (isPrivate(message)) return command;
  if (command.kind === 'unknown') return text.includes('@') ? command : null;
  if (command.kind !== 'chat') return command;
  const mention = new RegExp(`(?<![\\w@])@${me.username}(?!\\w)`, 'iu');
  if (!mention.test(text)) return message.reply_to_message?.from?.id === me.id ? command : null;
  return { kind: 'chat', text: text.replace(mention, '').trim() };
}

function repliedTo({ reply_to_message: to }: Message, me: UserFromGetMe): RepliedTo | undefined {
  if (to === undefined) return undefined;
  return { message: to.message_id, text: to.from?.id === me.id ? (to.text ?? null) : null };
}

interface Reply {
  reply: RepliedTo;
  text: string;
  by: Actor;
  message: Message;
}

const isAsked = ({ chat }: Room, reply: RepliedTo | undefined, by: Actor): boolean =>
  reply !== undefined && chat.notes.reply(reply, '', by) !== null;

/** A reply to a question of the bot is its answer, and nothing else (D44). */
async function replied(room: Room, { reply, text, by, message }: Reply): Promise<'done' | 'no question'> {
  const { chat } = room;
  const note = chat.notes.reply(reply, text, by);
  const at = { reply: message.message_id, notify: 'yes' } as const;
  if (note !== null && 'refused' in note) {
    chat.say(note.refused, at);
    return 'done';
  }
  if (note !== null) {
    note.taken();
    await send({ room, message: message.message_id }, note.said);
    return 'done';
  }
  const told = chat.prompts.reply(reply, text, message.from?.first_name ?? '');
  if (told === null) return 'no question';
  return 'done';
}
