import { GrammyError, HttpError } from 'grammy';
import { run } from '../../../adapters/telegram/html/rich.ts';
import { createOutboxes, type BotCalls, type Timers } from '../../../adapters/telegram/outbox.ts';

/** A clock that stands still until a test moves it. */
export interface TestTimers extends Timers {
  /** Runs every timer that is due on the way, and what follows from it. */
  advance(ms: number): Promise<void>;
  readonly pending: number;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function testTimers(): TestTimers {
  let now = 1_000_000;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + Math.max(0, ms), run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    advance: async (ms) => {
      const end = now + ms;
      await turn();
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.run();
        await turn();
      }
      now = end;
      await turn();
    },
    get pending() {
      return timers.length;
    },
  };
}

export interface Made {
  method: string;
  payload: Readonly<Record<string, unknown>>;
  /** Milliseconds since the start of the test. */
  at: number;
  signal: { aborted: boolean };
}

/** What a call throws, or a promise of its answer; nothing: it is done. */
type Reply = (call: Made, index: number) => unknown;

export const refusal = (
  status: number,
  description: string,
  parameters: Record<string, number> = {},
): GrammyError =>
  new GrammyError('refused', { ok: false, error_code: status, description, parameters }, 'x', {});
export const flood = (seconds: number): GrammyError =>
  refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
export const dropped = (): HttpError => new HttpError('Network request failed!', new Error('socket hang up'));
export const notModified = (): GrammyError => refusal(400, 'Bad Request: message is not modified: the same');

/** Outboxes on a clock that stands still, and calls that are answered by the test. */
export function outboxWorld({ flushMs }: { flushMs?: number } = {}) {
  const timers = testTimers();
  const start = timers.now();
  const made: Made[] = [];
  const ends = new AbortController();
  let reply: Reply = () => null;
  let nextId = 100;
  const call =
    (method: string) =>
    async (payload: Record<string, unknown>, signal: unknown): Promise<unknown> => {
      const one: Made = { method, payload, at: timers.now() - start, signal: signal as Made['signal'] };
      made.push(one);
      const answer = await reply(one, made.length - 1);
      if (answer instanceof Error) throw answer;
      if (!method.startsWith('send') || method === 'sendChatAction') return true;
      nextId += 1;
      return { message_id: nextId };
    };
  const methods = [
    'sendMessage',
    'sendDocument',
    'editMessageText',
    'editMessageReplyMarkup',
    'deleteMessage',
    'sendChatAction',
  ];
  const calls = Object.fromEntries(methods.map((name) => [name, call(name)])) as unknown as BotCalls;
  const outboxes = createOutboxes({
    calls,
    timers,
    signal: ends.signal,
    ...(flushMs === undefined ? {} : { flushMs }),
  });
  return {
    timers,
    made,
    outboxes,
    ends,
    /** `method text @ms`, in order. */
    log: () =>
      made.map(({ method, payload, at }) =>
        [method, payload['text'] as string | undefined, `@${at}`]
          .filter((one) => one !== undefined)
          .join(' '),
      ),
    answer: (rule: Reply) => {
      reply = rule;
    },
  };
}

export const chat = 42;
export const group = -7;
export const landed = (...messages: number[]) => ({ kind: 'landed', as: 'html', messages });

export const post = (text: string, keep: 'always' | 'droppable' = 'always') =>
  ({ topic: null, body: run(text), keep, sound: 'on' }) as const;
export const edit = (message: number, text: string, keep: 'always' | 'droppable' = 'droppable') =>
  ({ message, body: run(text), keyboard: null, keep }) as const;
export const keyboard = (text: string) => ({ inline_keyboard: [[{ text, callback_data: text }]] });

/** Where a promise is, without waiting for it. One that rejects fails the run. */
export function watch<T>(promise: Promise<T>): { value: T | 'open' } {
  const seen: { value: T | 'open' } = { value: 'open' };
  async function look(): Promise<void> {
    seen.value = await promise;
  }
  void look();
  return seen;
}
