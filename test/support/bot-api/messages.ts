import { isDeepStrictEqual } from 'node:util';
import type { Message } from 'grammy/types';
import type { z } from 'zod';
import { keyboardOf, type Markup } from './markup.ts';
import { badRequest } from './refusal.ts';
import { EditMarkup, EditText, OneMessage, SendDocument, SendMessage } from './schemas.ts';
import { formatted } from './text.ts';
import type { Sent } from './wire.ts';
import {
  add,
  isDeletable,
  messageOf,
  type Room,
  roomOf,
  type Stored,
  topicOf,
  wireMessage,
  type World,
} from './world.ts';

type Address = Pick<
  z.infer<typeof SendMessage>,
  'message_thread_id' | 'disable_notification' | 'reply_markup' | 'reply_parameters'
>;

const forceReply = (markup: Markup | undefined): 'yes' | 'no' =>
  markup !== undefined && 'force_reply' in markup ? 'yes' : 'no';

function replyTarget(room: Room, reply: Address['reply_parameters']): number | null {
  if (reply === undefined) return null;
  if (messageOf(room, reply.message_id) !== undefined) return reply.message_id;
  if (reply.allow_sending_without_reply === true) return null;
  throw badRequest('message to be replied not found');
}

function post(world: World, room: Room, given: Address, content: Partial<Stored>): Message {
  const message = add(world, room, {
    from: world.me,
    topic: topicOf(room, given.message_thread_id),
    keyboard: keyboardOf(given.reply_markup),
    forceReply: forceReply(given.reply_markup),
    replyTo: replyTarget(room, given.reply_parameters),
    notifies: given.disable_notification === true ? 'no' : 'yes',
    ...content,
  });
  return wireMessage(world, room, message);
}

export function sendMessage(world: World, { payload }: Sent): Message {
  const given = SendMessage.parse(payload);
  const room = roomOf(world, given.chat_id);
  topicOf(room, given.message_thread_id);
  return post(world, room, given, formatted(given.text, given.parse_mode, 'text'));
}

export function sendDocument(world: World, { payload, files }: Sent): Message {
  const given = SendDocument.parse(payload);
  const room = roomOf(world, given.chat_id);
  const file = files.get(given.document.replace(/^attach:\/\//u, ''));
  if (file === undefined) throw badRequest('there is no document in the request');
  if (file.text === '') throw badRequest('file must be non-empty');
  return post(world, room, given, {
    ...formatted(given.caption, given.parse_mode, 'caption'),
    document: file,
  });
}

/** A message of the bot that is there. */
function ours(room: Room, world: World, id: number): Stored {
  const message = messageOf(room, id);
  if (message === undefined) throw badRequest('message to edit not found');
  if (message.from.id !== world.me.id) throw badRequest("message can't be edited");
  return message;
}

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current ' +
  'content and reply markup of the message';

/** An edit that leaves the markup out takes it off. */
function change(world: World, room: Room, message: Stored, next: Partial<Stored>): Message {
  const { text, entities, keyboard } = message;
  const after = { text, entities, keyboard, ...next };
  if (isDeepStrictEqual({ text, entities, keyboard }, after)) throw badRequest(notModified);
  Object.assign(message, after, { edits: message.edits + 1 });
  return wireMessage(world, room, message);
}

export function editMessageText(world: World, { payload }: Sent): Message {
  const given = EditText.parse(payload);
  const room = roomOf(world, given.chat_id);
  const message = ours(room, world, given.message_id);
  if (message.document !== null) throw badRequest('there is no text in the message to edit');
  const content = formatted(given.text, given.parse_mode, 'text');
  return change(world, room, message, { ...content, keyboard: keyboardOf(given.reply_markup) });
}

export function editMessageReplyMarkup(world: World, { payload }: Sent): Message {
  const given = EditMarkup.parse(payload);
  const room = roomOf(world, given.chat_id);
  const message = ours(room, world, given.message_id);
  return change(world, room, message, { keyboard: keyboardOf(given.reply_markup) });
}

export function deleteMessage(world: World, { payload }: Sent): true {
  const given = OneMessage.parse(payload);
  const room = roomOf(world, given.chat_id);
  const message = messageOf(room, given.message_id);
  if (message === undefined) throw badRequest('message to delete not found');
  if (!isDeletable(world, message)) throw badRequest("message can't be deleted");
  room.messages = room.messages.filter((one) => one !== message);
  return true;
}
