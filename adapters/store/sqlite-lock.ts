import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError, causeOf, errnoOf, remedyFor } from './store-error.ts';

const busy = 5;
const notADatabase = 26;

/**
 * Takes the exclusive lock of a lock file or answers null when somebody has it. The kernel frees it when
 * the process dies; `close()` on the answer frees it earlier. The file stays empty.
 *
 * `waitMs` blocks the event loop: 0 for anything that can wait otherwise.
 * Throws `StoreError` LOCK_FAILED with path and cause when the file can't be used as a lock.
 */
export function tryLock(path: string, waitMs: number): DatabaseSync | null {
  makeLockFile(path);
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: waitMs });
    // MEMORY: with a journal file a killed holder would leave one behind, and a reader could not open it.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (resultOf(error) === busy) return null;
    throw lockFailed(path, error);
  }
}

/** Locks a connection that `tryLock` has made; false when somebody has the lock, or it can't be had any more. */
export function lockAgain(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (resultOf(error) === null) throw error;
    return false;
  }
}

/**
 * Whether somebody holds the lock of an existing lock file. Takes only a shared look, so it steals nothing.
 * A look that fails for another reason, such as too many open files, says yes: taking a live owner for dead
 * would put two turns on one session, the other mistake only costs a wait (D16).
 */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0, readOnly: true });
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    const result = resultOf(error);
    if (result === null) throw error;
    // Anything that is no lock file of ours can't be held as one; the file may also just have gone.
    return result !== notADatabase && existsSync(path);
  } finally {
    db?.close();
  }
}

/**
 * SQLite would make the file too, but with the umask's rights, and on a read-only place it silently gives
 * a shared lock. An existing file is never opened here: closing it would drop this process' locks on it.
 */
function makeLockFile(path: string): void {
  try {
    if (!existsSync(path)) createLockFile(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw lockFailed(path, error);
  }
}

function createLockFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Somebody was faster, or what stands there is not to be used: the next look says which.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function lockFailed(path: string, error: unknown): StoreError {
  const cause = causeOf(error);
  const text = `Cannot use the lock file ${path}: ${cause}. ${remedyFor(error)}, then try again; nothing was changed.`;
  return new StoreError('LOCK_FAILED', text, { path, cause }, error);
}

/** SQLite's primary result code, null when the error is not SQLite's. */
function resultOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
