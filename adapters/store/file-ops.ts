import type { Stats } from 'node:fs';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { errnoOf } from './store-error.ts';

export type FileCall =
  | 'read'
  | 'stat'
  | 'list'
  | 'makeFolder'
  | 'create'
  | 'append'
  | 'write'
  | 'end'
  | 'sync'
  | 'close'
  | 'truncate'
  | 'setTime'
  | 'rename'
  | 'link'
  | 'remove'
  | 'syncFolder';

/** Where a test may fail a call or end the process. For `rename` and `link` the path is the new name. */
export interface FilePoint {
  call: FileCall;
  path: string;
  when: 'before' | 'after';
}

export type FileHook = (point: FilePoint) => void | Promise<void>;

export interface OpenFile {
  readonly path: string;
  /** File descriptor. */
  readonly handle: number;
}

/** Every file-system call of the store that reads or changes state. All reject with Node's system errors. */
export interface FileOps {
  /**
   * Bytes of a regular file, null when there is nothing; never through a link (ELOOP), never more than the limit
   * (EFBIG).
   */
  read(path: string, limitBytes: number): Promise<Buffer | null>;
  /** Of the path itself, not of a link's target; null when there is nothing. */
  stat(path: string): Promise<Stats | null>;
  list(path: string): Promise<string[]>;
  /** Makes missing parents too, 0700; answers the first folder it made. */
  makeFolder(path: string): Promise<string | undefined>;
  /** A new file, EEXIST when the name is taken. */
  create(path: string, mode: number): Promise<OpenFile>;
  /** Made 0600 when missing; every write goes to the end. */
  append(path: string): Promise<OpenFile>;
  /** One write, complete or an error. */
  write(file: OpenFile, bytes: Uint8Array): Promise<void>;
  /** Size of an open file, and its last byte; null when it is empty. */
  end(file: OpenFile): Promise<{ size: number; last: number | null }>;
  sync(file: OpenFile): Promise<void>;
  close(file: OpenFile): Promise<void>;
  truncate(path: string, size: number): Promise<void>;
  /** Sets the time of the last change, ms since 1970, fractions count. */
  setTime(path: string, ms: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file, EEXIST when the name is taken. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

/** The one call that waits for the disk; the others are answered from memory before a thread could be asked. */
const synced = promisify(fsync);

/** The real file system; `hook` is called around each call and may throw in its place. */
export function createFileOps(hook?: FileHook): FileOps {
  const at = async <T>(call: FileCall, path: string, run: () => T | Promise<T>): Promise<T> => {
    if (hook === undefined) return run();
    await hook({ call, path, when: 'before' });
    const result = await run();
    await hook({ call, path, when: 'after' });
    return result;
  };
  return {
    read: (path, limit) => at('read', path, () => readRegular(path, limit)),
    stat: (path) => at('stat', path, () => lstatSync(path, { throwIfNoEntry: false }) ?? null),
    list: (path) => at('list', path, () => readdirSync(path)),
    makeFolder: (path) => at('makeFolder', path, () => mkdirSync(path, { recursive: true, mode: 0o700 })),
    create: (path, mode) => at('create', path, () => createNew(path, mode)),
    append: (path) => at('append', path, () => ({ path, handle: openSync(path, 'a+', 0o600) })),
    write: (file, bytes) => at('write', file.path, () => writeAll(file.handle, bytes)),
    end: (file) => at('end', file.path, () => endOf(file.handle)),
    sync: (file) => at('sync', file.path, () => synced(file.handle)),
    close: (file) => at('close', file.path, () => closeSync(file.handle)),
    truncate: (path, size) => at('truncate', path, () => truncateSync(path, size)),
    setTime: (path, ms) => at('setTime', path, () => utimesSync(path, ms / 1000, ms / 1000)),
    rename: (from, to) => at('rename', to, () => renameSync(from, to)),
    link: (from, to) => at('link', to, () => linkSync(from, to)),
    remove: (path) => at('remove', path, () => unlinkSync(path)),
    syncFolder: (path) => at('syncFolder', path, () => syncNames(path)),
  };
}

function readRegular(path: string, limitBytes: number): Buffer | null {
  const handle = openInPlace(path);
  if (handle === null) return null;
  try {
    const found = fstatSync(handle);
    if (found.isDirectory()) throw systemError('EISDIR', 'it is a folder');
    if (!found.isFile()) throw systemError('EINVAL', 'not a regular file');
    return readStill(handle, found.size, limitBytes);
  } finally {
    closeSync(handle);
  }
}

/**
 * An editor that saves in place changes the file between its size and its bytes; what is then read is cut off at the
 * old length, and such a text was never in the file. Of a file that keeps changing, what the last try gave.
 */
function readStill(handle: number, size: number, limitBytes: number): Buffer {
  let bytes = readFrom(handle, size, limitBytes);
  for (let tries = 0; tries < 8; tries += 1) {
    const now = fstatSync(handle).size;
    if (now === bytes.length) return bytes;
    bytes = readFrom(handle, now, limitBytes);
  }
  return bytes;
}

function readFrom(handle: number, size: number, limitBytes: number): Buffer {
  if (size > limitBytes) throw systemError('EFBIG', `${size} bytes; ${limitBytes} at most`);
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  for (let count = -1; count !== 0 && done < size; done += count)
    count = readSync(handle, bytes, done, size - done, done);
  return bytes.subarray(0, done);
}

function openInPlace(path: string): number | null {
  try {
    // NONBLOCK: opening a pipe in a plan file's place must not hang.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    if (errnoOf(error) !== 'ELOOP') throw error;
    throw systemError('ELOOP', 'it is a symbolic link, which is not followed');
  }
}

function createNew(path: string, mode: number): OpenFile {
  const handle = openSync(path, 'wx', mode);
  try {
    // The umask may have taken away rights that the replaced file had.
    if (mode !== 0o600) fchmodSync(handle, mode);
    return { path, handle };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  let done = 0;
  // A regular file takes everything at once; a short write is a full disk, and the next one says so.
  while (done < bytes.length) done += writeSync(handle, bytes, done);
}

function endOf(handle: number): { size: number; last: number | null } {
  const { size } = fstatSync(handle);
  if (size === 0) return { size, last: null };
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return { size, last: last[0] ?? null };
}

async function syncNames(path: string): Promise<void> {
  const handle = openSync(path, constants.O_RDONLY);
  try {
    await synced(handle);
  } catch (error) {
    // Some file systems have no such call; then the rename is all there is.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errnoOf(error))) throw error;
  } finally {
    closeSync(handle);
  }
}

/** An error shaped like Node's own, for what the kernel does not refuse by itself. */
export function systemError(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
