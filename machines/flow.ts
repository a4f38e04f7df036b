import { transition } from 'xstate';
import type { FlowContext, FlowEvent } from './flow/changes.ts';
import type { FlowEffect } from './flow/next.ts';
import { FlowRecord } from './flow/record.ts';
import { flow } from './flow/setup.ts';

/** What an event changed is sent at once where it may be, and with a later event otherwise. */
const steps = [{ guard: 'sends', actions: ['take', 'send'] }, { actions: 'take' }] as const;
const stepsTo = <T extends string>(target: T) =>
  [
    { guard: 'sends', target, actions: ['take', 'send'] },
    { target, actions: 'take' },
  ] as const;
const thawed = [
  { guard: 'thawsSending', target: 'live', actions: ['take', 'send'] },
  { guard: 'thaws', target: 'live', actions: 'take' },
] as const;
const ends = { guard: 'losesPlace', target: '#flow.settled', actions: 'take' } as const;

/**
 * The one flow message of one turn (D32 to D34): a header, and the log of tools and narration, edited in place. One
 * thing is in flight at a time; what must be sent next is `nextEffect`. Rendering, and how long a text is, is the
 * adapter's.
 */
export const flowMachine = flow.createMachine({
  id: 'flow',
  context: ({ input }) => input,
  initial: 'closed',
  states: {
    closed: {
      description: 'The turn has begun, and nothing of it is shown: a short answer leaves no flow message.',
      on: {
        tick: { guard: 'opens', target: 'open', actions: 'send' },
        'tool.started': { target: 'open', actions: ['take', 'send'] },
        waits: { target: 'open.frozen', actions: ['take', 'send'] },
        narrated: { actions: 'take' },
        noticed: { actions: 'take' },
        thought: { actions: 'take' },
        sections: { actions: 'take' },
        'turn.ended': { target: 'settled', actions: ['take', 'end'] },
      },
    },
    open: {
      description: 'The message is in the chat, or on its way, and is kept up to date.',
      tags: 'shown',
      initial: 'live',
      on: {
        'tool.started': steps,
        'tool.ended': steps,
        narrated: steps,
        noticed: steps,
        thought: steps,
        sections: steps,
        posted: steps,
        edited: steps,
        deleted: steps,
        overflow: steps,
        gone: [ends, ...steps],
        'turn.ended': stepsTo('settled'),
      },
      states: {
        live: {
          description: 'The message is edited at most every 1.5 s, its clock runs.',
          on: {
            tick: steps,
            buried: steps,
            waits: stepsTo('frozen'),
            failed: [{ guard: 'isFlood', target: 'frozen', actions: 'take' }, { actions: 'take' }],
          },
        },
        frozen: {
          description: 'A flood wait, so nothing is sent, or a person is waited for, so no clock runs.',
          on: {
            tick: [...thawed, ...steps],
            resumes: [...thawed, { actions: 'take' }],
            waits: steps,
            failed: { actions: 'take' },
          },
        },
      },
    },
    settled: {
      tags: 'shown',
      description: 'The turn has ended; what is still owed is sent until it has landed.',
      on: {
        tick: steps,
        sections: steps,
        posted: steps,
        edited: steps,
        deleted: steps,
        overflow: steps,
        gone: steps,
        failed: { actions: 'take' },
      },
    },
  },
});

export type FlowSnapshot = ReturnType<typeof flowMachine.resolveState>;

/** The flow message of a turn that begins now; nothing is shown yet. `now` is in milliseconds. */
export function flowStart(turn: string, now: number): FlowSnapshot {
  const context: FlowContext = {
    turn,
    started: now,
    ended: null,
    outcome: null,
    message: null,
    part: 1,
    entries: [],
    tools: 0,
    activity: null,
    waiting: null,
    sections: { kind: 'plan' },
    leaving: null,
    stale: [],
    restick: 'no',
    stuckAt: null,
    flight: null,
    sentAt: null,
    clock: null,
    content: 'changed',
    due: null,
    tries: 0,
    place: 'there',
  };
  return flowMachine.resolveState({ value: 'closed', context });
}

/** One event further: what to store, then what to send. Pure. */
export function flowStep(current: FlowSnapshot, event: FlowEvent): [FlowSnapshot, FlowEffect[]] {
  const [next, actions] = transition(flowMachine, current, event);
  const effects = (actions as readonly { type: string; params?: unknown }[])
    .filter((action) => action.type === 'xstate.emit')
    .map((action) => (action.params as { event: FlowEffect }).event);
  return [next, effects];
}

/** What is stored of a flow message: before its effects are sent, and after every step that changed it. */
export function flowRecord({ value, context }: FlowSnapshot): FlowRecord {
  return { v: 1, state: typeof value === 'string' ? value : value.open, ...context };
}

/**
 * The flow message as a restart finds it, or null where the record is of no known form. What was in flight is sent
 * again; a turn that was not settled has to be told `turn.ended` with `interrupted` next (D37).
 */
export function restoreFlow(stored: unknown): FlowSnapshot | null {
  const parsed = FlowRecord.safeParse(stored);
  if (!parsed.success) return null;
  const { v: _, state, ...context } = parsed.data;
  const content = context.flight === null ? context.content : 'changed';
  return flowMachine.resolveState({
    value: state === 'live' || state === 'frozen' ? { open: state } : state,
    context: { ...context, flight: null, restick: 'no', content },
  });
}

/** Whether nothing of this flow message has to be sent any more: its record may be forgotten once it is not the newest. */
export const isFlowDone = ({ value, context }: FlowSnapshot): boolean =>
  value === 'settled' &&
  (context.place === 'over' ||
    (context.flight === null &&
      context.content === 'sent' &&
      context.leaving === null &&
      context.stale.length === 0));
