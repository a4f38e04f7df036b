import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';

/** Why a file was not read: it lies elsewhere than it may, is no regular file, or the disk's own code. */
export type NotRead = { why: 'elsewhere' | 'no file' | { code: string } };

/**
 * The first `limit` bytes of a regular file and its size. `mayLie` judges where the open file really is, so a link
 * that changes meanwhile gains nothing. Contract: never throws.
 */
export async function readPlaced(
  path: string,
  limit: number,
  mayLie: (place: string) => boolean,
): Promise<{ bytes: Uint8Array; size: number } | NotRead> {
  let file: FileHandle | null = null;
  try {
    // A pipe in its place would block for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { why: 'no file' };
    if (!mayLie(await placeOf(file, path))) return { why: 'elsewhere' };
    const buffer = Buffer.alloc(limit);
    const { bytesRead } = await file.read(buffer, 0, limit, 0);
    return { bytes: buffer.subarray(0, bytesRead), size: stat.size };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { why: { code } };
  } finally {
    await file?.close();
  }
}

/** Systems without /proc answer by path, which leaves a short gap. */
async function placeOf(file: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path));
}

/** Whether a real path is a folder or lies below it. */
export const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
