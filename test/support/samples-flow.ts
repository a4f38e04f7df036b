import {
  type FlowContent,
  type FlowEffect,
  type FlowEntry,
  type FlowEvent,
  type FlowSnapshot,
  flowStart,
  flowStep,
} from '../../machines/index.ts';

function headerOf({ header }: FlowContent): string {
  switch (header.kind) {
    case 'live':
      return `live ${header.activity?.text ?? '-'}, ${header.tools} tools, ${header.seconds} s`;
    case 'waiting':
      return `waits for ${header.waiting.what}, ${header.tools} tools`;
    case 'settled':
      return `${header.outcome}, ${header.tools} tools, ${header.seconds} s`;
    case 'continued':
      return 'continued';
  }
}

const entryOf = (entry: FlowEntry): string =>
  entry.kind === 'tool' ? `${entry.name} ${entry.status}` : entry.text;

/** What a message says in one line: `live ls, 1 tools, 3 s [ls running]`; sections only where they have left. */
export function contentOf(content: FlowContent): string {
  const part = content.part === 1 ? '' : ` part ${content.part}`;
  const { sections } = content;
  const left = sections.kind === 'plan' ? '' : ` ${sections.kind === 'none' ? 'no plan' : sections.as}`;
  return `${headerOf(content)}${part} [${content.entries.map(entryOf).join(', ')}]${left}`;
}

/** An effect in words, such as `edit 7: live ls, 1 tools, 3 s [ls running]`. */
export function flowWorded(effect: FlowEffect): string {
  switch (effect.type) {
    case 'post':
      return `post: ${contentOf(effect.content)}`;
    case 'edit':
    case 'settle':
      return `${effect.type} ${effect.message}: ${contentOf(effect.content)}`;
    case 'delete':
      return `delete ${effect.message}`;
  }
}

/** Events one after another in a turn that begins at 0: the last snapshot, and the effects of the last event. */
export function flowPlayed(...events: readonly FlowEvent[]): {
  snapshot: FlowSnapshot;
  effects: readonly FlowEffect[];
} {
  let snapshot = flowStart('turn 1', 0);
  let effects: FlowEffect[] = [];
  for (const event of events) [snapshot, effects] = flowStep(snapshot, event);
  return { snapshot, effects };
}

export const flowState = ({ value }: FlowSnapshot): string =>
  typeof value === 'string' ? value : value.open;

/** What the last of these events leads to: state, effects in words. */
export function leadsTo(...events: readonly FlowEvent[]): string[] {
  const { snapshot, effects } = flowPlayed(...events);
  return [flowState(snapshot), ...effects.map(flowWorded)];
}

/** One row of a table: what it shows, the events, and what the last of them leads to. */
export type FlowRow = [what: string, events: readonly FlowEvent[], ...wanted: string[]];

export const waits = (now: number): FlowEvent => ({
  type: 'waits',
  waiting: { what: 'your answer', surface: 'tui', since: '12:03' },
  now,
});
export const resumes = (now: number): FlowEvent => ({ type: 'resumes', now });
export const buried = (now: number): FlowEvent => ({ type: 'buried', now });
export const deleted = (now: number): FlowEvent => ({ type: 'deleted', now });
export const gone = (now: number): FlowEvent => ({ type: 'gone', now });
export const tool = (name: string, now: number): FlowEvent => ({
  type: 'tool.started',
  call: name,
  name,
  summary: '',
  now,
});
export const toolEnd = (name: string, now: number, failed: 'yes' | 'no' = 'no'): FlowEvent => ({
  type: 'tool.ended',
  call: name,
  failed,
  now,
});
export const says = (text: string, now: number, preview: string | null = text): FlowEvent => ({
  type: 'narrated',
  text,
  preview,
  now,
});
export const tick = (now: number): FlowEvent => ({ type: 'tick', now });
export const posted = (message: number, now: number): FlowEvent => ({ type: 'posted', message, now });
export const edited = (now: number): FlowEvent => ({ type: 'edited', now });
export const overflow = (fits: number, now: number): FlowEvent => ({ type: 'overflow', fits, now });
export const flood = (until: number, now: number): FlowEvent => ({ type: 'failed', until, now });
export const fails = (now: number): FlowEvent => ({ type: 'failed', until: null, now });
export const ends = (
  now: number,
  outcome: 'finished' | 'failed' | 'timedOut' | 'cancelled' | 'interrupted' = 'finished',
): FlowEvent => ({
  type: 'turn.ended',
  outcome,
  now,
});

/** `ls` at 0, shown as message 7 with its clock at 0 s. */
export const opened: readonly FlowEvent[] = [tool('ls', 0), posted(7, 100)];
