import {
  type AgentCall,
  type AgentEffect,
  type AgentEvent,
  type AgentSnapshot,
  agentMachine,
  agentStep,
} from '../../machines/index.ts';
import { asksPerTurn } from '../../machines/agent.ts';
import { contextFull } from '../../machines/context-window.ts';
import { type Edge, exploreMachine } from './explore-machine.ts';

export type AgentEdge = Edge<AgentSnapshot, AgentEvent, AgentEffect>;

const [a, b] = (['a', 'b'] as const).map((id) => ({ id, name: 'bash', kind: 'other' as const }));
const [r, s] = (['r', 's'] as const).map((id) => ({ id, name: 'ls', kind: 'read' as const }));
const calls = (...list: (AgentCall | undefined)[]): AgentCall[] => list.filter((one) => one !== undefined);

/** Every event, with payloads for each outcome of each guard. */
export const agentEvents: Readonly<Record<string, AgentEvent>> = {
  started: { type: 'model.started' },
  'ended, no calls': { type: 'model.ended', reason: 'stop', calls: [] },
  'ended, a': { type: 'model.ended', reason: 'calls', calls: calls(a) },
  'ended, a b': { type: 'model.ended', reason: 'calls', calls: calls(a, b) },
  'ended, r s': { type: 'model.ended', reason: 'calls', calls: calls(r, s) },
  'ended, r s b': { type: 'model.ended', reason: 'calls', calls: calls(r, s, b) },
  'ended, a r s': { type: 'model.ended', reason: 'calls', calls: calls(a, r, s) },
  'cut, no calls': { type: 'model.ended', reason: 'length', calls: [] },
  'cut, a b': { type: 'model.ended', reason: 'length', calls: calls(a, b) },
  failed: { type: 'model.failed', cause: 'no network' },
  allowed: { type: 'call.allowed' },
  asks: { type: 'call.asks' },
  answered: { type: 'call.ended', endsTurn: false },
  'answered, over': { type: 'call.ended', endsTurn: true, cause: 'TEXT_CHANGED' },
  'answered, over, no cause': { type: 'call.ended', endsTurn: true },
  'none read': { type: 'reads.ended', count: 0 },
  'one read': { type: 'reads.ended', count: 1 },
  'two read': { type: 'reads.ended', count: 2 },
  'more read': { type: 'reads.ended', count: 9 },
  full: { type: 'context.full', why: 'full' },
  refused: { type: 'context.full', why: 'refused' },
  compacted: { type: 'context.compacted' },
  'not compacted': { type: 'context.failed' },
  cancel: { type: 'cancel' },
};

const settles = (outcome: string, cause: string | null = null) => `settle ${outcome} ${cause}`;
const tooLong = settles('failed', 'The turn asked the model 200 times without an end.');
const noRoom = settles('failed', contextFull);
const over = settles('failed', 'TEXT_CHANGED');

/** Calls at hand, and what comes after the first of them has been answered; nothing: the model is asked again. */
const afterFirst: readonly (readonly [calls: string, next?: string, effect?: string])[] = [
  ['a'],
  ['b'],
  ['s'],
  ['a b', 'judging', 'call.judge b'],
  ['s b', 'judging', 'call.judge b'],
  ['r s', 'judging', 'call.judge s'],
  ['r s b', 'judging', 'call.judge s'],
  ['a r s', 'readingTogether', 'reads.run r s'],
];

type Row = readonly [place: string, event: string, next: string, ...effects: string[]];

function workRows(state: string): Row[] {
  return afterFirst.flatMap(([at, next, effect]): Row[] => {
    const place = `${state} ${at}`;
    const rest = `drop ${at.slice(2) || 'nothing'} cancelled`;
    const answered: Row[] =
      next === undefined || effect === undefined
        ? [
            [place, 'answered', 'asking', 'model.ask'],
            [`${place}, last`, 'answered', 'settling', tooLong],
          ]
        : [[place, 'answered', next, effect]];
    return [
      ...answered,
      [place, 'answered, over', 'settling', rest, over],
      [place, 'answered, over, no cause', 'settling', rest, settles('failed')],
      [place, 'cancel', 'settling', `drop ${at} cancelled`, settles('cancelled')],
    ];
  });
}

/**
 * What the turn loop does, as a literal: state, calls at hand, number of the request, event → next state
 * and what the driver is told. Whatever is not here is ignored.
 */
export const agentRows: readonly Row[] = [
  ['asking', 'started', 'streaming', 'model.read'],
  ['asking', 'failed', 'settling', settles('failed', 'no network')],
  ['asking', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['asking', 'full', 'compacting', 'context.compact full'],
  ['asking', 'refused', 'compacting', 'context.compact refused'],
  // Each reason counts once until a response has come.
  ['asking (full)', 'full', 'settling', noRoom],
  ['asking (refused)', 'refused', 'settling', noRoom],
  ...['asking (full refused)', 'asking (refused full)'].flatMap((place): Row[] => [
    [place, 'full', 'settling', noRoom],
    [place, 'refused', 'settling', noRoom],
  ]),
  ['compacting', 'compacted', 'asking', 'model.ask'],
  ['compacting', 'not compacted', 'settling', noRoom],
  ['compacting', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ['streaming', 'ended, no calls', 'settling', settles('done')],
  ['streaming', 'cut, no calls', 'settling', settles('done')],
  ['streaming', 'ended, a', 'judging', 'call.judge a'],
  ['streaming', 'ended, a b', 'judging', 'call.judge a'],
  ['streaming', 'ended, a r s', 'judging', 'call.judge a'],
  ['streaming', 'ended, r s', 'readingTogether', 'reads.run r s'],
  ['streaming', 'ended, r s b', 'readingTogether', 'reads.run r s'],
  ['streaming', 'cut, a b', 'asking', 'drop a b cut', 'model.ask'],
  ['streaming, last', 'cut, a b', 'settling', 'drop a b cut', tooLong],
  ['streaming', 'failed', 'settling', settles('failed', 'no network')],
  ['streaming', 'cancel', 'settling', 'drop nothing cancelled', settles('cancelled')],
  ...afterFirst.flatMap(([at]): Row[] => [
    [`judging ${at}`, 'allowed', 'runningTool', `call.run ${at[0]}`],
    [`judging ${at}`, 'asks', 'awaitingApproval', `prompt.open ${at[0]}`],
    [`awaitingApproval ${at}`, 'allowed', 'runningTool', `call.run ${at[0]}`],
  ]),
  ...['judging', 'awaitingApproval', 'runningTool'].flatMap(workRows),
  // The first that is left asks a person, so it is judged by itself.
  ...(['r s', 'r s b'] as const).flatMap((at): Row[] => [
    [`readingTogether ${at}`, 'none read', 'judging', 'call.judge r'],
    [`readingTogether ${at}`, 'one read', 'judging', 'call.judge s'],
    [`readingTogether ${at}`, 'more read', 'asking', 'model.ask'],
    [`readingTogether ${at}, last`, 'more read', 'settling', tooLong],
    [`readingTogether ${at}`, 'cancel', 'settling', `drop ${at} cancelled`, settles('cancelled')],
  ]),
  ['readingTogether r s', 'two read', 'asking', 'model.ask'],
  ['readingTogether r s, last', 'two read', 'settling', tooLong],
  ['readingTogether r s b', 'two read', 'judging', 'call.judge b'],
];

export function agentWorded(effect: AgentEffect): string {
  switch (effect.type) {
    case 'calls.drop':
      return `drop ${effect.calls.map(({ id }) => id).join(' ') || 'nothing'} ${effect.why}`;
    case 'settle':
      return settles(effect.outcome, effect.cause?.replace(/(?<=an end\.).*/u, '') ?? null);
    case 'reads.run':
      return `${effect.type} ${effect.calls.map(({ id }) => id).join(' ')}`;
    case 'call.judge':
    case 'call.run':
    case 'prompt.open':
      return `${effect.type} ${effect.call.id}`;
    case 'context.compact':
      return `${effect.type} ${effect.why}`;
    case 'model.ask':
    case 'model.read':
      return effect.type;
  }
}

/** A state as the table names it: which calls are at hand, and whether this was the last request allowed. */
export function agentPlace({ value, context }: AgentSnapshot): string {
  const at = context.calls.map(({ id }) => ` ${id}`).join('');
  const made = context.compacted.length === 0 ? '' : ` (${context.compacted.join(' ')})`;
  return `${value}${at}${made}${context.asks >= asksPerTurn ? ', last' : ''}`;
}

/** Every reachable place of the turn loop × every event; it starts anew, and at its last request. */
export function exploreAgent(): AgentEdge[] {
  const [start] = agentStep(null, null);
  const late = agentMachine.resolveState({
    value: 'asking',
    context: { ...start.context, asks: asksPerTurn },
  });
  return exploreMachine({
    start: [start, late],
    events: () => agentEvents,
    step: agentStep,
    keyOf: agentPlace,
  });
}

/** The row for an edge: the place itself, or the place without the number of the request. */
export function agentRow({ from, name }: AgentEdge): Row | undefined {
  const place = agentPlace(from);
  const first = place.replace(', last', '');
  const names = [place, first, first.replace(/ \(.*\)/u, '')];
  return names.flatMap((wanted) => agentRows.filter(([at, event]) => at === wanted && event === name)).at(0);
}

/** What the table says of an edge, next state and effects; where it has no row, the event is ignored. */
export function agentWanted(edge: AgentEdge): string[] {
  const [, , next, ...effects] = agentRow(edge) ?? [agentPlace(edge.from), edge.name, edge.from.value];
  return [next, ...effects];
}

export const agentGot = ({ next, effects }: AgentEdge): string[] => [next.value, ...effects.map(agentWorded)];
