import { dirname } from 'node:path';
import type { Commit } from '../../machines/index.ts';
import type { SessionPaths } from '../ports.ts';
import { archiveWork } from './archive.ts';
import type { Staged } from './atomic-write.ts';
import { atomicWrite, placeStaged, removeQuietly, stageFile, syncFolder } from './atomic-write.ts';
import type { Plan, Step } from './commit-plan.ts';
import { runPlan } from './commit-plan.ts';
import type { FileOps } from './file-ops.ts';
import { legacyMark } from './legacy.ts';
import type { Places } from './places.ts';
import { badName, markerBeside } from './places.ts';
import { checkBinding } from './rebind.ts';
import type { RecordFound } from './record-file.ts';
import { readRecord } from './record-file.ts';
import { keepOlder } from './repair.ts';
import { forgetRevisions, textsToKeep } from './revisions.ts';

export interface CommitParts {
  ops: FileOps;
  places: Places;
}

/** One commit on its way: what is to be written, and into what. */
interface Work extends CommitParts {
  session: string;
  change: Commit;
  record: RecordFound;
  paths: SessionPaths;
  /** Makes new content durable under a temporary name, to be placed by one of the steps. */
  stage: (path: string, text: string) => Promise<Staged>;
}

/**
 * Carries out one commit under the session's lock, in the order of D7 and D43. All new content is durable
 * under temporary names before the first visible change, so a full disk changes nothing. Until the commit
 * point (the sidecar's rename or removal; without a sidecar the document's, else the record's rename) a
 * failure is undone and thrown as `StoreError` WRITE_FAILED; after it, as WRITE_PARTLY. Throws RECORD_NEWER
 * rather than overwrite a newer record, BOUND for a binding that may not change now (D14). `known` is the
 * record as it was read last.
 */
export async function carryOut(
  parts: CommitParts,
  session: string,
  change: Commit,
  known: RecordFound | null = null,
): Promise<void> {
  if (change.archive && !/^\d{8}-\d{6}$/.test(change.archive.stamp)) {
    throw badName('archive stamp', change.archive.stamp, 'yyyymmdd-hhmmss');
  }
  const { ops, places } = parts;
  const lost = { cwd: '', at: '', project: null };
  const path = places.record(session);
  const record = await readRecord(ops, path, session, () => Promise.resolve(lost), known);
  const paths = places.paths(session, record.record.project);
  const staged: Staged[] = [];
  const stage = async (path: string, text: string): Promise<Staged> => {
    const file = await stageFile(ops, path, Buffer.from(text));
    staged.push(file);
    return file;
  };
  const drop = async () => {
    for (const { temp } of staged) await removeQuietly(ops, temp);
  };
  await runPlan(await planned({ ...parts, session, change, record, paths, stage }, drop), drop);
}

async function planned(work: Work, drop: () => Promise<void>): Promise<Plan> {
  try {
    return await planOf(work);
  } catch (error) {
    await drop();
    throw error;
  }
}

async function planOf(work: Work): Promise<Plan> {
  const { ops, places, session, change, paths } = work;
  const binding = await bindingSteps(work);
  const archive = archiveWork(ops, paths, session, change.archive);
  const live = async (path: string, wanted: Commit['sidecar']): Promise<Step[]> => {
    if (wanted === undefined) return [];
    if ('text' in wanted) return place(ops, await work.stage(path, wanted.text));
    return [{ run: () => archive.retire(path) }, { run: () => syncFolder(ops, dirname(path)) }];
  };
  const ends = change.sidecar !== undefined && 'remove' in change.sidecar;
  // Side by side: what the disk is given at one moment, it makes durable together.
  const [record, revision, marker, sidecar, document] = await allSettled([
    recordSteps(work),
    revisionSteps(work),
    ends ? markerSteps(work) : Promise.resolve([]),
    live(paths.sidecar, change.sidecar),
    live(paths.document, change.document),
  ]);
  const forget = { run: () => forgetRevisions(ops, places.revisions(session)) };
  return {
    point: sidecar[0] ?? document[0] ?? record[0] ?? null,
    steps: [
      ...olderSteps(work),
      ...binding,
      ...(change.record?.order === 'first' ? record : []),
      ...archive.steps,
      ...revision,
      ...marker,
      ...sidecar,
      ...document,
      ...(ends ? [forget] : []),
      ...(change.record?.order === 'last' ? record : []),
    ],
  };
}

/** Like `Promise.all`, but a failure waits for the others: what they stage is dropped after it. */
async function allSettled<T extends unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as T;
}

function place(ops: FileOps, file: Staged, undo?: () => Promise<void>): Step[] {
  const rename = { run: () => placeStaged(ops, file) };
  return [undo ? { ...rename, undo } : rename, { run: () => syncFolder(ops, dirname(file.target)) }];
}

async function recordSteps({ ops, places, session, change, record, stage }: Work): Promise<Step[]> {
  if (change.record === undefined) return [];
  const path = places.record(session);
  return place(ops, await stage(path, change.record.text), () => atomicWrite(ops, path, record.bytes));
}

/** Before everything else: after the commit point it could only be reported. */
function olderSteps({ ops, places, session, change, record }: Work): Step[] {
  if (change.record === undefined || record.kind !== 'older') return [];
  return [{ run: () => keepOlder(ops, places.record(session), record) }];
}

async function bindingSteps(work: Work): Promise<Step[]> {
  const marker = await checkBinding(work, work.session, work.change, work.record.record.project);
  return marker === null ? [] : place(work.ops, await work.stage(marker.path, marker.text));
}

/** Each is new, or the same text again: only a new one is taken back. */
async function revisionSteps({ ops, places, session, change, paths, stage }: Work): Promise<Step[]> {
  const steps: Step[] = [];
  for (const { path, text, at, isNew } of await textsToKeep(ops, places, session, change, paths.document)) {
    const file = await stage(path, text);
    await ops.setTime(file.temp, at);
    steps.push(...place(ops, file, isNew ? () => removeQuietly(ops, path) : undefined));
  }
  return steps;
}

/**
 * What says that the legacy copy is over stands before the sidecar goes (D13). It is not taken back: beside a
 * sidecar it says nothing.
 */
async function markerSteps({ ops, places, session, paths, stage }: Work): Promise<Step[]> {
  const mark = await legacyMark(ops, places.legacy(session));
  return mark === null ? [] : place(ops, await stage(markerBeside(paths.sidecar), `${mark}\n`));
}
