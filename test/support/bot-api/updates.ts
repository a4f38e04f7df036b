import type { Update } from 'grammy/types';
import { Refusal } from './refusal.ts';

interface Poll {
  offset?: number | undefined;
  limit?: number | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  allowed_updates?: readonly string[] | undefined;
}

type Body = Record<string, unknown>;

/** The updates that wait for the bot: kept until a poll with a higher offset, so a crash loses none. */
export interface Updates {
  add(body: Body): number;
  /** Ends the poll that is open, as the service does, with 409 for it. `left`: the client hung up. */
  poll(request: Poll, left: AbortSignal): Promise<Update[]>;
  readonly pending: number;
  dropAll(): void;
  /** Answers an open poll with nothing. */
  close(): void;
}

const conflict =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

export function createUpdates(): Updates {
  let waiting: Update[] = [];
  let next = 100_000;
  let allowed: readonly string[] = [];
  let open: { wake: () => void; end: (error: Refusal | null) => void } | null = null;

  function batch(limit: number): Update[] {
    return waiting.slice(0, limit);
  }

  function hold(limit: number, seconds: number, left: AbortSignal): Promise<Update[]> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        left.removeEventListener('abort', leave);
        if (open === mine) open = null;
      };
      const leave = (): void => {
        done();
        resolve([]);
      };
      const timer = setTimeout(leave, seconds * 1000);
      const mine = {
        wake: () => {
          done();
          resolve(batch(limit));
        },
        end: (error: Refusal | null) => {
          done();
          if (error === null) resolve([]);
          else reject(error);
        },
      };
      left.addEventListener('abort', leave);
      open = mine;
    });
  }

  return {
    add: (body) => {
      const kind = Object.keys(body)[0] ?? '';
      const id = next;
      next += 1;
      if (allowed.length > 0 && !allowed.includes(kind)) return id;
      waiting.push({ update_id: id, ...body });
      open?.wake();
      return id;
    },
    poll: async ({ offset, limit = 100, timeout = 0, allowed_updates: kinds }, left) => {
      open?.end(new Refusal(409, conflict));
      if (kinds !== undefined) allowed = kinds;
      if (offset !== undefined && offset > 0) waiting = waiting.filter((one) => one.update_id >= offset);
      if (offset !== undefined && offset < 0) waiting = waiting.slice(offset);
      if (waiting.length > 0 || timeout <= 0) return batch(limit);
      return hold(limit, timeout, left);
    },
    get pending() {
      return waiting.length;
    },
    dropAll: () => {
      waiting = [];
    },
    close: () => open?.end(null),
  };
}
