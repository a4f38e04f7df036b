import { editEvery, type FlowContext } from './changes.ts';
import type { FlowEntry, FlowOutcome, FlowSections } from './record.ts';

type Header =
  | { kind: 'live'; activity: FlowContext['activity']; tools: number; seconds: number }
  | { kind: 'waiting'; waiting: NonNullable<FlowContext['waiting']>; tools: number }
  | { kind: 'settled'; outcome: FlowOutcome; tools: number; seconds: number }
  | { kind: 'continued' };

/** What a flow message says; the adapter words and draws it. */
export interface FlowContent {
  header: Header;
  part: number;
  entries: readonly FlowEntry[];
  sections: FlowSections;
}

export type FlowEffect =
  | { type: 'post'; content: FlowContent }
  | { type: 'edit'; message: number; content: FlowContent }
  | { type: 'delete'; message: number }
  /** The last edit of a turn: never dropped for a newer one. */
  | { type: 'settle'; message: number; content: FlowContent };

const secondsAt = ({ started, ended: end }: FlowContext, now: number): number =>
  Math.max(0, Math.floor(((end ?? now) - started) / 1000));

/** Header, log and sections as they are now. */
export function contentAt(context: FlowContext, now: number): FlowContent {
  const { part, entries, sections } = context;
  return { header: headerAt(context, now), part, entries, sections };
}

function headerAt(context: FlowContext, now: number): Header {
  const { outcome, waiting, tools, activity } = context;
  const seconds = secondsAt(context, now);
  if (outcome !== null) return { kind: 'settled', outcome, tools, seconds };
  return waiting === null ? { kind: 'live', activity, tools, seconds } : { kind: 'waiting', waiting, tools };
}

/** The next thing to send, if there is one: the part that is left first, then the message, then its old copies. */
export function nextEffect(
  context: FlowContext,
  now: number,
): { effect: FlowEffect; flight: NonNullable<FlowContext['flight']> } | null {
  const { flight, due, place, leaving, message, restick, stale } = context;
  if (flight !== null || place === 'over' || (due !== null && now < due)) return null;
  if (leaving !== null) return { effect: leave(leaving), flight: 'leave' };
  const content = contentAt(context, now);
  if (message === null) return { effect: { type: 'post', content }, flight: 'post' };
  if (restick === 'wanted') return { effect: { type: 'post', content }, flight: 'repost' };
  const [copy] = stale;
  if (copy !== undefined) return { effect: { type: 'delete', message: copy }, flight: 'delete' };
  if (!isEditDue(context, now)) return null;
  const type = context.outcome === null ? 'edit' : 'settle';
  return { effect: { type, message, content }, flight: 'edit' };
}

function leave({ message, part, entries }: NonNullable<FlowContext['leaving']>): FlowEffect {
  const content: FlowContent = { header: { kind: 'continued' }, part, entries, sections: { kind: 'none' } };
  return message === null ? { type: 'post', content } : { type: 'edit', message, content };
}

function isEditDue(context: FlowContext, now: number): boolean {
  const { content, clock, sentAt, outcome, waiting } = context;
  const runs = outcome === null && waiting === null;
  const changed = content === 'changed' || (runs && secondsAt(context, now) !== clock);
  return changed && (sentAt === null || now - sentAt >= editEvery);
}

/** The record once the next effect is on its way. */
export function sent(
  context: FlowContext,
  now: number,
  flight: NonNullable<FlowContext['flight']>,
): FlowContext {
  if (flight === 'leave' || flight === 'delete') return { ...context, flight };
  return { ...context, flight, restick: 'no', sentAt: now, clock: secondsAt(context, now), content: 'sent' };
}
