/** How the bot beside a terminal UI stands to Telegram; `ended`: it does not try any more. */
export type BotState = 'connecting' | 'connected' | 'unreachable' | 'ended';

/** A value that changes; `subscribe` answers a function that stops it. */
export interface Watched<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}
