import { assign, emit, enqueueActions, setup } from 'xstate';
import {
  actOf,
  after,
  isFresh,
  isQuestion,
  type KeyboardContext,
  type KeyboardEffect,
  type KeyboardEvent,
  retryAt,
  sameKeyboard,
  target,
} from './changes.ts';
import type { KeyboardTag } from '../tags.ts';

interface At {
  context: KeyboardContext;
  event: KeyboardEvent;
}

/** The event is about the message that shows the keyboard. */
const isMain = ({ context, event }: At): boolean =>
  'message' in event && event.message === context.shows?.message;

const isOwners = (at: At): boolean => at.event.type === 'press' && at.event.by === 'owner' && isMain(at);

/** An owner's press of Discard or Keep on the message that shows them, about the live plan. */
const presses = (at: At, action: 'no' | 'keep'): boolean =>
  at.event.type === 'press' &&
  isOwners(at) &&
  at.event.callback.action === action &&
  isFresh(at.context, at.event.callback);

const targetAfter = ({ context, event }: At): KeyboardContext['shows'] => target(after(context, event));

const isDue = ({ due }: { due: number | null }, event: KeyboardEvent): boolean =>
  event.type === 'tick' && due !== null && event.now >= due;

/** What is shown is what should be shown. */
function fits({ context, event }: At): boolean {
  const wanted = targetAfter({ context, event });
  const { shows } = context;
  if (wanted === null || shows === null || wanted.message !== shows.message) return false;
  return sameKeyboard(wanted.keyboard, shows.keyboard);
}

const pressOf = (event: KeyboardEvent): string => (event.type === 'press' ? event.press : '');

export const keyboard = setup({
  types: {
    context: {} as KeyboardContext,
    events: {} as KeyboardEvent,
    emitted: {} as KeyboardEffect,
    tags: {} as KeyboardTag,
  },
  guards: {
    hasTarget: (at) => targetAfter(at) !== null,
    fits,
    fitsAsQuestion: (at) => fits(at) && isQuestion(at.context.shows?.keyboard),
    redraws: (at) => targetAfter(at)?.message === at.context.shows?.message,
    isElsewhere: (at) => !isMain(at),
    isMain,
    mainMoves: (at) => isMain(at) && targetAfter(at) !== null,
    isEarly: ({ context, event }) => !isDue(context, event),
    acts: (at) => isOwners(at) && at.event.type === 'press' && actOf(at.context, at.event.callback) !== null,
    asks: (at) => presses(at, 'no'),
    keeps: (at) => presses(at, 'keep'),
    isOthers: ({ event }) => event.type === 'press' && event.by === 'other',
  },
  actions: {
    take: assign(({ context, event }) => after(context, event)),
    draw: assign(({ context }) => {
      const shows = target(context);
      const strays = context.strays.filter(({ message }) => message !== shows?.message);
      return { shows, due: null, strays };
    }),
    sendDraw: emit(({ context: { shows } }) => ({
      type: 'edit.markup',
      message: shows?.message ?? 0,
      keyboard: shows?.keyboard ?? null,
    })),
    sendStrip: emit(({ context }) => ({
      type: 'edit.markup',
      message: context.shows?.message ?? 0,
      keyboard: null,
    })),
    clear: assign({ shows: null, due: null, tries: 0 }),
    land: assign({ due: null, tries: 0 }),
    begin: assign({ due: null }),
    delay: assign(({ context, event }) =>
      event.type === 'failed' ? { due: retryAt(context.tries, event), tries: context.tries + 1 } : {},
    ),

    act: emit(({ context, event }) => {
      const act = event.type === 'press' ? actOf(context, event.callback) : null;
      if (act === null) return { type: 'press.refuse', press: pressOf(event), code: 'STALE_BUTTON' };
      return { type: 'press.act', press: pressOf(event), ...act };
    }),
    sayConfirm: emit(({ event }) => ({ type: 'press.confirm', press: pressOf(event) })),
    sayKept: emit(({ event }) => ({ type: 'press.kept', press: pressOf(event) })),
    refuseOther: emit(({ event }) => ({ type: 'press.refuse', press: pressOf(event), code: 'NOT_OWNER' })),
    refuseStale: emit(({ event }) => ({ type: 'press.refuse', press: pressOf(event), code: 'STALE_BUTTON' })),

    addStray: assign(({ context: { strays }, event }) => {
      if (event.type !== 'press') return {};
      const others = strays.filter(({ message }) => message !== event.message);
      return { strays: [...others, { message: event.message, due: null, tries: 0 }] };
    }),
    stripStray: emit(({ event }) => ({
      type: 'edit.markup',
      message: 'message' in event ? event.message : 0,
      keyboard: null,
    })),
    dropStray: assign(({ context: { strays }, event }) => ({
      strays: strays.filter(({ message }) => !('message' in event && message === event.message)),
    })),
    delayStray: assign(({ context: { strays }, event }) => ({
      strays: strays.map((stray) =>
        event.type === 'failed' && stray.message === event.message
          ? { ...stray, due: retryAt(stray.tries, event), tries: stray.tries + 1 }
          : stray,
      ),
    })),
    sweep: enqueueActions(({ context: { strays }, event, enqueue }) => {
      for (const { message } of strays.filter((stray) => isDue(stray, event))) {
        enqueue.emit({ type: 'edit.markup', message, keyboard: null });
      }
      enqueue.assign({
        strays: strays.map((stray) => (isDue(stray, event) ? { ...stray, due: null } : stray)),
      });
    }),
  },
});
