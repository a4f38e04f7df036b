import {
  type KeyboardEffect,
  type KeyboardEvent,
  keyboardRecord,
  type KeyboardSnapshot,
  keyboardStep,
  restoreKeyboard,
} from '../../machines/index.ts';
import { type Edge, exploreMachine } from './explore-machine.ts';
import { keyboards, pressed } from './samples-keyboard.ts';

export type KeyboardEdge = Edge<KeyboardSnapshot, KeyboardEvent, KeyboardEffect>;

/** Times that a guard can tell apart: before and after a wait, and after the question. */
const times = { soon: 1, later: 30_000, 'much later': 100_000 };
const messages = [10, 20];

function everyEvent(): Record<string, KeyboardEvent> {
  const named: Record<string, KeyboardEvent> = {};
  const { review, writing, working, other } = keyboards;
  for (const [name, keyboard] of Object.entries({ review, writing, working, other, nothing: null })) {
    named[`want ${name}`] = { type: 'want', keyboard };
  }
  for (const message of messages) {
    named[`home ${message}`] = { type: 'home', message };
    named[`attached ${message}`] = { type: 'attached', message };
    named[`stripped ${message}`] = { type: 'stripped', message };
    named[`gone ${message}`] = { type: 'gone', message };
    named[`failed ${message}`] = { type: 'failed', message, until: null, now: 0 };
    for (const button of ['approve', 'discard', 'confirm', 'keep'] as const) {
      named[`${button} on ${message}`] = pressed(button, message);
    }
    named[`discard of another plan on ${message}`] = pressed('discard', message, {
      keyboard: keyboards.other,
    });
    named[`approve on ${message} by another`] = pressed('approve', message, { by: 'other' });
  }
  for (const [name, now] of Object.entries(times)) named[`tick ${name}`] = { type: 'tick', now };
  return named;
}

const named = (keyboard: unknown): string =>
  Object.entries(keyboards).find(([, one]) => JSON.stringify(one) === JSON.stringify(keyboard))?.[0] ??
  (keyboard === null || keyboard === undefined ? '-' : 'question');

/** State, and what guards can look at: which keyboard, where, whether asked and whether an edit has failed. */
export const keyboardPlace = ({ value, context }: KeyboardSnapshot): string => {
  const { home, wish, shows, askedUntil, due, strays } = context;
  return [
    value,
    `home ${home}`,
    `wish ${named(wish)}`,
    `shows ${shows?.message} ${named(shows?.keyboard)}`,
    askedUntil === null ? '' : 'asked',
    due === null ? '' : 'failed',
    ...strays.map((stray) => `stray ${stray.message} ${stray.due === null ? '' : 'failed'}`).toSorted(),
  ].join(', ');
};

/** Every reachable place of the keyboard machine × every event. */
export function exploreKeyboard(): KeyboardEdge[] {
  const events = everyEvent();
  return exploreMachine<KeyboardSnapshot, KeyboardEvent, KeyboardEffect>({
    start: [keyboardStep(null, null)[0]],
    events: () => events,
    step: keyboardStep,
    keyOf: keyboardPlace,
  });
}

const main = (at: KeyboardSnapshot, effects: readonly KeyboardEffect[]) =>
  effects.filter(
    (effect) =>
      effect.type === 'edit.markup' && !at.context.strays.some(({ message }) => message === effect.message),
  );

/** What must hold for one event in one reachable place. */
export function keyboardFaults({ from, name, event, next, effects }: KeyboardEdge): string[] {
  const faults: string[] = [];
  const fault = (holds: boolean, text: string): void => {
    if (!holds) faults.push(`${keyboardPlace(from)} × ${name}: ${text}`);
  };
  const answers = effects.filter(({ type }) => type !== 'edit.markup').length;
  const { shows, due } = next.context;
  fault(answers === (event.type === 'press' ? 1 : 0), `${answers} answers to a press (B120)`);
  fault(main(next, effects).length <= 1, 'two edits of the keyboard at once');
  fault((next.value === 'none') === (shows === null), `${next.value} while it shows ${shows?.message}`);
  fault(due === null || ['attaching', 'stripping'].includes(next.value), `${next.value} waits for a retry`);
  const moved = from.context.shows !== null && shows !== null && shows.message !== from.context.shows.message;
  fault(
    !moved || event.type === 'stripped' || event.type === 'gone',
    'it moved before the old one was stripped',
  );
  const inFlight = ['attaching', 'stripping'].includes(from.value) && from.context.due === null;
  const answered =
    'message' in event && event.message === from.context.shows?.message && event.type !== 'press';
  fault(!inFlight || answered || main(next, effects).length === 0, 'sent while an edit was in flight');
  fault(
    event.type !== 'press' ||
      event.by === 'owner' ||
      next === from ||
      keyboardPlace(next) === keyboardPlace(from),
    'a stranger changed something',
  );
  const back = restoreKeyboard(JSON.parse(JSON.stringify(keyboardRecord(next))));
  fault(back.value === next.value, `a restart finds ${back.value}`);
  return faults;
}
