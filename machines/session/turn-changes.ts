import type { Said, SessionEvent } from '../events.ts';
import { planWords, toolFamilies } from '../intent.ts';
import type { ToolFamily } from '../intent/families.ts';
import type { KeptFiles, Lease, QueueItem, SessionRecord } from '../record.ts';
import { firstWords, givenName } from '../session-name.ts';
import type { SessionContext } from './context.ts';
import { nothingKept } from './kept.ts';
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

/** The tools that a person's own typed words point to (D25). */
export function toolWords(event: SessionEvent): readonly ToolFamily[] {
  return event.type === 'user.chat' && event.origin === 'typed' ? toolFamilies(event.text) : [];
}

type Opening = Extract<SessionEvent, { type: 'turn.begin' | 'user.chat' }>;

function leaseFor(event: Opening): Lease {
  const kind = event.type === 'turn.begin' ? event.kind : 'chat';
  const idle = { group: null, waiting: null, cancel: null, closed: null };
  const said = kind === 'chat' || kind === 'revise' ? { text: event.text } : {};
  return { turn: event.ids[1] ?? '', kind, by: event.by, since: event.at, ...said, ...idle };
}

/** The claim of a turn (D15): idle check and lease are one commit. */
export function turnBegun({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'turn.begin' && event.type !== 'user.chat') return {};
  const lease = leaseFor(event);
  const interrupted = keepsOffer(lease) && record.interrupted;
  return { record: { ...named(record, firstWords(lease.text ?? '')), lease, interrupted, used: event.at } };
}

/** A turn that only makes the conversation shorter neither takes up nor leaves work: the offer to go on stays as it is. */
const keepsOffer = (lease: Lease | null): boolean => lease?.kind === 'compact';

export function turnEnded({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'turn.end') return {};
  const interrupted = keepsOffer(record.lease) ? record.interrupted : event.outcome !== 'done';
  return { record: { ...record, lease: null, interrupted } };
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
  const { group = record.lease.group, waiting = record.lease.waiting, shell } = event;
  const files = shell === undefined ? {} : { files: filesKept(record.lease, shell) };
  return { record: { ...record, lease: { ...record.lease, group, waiting, ...files } } };
}

/** Watched from the first command that begins to the last that ends; sub-agents may run several at once. */
function filesKept({ files }: Lease, shell: 'begins' | 'ended'): KeptFiles | null {
  const kept = files ?? nothingKept;
  const calls = kept.calls + (shell === 'begins' ? 1 : -1);
  return calls > 0 ? { ...kept, calls } : null;
}

export function enqueued({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'user.plan' && event.type !== 'user.chat' && event.type !== 'user.revise') return {};
  const { at, ids, process, ...said } = event;
  const item: QueueItem = { id: ids[0] ?? '', at, process, said };
  return { record: { ...record, queue: [...record.queue, item] } };
}

/** The queued item that an event names. */
export function queuedItem({ record }: SessionContext, event: SessionEvent): QueueItem | null {
  if (event.type !== 'queue.take' && event.type !== 'queue.send' && event.type !== 'queue.drop') return null;
  return record.queue.find((item) => item.id === event.item) ?? null;
}

/** Whether nobody takes this item by itself any more: its process has ended (D26). */
export const isUnsent = ({ gone }: SessionContext, { process }: QueueItem): boolean => gone.includes(process);

/** The queued item that an event names, if nobody sends it by itself. */
export function unsentItem(context: SessionContext, event: SessionEvent): QueueItem | null {
  const item = queuedItem(context, event);
  return item !== null && isUnsent(context, item) ? item : null;
}

/** The queued item that an event names, if its process may take it away: its own, or one that is not sent. */
export function freeItem(context: SessionContext, event: SessionEvent): QueueItem | null {
  const item = queuedItem(context, event);
  return item?.process === event.process ? item : unsentItem(context, event);
}

/** The same items, those of processes that have ended as the one's that acts on them. */
export function inherited(context: SessionContext, process: string): QueueItem[] {
  return context.record.queue.map((item) => (isUnsent(context, item) ? { ...item, process } : item));
}

/** What a queued item says: by who sends it, where that is not who wrote it. */
function saidBy({ said }: QueueItem, event: SessionEvent): Said {
  return event.type === 'queue.send' && 'by' in said ? { ...said, by: event.by } : said;
}

/** A queued item decided anew, with this dispatch's time and ids (D26). */
export function saidAnew(item: QueueItem, event: SessionEvent): SessionEvent {
  const { at, ids, process } = event;
  return { ...saidBy(item, event), at, ids, process };
}

/** An item that is sent while a turn runs waits again, now in the process of who sent it (D26). */
export function adopted(context: SessionContext, event: SessionEvent): Change {
  const item = unsentItem(context, event);
  if (item === null) return {};
  const mine = { ...item, process: event.process, said: saidBy(item, event) };
  const queue = context.record.queue.map((other) => (other === item ? mine : other));
  return { record: { ...context.record, queue } };
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

/** The first message names a session that has no name yet; an empty one names nothing. */
const named = (record: SessionRecord, name: string): SessionRecord =>
  record.name !== undefined || name === '' ? record : { ...record, name };

export function renamed({ record }: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'user.rename') return {};
  const name = givenName(event.name);
  return name === '' ? {} : { record: { ...record, name } };
}
