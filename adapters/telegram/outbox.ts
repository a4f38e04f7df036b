import { isBlank, messageLimits, split } from './html/split.ts';
import { richLength } from './html/rich.ts';
import { threadOf } from './outbox-calls.ts';
import { ChatQueue } from './outbox-chat.ts';
import { type Fault, failureText, faultOf } from './outbox-faults.ts';
import type { EditJob, Job } from './outbox-jobs.ts';
import { createPace } from './outbox-pace.ts';
import type { BotCalls, Delivery, Keep, Outbox, Timers } from './outbox-types.ts';

export type { BotCalls, Timers } from './outbox-types.ts';

export interface OutboxOptions {
  calls: BotCalls;
  timers: Timers;
  /**
   * Ends all outboxes: what is droppable is answered at once, the rest is sent for `flushMs` at most. Abort it after
   * whatever still hands something over has ended.
   */
  signal: AbortSignal;
  /** Milliseconds; 5,000 unless told. */
  flushMs?: number;
  /** What keeps things from a chat, in words; null once something lands there. */
  heard?: (chat: number, failure: string | null) => void;
}

export interface Outboxes {
  /** The one outbox of a chat. */
  of(chat: number): Outbox;
  /** Fulfilled after the signal, when everything was sent or given up. */
  readonly ended: Promise<void>;
}

/** The machine's clock. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    // Longer than a timer can be: it wakes up early, and whoever set it sets another one.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

const typingEvery = 4_000;
const nothing: Delivery = { kind: 'refused', status: 0, text: 'There is nothing to show.', messages: [] };

/**
 * The outboxes of a bot (D34). Sends keep their order and are spaced; edits wait only for their message's 1.5 s and for a
 * real 429, and the newest content wins; a failure is a value. See `docs/decisions/0060-sends-at-least-once.md`.
 */
export function createOutboxes(options: OutboxOptions): Outboxes {
  const { calls, timers, signal, flushMs = 5_000 } = options;
  const pace = createPace();
  const queues = new Map<number, { queue: ChatQueue; outbox: Outbox }>();
  const ended = Promise.withResolvers<void>();
  let cancelFlush: (() => void) | null = null;

  const all = (): ChatQueue[] => Array.from(queues.values(), ({ queue }) => queue);
  function finish(): void {
    cancelFlush?.();
    for (const queue of all()) queue.stop();
    ended.resolve();
  }
  function idle(): void {
    if (cancelFlush !== null && all().every((queue) => queue.isIdle())) finish();
  }
  function end(): void {
    cancelFlush = timers.after(flushMs, finish);
    for (const queue of all()) queue.drain();
    idle();
  }

  function open(chat: number): Outbox {
    const heard = (fault: Fault | null): void => {
      const text = fault === null ? null : failureText(fault);
      if (text !== undefined) options.heard?.(chat, text);
    };
    const queue = new ChatQueue({ chat, calls, timers, pace, heard, idle });
    const outbox = outboxOf(queue, typist(queue, { chat, calls, timers, signal }));
    queues.set(chat, { queue, outbox });
    if (signal.aborted) queue.stop();
    return outbox;
  }

  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return { of: (chat) => queues.get(chat)?.outbox ?? open(chat), ended: ended.promise };
}

function outboxOf(queue: ChatQueue, typing: Outbox['typing']): Outbox {
  let order = 0;
  type Start = { order: number; keep: Keep; due: number; tries: number; settle: Job['settle'] };
  const handed = (keep: Keep, job: (start: Start) => Job): Promise<Delivery> =>
    new Promise((settle) => {
      order += 1;
      queue.add(job({ order, keep, due: 0, tries: 0, settle: [settle] }));
    });
  const edited = (keep: Keep, change: Pick<EditJob, 'message' | 'body' | 'keyboard'>): Promise<Delivery> =>
    handed(keep, (start) => ({ kind: 'edit', as: 'html', ...start, ...change }));
  return {
    post: async (post) => {
      const parts = split(post.body).map((body) => ({ body, as: 'html' as const }));
      if (parts.length === 0) return nothing;
      return handed(post.keep, (start) => ({
        kind: 'post',
        ...start,
        post,
        parts,
        messages: [],
        as: 'html',
        seek: null,
      }));
    },
    document: async (post) =>
      post.text === ''
        ? nothing
        : handed(post.keep, (start) => ({ kind: 'document', ...start, post, messages: [], as: 'html' })),
    edit: async ({ message, body, keyboard, keep }) => {
      if (isBlank(body)) return nothing;
      if (richLength(body) > messageLimits.units) return { kind: 'tooLong', messages: [] };
      return edited(keep, { message, body, keyboard });
    },
    markup: ({ message, keyboard, keep }) => edited(keep, { message, body: null, keyboard }),
    delete: (message) => handed('always', (start) => ({ kind: 'delete', ...start, message })),
    typing,
  };
}

/** Typing is nobody's news: it is not queued, and what goes wrong with it is not told. */
function typist(
  queue: ChatQueue,
  { chat, calls, timers, signal }: Pick<OutboxOptions, 'calls' | 'timers' | 'signal'> & { chat: number },
): Outbox['typing'] {
  const last = new Map<number | null, number>();
  return (topic) => {
    const now = timers.now();
    if (signal.aborted || queue.isFlooded() || now - (last.get(topic) ?? -Infinity) < typingEvery) return;
    last.set(topic, now);
    const told = calls.sendChatAction({ chat_id: chat, action: 'typing', ...threadOf(topic) });
    told.catch((error: unknown) => {
      const fault = faultOf(error);
      if (fault.kind === 'flood') queue.flooded(fault.seconds);
    });
  };
}
