import {
  callbackOf,
  encodeCallback,
  type KeyboardEffect,
  type KeyboardEvent,
  type KeyboardSnapshot,
  keyboardStep,
  parseCallback,
  type PlanButton,
  type PlanKeyboard,
} from '../../machines/index.ts';
import { hashOf, planId, texts } from './samples.ts';

const subject = { plan: planId, phase: 'editing', hash: hashOf(texts.valid) } as const;

/** Keyboards as the session asks for them (D31). */
export const keyboards = {
  review: { ...subject, buttons: ['approve', 'revise', 'discard'] },
  changed: { ...subject, hash: hashOf(texts.changed), buttons: ['approve', 'revise', 'discard'] },
  writing: { ...subject, hash: null, buttons: ['discard'] },
  working: { ...subject, phase: 'active', hash: null, buttons: ['discard'] },
  retry: { ...subject, phase: 'active', buttons: ['retry', 'discard'] },
  drifted: {
    ...subject,
    phase: 'active',
    hash: hashOf(texts.changed),
    buttons: ['approveText', 'restore', 'discard'],
  },
  interrupted: { ...subject, phase: 'active', hash: null, buttons: ['continue', 'discard'] },
  other: {
    ...subject,
    plan: '99999999-9999-4999-8999-999999999999',
    buttons: ['approve', 'revise', 'discard'],
  },
} satisfies Readonly<Record<string, PlanKeyboard>>;

/** A press of the button, as its data comes back from the client that showed `keyboard`. */
export function pressed(
  button: PlanButton,
  message: number,
  fields: { keyboard?: PlanKeyboard; now?: number; by?: 'owner' | 'other'; press?: string } = {},
): Extract<KeyboardEvent, { type: 'press' }> {
  const { keyboard = keyboards.review, now = 0, by = 'owner', press = 'q1' } = fields;
  const callback = parseCallback(encodeCallback(callbackOf[button], keyboard));
  if (callback === null) throw new Error(`the data of ${button} is not read back`);
  return { type: 'press', press, message, by, callback, now };
}

/** Events one after another from a chat without a record: the last snapshot, and every effect of the last event. */
export function played(...events: readonly KeyboardEvent[]): {
  snapshot: KeyboardSnapshot;
  effects: readonly KeyboardEffect[];
} {
  let [snapshot, effects] = keyboardStep(null, null);
  for (const event of events) [snapshot, effects] = keyboardStep(snapshot, event);
  return { snapshot, effects };
}

/** An effect in words, such as `55: approve revise discard`, `55: -`, `q1 acts execute`. */
export function worded(effect: KeyboardEffect): string {
  switch (effect.type) {
    case 'edit.markup':
      return `${effect.message}: ${effect.keyboard?.buttons.join(' ') ?? '-'}`;
    case 'press.act':
      return `${effect.press} acts ${effect.act}`;
    case 'press.refuse':
      return `${effect.press} refused ${effect.code}`;
    case 'press.confirm':
    case 'press.kept':
      return `${effect.press} ${effect.type}`;
  }
}
