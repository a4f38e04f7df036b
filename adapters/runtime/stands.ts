import { type Commit, type FileFound, recordText, type StoredSession } from '../../machines/index.ts';
import type { StoreFailure } from '../ports.ts';

/** A commit that failed after its point: what stands then, only reading tells. */
export function isPartly(error: unknown): error is StoreFailure {
  return error instanceof Error && 'code' in error && error.code === 'WRITE_PARTLY';
}

/** Whether the files say everything that a commit was to make them say. */
export function saysAll({ record, sidecar, document }: StoredSession, change: Commit): boolean {
  const whole = same(change.sidecar, sidecar) && same(change.document, document);
  return whole && (change.record === undefined || change.record.text === recordText(record));
}

function same(wanted: Commit['sidecar'], found: FileFound): boolean {
  if (wanted === undefined) return true;
  if ('remove' in wanted) return found.kind === 'absent';
  return found.kind === 'text' && found.text === wanted.text;
}
