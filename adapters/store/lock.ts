import { setTimeout as pause } from 'node:timers/promises';
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { lockAgain, tryLock } from './sqlite-lock.ts';
import { StoreError } from './store-error.ts';

/** Longest wait for a lock before the caller is told (ms). */
export const lockWaitMs = 10_000;
/** Lock files that stay open: a turn goes to and fro between those of its session and of the transcript. */
const keptOpen = 4;

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
  const keep = createKeep();
  return {
    run: async (path, work) => {
      const until = performance.now() + waitMs;
      const before = tails.get(path);
      const left = Promise.withResolvers<void>();
      const tail = before === undefined ? left.promise : before.then(() => left.promise);
      tails.set(path, tail);
      try {
        if (before !== undefined) await turnCame(before, path, until, waitMs);
        const lock = keep.take(path) ?? (await acquire(path, until, waitMs));
        try {
          return await work();
        } finally {
          keep.put(path, lock);
        }
      } finally {
        left.resolve();
        if (tails.get(path) === tail) tails.delete(path);
      }
    },
  };
}

interface Lock {
  db: DatabaseSync;
  /** Number of the file that was opened, as far as that is known for certain. */
  inode: number | undefined;
}

/**
 * Connections in use last, open and unlocked: opening one costs as much as everything else that a short
 * transaction does in memory. A file that was replaced meanwhile is not locked by its old connection.
 */
function createKeep(): { take(path: string): Lock | null; put(path: string, lock: Lock): void } {
  const kept = new Map<string, Lock>();
  const drop = (path: string) => {
    kept.get(path)?.db.close();
    kept.delete(path);
  };
  return {
    take: (path) => {
      const lock = kept.get(path);
      if (lock === undefined) return null;
      const same = lock.inode !== undefined && lock.inode === inodeOf(path);
      if (!same || !lockAgain(lock.db)) {
        drop(path);
        return null;
      }
      kept.delete(path);
      return lock;
    },
    put: (path, lock) => {
      lock.db.exec('ROLLBACK');
      kept.set(path, lock);
      const [oldest] = kept.keys();
      if (kept.size > keptOpen && oldest !== undefined) drop(oldest);
    },
  };
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

async function turnCame(before: Promise<void>, path: string, until: number, waitMs: number): Promise<void> {
  const timer = new AbortController();
  const late = pause(until - performance.now(), 'late' as const, { signal: timer.signal });
  // Aborting the timer rejects it after the race is decided.
  late.catch(() => undefined);
  const first = await Promise.race([before.then(() => 'turn' as const), late]);
  timer.abort();
  if (first === 'late') throw locked(path, waitMs);
}

async function acquire(path: string, until: number, waitMs: number): Promise<Lock> {
  for (;;) {
    // Looked up first: a file that is replaced in between then has another number than this connection says.
    const inode = inodeOf(path);
    const db = tryLock(path, 0);
    if (db !== null) return { db, inode };
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
