import { dirname } from 'node:path';
import type { StoredSession } from '../../machines/index.ts';
import type { StoreTransaction } from '../ports.ts';
import { carryOut } from './commit.ts';
import { appendJournal } from './journal.ts';
import { moveLegacy } from './move-legacy.ts';
import type { ReadParts, SessionFound } from './read-session.ts';
import { readFiles, recordOf } from './read-session.ts';
import type { RecordFound } from './record-file.ts';
import { repairRecord } from './repair.ts';
import { StoreError } from './store-error.ts';
import type { Transcripts } from './transcript.ts';

interface Parts extends ReadParts {
  transcripts: Transcripts;
  now: () => string;
}

/**
 * What a caller does while it holds the session's lock. `record` was read under it and stays true until a commit
 * changes it, since nobody else may. `end` is called before the lock is given back.
 */
export function createTransaction(
  parts: Parts,
  session: string,
  record: RecordFound,
): { transaction: StoreTransaction; end: () => void } {
  const life = { state: 'open' as 'open' | 'over', read: 'never' as 'never' | 'done' };
  let known: RecordFound | null = record;
  const checkOpen = () => {
    if (life.state === 'open') return;
    const path = parts.places.sessionLock(session);
    throw new StoreError('TRANSACTION_OVER', `The lock ${path} was given back before this call.`, {
      path,
      cause: 'the work of the transaction has ended',
    });
  };
  const read = async () => {
    checkOpen();
    const found = known ?? (await recordOf(parts, session));
    // Mending rewrites a damaged record.
    known = found.kind === 'damaged' ? null : found;
    const stored = await readMended(parts, session, found);
    life.read = 'done';
    return stored;
  };
  return {
    end: () => void (life.state = 'over'),
    transaction: {
      read,
      commit: async (change) => {
        // Whatever is written goes where a reader has looked: a legacy plan is in its place by then (D13).
        if (life.read === 'never') await read();
        checkOpen();
        const before = known;
        // A commit that failed may have changed record and binding or not: the disk says.
        if (change.record !== undefined) known = null;
        try {
          await carryOut(parts, session, change, before);
        } finally {
          if (change.record !== undefined) parts.bindings.forget(session);
        }
      },
      journal: (lines) => {
        checkOpen();
        appendJournal(dirname(parts.places.record(session)), lines);
      },
    },
  };
}

/** What is there, after what loading may do under the lock: mend the record, move a legacy plan to its place. */
async function readMended(parts: Parts, session: string, record: RecordFound): Promise<StoredSession> {
  const first = await readFiles(parts, session, record);
  if (first.found.kind === 'damaged') await repair(parts, session, first.found);
  const bytes = first.legacy?.bytes ?? null;
  if (bytes === null) return first.stored;
  const stamp = parts.now().replaceAll(/[-:]/gu, '').replace('T', '-').slice(0, 15);
  await moveLegacy(parts.ops, first.paths, { session, stamp }, bytes);
  return (await readFiles(parts, session, record)).stored;
}

async function repair(
  { ops, places, transcripts, now }: Parts,
  session: string,
  found: Extract<SessionFound['found'], { kind: 'damaged' }>,
): Promise<void> {
  const aside = await repairRecord(ops, places.record(session), found);
  const text = `The session record was damaged (${found.cause}). It is kept as ${aside}; what was lost has default values.`;
  await transcripts.append(session, [{ v: 1, at: now(), type: 'notice', turn: null, text }]);
}
