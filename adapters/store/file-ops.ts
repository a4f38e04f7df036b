import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, truncate, unlink, utimes } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
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
  readonly handle: FileHandle;
}

/** Every file-system call of the store that reads or changes state. All reject with Node's system errors. */
export interface FileOps {
  /** Bytes of a regular file; never through a link (ELOOP), never more than the limit (EFBIG). */
  read(path: string, limitBytes: number): Promise<Buffer>;
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

/** The real file system; `hook` is called around each call and may throw in its place. */
export function createFileOps(hook?: FileHook): FileOps {
  const at = async <T>(call: FileCall, path: string, run: () => Promise<T>): Promise<T> => {
    await hook?.({ call, path, when: 'before' });
    const result = await run();
    await hook?.({ call, path, when: 'after' });
    return result;
  };
  return {
    read: (path, limit) => at('read', path, () => readRegular(path, limit)),
    stat: (path) => at('stat', path, () => statOrNull(path)),
    list: (path) => at('list', path, () => readdir(path)),
    makeFolder: (path) => at('makeFolder', path, () => mkdir(path, { recursive: true, mode: 0o700 })),
    create: (path, mode) => at('create', path, () => createNew(path, mode)),
    append: (path) => at('append', path, async () => ({ path, handle: await open(path, 'a+', 0o600) })),
    write: (file, bytes) => at('write', file.path, () => writeAll(file.handle, bytes)),
    end: (file) => at('end', file.path, () => endOf(file.handle)),
    sync: (file) => at('sync', file.path, () => file.handle.sync()),
    close: (file) => at('close', file.path, () => file.handle.close()),
    truncate: (path, size) => at('truncate', path, () => truncate(path, size)),
    setTime: (path, ms) => at('setTime', path, () => utimes(path, ms / 1000, ms / 1000)),
    rename: (from, to) => at('rename', to, () => rename(from, to)),
    link: (from, to) => at('link', to, () => link(from, to)),
    remove: (path) => at('remove', path, () => unlink(path)),
    syncFolder: (path) => at('syncFolder', path, () => syncNames(path)),
  };
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function readRegular(path: string, limitBytes: number): Promise<Buffer> {
  const handle = await openInPlace(path);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw systemError('EISDIR', 'it is a folder');
    if (!found.isFile()) throw systemError('EINVAL', 'not a regular file');
    if (found.size > limitBytes) throw systemError('EFBIG', `${found.size} bytes; ${limitBytes} at most`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function openInPlace(path: string): Promise<FileHandle> {
  try {
    // NONBLOCK: opening a pipe in a plan file's place must not hang.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) !== 'ELOOP') throw error;
    throw systemError('ELOOP', 'it is a symbolic link, which is not followed');
  }
}

async function createNew(path: string, mode: number): Promise<OpenFile> {
  const handle = await open(path, 'wx', mode);
  try {
    // The umask may have taken away rights that the replaced file had.
    if (mode !== 0o600) await handle.chmod(mode);
    return { path, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  // A regular file takes everything at once; a short write is a full disk, and the next one says so.
  while (done < bytes.length) done += (await handle.write(bytes, done)).bytesWritten;
}

async function endOf(handle: FileHandle): Promise<{ size: number; last: number | null }> {
  const { size } = await handle.stat();
  if (size === 0) return { size, last: null };
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return { size, last: buffer[0] ?? null };
}

async function syncNames(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems have no such call; then the rename is all there is.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errnoOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** An error shaped like Node's own, for what the kernel does not refuse by itself. */
export function systemError(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
