import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Actor } from '../../machines/index.ts';
import { atomicWrite } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import type { Places } from './places.ts';
import { readFailed } from './store-error.ts';

/** A person on a surface: each has seen other texts. */
export type Reader = Pick<Actor, 'surface' | 'person'>;

const Seen = z.object({ v: z.literal(1), hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)) });

/** The text on the screen and the one before it: what a comparison needs. */
const most = 2;
const limitBytes = 4096;

/** Whether a file among the revisions says what somebody has seen; half-written ones of a killed process too. */
export function isSeenFile(name: string): boolean {
  return name.startsWith('seen-');
}

/**
 * Hashes of the revisions that this person saw in full on this surface, the last one at the end (D49). A damaged file is
 * none: then the plan is compared with a kept text. Throws `StoreError` READ_FAILED.
 */
export async function readSeen(
  ops: FileOps,
  places: Places,
  session: string,
  reader: Reader,
): Promise<string[]> {
  const path = pathOf(places, session, reader);
  const bytes = await ops.read(path, limitBytes).catch((error: unknown) => {
    throw readFailed(path, error);
  });
  return bytes === null ? [] : hashesIn(bytes.toString('utf8'));
}

/** Durable before it resolves; only under the session's lock. Throws `StoreError` BAD_NAME, READ_FAILED, WRITE_FAILED. */
export async function noteSeen(
  ops: FileOps,
  places: Places,
  session: string,
  hash: string,
  reader: Reader,
): Promise<void> {
  places.revision(session, hash);
  const before = await readSeen(ops, places, session, reader);
  if (before.at(-1) === hash) return;
  const hashes = [...before.filter((one) => one !== hash), hash].slice(-most);
  const text = `${JSON.stringify({ v: 1, hashes })}\n`;
  await atomicWrite(ops, pathOf(places, session, reader), Buffer.from(text));
}

/** Beside the revisions, whose life it shares. What a surface calls a person need not be fit for a file name. */
function pathOf(places: Places, session: string, { surface, person }: Reader): string {
  const name = createHash('sha256')
    .update(JSON.stringify([surface, person]))
    .digest('hex')
    .slice(0, 16);
  return join(places.revisions(session), `seen-${name}.json`);
}

function hashesIn(text: string): string[] {
  try {
    return Seen.safeParse(JSON.parse(text)).data?.hashes ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
