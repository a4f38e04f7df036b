export type StoreCode =
  /** A session, turn, project, hash or stamp that may not become a file name (B09). */
  | 'BAD_NAME'
  | 'NO_SESSION'
  | 'SESSION_EXISTS'
  /** Another process or another call held the lock for longer than the wait. */
  | 'LOCKED'
  | 'LOCK_FAILED'
  | 'RECORD_NEWER'
  /** A binding that changes while there is a plan (D14). */
  | 'BOUND'
  | 'RECORD_UNREADABLE'
  | 'READ_FAILED'
  /** Nothing has changed: a restart finds the old state. */
  | 'WRITE_FAILED'
  /** The commit is on disk, a later step of it is not; loading the session again mends that. */
  | 'WRITE_PARTLY'
  | 'TRANSACTION_OVER';

/** An outside failure of the store. `data.path` is what it failed on, `data.cause` the reason in words. */
export class StoreError extends Error {
  readonly code: StoreCode;
  readonly data: { path: string; cause: string };

  constructor(code: StoreCode, message: string, data: { path: string; cause: string }, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'StoreError';
    this.code = code;
    this.data = data;
  }
}

/** The `code` of a system error, else an empty string. */
export function errnoOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** `ENOSPC: no space left on device`: a system error without the call and paths that Node appends. */
export function causeOf(error: unknown): string {
  if (error instanceof StoreError) return error.data.cause;
  if (!(error instanceof Error)) return String(error);
  const call = 'syscall' in error ? String(error.syscall) : null;
  return call === null ? error.message : (error.message.split(`, ${call}`)[0] ?? error.message);
}

const remedies: Record<string, string> = {
  ENOSPC: 'Free some space',
  EDQUOT: 'Free some space in your quota',
  EROFS: 'Make the place writable',
  EACCES: 'Give yourself the rights to this path and its folder',
  EPERM: 'Give yourself the rights to this path and its folder',
  EBUSY: 'Close the program that holds it',
  ENOTDIR: 'A file stands where a folder is needed: move it away',
  EEXIST: 'A file stands where a folder is needed: move it away',
  EISDIR: 'A folder stands where a file is needed: move it away',
  ENOTEMPTY: 'A folder stands where a file is needed: move it away',
  EIO: 'Check the disk',
};

/** What to do about a failed call, as the first half of a sentence. */
export function remedyFor(error: unknown): string {
  return remedies[errnoOf(error)] ?? 'Look at the cause';
}

/** The error of a write that changed nothing: what failed, on what path, why, what to do. */
export function writeFailed(what: string, path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const cause = causeOf(error);
  const text = `Cannot ${what} ${path}: ${cause}. ${remedyFor(error)}, then try again; nothing was changed.`;
  return new StoreError('WRITE_FAILED', text, { path, cause }, error);
}

/** The error of a read without which there is nothing to show. */
export function readFailed(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const cause = causeOf(error);
  return new StoreError(
    'READ_FAILED',
    `Cannot read ${path}: ${cause}. ${remedyFor(error)}, then try again.`,
    { path, cause },
    error,
  );
}
