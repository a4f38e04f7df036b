import { dirname } from 'node:path';
import { SessionRecord } from '../../machines/index.ts';
import type { SessionStore, StoreTransaction } from '../ports.ts';
import { atomicWrite } from './atomic-write.ts';
import { createBindings } from './bindings.ts';
import type { FileOps } from './file-ops.ts';
import { createFileOps } from './file-ops.ts';
import { listArchives } from './archive.ts';
import { findPlan } from './find-plan.ts';
import { listSessions } from './list-sessions.ts';
import type { Mutex } from './lock.ts';
import { createMutex } from './lock.ts';
import type { PlacesOptions } from './places.ts';
import { createPlaces, createPlacesNow } from './places.ts';
import { hashOf } from './plan-file.ts';
import type { ReadParts } from './read-session.ts';
import { recordOf, viewSession } from './read-session.ts';
import { checkSession, recordText } from './record-file.ts';
import { sweepSession } from './repair.ts';
import { listRevisions, readRevision } from './revisions.ts';
import { noteSeen, readSeen } from './seen.ts';
import { StoreError } from './store-error.ts';
import { survey } from './survey.ts';
import { createTransaction } from './transaction.ts';
import type { Transcripts } from './transcript.ts';
import { createTranscripts } from './transcript.ts';
import { createTurnLocks } from './turn-lock.ts';
import { watchSession } from './watch-session.ts';

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
    archives: (folder, session) => listArchives(ops, folder, session),
    ops,
    places,
    bindings: createBindings(places),
    mutex,
    transcripts,
    turns: createTurnLocks(places),
    fallbackCwd: options.fallbackCwd ?? options.home,
    now: options.now ?? (() => new Date().toISOString()),
    swept: new Set(),
  };
  return {
    paths: (session) => places.paths(session, store.bindings.of(session)),
    exclusive: (session, work) => exclusive({ ...store, places: createPlacesNow(options) }, session, work),
    read: (session) => viewSession(store, session),
    list: () => listSessions(store),
    survey: () => survey({ ...store, places: createPlacesNow(options) }),
    create: (record) => create(store, record),
    revisions: (session) => listRevisions(ops, places.revisions(session)),
    revision: (session, hash) => readRevision(ops, places, session, hash),
    seen: (session, by) => readSeen(ops, places, session, by),
    saw: (session, hash, by) => exclusive(store, session, () => noteSeen(ops, places, session, hash, by)),
    append: (session, entries, agent) => transcripts.append(session, entries, agent),
    transcript: (session) => transcripts.load(session),
    holdTurn: (session, turn) => {
      places.record(session);
      return store.turns.hold(turn);
    },
    watch: (session, changed, signal) => watchSession(store, session, changed, signal),
    hash: hashOf,
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
    const found = await recordOf(store, session);
    await sweepOnce(store, session, found.record.project);
    const { transaction, end } = createTransaction(store, session, found);
    try {
      return await work(transaction);
    } finally {
      end();
    }
  });
}

async function sweepOnce(store: Store, session: string, project: string | null): Promise<void> {
  const paths = store.places.paths(session, project);
  if (store.swept.has(paths.sidecar)) return;
  store.swept.add(paths.sidecar);
  await sweepSession(store.ops, store.places, session, paths);
  store.turns.sweep();
}

async function create(store: Store, record: SessionRecord): Promise<void> {
  const { ops, places, bindings } = store;
  const path = places.record(record.id);
  // Refuses a name that is none with words of its own.
  places.paths(record.id, record.project ?? null);
  const checked = SessionRecord.parse(record);
  await store.mutex.run(places.sessionLock(record.id), async () => {
    if ((await ops.stat(path).catch(() => null)) !== null) {
      const cause = 'there is one already';
      throw new StoreError('SESSION_EXISTS', `Cannot create ${dirname(path)}: ${cause}.`, { path, cause });
    }
    const project = checked.project ?? (await findPlan(store, record.id))?.project ?? null;
    await atomicWrite(ops, path, Buffer.from(recordText({ ...checked, project })));
    bindings.learn(record.id, project);
  });
}
