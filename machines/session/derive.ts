import { scanDocument } from '../document.ts';
import type { Found, Said } from '../events.ts';
import { loadSidecar, type Loaded } from '../sidecar.ts';
import type { StoredSession } from '../stored.ts';
import type { SessionContext, SessionDocument } from './context.ts';
import { trusted } from './kept.ts';
import { sessionMachine } from './session.ts';

/** What the files make of the session, and what the next dispatch has to commit before it decides anything. */
export interface Derived {
  snapshot: SessionSnapshot;
  found: (Found | Extract<Said, { type: 'turn.end' }>)[];
}

export type SessionSnapshot = ReturnType<typeof sessionMachine.resolveState>;

type PlanValue =
  | 'noPlan'
  | 'unreadable'
  | { editing: 'preInit' | 'postInit' }
  | { active: 'checklist' | { seeding: 'building' | 'seeded' } | { seedFailed: 'empty' | 'partial' } };

/**
 * D8: state is derived from sidecar, `.md` and lease, first match wins. A dead owner's turn is
 * taken as live here; `turn.end` with outcome lost then says what becomes of it, as for any turn.
 * Pure and total: whatever bytes are on disk, they make a state of the machine.
 */
export function derive(found: StoredSession): Derived {
  const stored = trusted(found);
  const document = readDocument(stored);
  const loaded = load(stored, document !== null);
  const context = contextOf(stored, loaded, document);
  const value = { plan: planValue(context, loaded), turn: turnValue(context) };
  return {
    snapshot: sessionMachine.resolveState({ value, context }),
    found: findings(stored, context, loaded),
  };
}

function readDocument({ document }: StoredSession): SessionDocument | null {
  if (document.kind !== 'text') return null;
  return { text: document.text, hash: document.hash, scan: scanDocument(document.text) };
}

function load({ record, sidecar, document }: StoredSession, hasDocument: boolean): Loaded | { kind: 'none' } {
  if (sidecar.kind === 'absent') return { kind: 'none' };
  if (sidecar.kind === 'unreadable') return { kind: 'unreadable', cause: sidecar.cause };
  if (document.kind === 'unreadable') return { kind: 'unreadable', cause: document.cause };
  return loadSidecar(sidecar.text, { session: record.id, document: hasDocument });
}

function contextOf(
  stored: StoredSession,
  loaded: Loaded | { kind: 'none' },
  document: SessionDocument | null,
): SessionContext {
  const { record, sidecar, archives, gone } = stored;
  return {
    record,
    plan: 'plan' in loaded ? loaded.plan : null,
    document,
    unreadable: loaded.kind === 'unreadable' ? { path: culprit(stored).path, cause: loaded.cause } : null,
    places: { sidecar: sidecar.path, document: stored.document.path },
    archives,
    gone,
  };
}

/** The file that makes the plan unreadable: the `.md` only where the sidecar itself can be read. */
function culprit({ sidecar, document }: StoredSession): StoredSession['sidecar'] {
  return sidecar.kind === 'text' && document.kind === 'unreadable' ? document : sidecar;
}

function planValue({ record, plan }: SessionContext, loaded: Loaded | { kind: 'none' }): PlanValue {
  if (loaded.kind === 'none') return 'noPlan';
  if (loaded.kind === 'unreadable' || plan === null) return 'unreadable';
  if (loaded.kind === 'finished') return { active: 'checklist' };
  if (loaded.kind === 'editing') return { editing: plan.pre_init_editing ? 'preInit' : 'postInit' };
  if (plan.track !== 'design') return { active: 'checklist' };
  const empty = plan.tasks.length === 0;
  if (!empty && plan.seed === 'done') return { active: 'checklist' };
  if (record.lease?.kind === 'seed') return { active: { seeding: empty ? 'building' : 'seeded' } };
  return { active: { seedFailed: empty ? 'empty' : 'partial' } };
}

function turnValue({ record: { lease } }: SessionContext): 'idle' | 'running' | 'stopping' | 'discarding' {
  if (lease === null) return 'idle';
  if (lease.cancel === null) return 'running';
  return lease.cancel.then === 'stop' ? 'stopping' : 'discarding';
}

/** What loading alone may do, in this order: a discarded plan must not come back (D8 rule 2). */
function findings(
  stored: StoredSession,
  { record, plan, document }: SessionContext,
  loaded: Loaded | { kind: 'none' },
): Derived['found'] {
  const found: Derived['found'] = [];
  const flagOnly = loaded.kind === 'none' || (loaded.kind === 'editing' && plan?.pre_init_editing === true);
  if (flagOnly && stored.document.kind !== 'absent') found.push({ type: 'file.orphan' });
  if (loaded.kind === 'finished') found.push({ type: 'file.finished', as: loaded.as });
  if (record.lease !== null && !stored.leaseAlive) {
    found.push({ type: 'turn.end', turn: record.lease.turn, outcome: 'lost' });
  }
  if (loaded.kind === 'editing' && plan !== null && !plan.pre_init_editing) {
    if (document === null) found.push({ type: 'file.lost' });
    else if (document.text !== plan.description) found.push({ type: 'file.edited' });
  }
  return found;
}
