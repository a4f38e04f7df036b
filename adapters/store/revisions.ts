import { join } from 'node:path';
import { listOrNone, removeQuietly } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';

/**
 * Removes the revisions of a plan that has ended (D49); its last text is in the archive. One that stays does
 * no harm: names are hashes of the content.
 * Contract: never throws for what the disk answers.
 */
export async function forgetRevisions(ops: FileOps, folder: string): Promise<void> {
  for (const name of await listOrNone(ops, folder)) {
    if (/^[0-9a-f]{64}\.md$/.test(name)) await removeQuietly(ops, join(folder, name));
  }
}
