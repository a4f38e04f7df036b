import { randomUUID } from 'node:crypto';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import type { ChatRequest, Reply } from '../support/model-server/reply.ts';

/** One call of a tool, as the model words it. */
export interface DeskCall {
  name: string;
  args: object;
}

/** What the model answers: calls, words, or a failure that is not retried. */
export interface DeskAnswer {
  text?: string;
  calls?: readonly DeskCall[];
  /** The provider's words for why the request failed; with HTTP 400. */
  error?: string;
}

/** A request that waits for its answer. */
export interface Held {
  request: ChatRequest;
  /** Whether the program still waits for the answer. */
  readonly open: boolean;
  answer(answer: DeskAnswer): void;
}

/** The seat of the model: every request of the program waits until the test says what is answered. */
export interface Desk {
  /** `http://127.0.0.1:<port>/v1`, for OPENAI_BASE_URL; the program's model is `openai:<any name>`. */
  readonly baseUrl: string;
  /** The next request that nobody has taken yet; `fits` picks one of several sessions. Throws after `ms`. */
  asked(fits?: (request: ChatRequest) => boolean, ms?: number): Promise<ChatRequest>;
  /** The same with an answer of its own, where several requests are open at once. */
  held(fits?: (request: ChatRequest) => boolean, ms?: number): Promise<Held>;
  /** Answers the request that `asked` or `held` gave last. Throws when it waits no more. */
  answer(answer: DeskAnswer): void;
  /** Whether the request that was given last still waits. */
  readonly open: boolean;
  /** Requests that wait and were not taken yet. */
  readonly waiting: number;
  close(): Promise<void>;
}

interface Waiting extends Held {
  open: boolean;
}

const any = (): boolean => true;

/** Opens the desk on loopback. A program that leaves a request, as a cancel does, takes it off the desk. */
export async function openDesk(): Promise<Desk> {
  const seat = new Seat();
  const server: ModelServer = await startModelServer((request, _, gone) => seat.take(request, gone));
  return {
    baseUrl: server.baseUrl,
    asked: async (fits = any, ms = 10_000) => (await seat.next(fits, ms)).request,
    held: (fits = any, ms = 10_000) => seat.next(fits, ms),
    answer: (answer) => seat.answer(answer),
    get open() {
      return seat.last?.open ?? false;
    },
    get waiting() {
      return seat.fresh.length;
    },
    close: () => server.close(),
  };
}

class Seat {
  fresh: Waiting[] = [];
  last: Waiting | null = null;
  private readonly looks = new Set<() => void>();

  /** Settles when the test answers, or when nobody waits for it any more. */
  take(request: ChatRequest, gone: AbortSignal | undefined): Promise<Reply> {
    return new Promise((resolve) => {
      const held: Waiting = {
        request,
        open: true,
        answer(answer) {
          if (!held.open) throw new Error('nobody waits for this answer any more');
          held.open = false;
          resolve(replyOf(answer));
        },
      };
      gone?.addEventListener('abort', () => {
        held.open = false;
        this.fresh = this.fresh.filter((other) => other !== held);
        resolve({ hang: true });
      });
      this.fresh.push(held);
      for (const look of this.looks) look();
    });
  }

  next(fits: (request: ChatRequest) => boolean, ms: number): Promise<Held> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const held = this.fresh.find(({ request }) => fits(request));
        if (held === undefined) return;
        clearTimeout(timer);
        this.looks.delete(look);
        this.fresh = this.fresh.filter((other) => other !== held);
        this.last = held;
        resolve(held);
      };
      const timer = setTimeout(() => {
        this.looks.delete(look);
        reject(new Error(`the model was not asked within ${ms} ms`));
      }, ms);
      this.looks.add(look);
      look();
    });
  }

  answer(answer: DeskAnswer): void {
    if (this.last === null) throw new Error('the model was not asked yet');
    this.last.answer(answer);
  }
}

/** Ids of calls are unique over the whole conversation, as real models give them. */
function replyOf({ text, calls = [], error }: DeskAnswer): Reply {
  if (error !== undefined) return { status: 400, error };
  const base = text === undefined ? {} : { text };
  const made = calls.map(({ name, args }) => ({ name, id: `call_${randomUUID()}`, input: args }));
  return { ...base, chunk: 4096, calls: made };
}

/** Result of the newest call that a request brings back, as the model reads it; null without one. */
export function resultIn({ messages }: ChatRequest): string | null {
  const last = messages.findLast(({ role }) => role === 'tool');
  return last?.content ?? null;
}
