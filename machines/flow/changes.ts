import type { FlowEntry, FlowOutcome, FlowRecord, FlowSections } from './record.ts';

export type FlowContext = Omit<FlowRecord, 'v' | 'state'>;

/** `now` is in milliseconds. The results of an effect come back as exactly one of the last six. */
export type FlowEvent = { now: number } & (
  | { type: 'tick' }
  | { type: 'tool.started'; call: string; name: string; summary: string }
  | { type: 'tool.ended'; call: string; failed: 'yes' | 'no' }
  /** `preview`: how the header says it, null where it does not read well there (JSON, say). */
  | { type: 'narrated'; text: string; preview: string | null }
  | { type: 'noticed'; about: string; text: string }
  | { type: 'thought'; text: string }
  /** The turn waits for a person, there is no running clock (D36). */
  | { type: 'waits'; waiting: NonNullable<FlowContext['waiting']> }
  | { type: 'resumes' }
  /** Something newer is in the chat below this message. */
  | { type: 'buried' }
  /** A newer message shows the plan (D33), or there is no plan any more (D17). */
  | { type: 'sections'; sections: FlowSections }
  | { type: 'turn.ended'; outcome: FlowOutcome }
  | { type: 'posted'; message: number }
  | { type: 'edited' }
  | { type: 'deleted' }
  /** It did not go through, or nobody knows. `until`: the end of a flood wait. */
  | { type: 'failed'; until: number | null }
  /** The message is not there any more; of a post: there is no place to post to. */
  | { type: 'gone' }
  /** Too long, so nothing was sent: only the first `fits` entries have room. One entry alone is cut by the renderer. */
  | { type: 'overflow'; fits: number }
);

/** Of one message's edits (D34), and when a turn first shows itself. */
export const editEvery = 1_500;
/** Of its moves down. */
const restickEvery = 15_000;

/** Doubling from 1.5 s to 48 s. */
const delay = (tries: number): number => editEvery * 2 ** Math.min(tries, 5);

/** What an event makes of the record, nothing sent. Total: an answer that nobody waits for changes nothing. */
export function after(context: FlowContext, event: FlowEvent): FlowContext {
  switch (event.type) {
    case 'tool.started':
    case 'tool.ended':
    case 'narrated':
    case 'noticed':
      return { ...context, ...logged(context, event), content: 'changed' };
    case 'thought':
      return thought(context, event.text);
    case 'waits':
      return { ...context, waiting: event.waiting, content: 'changed' };
    case 'resumes':
      return { ...context, waiting: null, content: 'changed' };
    case 'sections':
      return { ...context, sections: event.sections, content: 'changed' };
    case 'turn.ended':
      return ended(context, event);
    case 'buried':
      return buried(context, event.now);
    case 'tick':
      return context;
    case 'posted':
    case 'edited':
    case 'deleted':
    case 'failed':
    case 'gone':
    case 'overflow':
      return context.flight === null ? context : answered(context, event);
  }
}

type Of<T extends FlowEvent['type']> = Extract<FlowEvent, { type: T }>;

function logged(
  { entries, tools, activity }: FlowContext,
  event: Of<'tool.started' | 'tool.ended' | 'narrated' | 'noticed'>,
): Partial<FlowContext> {
  if (event.type === 'tool.ended') {
    const status = event.failed === 'yes' ? 'failed' : 'done';
    return {
      entries: entries.map((entry) =>
        entry.kind === 'tool' && entry.call === event.call ? { ...entry, status } : entry,
      ),
    };
  }
  if (event.type === 'tool.started') {
    const { call, name, summary } = event;
    const entry: FlowEntry = { kind: 'tool', call, name, summary, status: 'running' };
    const text = summary === '' ? name : `${name} ${summary}`;
    const says = activity?.from === 'narration' ? activity : ({ from: 'tool', text } as const);
    return { entries: [...entries, entry], tools: tools + 1, activity: says };
  }
  if (event.type === 'narrated') {
    const says = event.preview === null ? activity : ({ from: 'narration', text: event.preview } as const);
    return { entries: [...entries, { kind: 'narration', text: event.text }], activity: says };
  }
  const { about, text } = event;
  const last = entries.at(-1);
  const before = last?.kind === 'notice' && last.about === about ? entries.slice(0, -1) : entries;
  return { entries: [...before, { kind: 'notice', about, text }] };
}

/** Thinking fills the header only until something is done or said. */
function thought(context: FlowContext, text: string): FlowContext {
  if (context.activity !== null && context.activity.from !== 'thought') return context;
  return { ...context, activity: { from: 'thought', text }, content: 'changed' };
}

function ended(context: FlowContext, { outcome, now }: Of<'turn.ended'> & { now: number }): FlowContext {
  const entries = context.entries.map((entry) =>
    entry.kind === 'tool' && entry.status === 'running' ? { ...entry, status: 'stopped' as const } : entry,
  );
  return { ...context, entries, outcome, ended: now, waiting: null, restick: 'no', content: 'changed' };
}

function buried(context: FlowContext, now: number): FlowContext {
  const soon = context.stuckAt !== null && now - context.stuckAt < restickEvery;
  return context.message === null || soon ? context : { ...context, restick: 'wanted', stuckAt: now };
}

function answered(
  context: FlowContext,
  event: Of<'posted' | 'edited' | 'deleted' | 'failed' | 'gone' | 'overflow'>,
): FlowContext {
  const { flight } = context;
  const done = { ...context, flight: null, due: null, tries: 0 };
  if (event.type === 'failed') return delayed(context, event);
  if (event.type === 'overflow')
    return split(context, event) ?? delayed(context, { until: null, now: event.now });
  if (event.type === 'gone') return lost(context);
  if (flight === 'leave') return { ...done, leaving: null };
  if (flight === 'delete') return { ...done, stale: context.stale.slice(1) };
  if (event.type !== 'posted') return done;
  const stale = context.message === null ? context.stale : [...context.stale, context.message];
  return { ...done, message: event.message, stale };
}

/** A failed edit deletes nothing, and a move down that failed leaves the message where it is (D34). */
function delayed(context: FlowContext, { until, now }: { until: number | null; now: number }): FlowContext {
  const due = Math.max(now + delay(context.tries), until ?? 0);
  return { ...context, flight: null, content: 'changed', due, tries: context.tries + 1 };
}

function lost(context: FlowContext): FlowContext {
  const next = { ...context, flight: null };
  switch (context.flight) {
    case 'leave':
      return context.leaving?.message === null ? { ...next, place: 'over' } : { ...next, leaving: null };
    case 'delete':
      return { ...next, stale: context.stale.slice(1) };
    case 'edit':
      // Somebody deleted it. While the turn runs it comes back; what has ended stays deleted.
      return context.outcome === null
        ? { ...next, message: null, content: 'changed' }
        : { ...next, place: 'over' };
    case 'post':
    case 'repost':
    case null:
      return { ...next, place: 'over' };
  }
}

/** The overflowing entries go on in a new message, with the tools that still run; each entry is in one part only. */
function split(context: FlowContext, { fits }: { fits: number }): FlowContext | null {
  const { entries, message, part } = context;
  const [head, tail] = [entries.slice(0, fits), entries.slice(fits)];
  const runs = (entry: FlowEntry): boolean => entry.kind === 'tool' && entry.status === 'running';
  const left = head.filter((entry) => !runs(entry));
  if (context.flight === 'leave' || left.length === 0 || tail.length === 0) return null;
  return {
    ...context,
    flight: null,
    leaving: { message, part, entries: left },
    message: null,
    part: part + 1,
    entries: [...head.filter(runs), ...tail],
    restick: 'no',
    content: 'changed',
  };
}
