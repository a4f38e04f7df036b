import { assign, emit, initialTransition, setup, transition } from 'xstate';
import { contextFull } from './context-window.ts';
import type { AgentTag } from './tags.ts';

/**
 * One tool call of a response, by position: the loop works them in order, one after another; neighbours that
 * only read run together.
 */
export interface AgentCall {
  id: string;
  name: string;
  kind: 'read' | 'other';
}

/** Why the conversation has to be made shorter: the next request is too large, or the provider says that it was (D27). */
export type FullCause = 'full' | 'refused';

export type AgentEvent =
  | { type: 'context.full'; why: FullCause }
  | { type: 'context.compacted' }
  | { type: 'context.failed' }
  | { type: 'model.started' }
  | { type: 'model.ended'; reason: 'stop' | 'calls' | 'length'; calls: readonly AgentCall[] }
  | { type: 'model.failed'; cause: string }
  | { type: 'call.allowed' }
  | { type: 'call.asks' }
  | { type: 'call.ended'; endsTurn: boolean; cause?: string | undefined }
  /** So many of the group, from its first, are answered; the next one asks a person, if there is one. */
  | { type: 'reads.ended'; count: number }
  | { type: 'cancel' };

/** What the driver has to do next; its result comes back as an event. */
export type AgentEffect =
  | { type: 'context.compact'; why: FullCause }
  | { type: 'model.ask' }
  | { type: 'model.read' }
  | { type: 'call.judge'; call: AgentCall }
  | { type: 'call.run'; call: AgentCall }
  /** Judge each in order up to one that asks a person, run those together, answer them in order. */
  | { type: 'reads.run'; calls: readonly AgentCall[] }
  | { type: 'prompt.open'; call: AgentCall }
  /** Calls that are answered without being run, with the reason the model is told. */
  | { type: 'calls.drop'; calls: readonly AgentCall[]; why: 'cancelled' | 'cut' }
  | { type: 'settle'; outcome: 'done' | 'failed' | 'cancelled'; cause: string | null };

export interface AgentContext {
  /** Calls of the response still to be worked; the first is the one at hand. */
  calls: readonly AgentCall[];
  /** Model requests of this turn. */
  asks: number;
  /** Why the conversation was made shorter since the last response: for each reason once (D27). */
  compacted: readonly FullCause[];
  cause: string | null;
  outcome: 'done' | 'failed' | 'cancelled';
}

/** A turn that asks more often than this is going in circles. */
export const asksPerTurn = 200;

const noCall: AgentCall = { id: '', name: '', kind: 'other' };
const first = ({ calls }: AgentContext): AgentCall => calls[0] ?? noCall;

/** The reads at the head of the calls (decision 0038). */
function neighbours(calls: readonly AgentCall[]): readonly AgentCall[] {
  const end = calls.findIndex(({ kind }) => kind !== 'read');
  return end === -1 ? calls : calls.slice(0, end);
}
const areNeighbours = (calls: readonly AgentCall[]): boolean => neighbours(calls).length > 1;

const leftAfter = ({ calls }: AgentContext, event: AgentEvent): readonly AgentCall[] =>
  event.type === 'reads.ended' ? calls.slice(event.count) : calls;

const fullCause = (event: AgentEvent): FullCause => (event.type === 'context.full' ? event.why : 'full');

/** A response cut off by length runs none of its calls: the last one may be half a call. */
const isCut = (event: AgentEvent): boolean =>
  event.type === 'model.ended' && event.reason === 'length' && event.calls.length > 0;

const loop = setup({
  types: {
    context: {} as AgentContext,
    events: {} as AgentEvent,
    emitted: {} as AgentEffect,
    tags: {} as AgentTag,
  },
  guards: {
    hasCalls: ({ event }) => event.type === 'model.ended' && event.calls.length > 0,
    isCut: ({ event }) => isCut(event),
    isCutTooOften: ({ context, event }) => isCut(event) && context.asks >= asksPerTurn,
    isCompacted: ({ context, event }) => context.compacted.includes(fullCause(event)),
    tooLong: ({ context }) => context.asks >= asksPerTurn,
    endsTurn: ({ event }) => event.type === 'call.ended' && event.endsTurn,
    hasMore: ({ context }) => context.calls.length > 1,
    startsWithReads: ({ event }) => event.type === 'model.ended' && areNeighbours(event.calls),
    readsFollow: ({ context }) => areNeighbours(context.calls.slice(1)),
    leavesCalls: ({ context, event }) => leftAfter(context, event).length > 0,
  },
  actions: {
    takeCalls: assign(({ event }) => (event.type === 'model.ended' ? { calls: event.calls } : {})),
    nextCall: assign(({ context }) => ({ calls: context.calls.slice(1) })),
    dropAnswered: assign(({ context, event }) => ({ calls: leftAfter(context, event) })),
    clearCalls: assign({ calls: [] }),
    countAsk: assign(({ context }) => ({ asks: context.asks + 1 })),
    noteCompaction: assign(({ context, event }) => ({ compacted: [...context.compacted, fullCause(event)] })),
    clearCompactions: assign({ compacted: [] }),
    failFull: assign({ outcome: 'failed', cause: contextFull }),
    fail: assign(({ event }) => ({
      outcome: 'failed' as const,
      cause: event.type === 'model.failed' ? event.cause : null,
    })),
    failTooLong: assign({
      outcome: 'failed',
      cause: `The turn asked the model ${asksPerTurn} times without an end. Say how to go on, or use a smaller step.`,
    }),
    failByCall: assign(({ event }) => ({
      outcome: 'failed' as const,
      cause: event.type === 'call.ended' ? (event.cause ?? null) : null,
    })),
    markCancelled: assign({ outcome: 'cancelled' }),
    compact: emit(({ event }) => ({ type: 'context.compact', why: fullCause(event) })),
    askModel: emit({ type: 'model.ask' }),
    readModel: emit({ type: 'model.read' }),
    judgeCall: emit(({ context }) => ({ type: 'call.judge', call: first(context) })),
    runCall: emit(({ context }) => ({ type: 'call.run', call: first(context) })),
    runReads: emit(({ context }) => ({ type: 'reads.run', calls: neighbours(context.calls) })),
    openPrompt: emit(({ context }) => ({ type: 'prompt.open', call: first(context) })),
    dropCut: emit(({ event }) => ({
      type: 'calls.drop',
      calls: event.type === 'model.ended' ? event.calls : [],
      why: 'cut',
    })),
    dropRest: emit(({ context }) => ({ type: 'calls.drop', calls: context.calls, why: 'cancelled' })),
    settle: emit(({ context }) => ({ type: 'settle', outcome: context.outcome, cause: context.cause })),
  },
});

/** After a call has been answered: end, work the next one, or ask the model again, within reason. */
const answered = [
  { guard: 'endsTurn', target: 'settling', actions: ['failByCall', 'nextCall', 'dropRest'] },
  { guard: 'readsFollow', target: 'readingTogether', actions: 'nextCall' },
  { guard: 'hasMore', target: 'judging', reenter: true, actions: 'nextCall' },
  { guard: 'tooLong', target: 'settling', actions: 'failTooLong' },
  { target: 'asking', actions: 'clearCalls' },
] as const;

/**
 * The turn loop: ask the model for one response, work its calls one by one, ask again. The machine
 * decides what a call does next; the driver in `adapters/runtime/agent-loop.ts` only carries out.
 */
export const agentMachine = loop.createMachine({
  id: 'agent',
  context: { calls: [], asks: 0, compacted: [], cause: null, outcome: 'done' },
  initial: 'asking',
  on: { cancel: { target: '.settling', actions: ['dropRest', 'markCancelled'] } },
  states: {
    asking: {
      tags: 'model',
      description: 'The model has the conversation; nothing has come back.',
      entry: ['countAsk', 'askModel'],
      on: {
        'model.started': { target: 'streaming', actions: 'clearCompactions' },
        'model.failed': { target: 'settling', actions: 'fail' },
        'context.full': [
          { guard: 'isCompacted', target: 'settling', actions: 'failFull' },
          { target: 'compacting', actions: 'noteCompaction' },
        ],
      },
    },
    compacting: {
      tags: 'model',
      description: 'The conversation is made shorter; turn and lease go on.',
      entry: 'compact',
      on: {
        'context.compacted': 'asking',
        'context.failed': { target: 'settling', actions: 'failFull' },
      },
    },
    streaming: {
      tags: 'model',
      description: 'The response comes in; calls wait until it has ended completely.',
      entry: 'readModel',
      on: {
        'model.ended': [
          { guard: 'isCutTooOften', target: 'settling', actions: ['dropCut', 'failTooLong'] },
          { guard: 'isCut', target: 'asking', actions: 'dropCut' },
          { guard: 'startsWithReads', target: 'readingTogether', actions: 'takeCalls' },
          { guard: 'hasCalls', target: 'judging', actions: 'takeCalls' },
          { target: 'settling' },
        ],
        'model.failed': { target: 'settling', actions: 'fail' },
      },
    },
    judging: {
      tags: 'tools',
      description: 'The gate is asked for the call at hand, on a fresh snapshot.',
      entry: 'judgeCall',
      on: {
        'call.allowed': 'runningTool',
        'call.asks': 'awaitingApproval',
        'call.ended': answered,
      },
    },
    readingTogether: {
      tags: 'tools',
      description: 'Neighbouring reads: each is judged, those that need no asking run side by side.',
      entry: 'runReads',
      on: {
        'reads.ended': [
          { guard: 'leavesCalls', target: 'judging', actions: 'dropAnswered' },
          { guard: 'tooLong', target: 'settling', actions: 'failTooLong' },
          { target: 'asking', actions: 'clearCalls' },
        ],
      },
    },
    awaitingApproval: {
      tags: 'person',
      description: 'A person decides about the call; the gate is asked again after a Yes.',
      entry: 'openPrompt',
      on: { 'call.allowed': 'runningTool', 'call.ended': answered },
    },
    runningTool: {
      tags: 'tools',
      description: 'The tool works, outside the lock.',
      entry: 'runCall',
      on: { 'call.ended': answered },
    },
    settling: {
      description: 'The turn ends; nothing more of it is run.',
      entry: 'settle',
      on: { cancel: {} },
    },
  },
});

export type AgentSnapshot = ReturnType<typeof agentMachine.resolveState>;

/** The first step of a turn, or one event further: the next snapshot and what to do. Pure. */
export function agentStep(
  current: AgentSnapshot | null,
  event: AgentEvent | null,
): [AgentSnapshot, AgentEffect[]] {
  const [next, actions] =
    current === null || event === null
      ? initialTransition(agentMachine)
      : transition(agentMachine, current, event);
  const effects = (actions as readonly { type: string; params?: unknown }[])
    .filter((action) => action.type === 'xstate.emit')
    .map((action) => (action.params as { event: AgentEffect }).event);
  return [next, effects];
}
