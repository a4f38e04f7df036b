import { InputFile } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';
import { richHtml } from './html/render.ts';
import { plainText, type Rich } from './html/rich.ts';
import type { EditJob, Job, Part, PostJob } from './outbox-jobs.ts';
import type { BotCalls, Post } from './outbox-types.ts';

/** grammY names the signal of another package; at run time it takes the platform's. */
type CallSignal = NonNullable<Parameters<BotCalls['deleteMessage']>[1]>;

/** The general topic is written to without a number (B114). */
export const threadOf = (topic: number | null): { message_thread_id?: number } =>
  topic === null || topic === 1 ? {} : { message_thread_id: topic };

/** An absent keyboard may leave the old one: none is an explicit empty one (B125). */
const markupOf = (keyboard: InlineKeyboardMarkup | null): InlineKeyboardMarkup =>
  keyboard ?? { inline_keyboard: [] };

const noPreview = { link_preview_options: { is_disabled: true } } as const;

/** The text of a message and how it is to be read. */
function words(body: Rich, as: 'html' | 'plain'): { text: string; parse_mode?: 'HTML' } {
  return as === 'html' ? { text: richHtml(body), parse_mode: 'HTML' } : { text: plainText(body) };
}

function address(
  chat: number,
  post: Omit<Post, 'body'>,
  place: 'last' | 'before',
): Record<string, unknown> & { chat_id: number } {
  return {
    chat_id: chat,
    ...threadOf(post.topic),
    ...(post.sound === 'off' ? { disable_notification: true } : {}),
    ...(post.replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: post.replyTo, allow_sending_without_reply: true } }),
    ...(post.markup === undefined || place === 'before' ? {} : { reply_markup: post.markup }),
  };
}

async function sendPart(
  calls: BotCalls,
  chat: number,
  [post, part, left]: [Post, Part, number],
  signal: CallSignal,
) {
  const place = address(chat, post, left === 1 ? 'last' : 'before');
  const { message_id } = await calls.sendMessage(
    { ...place, ...words(part.body, part.as), ...noPreview },
    signal,
  );
  return message_id;
}

async function edit(calls: BotCalls, chat: number, job: EditJob, signal: CallSignal): Promise<null> {
  const place = { chat_id: chat, message_id: job.message, reply_markup: markupOf(job.keyboard) };
  if (job.body === null) await calls.editMessageReplyMarkup(place, signal);
  else await calls.editMessageText({ ...place, ...words(job.body, job.as), ...noPreview }, signal);
  return null;
}

export const inlineOf = (markup: object | undefined): InlineKeyboardMarkup | null =>
  markup !== undefined && 'inline_keyboard' in markup ? (markup as InlineKeyboardMarkup) : null;

/** A part that may be in the chat is edited into what it is: only the bot's own message takes that. */
async function found(
  calls: BotCalls,
  chat: number,
  { job, part, message }: { job: PostJob; part: Part; message: number },
  signal: CallSignal,
): Promise<number> {
  const keyboard = job.parts.length > 1 ? null : inlineOf(job.post.markup);
  const place = { chat_id: chat, message_id: message, reply_markup: markupOf(keyboard) };
  await calls.editMessageText({ ...place, ...words(part.body, part.as), ...noPreview }, signal);
  return message;
}

/** Makes the next call of a job; answers the id of a message that is new. Throws what grammY throws. */
export async function callFor(
  calls: BotCalls,
  chat: number,
  job: Job,
  abort: AbortSignal,
): Promise<number | null> {
  const signal = abort as CallSignal;
  switch (job.kind) {
    case 'post': {
      const [part] = job.parts;
      if (part === undefined) return null;
      return job.seek === null
        ? sendPart(calls, chat, [job.post, part, job.parts.length], signal)
        : found(calls, chat, { job, part, message: job.seek.next }, signal);
    }
    case 'document': {
      const { name, text, caption } = job.post;
      const { text: label, parse_mode } = words(caption, job.as);
      const document = new InputFile(Buffer.from(text), name);
      const place = address(chat, job.post, 'last');
      const said = label === '' ? {} : { caption: label, ...(parse_mode && { parse_mode }) };
      return (await calls.sendDocument({ ...place, document, ...said }, signal)).message_id;
    }
    case 'edit':
      return edit(calls, chat, job, signal);
    case 'delete':
      await calls.deleteMessage({ chat_id: chat, message_id: job.message }, signal);
      return null;
  }
}
