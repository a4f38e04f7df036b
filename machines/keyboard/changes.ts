import { type Callback, hashMark, planMark } from '../callback.ts';
import type { KeyboardRecord, PlanKeyboard } from './record.ts';

export type KeyboardContext = Omit<KeyboardRecord, 'v' | 'state'>;

/** Times are milliseconds of one clock; `message` is a message id of this chat and topic. */
export type KeyboardEvent =
  /** The session was committed or read: this is what it asks for (`desiredKeyboard`). */
  | { type: 'want'; keyboard: PlanKeyboard | null }
  /** A newer message is there, its id is stored: it carries the keyboard from now on. */
  | { type: 'home'; message: number }
  | { type: 'attached'; message: number }
  | { type: 'stripped'; message: number }
  /** An edit did not go through, or nobody knows. `until`: the end of a flood wait. */
  | { type: 'failed'; message: number; until: number | null; now: number }
  /** The message does not exist any more, or can never be edited again. */
  | { type: 'gone'; message: number }
  | { type: 'press'; press: string; message: number; by: 'owner' | 'other'; callback: Callback; now: number }
  | { type: 'tick'; now: number };

export type PressAct = 'execute' | 'approveText' | 'revise' | 'restore' | 'discard' | 'continue';

export type KeyboardEffect =
  /** null is an explicit empty keyboard, never an absent one (B125). */
  | { type: 'edit.markup'; message: number; keyboard: PlanKeyboard | null }
  /** Ask the session; its answer is the answer to the press. `hash` and `plan` are whole where this record knows them. */
  | {
      type: 'press.act';
      press: string;
      act: PressAct;
      button: { plan: string; phase: 'editing' | 'active'; owns: true; hash: string | null };
    }
  | { type: 'press.refuse'; press: string; code: 'NOT_OWNER' | 'STALE_BUTTON' }
  | { type: 'press.confirm'; press: string }
  | { type: 'press.kept'; press: string };

/** How long the question of D38 stands. */
const askedFor = 60_000;

/** Doubling from 5 s to 80 s. */
const delay = (tries: number): number => 5_000 * 2 ** Math.min(tries, 4);

/** When a failed edit is tried again: never inside a flood wait. */
export const retryAt = (tries: number, { until, now }: { until: number | null; now: number }): number =>
  Math.max(now + delay(tries), until ?? 0);

/** What an event tells of wish, home and question; what is shown changes only by what is sent. */
export function after(context: KeyboardContext, event: KeyboardEvent): KeyboardContext {
  switch (event.type) {
    case 'want':
      return { ...context, wish: event.keyboard, askedUntil: stillAsked(context, event.keyboard) };
    case 'home':
      return { ...context, home: event.message };
    case 'gone':
      return {
        ...context,
        home: context.home === event.message ? null : context.home,
        strays: context.strays.filter(({ message }) => message !== event.message),
      };
    case 'tick':
      return context.askedUntil !== null && event.now >= context.askedUntil
        ? { ...context, askedUntil: null }
        : context;
    case 'press':
      if (event.callback.action === 'keep') return { ...context, askedUntil: null };
      return { ...context, askedUntil: context.askedUntil ?? event.now + askedFor };
    case 'attached':
    case 'stripped':
    case 'failed':
      return context;
  }
}

/** A row that turns into another one under a finger is how plans get approved by mistake: the question stays. */
function stillAsked({ wish, askedUntil }: KeyboardContext, next: PlanKeyboard | null): number | null {
  return next !== null && wish !== null && next.plan === wish.plan && next.phase === wish.phase
    ? askedUntil
    : null;
}

/** What should be shown and where, if anything. */
export function target({ home, wish, askedUntil }: KeyboardContext): KeyboardContext['shows'] {
  if (home === null || wish === null) return null;
  return { message: home, keyboard: askedUntil === null ? wish : question(wish) };
}

const question = ({ plan, phase }: PlanKeyboard): PlanKeyboard => ({
  plan,
  phase,
  hash: null,
  buttons: ['confirm', 'keep'],
});

export const isQuestion = (keyboard: PlanKeyboard | undefined): boolean =>
  keyboard?.buttons.includes('confirm') === true;

export function sameKeyboard(a: PlanKeyboard, b: PlanKeyboard): boolean {
  const row = (keyboard: PlanKeyboard): string => keyboard.buttons.join(' ');
  return a.plan === b.plan && a.phase === b.phase && a.hash === b.hash && row(a) === row(b);
}

/** Whether Discard and Keep are about the plan that is live as far as this chat has heard. */
export function isFresh({ wish }: KeyboardContext, { plan, phase }: Callback): boolean {
  return wish !== null && planMark(wish.plan) === plan && wish.phase === phase;
}

const acts = { 'no!': 'discard', rev: 'revise', res: 'restore', go: 'continue' } as const;

/** What a press asks of the session. A mark that stands for nothing known is passed on and is refused there. */
export function actOf(
  { shows, wish }: KeyboardContext,
  { action, plan, phase, hash }: Callback,
): Pick<Extract<KeyboardEffect, { type: 'press.act' }>, 'act' | 'button'> | null {
  if (action === 'no' || action === 'keep') return null;
  const known = [shows?.keyboard, wish].filter((one) => one !== null && one !== undefined);
  const drawn = known.find((one) => hash !== null && hashMark(one.hash) === hash) ?? shows?.keyboard;
  const button = {
    plan: known.find((one) => planMark(one.plan) === plan)?.plan ?? plan,
    phase,
    owns: true as const,
    hash: drawn !== undefined && hashMark(drawn.hash) === hash ? drawn.hash : hash,
  };
  if (action !== 'ok') return { act: acts[action], button };
  return { act: drawn?.buttons.includes('approveText') === true ? 'approveText' : 'execute', button };
}
