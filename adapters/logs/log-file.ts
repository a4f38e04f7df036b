import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

export interface LogFileOptions {
  folder: string;
  /** Size from which on a file is set aside, in bytes. */
  fileBytes?: number;
  /** Files that are kept, with the one in use. */
  files?: number;
}

/** Lines of a log that several processes may write at once. */
export interface LogFile {
  readonly path: string;
  /** Appends one line, which holds no line end. Throws the system's error when it can't be written. */
  append(line: string): void;
}

const name = 'planchart.log';
const setAside = /^planchart-\d{8}T\d{9}Z-[0-9a-f]{24}\.log$/;
const flags =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  // A link or a pipe in its place is not followed and not waited for.
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/**
 * Opens the file anew for each line, so that nobody writes on into one that another process has set aside, and
 * writes at once, so that the line about a crash is there. Who finds it full sets it aside under a name that no
 * other process picks: nothing is overwritten and no lock is needed (decision 0050).
 */
export function createLogFile({ folder, fileBytes = 5_000_000, files = 5 }: LogFileOptions): LogFile {
  const path = join(folder, name);
  let torn = false;
  const append = (line: string): void => {
    const file = openIn(folder, path);
    try {
      const bytes = Buffer.from(`${torn ? '\n' : ''}${line}\n`);
      torn = true;
      const written = writeSync(file, bytes);
      torn = written < bytes.length;
      if (fstatSync(file).size < fileBytes) return;
    } finally {
      closeSync(file);
    }
    rotate(folder, path, fileBytes, files);
  };
  return { path, append };
}

function openIn(folder: string, path: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(path, flags, 0o600);
  }
}

function rotate(folder: string, path: string, fileBytes: number, files: number): void {
  // Another process may just have set it aside; a new one goes on.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < fileBytes) return;
  const stamp = new Date().toISOString().replace(/[-:.]/g, '');
  // Within one millisecond the machine's clock keeps the order; the random part keeps two processes apart.
  const order = process.hrtime.bigint().toString(16).padStart(16, '0');
  const unique = `${order}${randomBytes(4).toString('hex')}`;
  quietly(() => renameSync(path, join(folder, `planchart-${stamp}-${unique}.log`)));
  const old = readdirSync(folder)
    .filter((one) => setAside.test(one))
    .toSorted()
    .toReversed();
  for (const one of old.slice(files - 1)) quietly(() => unlinkSync(join(folder, one)));
}

/** What another process has moved or removed meanwhile is as it should be. */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
