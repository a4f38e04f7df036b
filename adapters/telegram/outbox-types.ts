import type { Api } from 'grammy';
import type { ForceReply, InlineKeyboardMarkup } from 'grammy/types';
import type { Rich } from './html/rich.ts';

/** What became of something handed to an outbox. `messages`: what of it is in the chat, in order. */
export type Delivery = { messages: readonly number[] } &
  /** It is there, or newer content of the same message is. `plain`: Telegram would not take it as HTML. */
  (
    | { kind: 'landed'; as: 'html' | 'plain' }
    /** The message is not there or can't be changed any more; or the chat, the topic, the right to write is gone. */
    | { kind: 'gone'; what: 'message' | 'place'; text: string }
    /** The group has become a supergroup with this id (B127); nothing was sent. */
    | { kind: 'moved'; chat: number }
    /** A flood wait, in milliseconds of the timers' clock. Only for what is droppable. */
    | { kind: 'flood'; until: number }
    /** It did not go through, or nobody knows. For what is droppable, and where Telegram itself fails again and again. */
    | { kind: 'failed'; text: string }
    /** An edit whose text does not fit into its message; nothing was sent. */
    | { kind: 'tooLong' }
    /** Telegram does not take it. `status` 0: there was nothing to send. */
    | { kind: 'refused'; status: number; text: string }
    /** The outbox had to end before. */
    | { kind: 'ended' }
  );

/**
 * `always`: sent until it has landed (a final, a question). `droppable`: tried once, and what keeps it is told at once, so
 * that the next one is drawn anew (a clock tick).
 */
export type Keep = 'always' | 'droppable';

export interface Post {
  topic: number | null;
  body: Rich;
  keep: Keep;
  /** D50: what belongs to a running turn makes no sound. */
  sound: 'on' | 'off';
  replyTo?: number;
  /** On the last part. Plan keyboards come by an edit, when the id is on record (D30). */
  markup?: InlineKeyboardMarkup | ForceReply;
}

export interface DocumentPost extends Omit<Post, 'body'> {
  name: string;
  text: string;
  caption: Rich;
}

export interface Edit {
  message: number;
  body: Rich;
  /** An edit without buttons takes them off, so they are part of it; null: none. */
  keyboard: InlineKeyboardMarkup | null;
  keep: Keep;
}

export interface MarkupEdit {
  message: number;
  keyboard: InlineKeyboardMarkup | null;
  keep: Keep;
}

/** The clock of an outbox, in milliseconds. `after` answers what takes the timer back. */
export interface Timers {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** The calls that an outbox makes: `api.raw` of a grammY bot. */
export type BotCalls = Pick<
  Api['raw'],
  | 'sendMessage'
  | 'sendDocument'
  | 'editMessageText'
  | 'editMessageReplyMarkup'
  | 'deleteMessage'
  | 'sendChatAction'
>;

/** Everything that is sent to one chat, its topics included. Contract: no promise rejects. */
export interface Outbox {
  /** Long bodies come in several messages. Sent at least once, and looked for before it is sent again (decision 0060). */
  post(post: Post): Promise<Delivery>;
  document(post: DocumentPost): Promise<Delivery>;
  edit(edit: Edit): Promise<Delivery>;
  markup(edit: MarkupEdit): Promise<Delivery>;
  delete(message: number): Promise<Delivery>;
  /** Shows "typing…" for a few seconds, if nothing is against it. */
  typing(topic: number | null): void;
}
