import type { Failure } from './failure.ts';
import { faultCode } from './faults.ts';

/** Visible retries of one step after its first request (D54). */
export const retries = 3;

const backoffMs = [1_000, 2_000, 4_000] as const;
// Beyond this a person decides: a turn that stands still for an hour looks like a hang.
const longestWaitMs = 120_000;

/** Whether to ask again: after how many ms, or not, with the wait that was asked for if it is the reason. */
export type RetryPlan = { kind: 'wait'; ms: number } | { kind: 'give up'; tooLongMs: number | null };

/**
 * Plans what follows the failed request number `tries` (from 1) of which nothing had arrived: 429, 5xx and
 * a dropped connection are tried again, after `Retry-After` or else 1, 2, 4 s (D54). `now` is in epoch ms.
 */
export function planRetry(failure: Failure, tries: number, now: number): RetryPlan {
  const passing =
    failure.kind === 'network' ? failure.what === 'dropped' : faultCode(failure) === 'MODEL_BUSY';
  const backoff = backoffMs[tries - 1];
  if (!passing || backoff === undefined) return { kind: 'give up', tooLongMs: null };
  const ms = (failure.kind === 'answer' ? askedWait(failure.headers, now) : null) ?? backoff;
  return ms > longestWaitMs ? { kind: 'give up', tooLongMs: ms } : { kind: 'wait', ms };
}

/** `Retry-After` in seconds or as a date, or the finer `retry-after-ms`; null when absent or senseless. */
function askedWait(headers: Readonly<Record<string, string>>, now: number): number | null {
  const fine = amount(headers['retry-after-ms']);
  if (fine !== null) return fine;
  const given = headers['retry-after'];
  const seconds = amount(given);
  if (seconds !== null) return seconds * 1_000;
  // Without a letter it is no date: the parser would take a stray "-5" for one.
  const date = given !== undefined && /[a-z]/i.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function amount(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Math.ceil(Number(text)) : null;
}

/** Resolves after `ms`, or at once when the signal aborts. Contract: never rejects, leaves no timer. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
