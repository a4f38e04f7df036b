import type { SessionView } from '../../../machines/index.ts';

/** The one key that approves: what it does, and why it is off; null when there is nothing to approve. */
export interface ApproveOffer {
  event: 'approve' | 'approveText';
  /** Label at full and at narrow width. */
  long: string;
  short: string;
  off: string | null;
}

/** What the engine offers as approval, in the words of this surface. It reads `view.decisions` only. */
export function approveOffer({ decisions, seedError }: SessionView): ApproveOffer | null {
  const { approve, why, retry, restore } = decisions;
  if (approve !== 'hidden') {
    const off = approve === 'on' ? null : (why ?? 'not now');
    return { event: 'approve', long: 'approve', short: 'approve', off };
  }
  if (retry) return { event: 'approve', long: 'try again', short: 'retry', off: null };
  // After a failed seed the changed text can be approved; a running checklist offers only the way back (D48).
  if (restore && seedError !== null) {
    return { event: 'approveText', long: 'approve this text', short: 'approve', off: null };
  }
  return null;
}

/**
 * Whether the text can be opened in the person's editor, and why not now; null when it is not theirs to change,
 * since an approved text is frozen (D48).
 */
export function editOffer({
  decisions,
  document,
  seedError,
  turn,
}: SessionView): { off: string | null } | null {
  if (document === null || !(decisions.revise || seedError === 'empty')) return null;
  return { off: turn === 'idle' ? null : 'a turn is running' };
}
