import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { tryLock } from './sqlite-lock.ts';
import { StoreError } from './store-error.ts';

/** Longest wait for a lock before the caller is told (ms). */
export const lockWaitMs = 10_000;

export interface Mutex {
  /**
   * Runs `work` while this process holds the lock file, callers of one process in the order they came.
   * Rejects with `StoreError` LOCKED after the longest wait, with `work`'s error otherwise.
   */
  run<T>(path: string, work: () => Promise<T>): Promise<T>;
}

/** A mutex between processes and inside this one (D7); waiting never blocks the event loop. */
export function createMutex(waitMs: number = lockWaitMs): Mutex {
  /** Per lock file, settles when everyone who came before has left. */
  const tails = new Map<string, Promise<void>>();
  return {
    run: async (path, work) => {
      const until = performance.now() + waitMs;
      const before = tails.get(path) ?? Promise.resolve();
      const left = Promise.withResolvers<void>();
      const tail = before.then(() => left.promise);
      tails.set(path, tail);
      try {
        await turnCame(before, path, until, waitMs);
        const lock = await acquire(path, until, waitMs);
        try {
          return await work();
        } finally {
          lock.close();
        }
      } finally {
        left.resolve();
        if (tails.get(path) === tail) tails.delete(path);
      }
    },
  };
}

async function turnCame(before: Promise<void>, path: string, until: number, waitMs: number): Promise<void> {
  const timer = new AbortController();
  const late = pause(until - performance.now(), 'late' as const, { signal: timer.signal });
  // Aborting the timer rejects it after the race is decided.
  late.catch(() => undefined);
  const first = await Promise.race([before.then(() => 'turn' as const), late]);
  timer.abort();
  if (first === 'late') throw locked(path, waitMs);
}

async function acquire(path: string, until: number, waitMs: number): Promise<DatabaseSync> {
  for (;;) {
    const lock = tryLock(path, 0);
    if (lock !== null) return lock;
    if (performance.now() >= until) throw locked(path, waitMs);
    // Jitter keeps two waiters from knocking in step.
    await pause(1 + Math.random() * 9);
  }
}

function locked(path: string, waitMs: number): StoreError {
  const cause = `it was held for ${waitMs / 1000} s`;
  const text = `Cannot lock ${path}: ${cause}. Look for a hanging planchart process, end it, and try again.`;
  return new StoreError('LOCKED', text, { path, cause });
}
