import type { SessionEvent } from '../events.ts';
import { planWords } from '../intent.ts';
import type { Lease, QueueItem } from '../record.ts';
import type { SessionContext } from './context.ts';
import type { Change } from './plan-changes.ts';

/** The words that arm pre-init with this message, or null: only an owner's own typed words in a plain session do (D25). */
export function armingWords(
  { plan, unreadable, record }: SessionContext,
  event: SessionEvent,
): string | null {
  if (event.type !== 'user.chat' || event.origin !== 'typed') return null;
  const { by } = event;
  if (plan !== null || unreadable !== null || record.yolo || !by.owner || by.entry !== 'interactive')
    return null;
  return planWords(event.text);
}

/** Which hint goes to the model with the text: design words that can't lead to Editing say so (D25). */
export function hintOf(context: SessionContext, event: SessionEvent): 'plan' | 'unattended' | null {
  if (armingWords(context, event) !== null) return 'plan';
  if (event.type !== 'user.chat' || event.origin !== 'typed' || context.plan !== null) return null;
  const unattended = context.record.yolo || event.by.entry !== 'interactive';
  return unattended && planWords(event.text) !== null ? 'unattended' : null;
}

type Opening = Extract<SessionEvent, { type: 'turn.begin' | 'user.chat' }>;

function leaseFor(event: Opening): Lease {
  const kind = event.type === 'turn.begin' ? event.kind : 'chat';
  const idle = { group: null, waiting: null, cancel: null, closed: null };
  return { turn: event.ids[1] ?? '', kind, by: event.by, since: event.at, ...idle };
}

/** The claim of a turn (D15): idle check and lease are one commit. */
export function turnBegun({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'turn.begin' && event.type !== 'user.chat') return {};
  return { record: { ...record, lease: leaseFor(event), interrupted: false, used: event.at } };
}

export function turnEnded({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'turn.end') return {};
  return { record: { ...record, lease: null, interrupted: event.outcome !== 'done' } };
}

/** D16: the request is durable; the process that runs the turn sees it and ends the turn. */
function cancelled(context: SessionContext, event: SessionEvent, then: 'stop' | 'discard'): Change {
  const { record } = context;
  if (record.lease === null || !('by' in event)) return {};
  const cancel = { then, by: event.by.person, via: event.by.surface, at: event.at };
  return { record: { ...record, queue: [], lease: { ...record.lease, cancel } } };
}

export const stopAsked = (context: SessionContext, event: SessionEvent): Change =>
  cancelled(context, event, 'stop');
export const discardAsked = (context: SessionContext, event: SessionEvent): Change =>
  cancelled(context, event, 'discard');

/** What the running turn holds, for whoever has to end it or to say what it waits for (D16, D36). */
export function turnNoted({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'turn.note' || record.lease?.turn !== event.turn) return {};
  const { group = record.lease.group, waiting = record.lease.waiting } = event;
  return { record: { ...record, lease: { ...record.lease, group, waiting } } };
}

export function enqueued({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'user.plan' && event.type !== 'user.chat' && event.type !== 'user.revise') return {};
  const { at, ids, process, ...said } = event;
  const item: QueueItem = { id: ids[0] ?? '', at, process, said };
  return { record: { ...record, queue: [...record.queue, item] } };
}

/** The queued item that an event names. */
export function queuedItem({ record }: SessionContext, event: SessionEvent): QueueItem | null {
  if (event.type !== 'queue.take' && event.type !== 'queue.drop') return null;
  return record.queue.find((item) => item.id === event.item) ?? null;
}

export function dequeued(context: SessionContext, event: SessionEvent): Change {
  const item = queuedItem(context, event);
  const queue = context.record.queue.filter((other) => other !== item);
  return { record: { ...context.record, queue } };
}

export function policySet({ record }: SessionContext, event: SessionEvent): Change {
  return event.type === 'user.policy' ? { record: { ...record, yolo: event.yolo } } : {};
}

/** Where a session works and where its plan files live; only without a live plan (D14). */
export function placed({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'user.place') return {};
  const { cwd = record.cwd, project = record.project } = event;
  return { record: { ...record, cwd, project } };
}

export function goalSet({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'user.goal') return {};
  return { record: { ...record, goal: { ...record.goal, user: event.text } } };
}
