import {
  type FlowEffect,
  type FlowEvent,
  flowRecord,
  type FlowSnapshot,
  flowStart,
  flowStep,
  restoreFlow,
} from '../../machines/index.ts';
import { type Edge, exploreMachine } from './explore-machine.ts';
import {
  buried,
  deleted,
  edited,
  ends,
  fails,
  flood,
  flowState,
  gone,
  overflow,
  posted,
  resumes,
  says,
  tick,
  tool,
  toolEnd,
  waits,
} from './samples-flow.ts';

export type FlowEdge = Edge<FlowSnapshot, FlowEvent, FlowEffect>;

/** Everything that can happen, at once, when an edit may be sent again, and when every wait is over. */
function eventsAt({ context }: FlowSnapshot): Record<string, FlowEvent> {
  const { started, sentAt, due, stuckAt, entries } = context;
  const last = Math.max(started, sentAt ?? 0);
  const times = {
    soon: last + 10,
    later: last + 1_500,
    'much later': Math.max(last, due ?? 0, stuckAt ?? 0) + 20_000,
  };
  const named: Record<string, FlowEvent> = {};
  for (const [when, now] of Object.entries(times)) {
    const add = (name: string, event: FlowEvent): void => {
      named[`${name}, ${when}`] = event;
    };
    add('tick', tick(now));
    if (entries.length < 2) add('tool starts', tool(`call ${entries.length}`, now));
    if (entries.length < 2) add('narration', says('Hm.', now));
    if (entries.length < 2) add('notice', { type: 'noticed', about: 'retry', text: 'Retry', now });
    add('tool ends', toolEnd('call 0', now));
    add('thought', { type: 'thought', text: 'Hm', now });
    add('waits', waits(now));
    add('resumes', resumes(now));
    add('buried', buried(now));
    add('sections leave', { type: 'sections', sections: { kind: 'none' }, now });
    add('turn ends', ends(now));
    add('posted', posted(now, now));
    add('edited', edited(now));
    add('deleted', deleted(now));
    add('failed', fails(now));
    add('flood', flood(now + 30_000, now));
    add('gone', gone(now));
    add('overflow of one', overflow(1, now));
    add('overflow of none', overflow(0, now));
  }
  return named;
}

/** State, and what guards can look at. */
export function flowPlace(snapshot: FlowSnapshot): string {
  const { context } = snapshot;
  // Whatever else it holds, nothing follows.
  if (context.place === 'over' && snapshot.value === 'settled') return 'settled, over';
  const { message, part, entries, waiting, leaving, stale, stuckAt, flight } = context;
  return [
    flowState(snapshot),
    message === null ? 'no message' : 'message',
    `part ${Math.min(part, 2)}`,
    entries.map((entry) => (entry.kind === 'tool' ? entry.status : 'text')).join(' '),
    waiting === null ? '' : 'waits',
    leaving === null ? '' : `leaves ${leaving.message === null ? 'nothing' : 'a message'}`,
    `${Math.min(stale.length, 1)} stale`,
    `restick ${context.restick} ${stuckAt === null}`,
    `flight ${flight}`,
    context.content,
    context.due === null ? '' : 'due',
    context.sentAt === null ? 'never sent' : '',
    context.place,
  ].join(', ');
}

/** Every reachable place of the flow machine × every event. */
export const exploreFlow = (): FlowEdge[] =>
  exploreMachine({ start: [flowStart('turn 1', 0)], events: eventsAt, step: flowStep, keyOf: flowPlace });

/** What must hold for one event in one reachable place. */
export function flowFaults({ from, name, event, next, effects }: FlowEdge): string[] {
  const faults: string[] = [];
  const never = (holds: boolean, text: string): void => {
    if (holds) faults.push(`${flowPlace(from)} × ${name}: ${text}`);
  };
  const { flight, due, sentAt, message, place } = from.context;
  const isAnswer = ['posted', 'edited', 'deleted', 'failed', 'gone', 'overflow'].includes(event.type);
  never(effects.length > 1, `${effects.length} effects at once`);
  never(effects.length === 1 && flight !== null && !isAnswer, 'sent while something was in flight');
  never(
    (effects.length === 1) !== (next.context.flight !== null && (isAnswer || flight === null)),
    'in flight, and not sent',
  );
  never(
    effects.length === 1 && flight === null && due !== null && event.now < due,
    'sent within a wait (B105)',
  );
  never(effects.length === 1 && place === 'over', 'sent to a place that is gone');
  never(
    from.value === 'closed' && event.type === 'turn.ended' && effects.length > 0,
    'a short answer was logged',
  );
  for (const effect of effects) {
    if (effect.type === 'delete') {
      never(effect.message === next.context.message, 'deletes the live message');
      continue;
    }
    const { header } = effect.content;
    if (header.kind === 'continued') continue;
    never(header.tools !== next.context.tools, 'another count than the whole turn');
    never((header.kind === 'settled') !== (next.value === 'settled'), `${header.kind} in ${flowState(next)}`);
    never(
      (header.kind === 'waiting') !== (next.context.waiting !== null),
      'a running clock while it waits (D36)',
    );
    const again = (effect.type === 'edit' || effect.type === 'settle') && effect.message === message;
    never(again && sentAt !== null && event.now - sentAt < 1_500, 'edited twice in 1.5 s (D34)');
    never(effect.type !== 'post' && effect.message !== next.context.message, 'edits an older message');
  }
  never(event.type === 'turn.ended' && next.context.waiting !== null, 'an ended turn waits');
  const back = restoreFlow(JSON.parse(JSON.stringify(flowRecord(next))));
  never(back === null || flowState(back) !== flowState(next), 'a restart finds another state');
  return faults;
}
