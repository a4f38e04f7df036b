import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type JournalLine, readJournalText } from '../../machines/index.ts';
import { systemError } from './file-ops.ts';
import { errnoOf, readFailed, writeFailed } from './store-error.ts';

/** Bytes of a journal file; then it takes the place of the one before it, so a session has twice this (decision 0080). */
export const journalLimitBytes = 512 * 1024;

/** Names in the session's own folder, the older one first. */
export const journalNames = ['journal.1.jsonl', 'journal.jsonl'] as const;

const newline = 10;

/**
 * Appends lines with one write, under the session's lock: lines stand in the order of the commits. Nothing waits for the
 * disk, for nothing reads the journal but people. Calls the system itself and not `FileOps`, whose calls are the ones that
 * a state hangs on. Throws `StoreError` WRITE_FAILED.
 */
export function appendJournal(
  folder: string,
  lines: readonly JournalLine[],
  limitBytes: number = journalLimitBytes,
): void {
  if (lines.length === 0) return;
  const path = join(folder, journalNames[1]);
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  try {
    if (!appended(path, bytes, limitBytes)) {
      renameSync(path, join(folder, journalNames[0]));
      appended(path, bytes, Number.POSITIVE_INFINITY);
    }
  } catch (error) {
    throw writeFailed('append to', path, error);
  }
}

/** Neither through a link nor into a pipe, where it would wait for ever. */
const flags =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** False: the file is not empty and would grow beyond the limit. */
function appended(path: string, bytes: Buffer, limitBytes: number): boolean {
  const handle = openSync(path, flags, 0o600);
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) throw systemError('EINVAL', 'not a regular file');
    if (found.size > 0 && found.size + bytes.length > limitBytes) return false;
    // After a torn line, as a crash leaves it, the next one starts a line of its own.
    const whole = endsWhole(handle, found.size) ? bytes : Buffer.concat([Buffer.from('\n'), bytes]);
    if (writeSync(handle, whole) < whole.length) throw systemError('ENOSPC', 'no space left on device');
    return true;
  } finally {
    closeSync(handle);
  }
}

function endsWhole(handle: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === newline;
}

/**
 * The newest lines of a session's journal, the oldest of them first; none when there is no journal. No lock: a line that
 * is just being written is not there yet. Lines of no known form are left out. Throws `StoreError` READ_FAILED.
 */
export function readJournal(folder: string, most: number): JournalLine[] {
  const newest = journalText(folder)
    .split('\n')
    .slice(-most - 1);
  return readJournalText(newest.join('\n')).lines.map(({ line }) => line);
}

/** Both files as one text. */
export function journalText(folder: string): string {
  return journalNames.map((name) => textOf(join(folder, name))).join('');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    throw readFailed(path, error);
  }
}
