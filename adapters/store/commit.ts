import { dirname } from 'node:path';
import type { Commit } from '../../machines/index.ts';
import { archiveWork } from './archive.ts';
import type { Staged } from './atomic-write.ts';
import { atomicWrite, placeStaged, removeQuietly, stageFile, syncFolder } from './atomic-write.ts';
import type { Plan, Step } from './commit-plan.ts';
import { runPlan } from './commit-plan.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import { badName } from './places.ts';
import { readRecord } from './record-file.ts';
import { forgetRevisions } from './revisions.ts';

export interface CommitParts {
  ops: FileOps;
  places: Places;
}

type Slot = 'record' | 'sidecar' | 'document' | 'revision';
type StagedFiles = Partial<Record<Slot, Staged>>;

/**
 * Carries out one commit under the session's lock, in the order of D7 and D43. All new content is durable
 * under temporary names before the first visible change, so a full disk changes nothing. Until the commit
 * point (the sidecar's rename or removal; without a sidecar the document's, else the record's rename) a
 * failure is undone and thrown as `StoreError` WRITE_FAILED; after it, as WRITE_PARTLY.
 */
export async function carryOut(parts: CommitParts, session: string, change: Commit): Promise<void> {
  if (change.archive && !/^\d{8}-\d{6}$/.test(change.archive.stamp)) {
    throw badName('archive stamp', change.archive.stamp, 'yyyymmdd-hhmmss');
  }
  const before = change.record ? await recordBytes(parts, session) : null;
  const staged = await stageAll(parts, session, change);
  await runPlan(planOf(parts, session, change, staged, before), () => dropAll(parts.ops, staged));
}

/** The record that a failed commit is taken back to. Throws RECORD_NEWER rather than overwrite a newer one. */
async function recordBytes({ ops, places }: CommitParts, session: string): Promise<Uint8Array> {
  const found = await readRecord(ops, places.record(session), { id: session, cwd: '', at: '' });
  return found.bytes;
}

async function stageAll({ ops, places }: CommitParts, session: string, change: Commit): Promise<StagedFiles> {
  const { sidecar, document } = places.paths(session);
  const wanted: [Slot, string, string][] = [];
  if (change.record) wanted.push(['record', places.record(session), change.record.text]);
  if (change.sidecar && 'text' in change.sidecar) wanted.push(['sidecar', sidecar, change.sidecar.text]);
  if (change.document && 'text' in change.document) wanted.push(['document', document, change.document.text]);
  if (change.revision) {
    wanted.push(['revision', places.revision(session, change.revision.hash), change.revision.text]);
  }
  const staged: StagedFiles = {};
  try {
    for (const [slot, path, text] of wanted) staged[slot] = await stageFile(ops, path, Buffer.from(text));
  } catch (error) {
    await dropAll(ops, staged);
    throw error;
  }
  return staged;
}

async function dropAll(ops: FileOps, staged: StagedFiles): Promise<void> {
  for (const file of Object.values(staged)) await removeQuietly(ops, file.temp);
}

function planOf(
  { ops, places }: CommitParts,
  session: string,
  change: Commit,
  staged: StagedFiles,
  before: Uint8Array | null,
): Plan {
  const paths = places.paths(session);
  const archive = archiveWork(ops, paths, session, change.archive);
  const place = (file: Staged | undefined, undo?: () => Promise<void>): Step[] => {
    if (!file) return [];
    const rename = { run: () => placeStaged(ops, file) };
    return [undo ? { ...rename, undo } : rename, { run: () => syncFolder(ops, dirname(file.target)) }];
  };
  const retire = (path: string): Step[] => [
    { run: () => archive.retire(path) },
    { run: () => syncFolder(ops, dirname(path)) },
  ];
  const removes = (live: Commit['sidecar']) => live !== undefined && 'remove' in live;
  const putBack = before && (() => atomicWrite(ops, places.record(session), before));
  const record = place(staged.record, putBack ?? undefined);
  const sidecar = removes(change.sidecar) ? retire(paths.sidecar) : place(staged.sidecar);
  const document = removes(change.document) ? retire(paths.document) : place(staged.document);
  return {
    point: sidecar[0] ?? document[0] ?? record[0] ?? null,
    steps: [
      ...(change.record?.order === 'first' ? record : []),
      ...archive.steps,
      ...sidecar,
      ...document,
      ...place(staged.revision),
      ...(removes(change.sidecar) ? [{ run: () => forgetRevisions(ops, places.revisions(session)) }] : []),
      ...(change.record?.order === 'last' ? record : []),
    ],
  };
}
