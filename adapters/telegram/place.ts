import type { Message } from 'grammy/types';

/** Where a session lives on Telegram (D36); `topic` null: the chat itself, or its General topic. */
export interface Place {
  chat: number;
  topic: number | null;
}

/** Name of a place in maps and of its file. */
export const placeKey = ({ chat, topic }: Place): string => `${chat}_${topic ?? 0}`;

/** The General topic; sending with its number is refused (B114). */
const general = 1;

/**
 * The place of a message. A thread number alone says nothing: a plain reply in an ordinary group has one as well, so only
 * what Telegram itself calls a topic message counts.
 */
export function placeOf({
  chat,
  is_topic_message: inTopic,
  message_thread_id: thread,
}: Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>): Place {
  const topic = inTopic === true && thread !== undefined && thread !== general ? thread : null;
  return { chat: chat.id, topic };
}
