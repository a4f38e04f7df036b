/** How often sends may go out (D34); edits are not counted. Times are milliseconds. */
export interface Pace {
  /** From when on a send to the chat keeps the limits. */
  readyAt(chat: number): number;
  /** A send goes out now. */
  count(chat: number, now: number): void;
}

const limits = { all: 30, allMs: 1_000, chatMs: 1_000, group: 20, groupMs: 60_000 } as const;

/** 30 a second in all, 1 a second per chat, 20 a minute per group; one of these for all outboxes of a bot. */
export function createPace(): Pace {
  const all: number[] = [];
  const chats = new Map<number, number[]>();
  const remember = (times: number[], now: number, most: number): void => {
    times.push(now);
    if (times.length > most) times.shift();
  };
  /** When the oldest of the last `most` sends is `ms` ago. */
  const free = (times: readonly number[], most: number, ms: number): number =>
    times.length < most ? 0 : (times.at(-most) ?? 0) + ms;
  return {
    readyAt: (chat) => {
      const own = chats.get(chat) ?? [];
      const group = chat < 0 ? free(own, limits.group, limits.groupMs) : 0;
      return Math.max(free(all, limits.all, limits.allMs), free(own, 1, limits.chatMs), group);
    },
    count: (chat, now) => {
      remember(all, now, limits.all);
      const own = chats.get(chat) ?? [];
      remember(own, now, limits.group);
      chats.set(chat, own);
    },
  };
}
