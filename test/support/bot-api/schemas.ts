import { z } from 'zod';
import { Markup } from './markup.ts';

/** A field that a form carries as JSON text. */
const json = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value): unknown => (typeof value === 'string' ? JSON.parse(value) : value), schema);
const number = z.coerce.number().int();
const flag = z.preprocess((value) => (typeof value === 'string' ? value === 'true' : value), z.boolean());

const markup = json(Markup).optional();
const reply = json(
  z.object({ message_id: z.number(), allow_sending_without_reply: z.boolean().optional() }),
).optional();

export const SendMessage = z.object({
  chat_id: number,
  message_thread_id: number.optional(),
  text: z.string().default(''),
  parse_mode: z.string().optional(),
  disable_notification: flag.optional(),
  reply_markup: markup,
  reply_parameters: reply,
});

export const SendDocument = SendMessage.omit({ text: true }).extend({
  document: z.string(),
  caption: z.string().default(''),
});

export const EditText = z.object({
  chat_id: number,
  message_id: number,
  text: z.string().default(''),
  parse_mode: z.string().optional(),
  reply_markup: markup,
});

export const EditMarkup = z.object({ chat_id: number, message_id: number, reply_markup: markup });
export const OneMessage = z.object({ chat_id: number, message_id: number });
export const OneChat = z.object({ chat_id: number });

export const ChatAction = z.object({
  chat_id: number,
  message_thread_id: number.optional(),
  action: z.string(),
});

export const AnswerQuery = z.object({
  callback_query_id: z.string(),
  text: z.string().optional(),
  show_alert: flag.optional(),
});

const scope = json(z.looseObject({ type: z.string() })).optional();
export const Commands = z.object({
  commands: json(z.array(z.object({ command: z.string(), description: z.string() }))),
  scope,
  language_code: z.string().optional(),
});
export const CommandsOf = Commands.omit({ commands: true });

export const GetUpdates = z.object({
  offset: number.optional(),
  limit: number.optional(),
  timeout: number.optional(),
  allowed_updates: json(z.array(z.string())).optional(),
});
