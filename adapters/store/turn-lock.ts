import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TurnHold } from '../ports.ts';
import type { Places } from './places.ts';
import { isLocked, tryLock } from './sqlite-lock.ts';
import { StoreError, errnoOf } from './store-error.ts';

/** Covers the moment in which another process looks at the lock (ms). */
const lookMs = 200;
/** Younger lock files may belong to a process that has made its file and not locked it yet (ms). */
const sweepAgeMs = 60_000;

export interface TurnLocks {
  /** Throws `StoreError` LOCKED when another process runs this very turn, LOCK_FAILED when the file can't be used. */
  hold(turn: string): TurnHold;
  /** Whether any process, this one included, holds the turn's lock (D16). Contract: false for any odd id. */
  alive(turn: string): boolean;
  /** Removes lock files whose owner died. */
  sweep(): void;
}

/** Locks that say which turns are alive. A leftover file without a lock is a dead turn. */
export function createTurnLocks(places: Places): TurnLocks {
  // By path. A connection that nobody refers to is closed by the garbage collector, and the turn would look dead.
  const held = new Map<string, DatabaseSync>();
  return {
    hold: (turn) => {
      const path = places.turnLock(turn);
      const lock = tryLock(path, lookMs);
      if (lock === null) {
        const cause = 'another process runs this turn';
        throw new StoreError('LOCKED', `Cannot lock ${path}: ${cause}. Wait for it to end.`, { path, cause });
      }
      held.set(path, lock);
      return {
        release: () => {
          if (held.get(path) !== lock) return;
          held.delete(path);
          lock.close();
          unlinkIfThere(path);
        },
      };
    },
    alive: (turn) => {
      const path = lockPath(places, turn);
      return path !== null && (held.has(path) || isLocked(path));
    },
    sweep: () => sweepDead(places.locks),
  };
}

/** A lease on disk may hold anything; what is no turn id names no lock. */
function lockPath(places: Places, turn: string): string | null {
  try {
    return places.turnLock(turn);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'BAD_NAME') return null;
    throw error;
  }
}

function sweepDead(folder: string): void {
  for (const name of turnFiles(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > sweepAgeMs && !isLocked(path)) unlinkIfThere(path);
  }
}

function turnFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^turn-[0-9a-f-]{36}\.db$/.test(name));
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return [];
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The lock is free already; a file that stays is swept by a later start.
    if (errnoOf(error) === '') throw error;
  }
}
