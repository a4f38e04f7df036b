import type { BotState, Watched } from '../bot-port.ts';

/** What the bot says of its way to Telegram, line by line. */
const says: readonly (readonly [RegExp, BotState])[] = [
  [/ is ready\.$/u, 'connected'],
  [/^Telegram answers again\./u, 'connected'],
  [/^Telegram can't be reached/u, 'unreachable'],
  [/^Another program polls /u, 'unreachable'],
];

/** Follows a bot beside the terminal UI by its lines, which go to the log. */
export interface BotWatch extends Watched<BotState> {
  heard(line: string): void;
  ended(): void;
}

export function createBotWatch(): BotWatch {
  let state: BotState = 'connecting';
  const listeners = new Set<() => void>();
  const become = (next: BotState): void => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    heard(line) {
      const found = says.find(([pattern]) => pattern.test(line));
      if (found !== undefined) become(found[1]);
    },
    ended: () => become('ended'),
  };
}
