import { dirname } from 'node:path';
import { SessionRecord } from '../../machines/index.ts';
import type { SessionStore, SessionSummary, StoreTransaction } from '../ports.ts';
import { atomicWrite, listOrNone } from './atomic-write.ts';
import { carryOut } from './commit.ts';
import type { FileOps } from './file-ops.ts';
import { createFileOps } from './file-ops.ts';
import type { Mutex } from './lock.ts';
import { createMutex } from './lock.ts';
import type { PlacesOptions } from './places.ts';
import { createPlaces, isSessionId } from './places.ts';
import type { ReadParts } from './read-session.ts';
import { hashText, readSession, recordOf } from './read-session.ts';
import { checkSession, recordText } from './record-file.ts';
import { repairRecord, sweepSession } from './repair.ts';
import { StoreError } from './store-error.ts';
import type { Transcripts } from './transcript.ts';
import { createTranscripts } from './transcript.ts';
import { createTurnLocks } from './turn-lock.ts';
import { watchFiles } from './watch.ts';

export interface FileStoreOptions extends PlacesOptions {
  /** The file system, or one whose calls a test fails or kills at. */
  ops?: FileOps;
  /** RFC 3339, UTC; stamps the notice about a damaged record. */
  now?: () => string;
  /** Working folder of a session whose record lost it; absent: the home. */
  fallbackCwd?: string;
  /** Longest wait for a lock (ms); absent: 10 s. */
  lockWaitMs?: number;
}

interface Store extends ReadParts {
  mutex: Mutex;
  transcripts: Transcripts;
  now: () => string;
  /** Sessions whose leftovers this process has swept. */
  swept: Set<string>;
}

/** Sessions as files below one home (D4, D7). Creating it touches nothing on disk. */
export function createFileStore(options: FileStoreOptions): SessionStore {
  const ops = options.ops ?? createFileOps();
  const places = createPlaces(options);
  const mutex = createMutex(options.lockWaitMs);
  const transcripts = createTranscripts({ ops, places, mutex });
  const store: Store = {
    ops,
    places,
    mutex,
    transcripts,
    turns: createTurnLocks(places),
    fallbackCwd: options.fallbackCwd ?? options.home,
    now: options.now ?? (() => new Date().toISOString()),
    swept: new Set(),
  };
  return {
    paths: (session) => places.paths(session),
    exclusive: (session, work) => exclusive(store, session, work),
    read: async (session) => (await readSession(store, session)).stored,
    list: () => list(store),
    create: (record) => create(store, record),
    append: (session, entries) => transcripts.append(session, entries),
    transcript: (session) => transcripts.load(session),
    holdTurn: (session, turn) => {
      places.paths(session);
      return store.turns.hold(turn);
    },
    watch: (session, changed, signal) => {
      const { sidecar, document } = places.paths(session);
      watchFiles([sidecar, document, places.record(session)], changed, signal);
    },
    hash: hashText,
  };
}

async function exclusive<T>(
  store: Store,
  session: string,
  work: (tx: StoreTransaction) => Promise<T>,
): Promise<T> {
  checkSession(store.places.record(session), session);
  return store.mutex.run(store.places.sessionLock(session), async () => {
    // A record of a newer version or one that can't be read: no work, so no write either.
    await recordOf(store, session);
    await sweepOnce(store, session);
    const life = { state: 'open' as 'open' | 'over' };
    try {
      return await work(transaction(store, session, life));
    } finally {
      life.state = 'over';
    }
  });
}

function transaction(store: Store, session: string, life: { state: 'open' | 'over' }): StoreTransaction {
  const checkOpen = () => {
    if (life.state === 'open') return;
    const path = store.places.sessionLock(session);
    throw new StoreError('TRANSACTION_OVER', `The lock ${path} was given back before this call.`, {
      path,
      cause: 'the work of the transaction has ended',
    });
  };
  return {
    read: async () => {
      checkOpen();
      return readRepaired(store, session);
    },
    commit: async (change) => {
      checkOpen();
      await carryOut(store, session, change);
    },
  };
}

async function readRepaired(store: Store, session: string): ReturnType<StoreTransaction['read']> {
  const { found, stored } = await readSession(store, session);
  if (found.kind === 'ok') return stored;
  const aside = await repairRecord(store.ops, store.places.record(session), found);
  const text = `The session record was damaged (${found.cause}). It is kept as ${aside}; what was lost has default values.`;
  await store.transcripts.append(session, [{ v: 1, at: store.now(), type: 'notice', turn: null, text }]);
  return stored;
}

async function sweepOnce(store: Store, session: string): Promise<void> {
  if (store.swept.has(session)) return;
  store.swept.add(session);
  await sweepSession(store.ops, store.places, session);
  store.turns.sweep();
}

async function create(store: Store, record: SessionRecord): Promise<void> {
  const path = store.places.record(record.id);
  const text = recordText(SessionRecord.parse(record));
  await store.mutex.run(store.places.sessionLock(record.id), async () => {
    if ((await store.ops.stat(path).catch(() => null)) !== null) {
      const cause = 'there is one already';
      throw new StoreError('SESSION_EXISTS', `Cannot create ${dirname(path)}: ${cause}.`, { path, cause });
    }
    await atomicWrite(store.ops, path, Buffer.from(text));
  });
}

/** Newest use first; sessions whose record can't be used come last. */
async function list(store: Store): Promise<SessionSummary[]> {
  const names = await listOrNone(store.ops, store.places.sessions);
  const found: SessionSummary[] = [];
  for (const id of names.filter(isSessionId)) found.push({ id, record: await usableRecord(store, id) });
  const used = (summary: SessionSummary) => summary.record?.used ?? '';
  return found.sort((a, b) => used(b).localeCompare(used(a)));
}

async function usableRecord(store: Store, id: string): Promise<SessionRecord | null> {
  try {
    const found = await recordOf(store, id);
    return found.kind === 'ok' ? found.record : null;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
