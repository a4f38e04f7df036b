import { setTimeout as pause } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';

/** `old`: it was waiting before this program could take it (D37). */
export interface Taken {
  update: Update;
  age: 'old' | 'fresh';
}

export interface PollOptions {
  api: Pick<Api, 'getUpdates'>;
  /** One line for the log. */
  line: (text: string) => void;
  now: () => number;
  /** First wait after a failure, in ms; doubled up to 30 s. */
  retryMs: number;
  /** What was waiting has been taken: from now on nothing is old. */
  ready: () => void;
  /** Resolves when nothing of the last updates is being handled any more, or after a while. */
  handled: () => Promise<void>;
}

/** Why polling ended for good. */
export class PollError extends Error {
  readonly code: 'REFUSED' | 'CONFLICT';

  constructor(code: PollError['code'], message: string) {
    super(message);
    this.name = 'PollError';
    this.code = code;
  }
}

const kinds = ['message', 'callback_query'] as const;
const batch = 100;
const waitSeconds = 30;
/** Who has polled this long is not the newcomer of two pollers (B128), in ms. */
const settledMs = 60_000;
/** So often a newcomer is told of another poller before it leaves. */
const conflicts = 6;
/** What arrives after so long a silence was waiting, in ms. */
const silenceMs = 60_000;
const longestRetry = 30_000;

/**
 * Takes updates in order. They are confirmed by the next poll, which waits until they have been handled; what was waiting
 * before the first one, or through a long silence, is old (D37).
 */
export class Poll {
  private readonly options: PollOptions;
  private readonly started: number;
  private offset = 0;
  private caughtUp: 'yes' | 'no' = 'no';
  private lastAnswer: number | null = null;
  private refused = 0;
  private failures = 0;

  constructor(options: PollOptions) {
    this.options = options;
    this.started = options.now();
  }

  /** For the runner's source. Throws a `PollError` when going on makes no sense, and whatever was thrown after the signal. */
  async take(signal: AbortSignal): Promise<Taken[]> {
    await this.options.handled();
    for (;;) {
      try {
        return await this.once(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        await this.failed(error, signal);
      }
    }
  }

  /** Confirms what was taken, so that the next program does not get it again. */
  async confirm(): Promise<void> {
    if (this.offset === 0) return;
    try {
      await this.options.api.getUpdates({ offset: this.offset, limit: 1, timeout: 0 });
    } catch (error) {
      // The next program gets them again, and knows which ones were begun.
      this.options.line(`The last updates could not be confirmed: ${text(error)}`);
    }
  }

  private async once(signal: AbortSignal): Promise<Taken[]> {
    const { api, now } = this.options;
    const silent = now() - (this.lastAnswer ?? this.started) >= silenceMs && this.failures > 0;
    if (silent) this.caughtUp = 'no';
    const first = this.caughtUp === 'no';
    const given = {
      offset: this.offset,
      limit: batch,
      timeout: first ? 0 : waitSeconds,
      allowed_updates: kinds,
    };
    const updates = await api.getUpdates(given, signal as Parameters<Api['getUpdates']>[1]);
    if (updates.length < batch) this.catchUp();
    if (this.failures > 0 && this.refused === 0) this.options.line('Telegram answers again.');
    if (!first) this.refused = 0;
    this.failures = 0;
    this.lastAnswer = now();
    this.offset = (updates.at(-1)?.update_id ?? this.offset - 1) + 1;
    return updates.map((update) => ({ update, age: first ? 'old' : 'fresh' }));
  }

  private catchUp(): void {
    if (this.lastAnswer === null) this.options.ready();
    this.caughtUp = 'yes';
  }

  private async failed(error: unknown, signal: AbortSignal): Promise<void> {
    const { line, now, retryMs } = this.options;
    const code = error instanceof GrammyError ? error.error_code : 0;
    if (code === 401) throw new PollError('REFUSED', 'Telegram does not accept the bot token any more.');
    if (code === 409) {
      this.refused += 1;
      const settled = now() - this.started >= settledMs;
      if (!settled && this.refused >= conflicts)
        throw new PollError(
          'CONFLICT',
          'Another program polls with the same bot token. Stop it, or use another token.',
        );
      if (this.refused === 1) line('Another program polls with the same bot token; trying again.');
    } else if (this.failures === 0) line(`Telegram can't be reached: ${text(error)}. Trying again.`);
    this.failures += 1;
    const wait = error instanceof GrammyError ? error.parameters.retry_after : undefined;
    await pause(wait === undefined ? this.delay(code, retryMs) : wait * 1000, undefined, { signal });
  }

  /** Two pollers have to meet often enough to find out who is the newcomer. */
  private delay(code: number, retryMs: number): number {
    if (code === 409) return retryMs * Math.min(this.failures, 3);
    return Math.min(longestRetry, retryMs * 2 ** Math.min(this.failures - 1, 10));
  }
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
