import { dirname, join } from 'node:path';
import type { SessionPaths } from '../ports.ts';
import { atomicWrite, sweepTemps, syncFolder } from './atomic-write.ts';
import { copyVerified } from './copy-verified.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import { archivePrefix, markerBeside } from './places.ts';
import { readBytes } from './plan-file.ts';
import type { RecordFound } from './record-file.ts';
import { recordText } from './record-file.ts';
import { errnoOf, writeFailed } from './store-error.ts';

/**
 * Sets a damaged record aside as `session.json.corrupt-<n>` and puts a usable one in its place; answers the
 * name of the copy. Only under the session's lock. Throws `StoreError` WRITE_FAILED.
 */
export async function repairRecord(ops: FileOps, path: string, found: RecordFound): Promise<string> {
  const aside = await copyAside(ops, found.bytes, (number) => `${path}.corrupt-${number}`);
  await atomicWrite(ops, path, Buffer.from(recordText(found.record)));
  return aside;
}

/**
 * Keeps the record of an earlier version as `session.json.v<n>` before this version's is written (D4). Only
 * under the session's lock. Throws `StoreError` WRITE_FAILED.
 */
export async function keepOlder(
  ops: FileOps,
  path: string,
  { bytes, version }: Extract<RecordFound, { kind: 'older' }>,
): Promise<void> {
  await copyAside(ops, bytes, (number) => `${path}.v${version}${number === 1 ? '' : `-${number}`}`);
  await syncFolder(ops, dirname(path));
}

/** Takes the first name that is free or holds these very bytes: a try that failed later leaves one copy, not many. */
async function copyAside(
  ops: FileOps,
  bytes: Uint8Array,
  nameOf: (number: number) => string,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = nameOf(number);
    try {
      await copyVerified(ops, bytes, aside);
      return aside;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw writeFailed('keep the former record as', aside, error);
      const there = await readBytes(ops, aside);
      if (there.kind === 'bytes' && there.bytes.equals(bytes)) return aside;
    }
  }
}

/** Removes temporary files that a killed writer of this session left. Only under the session's lock. */
export async function sweepSession(
  ops: FileOps,
  places: Places,
  session: string,
  { dir, archive, sidecar, document }: SessionPaths,
): Promise<void> {
  const plan = [sidecar, document, markerBeside(sidecar)];
  await sweepTemps(ops, dir, (name) => plan.includes(join(dir, name)));
  await sweepTemps(ops, archive, (name) => name.startsWith(archivePrefix(session)));
  await sweepTemps(ops, dirname(places.record(session)), (name) => name.startsWith('session.json'));
  await sweepTemps(ops, places.revisions(session), () => true);
}
