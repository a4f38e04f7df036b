import {
  applyCommit,
  type ArchiveOrder,
  derive,
  type Effect,
  type FileFound,
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
} from '../../../machines/index.ts';
import { sha256 } from './sha256.ts';

/** A session whose files are kept in memory, with nothing left to find in them. */
export interface SessionWorld {
  files: StoredSession;
  snapshot: SessionSnapshot;
  /** Steps so far: gives each its time and its ids. */
  count: number;
}

/** What one step did beside the state that it led to. */
export interface Done {
  world: SessionWorld;
  did: readonly string[];
}

const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Facts of one dispatch; ids of different counts never collide. */
export const stampOf = (count: number): Stamp => ({
  at: new Date(Date.UTC(2026, 0, 1, 9, 0, count)).toISOString(),
  ids: Array.from({ length: 16 }, (_, index) => uuid(0x1000 + count * 16 + index)),
  process: 'page',
});

export const sessionId = '11111111-1111-4111-8111-111111111111';
const folder = '/home/ann/.opencrabs/session';
const places = {
  sidecar: `${folder}/.opencrabs_plan_${sessionId}.json`,
  document: `${folder}/.opencrabs_plan_${sessionId}.md`,
};

/** A file with this text, or none. `hash` is computed where it is not known already. */
export const fileOf = (path: string, text: string | null, hash?: string): FileFound =>
  text === null ? { kind: 'absent', path } : { kind: 'text', path, text, hash: hash ?? sha256(text) };

/** A session in which nothing was said. */
export function emptyWorld(): SessionWorld {
  const { at } = stampOf(0);
  const files: StoredSession = {
    record: {
      v: 1,
      id: sessionId,
      cwd: '/home/ann/shop',
      project: null,
      created: at,
      used: at,
      yolo: false,
      goal: { user: null, task: null },
      lease: null,
      queue: [],
      interrupted: false,
    },
    sidecar: fileOf(places.sidecar, null),
    document: fileOf(places.document, null),
    leaseAlive: false,
    gone: [],
    archives: [],
  };
  return { files, snapshot: derive(files).snapshot, count: 1 };
}

/** Writes what a step says, as the store does, and reads the files again. */
function persist(stored: StoredSession, taken: Step, at: string): StoredSession {
  const planned = projectCommit(stored, taken.snapshot, taken.archive, at);
  const commit = keepFiles(stored, planned, taken.snapshot.context.record, sha256);
  if (commit === null) return stored;
  const written = applyCommit(stored, commit, sha256);
  const { archive } = commit;
  const archived =
    archive === undefined ? [] : [`opencrabs_plan_${sessionId}-${archive.stamp}${archive.suffix}.md`];
  const { lease } = written.record;
  // A turn that this step claimed belongs to a live process; any other keeps its owner.
  const leaseAlive = lease !== null && (lease.turn === stored.record.lease?.turn ? stored.leaseAlive : true);
  return { ...written, leaseAlive, archives: [...stored.archives, ...archived] };
}

/** One event on a session whose findings are committed already. */
export function take({ files, snapshot, count }: SessionWorld, event: SessionEvent): Done {
  const taken = step(snapshot, event);
  const same = taken.snapshot === snapshot && taken.effects.length === 0 && taken.archive === null;
  if (same) return { world: { files, snapshot, count: count + 1 }, did: [] };
  const stored = persist(files, taken, event.at);
  const did = [...taken.effects.map(inWords), ...archivedInWords(taken.archive)];
  return { world: { files: stored, snapshot: derive(stored).snapshot, count: count + 1 }, did };
}

/** Files change from outside; then what every dispatch does first: put back, and commit what loading found. */
export function disturb(world: SessionWorld, change: (files: StoredSession) => StoredSession): Done {
  const stamp = stampOf(world.count);
  const changed = change(world.files);
  const undo = restoring(changed, stamp.at);
  let files = undo === null ? changed : applyCommit(changed, undo.commit, sha256);
  const did = undo === null ? [] : ['the command’s change to the plan files is put back'];
  const derived = derive(files);
  derived.found.forEach(({ type }) => did.push(`loading finds ${type}`));
  for (const taken of settle(derived, stamp)) {
    did.push(...taken.effects.map(inWords), ...archivedInWords(taken.archive));
    files = persist(files, taken, stamp.at);
  }
  return { world: { files, snapshot: derive(files).snapshot, count: world.count + 1 }, did };
}

const archivedInWords = (archive: ArchiveOrder | null): string[] =>
  archive === null ? [] : [`the files go to the archive as ${archive.as}`];

function inWords(effect: Effect): string {
  switch (effect.type) {
    case 'turn.start':
      return `a ${effect.kind} turn starts${effect.hint === null ? '' : `, with the ${effect.hint} hint`}`;
    case 'turn.abort':
      return effect.then === 'discard'
        ? 'the turn is asked to end, for the discard'
        : 'the turn is asked to end';
    case 'turn.settle':
      return `the turn settles: ${effect.outcome}`;
    case 'queue.returned':
      return `${effect.items.length} waiting back to who sent it: ${effect.why}`;
    case 'plan.armed':
      return 'plan mode is announced';
    case 'plan.restored':
      return `the text is written back, from the ${effect.from} text`;
    case 'plan.ended':
      return `the end of the plan is announced: ${effect.as}`;
    case 'plan.approved':
      return 'the approval is announced';
  }
}
