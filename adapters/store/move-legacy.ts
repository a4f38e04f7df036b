import { dirname } from 'node:path';
import type { SessionPaths } from '../ports.ts';
import { archiveWork } from './archive.ts';
import { atomicWrite, syncFolder } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import type { LegacyPlan } from './legacy.ts';
import { readBytes } from './plan-file.ts';

/**
 * Copies a legacy pair to the resolved place, whose sidecar is absent (D13). Only under the session's lock. The
 * `.md` goes first: until the sidecar stands, and after a crash in between, the legacy pair is what is read.
 * Throws `StoreError` WRITE_FAILED. `stamp` as in archive names.
 */
export async function moveLegacy(
  ops: FileOps,
  paths: SessionPaths,
  { session, stamp }: { session: string; stamp: string },
  { document, sidecar }: NonNullable<LegacyPlan['bytes']>,
): Promise<void> {
  const there = await readBytes(ops, paths.document);
  const moved = there.kind === 'bytes' && document !== null && document.equals(there.bytes);
  if (there.kind !== 'absent' && !moved) await setOrphanAside(ops, paths, session, stamp);
  if (document !== null && !moved) await atomicWrite(ops, paths.document, document);
  await atomicWrite(ops, paths.sidecar, sidecar);
}

/** A `.md` that stands alone in the resolved place belongs to an earlier plan (D8 rule 2): it must not join this one. */
async function setOrphanAside(
  ops: FileOps,
  paths: SessionPaths,
  session: string,
  stamp: string,
): Promise<void> {
  const archive = archiveWork(ops, paths, session, { suffix: '.orphan', stamp, sidecar: null });
  for (const step of archive.steps) await step.run();
  await archive.retire(paths.document);
  await syncFolder(ops, dirname(paths.document));
}
