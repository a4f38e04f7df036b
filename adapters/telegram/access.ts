import type { Chat, User } from 'grammy/types';
import type { Actor } from '../../machines/index.ts';

/** Who may do what (D29). Ids are Telegram's; `owner` null: the bot answers nobody. */
export interface People {
  owner: number | null;
  allowed: readonly number[];
}

export type Rank = 'owner' | 'allowed' | 'unknown';

/**
 * Judges the person and never the chat. Anonymous admins and channels speak through a chat, so nobody knows who they are;
 * bots are nobody's owner either (D29).
 */
export function rankOf(
  { owner, allowed }: People,
  { from, sender_chat: senderChat }: { from?: User | undefined; sender_chat?: Chat | undefined },
): Rank {
  if (owner === null || from === undefined || from.is_bot || senderChat !== undefined) return 'unknown';
  if (from.id === owner) return 'owner';
  return allowed.includes(from.id) ? 'allowed' : 'unknown';
}

/** What the session is told of somebody who writes or presses. */
export const actorOf = (from: User, rank: Rank): Actor => ({
  entry: 'interactive',
  surface: 'telegram',
  person: String(from.id),
  owner: rank === 'owner',
});
