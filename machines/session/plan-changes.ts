import { scaffold, scanDocument } from '../document.ts';
import { type Draft, draftTasks } from '../drafts.ts';
import type { SessionEvent, Stamp } from '../events.ts';
import { readImport } from '../import.ts';
import type { SessionRecord } from '../record.ts';
import { type Plan, unreadFields } from '../sidecar.ts';
import type { Task } from '../tasks.ts';
import type { SessionContext, SessionDocument } from './context.ts';
import { importIds, initTrack, type InitEvent } from './init-faults.ts';

/** New values for a part of the context: what an `assign` in the chart takes. */
export type Change = Partial<SessionContext>;

const unread = (text: string): SessionDocument => ({ text, hash: '', scan: scanDocument(text) });

function newPlan(context: SessionContext, stamp: Stamp, fields: Partial<Plan>): Plan {
  return {
    id: stamp.ids[0] ?? '',
    session_id: context.record.id,
    title: '',
    description: '',
    tasks: [],
    status: 'Editing',
    created_at: stamp.at,
    updated_at: stamp.at,
    approved_at: null,
    pre_init_editing: false,
    track: 'design',
    seed: 'pending',
    rev: 1,
    approval: null,
    origin: null,
    rest: unreadFields,
    ...fields,
  };
}

/** A further commit of the live plan: counted, and dated by the event. */
function touched(plan: Plan, stamp: Stamp, fields: Partial<Plan>): Plan {
  return { ...plan, ...fields, rev: plan.rev + 1, updated_at: stamp.at };
}

/** Pre-init Editing: a flag, no approvable plan (D8, seeds "Pre-init Editing"). */
export function armed(context: SessionContext, event: SessionEvent): Change {
  const origin = event.type === 'plan.arm' ? event.words : '/plan';
  return { plan: newPlan(context, event, { pre_init_editing: true, origin }), document: null };
}

/** `init`: replaces a pre-init flag, keeping what armed it. */
export function initialised(context: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'tool.init') return {};
  const track = initTrack(event) ?? 'design';
  const origin = context.plan?.origin ?? null;
  if (track === 'design') {
    const title = oneLine(event.title ?? '');
    const text = event.from ?? scaffold(title);
    const plan = newPlan(context, event, { title, description: text, origin });
    return { plan, document: unread(text), record: reopened(context) };
  }
  const { title, description, tasks } = track === 'import' ? imported(event) : inline(event);
  const active = { status: 'Active', seed: 'done', track, title, description, tasks, origin } as const;
  return { plan: newPlan(context, event, active), document: null, record: reopened(context) };
}

/** A new plan takes the place of the finished one that this turn still shows (D17). */
function reopened({ record }: SessionContext): SessionRecord {
  return record.lease === null ? record : { ...record, lease: { ...record.lease, closed: null } };
}

interface Content {
  title: string;
  description: string;
  tasks: readonly Task[];
}

function inline(event: InitEvent): Content {
  const { description = '', ids } = event;
  return { title: oneLine(event.title ?? ''), description, tasks: made(event.tasks ?? [], [], ids.slice(2)) };
}

function imported(event: InitEvent): Content {
  const text = event.file !== undefined && 'text' in event.file ? event.file.text : '';
  const file = readImport(text);
  if ('faults' in file) return { title: '', description: '', tasks: [] };
  return {
    ...file,
    title: oneLine(file.title),
    tasks: made(file.tasks, [], importIds(event, file.tasks.length)),
  };
}

/** Drafts that a guard has already judged; faulty ones never get here. */
function made(drafts: readonly Draft[], existing: readonly Task[], ids: readonly string[]): readonly Task[] {
  const result = draftTasks(drafts, existing, ids);
  return 'tasks' in result ? result.tasks : [];
}

/** A title goes into a heading, a file and every surface: one line, no control or direction characters (D39). */
function oneLine(title: string): string {
  const plain = title.replace(/\s+/gu, ' ').replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '');
  return [...plain.trim()].slice(0, 200).join('');
}

export function tasksAdded(context: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'tool.addTasks' || context.plan === null) return {};
  const { plan } = context;
  const tasks = [...plan.tasks, ...made(event.tasks, plan.tasks, event.ids.slice(2))];
  // Where the tasks of a checklist got lost in its file, the seed is made again, and is not done before a task starts.
  const anew = plan.track === 'design' && plan.tasks.length === 0;
  return { plan: touched(plan, event, { tasks, ...(anew ? { seed: 'pending' } : {}) }) };
}

/** First Approve, a retry, or "approve this text": the text on disk is what is approved (D15, D45, D48). */
export function approved(context: SessionContext, event: SessionEvent): Change {
  const { plan, document } = context;
  if (plan === null || document === null || !('by' in event)) return {};
  const { by } = event;
  const approval = { by: by.person, via: by.surface, at: event.at, hash: document.hash };
  const title = document.scan.title ?? plan.title;
  const fields = { status: 'Active', title, description: document.text, approval, seed: 'pending' } as const;
  return { plan: touched(plan, event, { ...fields, approved_at: plan.approved_at ?? event.at }) };
}

/** The `.md` that a tool or a person's editor changed, mirrored into the sidecar (D23). */
export function mirrored(context: SessionContext, event: SessionEvent): Change {
  const document = event.type === 'tool.document' ? unread(event.text) : context.document;
  if (context.plan === null || document === null) return {};
  const title = document.scan.title ?? context.plan.title;
  return { document, plan: touched(context.plan, event, { description: document.text, title }) };
}

/** A vanished `.md` comes back from the mirror, else as the scaffold (D10). */
export function documentRestored(context: SessionContext, event: SessionEvent): Change {
  const { plan } = context;
  if (plan === null) return {};
  const text = plan.description === '' ? scaffold(plan.title) : plan.description;
  return { document: unread(text), plan: touched(plan, event, { description: text }) };
}

/** Where a text that is about to be written back comes from (D10, D48). */
export function restoredFrom({ plan }: SessionContext): 'description' | 'scaffold' | 'approved' {
  if (plan?.status === 'Active') return 'approved';
  return (plan?.description ?? '') === '' ? 'scaffold' : 'description';
}

/** The approved text written back over a drifted one (D48): the mirror is frozen at Approve. */
export function approvedTextRestored({ plan }: SessionContext): Change {
  return plan === null ? {} : { document: unread(plan.description) };
}

/** The plan is over; a goal that a task set goes with it (D20). */
export function cleared({ record }: SessionContext): Change {
  return {
    plan: null,
    document: null,
    unreadable: null,
    record: { ...record, goal: { ...record.goal, task: null } },
  };
}
