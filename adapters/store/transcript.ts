import { dirname } from 'node:path';
import type { TranscriptEntry } from '../ports.ts';
import { ensureFolder, syncFolder } from './atomic-write.ts';
import type { FileOps, OpenFile } from './file-ops.ts';
import type { Mutex } from './lock.ts';
import type { Places } from './places.ts';
import { checkSession } from './record-file.ts';
import { readFailed, writeFailed } from './store-error.ts';
import { parseLine, parseLines } from './transcript-line.ts';

/** Lines that must be on disk before anything goes on: what was said, a tool that runs, a turn that has ended (D37). */
const durable: readonly TranscriptEntry['type'][] = ['user', 'tool.started', 'turn.ended'];
const newline = 10;

export interface Transcripts {
  /**
   * Appends a batch with one write; a batch that fails leaves no part behind. Throws `StoreError`
   * NO_SESSION, BAD_NAME, LOCKED, LOCK_FAILED or WRITE_FAILED.
   */
  append(session: string, entries: readonly TranscriptEntry[], agent?: string): Promise<void>;
  /** All entries; a torn last line is cut off the file and answered. Throws `StoreError` READ_FAILED. */
  load(session: string): Promise<{ entries: TranscriptEntry[]; torn: string | null }>;
}

export interface TranscriptParts {
  ops: FileOps;
  places: Places;
  /** Over a lock file of its own: appending never waits for a commit, and may happen inside one. */
  mutex: Mutex;
}

export function createTranscripts({ ops, places, mutex }: TranscriptParts): Transcripts {
  return {
    append: async (session, entries, agent) => {
      const path = agent === undefined ? places.transcript(session) : places.agentTranscript(session, agent);
      if (entries.length === 0) return;
      checkSession(places.record(session), session);
      if (agent !== undefined) await ensureFolder(ops, dirname(path));
      await mutex.run(places.transcriptLock(session), () => appendBatch(ops, path, entries));
    },
    load: async (session) => {
      const path = places.transcript(session);
      const bytes = await readWhole(ops, path);
      if (tornTail(bytes) === null) return { entries: parseLines(bytes.toString('utf8')), torn: null };
      // Unlocked, a line that another process is just writing looks torn.
      return mutex.run(places.transcriptLock(session), () => cutTorn(ops, path));
    },
  };
}

async function appendBatch(ops: FileOps, path: string, entries: readonly TranscriptEntry[]): Promise<void> {
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  try {
    const file = await ops.append(path);
    try {
      const end = await ops.end(file);
      // After a torn line the batch starts a line of its own.
      const glue = end.last === null || end.last === newline ? '' : '\n';
      await writeOrTakeBack(ops, file, end.size, { text: glue + text, entries });
      if (end.size === 0) await syncFolder(ops, dirname(path));
    } finally {
      await ops.close(file);
    }
  } catch (error) {
    throw writeFailed('append to', path, error);
  }
}

async function writeOrTakeBack(
  ops: FileOps,
  file: OpenFile,
  size: number,
  batch: { text: string; entries: readonly TranscriptEntry[] },
): Promise<void> {
  try {
    await ops.write(file, Buffer.from(batch.text));
    if (batch.entries.some(({ type }) => durable.includes(type))) await ops.sync(file);
  } catch (error) {
    // If this fails too, the torn line is cut at the next load; the first error is the one to tell.
    await ops.truncate(file.path, size).catch(() => undefined);
    throw error;
  }
}

async function cutTorn(
  ops: FileOps,
  path: string,
): Promise<{ entries: TranscriptEntry[]; torn: string | null }> {
  const bytes = await readWhole(ops, path);
  const torn = tornTail(bytes);
  const whole = bytes.subarray(0, torn === null ? bytes.length : bytes.lastIndexOf(newline) + 1);
  if (torn !== null) {
    try {
      await ops.truncate(path, whole.length);
    } catch (error) {
      throw writeFailed('cut a torn line off', path, error);
    }
  }
  return { entries: parseLines(whole.toString('utf8')), torn };
}

/** What follows the last line end, unless it is a whole entry that lacks nothing else. */
function tornTail(bytes: Buffer): string | null {
  const tail = bytes.subarray(bytes.lastIndexOf(newline) + 1).toString('utf8');
  return tail === '' || parseLine(tail) !== null ? null : tail;
}

async function readWhole(ops: FileOps, path: string): Promise<Buffer> {
  try {
    return (await ops.read(path, Number.MAX_SAFE_INTEGER)) ?? Buffer.alloc(0);
  } catch (error) {
    throw readFailed(path, error);
  }
}
