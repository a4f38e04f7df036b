import { assign, enqueueActions, setup } from 'xstate';
import { after, editEvery, type FlowContext, type FlowEvent } from './changes.ts';
import type { FlowTag } from '../tags.ts';
import { type FlowEffect, nextEffect, sent } from './next.ts';

interface At {
  context: FlowContext;
  event: FlowEvent;
}

const sends = ({ context, event }: At): boolean => nextEffect(after(context, event), event.now) !== null;

/** Neither a person nor a flood wait holds the turn's message any more. */
function thaws({ context, event }: At): boolean {
  const { waiting, due } = after(context, event);
  return waiting === null && (due === null || event.now >= due);
}

export const flow = setup({
  types: {
    context: {} as FlowContext,
    events: {} as FlowEvent,
    emitted: {} as FlowEffect,
    tags: {} as FlowTag,
    input: {} as FlowContext,
  },
  guards: {
    sends,
    opens: ({ context, event }) => event.now - context.started >= editEvery,
    thaws,
    thawsSending: (at) => thaws(at) && sends(at),
    isFlood: ({ context, event }) =>
      event.type === 'failed' && event.until !== null && context.flight !== null,
    losesPlace: ({ context, event }) => after(context, event).place === 'over',
  },
  actions: {
    take: assign(({ context, event }) => after(context, event)),
    send: enqueueActions(({ context, event, enqueue }) => {
      const next = nextEffect(context, event.now);
      if (next === null) return;
      enqueue.emit(next.effect);
      enqueue.assign(sent(context, event.now, next.flight));
    }),
    end: assign({ place: 'over' }),
  },
});
