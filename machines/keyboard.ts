import { initialTransition, transition } from 'xstate';
import type { KeyboardEffect, KeyboardEvent } from './keyboard/changes.ts';
import { KeyboardRecord, type PlanKeyboard } from './keyboard/record.ts';
import { keyboard } from './keyboard/setup.ts';

const draws = { target: 'attaching', reenter: true, actions: ['take', 'draw', 'sendDraw'] } as const;
const strips = { target: 'stripping', actions: ['take', 'begin', 'sendStrip'] } as const;
/** Nothing in flight: whatever changed is sent at once. */
const reconciles = [{ guard: 'fits', actions: 'take' }, { guard: 'redraws', ...draws }, strips] as const;
/** The newest message has it already, so another one is newer. */
const moves = [{ guard: 'fits', actions: 'take' }, strips] as const;
/** The message is gone, and its keyboard with it. */
const goes = { guard: 'isMain', target: 'none', actions: ['take', 'clear'] } as const;
const goesOn = { guard: 'mainMoves', ...draws, actions: ['take', 'clear', 'draw', 'sendDraw'] } as const;
const acts = { guard: 'acts', actions: 'act' } as const;

/**
 * Which message of one chat and topic carries the plan keyboard (D30, D31, D38). One edit of it is in flight at a time;
 * a message is stripped, and known to be, before another one gets a keyboard. What must be shown is `target`; every
 * event compares it with what is shown. Messages that the record does not know lose their buttons when one is pressed: `strays`.
 */
export const keyboardMachine = keyboard.createMachine({
  id: 'keyboard',
  context: {
    home: null,
    wish: null,
    shows: null,
    askedUntil: null,
    due: null,
    tries: 0,
    strays: [],
  },
  initial: 'none',
  on: {
    want: { actions: 'take' },
    home: { actions: 'take' },
    gone: { actions: 'take' },
    tick: { actions: ['take', 'sweep'] },
    stripped: { actions: 'dropStray' },
    failed: { actions: 'delayStray' },
    press: [
      { guard: 'isOthers', actions: 'refuseOther' },
      // Pressed where the keyboard is, but too late for it: it is being stripped, or drawn anew, already.
      { guard: 'isMain', actions: 'refuseStale' },
      { actions: ['refuseStale', 'addStray', 'stripStray'] },
    ],
  },
  states: {
    none: {
      description: 'No message carries a plan keyboard.',
      on: { want: { guard: 'hasTarget', ...draws }, home: { guard: 'hasTarget', ...draws } },
    },
    attaching: {
      tags: ['shows', 'sending'],
      description: 'A keyboard is being drawn; from now on it counts as shown, whatever the answer.',
      on: {
        attached: [
          { guard: 'isElsewhere' },
          { guard: 'fitsAsQuestion', target: 'confirming', actions: 'land' },
          { guard: 'fits', target: 'owned', actions: 'land' },
          { guard: 'redraws', ...draws, actions: ['land', 'draw', 'sendDraw'] },
          { ...strips, actions: ['land', 'sendStrip'] },
        ],
        failed: { guard: 'isMain', actions: 'delay' },
        gone: [goesOn, goes],
        tick: [
          { guard: 'isEarly', actions: ['take', 'sweep'] },
          { guard: 'redraws', ...draws, actions: ['take', 'draw', 'sendDraw', 'sweep'] },
          { ...strips, actions: ['take', 'begin', 'sendStrip', 'sweep'] },
        ],
        press: [
          acts,
          { guard: 'asks', actions: ['take', 'sayConfirm'] },
          { guard: 'keeps', actions: ['take', 'sayKept'] },
        ],
      },
    },
    owned: {
      tags: 'shows',
      description: 'The newest message shows the keyboard that the session asks for.',
      on: {
        want: reconciles,
        home: moves,
        gone: goes,
        press: [
          acts,
          { guard: 'asks', ...draws, actions: ['take', 'draw', 'sendDraw', 'sayConfirm'] },
          { guard: 'keeps', actions: 'sayKept' },
        ],
      },
    },
    confirming: {
      tags: 'shows',
      description: '"Discard plan" and "Keep" are shown, for 60 s at most.',
      on: {
        want: reconciles,
        home: moves,
        gone: goes,
        tick: [
          { guard: 'fits', actions: 'sweep' },
          { ...draws, actions: ['take', 'draw', 'sendDraw', 'sweep'] },
        ],
        press: [
          acts,
          { guard: 'asks', actions: 'sayConfirm' },
          { guard: 'keeps', ...draws, actions: ['take', 'draw', 'sendDraw', 'sayKept'] },
        ],
      },
    },
    stripping: {
      tags: ['shows', 'sending'],
      description: 'The keyboard is being taken off its message; no other message gets one before.',
      on: {
        stripped: [
          { guard: 'mainMoves', ...draws, actions: ['clear', 'draw', 'sendDraw'] },
          { guard: 'isMain', target: 'none', actions: 'clear' },
        ],
        failed: { guard: 'isMain', actions: 'delay' },
        gone: [goesOn, goes],
        tick: [
          { guard: 'isEarly', actions: ['take', 'sweep'] },
          { actions: ['take', 'begin', 'sendStrip', 'sweep'] },
        ],
      },
    },
  },
});

export type KeyboardSnapshot = ReturnType<typeof keyboardMachine.resolveState>;

/**
 * One event further, or the start of a chat that has no record: what to store, then what to send. The result of each
 * `edit.markup` comes back as exactly one `attached`, `stripped`, `failed` or `gone`. Pure.
 */
export function keyboardStep(
  current: KeyboardSnapshot | null,
  event: KeyboardEvent | null,
): [KeyboardSnapshot, KeyboardEffect[]] {
  const [next, actions] =
    current === null || event === null
      ? initialTransition(keyboardMachine)
      : transition(keyboardMachine, current, event);
  const effects = (actions as readonly { type: string; params?: unknown }[])
    .filter((action) => action.type === 'xstate.emit')
    .map((action) => (action.params as { event: KeyboardEffect }).event);
  return [next, effects];
}

/** What is stored for one chat and topic: before its effects are sent, and after every step that changed it. */
export const keyboardRecord = ({ value, context }: KeyboardSnapshot): KeyboardRecord => ({
  v: 1,
  state: value,
  ...context,
});

/**
 * The machine as a restart finds it. What was in flight may or may not have landed; it is sent again with the next
 * `tick`. A record of another version or of no known form is none: buttons it knew are taken off when pressed.
 */
export function restoreKeyboard(stored: unknown): KeyboardSnapshot {
  const parsed = KeyboardRecord.safeParse(stored);
  if (!parsed.success) return keyboardStep(null, null)[0];
  const { v: _, state, ...context } = parsed.data;
  const strays = context.strays.map((stray) => ({ ...stray, due: 0 }));
  if (context.shows === null) {
    return keyboardMachine.resolveState({ value: 'none', context: { ...context, due: null, strays } });
  }
  const value = state === 'none' ? 'stripping' : state;
  const due = value === 'attaching' || value === 'stripping' ? 0 : null;
  return keyboardMachine.resolveState({ value, context: { ...context, due, strays } });
}

/**
 * The keyboard that a text edit of this message has to carry, since an edit without one takes it off; null: an
 * explicit empty one.
 */
export function markupOf(
  { value, context: { shows } }: KeyboardSnapshot,
  message: number,
): PlanKeyboard | null {
  return value !== 'stripping' && shows?.message === message ? shows.keyboard : null;
}
