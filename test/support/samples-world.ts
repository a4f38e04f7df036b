import {
  applyCommit,
  type ArchiveOrder,
  derive,
  type Effect,
  keepFiles,
  projectCommit,
  restoring,
  type SessionEvent,
  type SessionSnapshot,
  settle,
  type Stamp,
  type Step,
  step,
  type StoredSession,
} from '../../machines/index.ts';
import { hashOf } from './samples.ts';

/** One committed step: what the machine showed, and what a restart finds in the files right after. */
export interface Committed {
  stored: StoredSession;
  /** The snapshot that was published. */
  shown: SessionSnapshot;
  /** The snapshot that a fresh process derives from the files. */
  found: SessionSnapshot;
  /** What a fresh process would still have to commit; nothing, except for a turn without an owner. */
  left: readonly string[];
  effects: readonly Effect[];
  archive: ArchiveOrder | null;
}

/** Writes what a step says, as the store does (D7), and reads the files again. */
export function persist(stored: StoredSession, taken: Step, at: string): Committed {
  const planned = projectCommit(stored, taken.snapshot, taken.archive, at);
  const commit = keepFiles(stored, planned, taken.snapshot.context.record, hashOf);
  const written = commit === null ? stored : applyCommit(stored, commit, hashOf);
  const next = { ...written, leaseAlive: leaseAlive(stored, written) };
  const { snapshot, found } = derive(next);
  return {
    stored: next,
    shown: taken.snapshot,
    found: snapshot,
    left: found.map((event) => event.type),
    effects: taken.effects,
    archive: taken.archive,
  };
}

/** A turn that this step claimed belongs to a live process; any other keeps its owner. */
function leaseAlive(before: StoredSession, { record: { lease } }: StoredSession): boolean {
  if (lease === null) return false;
  return lease.turn === before.record.lease?.turn ? before.leaseAlive : true;
}

/** What every dispatch does before anything else: what a command did to the plan files is undone (D22). */
export function putBack(stored: StoredSession, at: string): StoredSession {
  const undo = restoring(stored, at);
  return undo === null ? stored : applyCommit(stored, undo.commit, hashOf);
}

/** And then: commit what loading found (D8). The last step is what it decides on. */
export function open(
  stored: StoredSession,
  stamp: Stamp,
): { stored: StoredSession; snapshot: SessionSnapshot; steps: Committed[] } {
  let files = putBack(stored, stamp.at);
  const derived = derive(files);
  const steps: Committed[] = [];
  for (const taken of settle(derived, stamp)) {
    const committed = persist(files, taken, stamp.at);
    steps.push(committed);
    files = committed.stored;
  }
  return { stored: files, snapshot: derive(files).snapshot, steps };
}

/** One event on a session whose findings are committed already. */
export function dispatch(stored: StoredSession, event: SessionEvent): Committed {
  return persist(stored, step(derive(stored).snapshot, event), event.at);
}
