import type { DocumentScan } from '../document.ts';
import type { Lease, SessionRecord } from '../record.ts';
import type { Plan } from '../sidecar.ts';

/** The session `.md` as read, with what the template scan found (D24). */
export interface SessionDocument {
  text: string;
  /** sha-256 in hex; empty for a text that this very step made and no one has read back yet. */
  hash: string;
  scan: DocumentScan;
}

/** What the files say; nothing here is remembered between dispatches (architecture, "Derive, do not remember"). */
export interface SessionContext {
  record: SessionRecord;
  plan: Plan | null;
  document: SessionDocument | null;
  unreadable: { path: string; cause: string } | null;
  places: { sidecar: string; document: string };
  /** Archive file names of this session, oldest first. */
  archives: readonly string[];
  /** Processes of waiting messages that have ended (D26). */
  gone: readonly string[];
}

export const leaseOf = (context: SessionContext): Lease | null => context.record.lease;
export const isBusy = (context: SessionContext): boolean => context.record.lease !== null;

/** Whether there is an approved text to write back; a file of an older program may hold none (D48, D43). */
export const isRestorable = ({ plan }: SessionContext): boolean =>
  plan?.track === 'design' && plan.description !== '';

/** Whether the `.md` still is the text that was approved; false without a `.md` (D48). */
export function approvedTextStands({ plan, document }: SessionContext): boolean {
  if (plan === null || document === null) return false;
  return plan.approval === null ? document.text === plan.description : document.hash === plan.approval.hash;
}
