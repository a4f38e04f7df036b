import { dirname, join } from 'node:path';
import { atomicWrite, sweepTemps } from './atomic-write.ts';
import { copyVerified } from './copy-verified.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import { archivePrefix } from './places.ts';
import type { RecordFound } from './record-file.ts';
import { recordText } from './record-file.ts';
import { errnoOf, writeFailed } from './store-error.ts';

/**
 * Sets a damaged record aside as `session.json.corrupt-<n>` and puts a usable one in its place; answers the
 * name of the copy. Only under the session's lock. Throws `StoreError` WRITE_FAILED.
 */
export async function repairRecord(ops: FileOps, path: string, found: RecordFound): Promise<string> {
  const aside = await setAside(ops, path, found.bytes);
  await atomicWrite(ops, path, Buffer.from(recordText(found.record)));
  return aside;
}

async function setAside(ops: FileOps, path: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.corrupt-${number}`;
    try {
      await copyVerified(ops, bytes, aside);
      return aside;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw writeFailed('set the damaged record aside as', aside, error);
    }
  }
}

/** Removes temporary files that a killed writer of this session left. Only under the session's lock. */
export async function sweepSession(ops: FileOps, places: Places, session: string): Promise<void> {
  const { dir, archive, sidecar, document } = places.paths(session);
  const plan = [sidecar, document];
  await sweepTemps(ops, dir, (name) => plan.includes(join(dir, name)));
  await sweepTemps(ops, archive, (name) => name.startsWith(archivePrefix(session)));
  await sweepTemps(ops, dirname(places.record(session)), (name) => name.startsWith('session.json'));
  await sweepTemps(ops, places.revisions(session), () => true);
}
