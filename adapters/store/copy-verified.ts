import { randomBytes } from 'node:crypto';
import { removeQuietly, writeNew } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import { systemError } from './file-ops.ts';
import { errnoOf } from './store-error.ts';

/** What file systems without hard links answer. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Writes bytes under a name that must be free, synced and read back (B52). The name appears with the whole
 * content or not at all. Rejects with the system's error: EEXIST when the name is taken, EIO when the copy
 * differs. The caller syncs the folder.
 */
export async function copyVerified(ops: FileOps, bytes: Uint8Array, target: string): Promise<void> {
  const temp = `${target}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  await writeVerified(ops, bytes, temp);
  try {
    await ops.link(temp, target);
  } catch (error) {
    if (!noLinks.includes(errnoOf(error))) throw error;
    await writeVerified(ops, bytes, target);
  } finally {
    await removeQuietly(ops, temp);
  }
}

async function writeVerified(ops: FileOps, bytes: Uint8Array, path: string): Promise<void> {
  await writeNew(ops, path, bytes, 0o600);
  try {
    const copy = await ops.read(path, bytes.length);
    if (copy?.equals(bytes) !== true) throw systemError('EIO', 'the copy differs from the original');
  } catch (error) {
    await removeQuietly(ops, path);
    throw error;
  }
}
