import {
  deleteMessage,
  editMessageReplyMarkup,
  editMessageText,
  sendDocument,
  sendMessage,
} from './messages.ts';
import { badRequest } from './refusal.ts';
import { AnswerQuery, ChatAction, Commands, CommandsOf, GetUpdates, OneChat } from './schemas.ts';
import type { Updates } from './updates.ts';
import type { Sent } from './wire.ts';
import { roomOf, topicOf, type World } from './world.ts';

/** `left` is aborted when the client hangs up. */
type Method = (world: World, sent: Sent, updates: Updates, left: AbortSignal) => unknown;

const tooOld = 'query is too old and response timeout expired or query ID is invalid';

function answerCallbackQuery(world: World, { payload }: Sent): true {
  const given = AnswerQuery.parse(payload);
  const query = world.queries.find(({ id }) => id === given.callback_query_id);
  if (query === undefined || query.state !== 'open') throw badRequest(tooOld);
  if ((given.text ?? '').length > 200) throw badRequest('MESSAGE_TOO_LONG');
  query.state = 'answered';
  query.text = given.text ?? null;
  query.alert = given.show_alert === true ? 'yes' : 'no';
  return true;
}

const scopeKey = ({
  scope,
  language_code,
}: {
  scope?: unknown;
  language_code?: string | undefined;
}): string => JSON.stringify([scope ?? { type: 'default' }, language_code ?? '']);

function setMyCommands(world: World, { payload }: Sent): true {
  const given = Commands.parse(payload);
  for (const { command, description } of given.commands) {
    if (!/^[a-z0-9_]{1,32}$/u.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    if (description.length < 1 || description.length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  world.commands.set(scopeKey(given), given.commands);
  return true;
}

function sendChatAction(world: World, { payload }: Sent): true {
  const given = ChatAction.parse(payload);
  const topic = topicOf(roomOf(world, given.chat_id), given.message_thread_id);
  world.typing.push({ chat: given.chat_id, topic, action: given.action });
  return true;
}

function deleteWebhook(updates: Updates, drop: unknown): true {
  if (drop === true || drop === 'true') updates.dropAll();
  return true;
}

export const methods: Readonly<Record<string, Method>> = {
  getMe: ({ me }) => me,
  getUpdates: (_, { payload }, updates, left) => updates.poll(GetUpdates.parse(payload), left),
  deleteWebhook: (_, { payload }, updates) => deleteWebhook(updates, payload['drop_pending_updates']),
  getWebhookInfo: (_, __, updates) => ({
    url: '',
    has_custom_certificate: false,
    pending_update_count: updates.pending,
  }),
  getChat: (world, { payload }) => roomOf(world, OneChat.parse(payload).chat_id).chat,
  sendMessage,
  sendDocument,
  editMessageText,
  editMessageReplyMarkup,
  deleteMessage,
  answerCallbackQuery,
  setMyCommands,
  getMyCommands: (world, { payload }) => world.commands.get(scopeKey(CommandsOf.parse(payload))) ?? [],
  sendChatAction,
};
