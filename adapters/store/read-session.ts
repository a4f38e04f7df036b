import { SessionRecord, type StoredSession, recordVersion } from '../../machines/index.ts';
import type { SessionPaths } from '../ports.ts';
import type { Bindings } from './bindings.ts';
import type { FileOps } from './file-ops.ts';
import { findPlan, type PlanPlace } from './find-plan.ts';
import type { LegacyPlan } from './legacy.ts';
import { legacyPlan } from './legacy.ts';
import type { Places } from './places.ts';
import { readText } from './plan-file.ts';
import type { RecordFound } from './record-file.ts';
import { readRecord } from './record-file.ts';
import { StoreError } from './store-error.ts';
import type { TurnLocks } from './turn-lock.ts';

export interface ReadParts {
  ops: FileOps;
  places: Places;
  bindings: Bindings;
  turns: TurnLocks;
  /** Names of a session's archive files, oldest first; none where they can't be listed. */
  archives(folder: string, session: string): Promise<string[]>;
  /** Working folder of a session whose record lost it. */
  fallbackCwd: string;
}

export interface SessionFound {
  stored: StoredSession;
  paths: SessionPaths;
  /** Whether the record needs repair. */
  found: RecordFound;
  /** The plan that `stored` shows is the legacy copy; null when it is in its place. */
  legacy: LegacyPlan | null;
}

/**
 * Everything a session is, read without changing anything. A plan that another program made and that is no
 * session of ours yet has a record of defaults, until `create` makes one. Throws what `readRecord` throws.
 */
export async function viewSession(parts: ReadParts, session: string): Promise<StoredSession> {
  try {
    return (await readFiles(parts, session, await recordOf(parts, session))).stored;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'NO_SESSION') throw error;
    const place = await findPlan(parts, session);
    if (place === null) throw error;
    parts.bindings.learn(session, place.project);
    return (await readFiles(parts, session, strangerRecord(parts, session, place))).stored;
  }
}

function strangerRecord(
  { fallbackCwd }: ReadParts,
  session: string,
  { project, changed }: PlanPlace,
): RecordFound {
  const at = new Date(changed).toISOString();
  const given = { v: recordVersion, id: session, cwd: fallbackCwd, project, created: at, used: at };
  return { kind: 'ok', record: SessionRecord.parse(given), bytes: new Uint8Array() };
}

/** The plan's files of a session whose record is known. */
export async function readFiles(
  parts: ReadParts,
  session: string,
  found: RecordFound,
): Promise<SessionFound> {
  const { ops, places, turns } = parts;
  const { lease, project, queue } = found.record;
  const paths = places.paths(session, project);
  const [sidecar, document, archives] = await Promise.all([
    readText(ops, paths.sidecar),
    readText(ops, paths.document),
    parts.archives(paths.archive, session),
  ]);
  // Only after the sidecar was found absent: a commit marks the legacy copy before it removes the sidecar.
  const legacy = sidecar.kind === 'absent' ? await legacyPlan(ops, paths, places.legacy(session)) : null;
  const { sidecar: live, document: body } = legacy ?? { sidecar, document };
  const leaseAlive = lease !== null && turns.alive(lease.turn);
  const gone = [...new Set(queue.map(({ process }) => process))].filter((process) => !turns.alive(process));
  const stored = { record: found.record, sidecar: live, document: body, leaseAlive, gone, archives };
  return { stored, paths, found, legacy };
}

/** The record of one session; what a damaged one lost is taken from its plan files and from the file's own time. */
export async function recordOf(parts: ReadParts, session: string): Promise<RecordFound> {
  const path = parts.places.record(session);
  const found = await readRecord(parts.ops, path, session, async () => {
    const stat = await parts.ops.stat(path).catch(() => null);
    return {
      cwd: parts.fallbackCwd,
      at: new Date(stat?.mtimeMs ?? 0).toISOString(),
      project: (await findPlan(parts, session))?.project ?? null,
    };
  });
  parts.bindings.learn(session, found.record.project);
  return found;
}
