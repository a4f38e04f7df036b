import type { Commit } from '../commit.ts';
import type { ArchiveOrder } from '../effects.ts';
import { recordText, SessionRecord } from '../record.ts';
import { type Plan, projectSidecar } from '../sidecar.ts';
import type { FileFound, StoredSession } from '../stored.ts';
import type { SessionContext } from './context.ts';
import { derive, type SessionSnapshot } from './derive.ts';

/**
 * What has to be written so that the files say what `next` says. Only differences to what was read
 * are in it; null when there are none. `at` is RFC 3339 and dates archive names; `before` is what was derived
 * from `stored`.
 */
export function projectCommit(
  stored: StoredSession,
  next: SessionSnapshot,
  archive: ArchiveOrder | null,
  at: string,
  before: SessionSnapshot = derive(stored).snapshot,
): Commit | null {
  const { record, unreadable } = next.context;
  const commit: Commit = {};
  const text = recordText(record);
  if (text !== recordText(stored.record)) {
    const claims = record.lease !== null && record.lease.turn !== stored.record.lease?.turn;
    commit.record = { text, order: claims ? 'first' : 'last' };
  }
  if (archive !== null) commit.archive = archiveOf(archive, at);
  if (unreadable === null) Object.assign(commit, planFiles(stored, before.context.plan, next.context));
  if (commit.archive?.sidecar === null && stored.document.kind === 'absent') delete commit.archive;
  return Object.keys(commit).length === 0 ? null : commit;
}

/** Sidecar, `.md` and revision, where they differ from what was read. */
function planFiles(stored: StoredSession, was: Plan | null, { plan, document }: SessionContext): Commit {
  const commit: Commit = {};
  const sidecar = change(stored.sidecar, plan === null ? null : projectSidecar(plan));
  const body = change(stored.document, document?.text ?? null);
  // The file of another program keeps its own layout until it has to say something else.
  const told = sidecar !== null && 'text' in sidecar ? sidecar.text : null;
  if (sidecar !== null && (was === null || projectSidecar(was) !== told)) commit.sidecar = sidecar;
  if (body !== null) commit.document = body;
  if (document !== null && isRevision(was, plan, body)) commit.revision = { text: document.text };
  return commit;
}

/** D49: each text of a session plan in Editing is kept, and the one that a person approves. */
function isRevision(was: Plan | null, plan: Plan | null, body: Commit['document'] | null): boolean {
  if (plan === null || plan.pre_init_editing) return false;
  if (plan.status === 'Editing') return body !== null || was?.description !== plan.description;
  return plan.approval !== null && plan.approval.at !== was?.approval?.at;
}

function change(found: FileFound, text: string | null): { text: string } | { remove: true } | null {
  if (text === null) return found.kind === 'absent' ? null : { remove: true };
  return found.kind === 'text' && found.text === text ? null : { text };
}

/** D43: `opencrabs_plan_<session>-<UTC yyyymmdd-hhmmss><suffix>`; the store adds the rest of the name. */
function archiveOf({ as, sidecar }: ArchiveOrder, at: string): NonNullable<Commit['archive']> {
  const stamp = at.replaceAll(/[-:]/gu, '').replace('T', '-').slice(0, 15);
  const suffix = as === 'completed' ? '' : (`.${as}` as const);
  if (sidecar === 'disk') return { suffix, stamp };
  return { suffix, stamp, sidecar: sidecar === 'none' ? null : projectSidecar(sidecar) };
}

/** The files as they are after a commit, without reading them again: what a restart would find. */
export function applyCommit(
  stored: StoredSession,
  commit: Commit,
  hash: (text: string) => string,
): StoredSession {
  const apply = (found: FileFound, changed: Commit['sidecar']): FileFound => {
    if (changed === undefined) return found;
    if ('remove' in changed) return { kind: 'absent', path: found.path };
    return { kind: 'text', path: found.path, text: changed.text, hash: hash(changed.text) };
  };
  return {
    ...stored,
    record: commit.record === undefined ? stored.record : SessionRecord.parse(JSON.parse(commit.record.text)),
    sidecar: apply(stored.sidecar, commit.sidecar),
    document: apply(stored.document, commit.document),
  };
}
