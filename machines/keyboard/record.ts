import { z } from 'zod';
import type { CallbackAction } from '../callback.ts';

/** Buttons by what they say; several of them share a callback action (`callbackOf`). */
const buttons = [
  'approve',
  'retry',
  'approveText',
  'revise',
  'restore',
  'continue',
  'discard',
  'confirm',
  'keep',
] as const;
export type PlanButton = (typeof buttons)[number];

/** The callback action that each button carries (D30). */
export const callbackOf: Readonly<Record<PlanButton, CallbackAction>> = {
  approve: 'ok',
  retry: 'ok',
  approveText: 'ok',
  revise: 'rev',
  restore: 'res',
  continue: 'go',
  discard: 'no',
  confirm: 'no!',
  keep: 'keep',
};

/** A plan keyboard: its buttons, and the plan, phase and text that it was drawn for. */
export const PlanKeyboard = z.object({
  plan: z.string(),
  phase: z.enum(['editing', 'active']),
  hash: z.string().nullable(),
  buttons: z.array(z.enum(buttons)),
});
export type PlanKeyboard = z.infer<typeof PlanKeyboard>;

const states = ['none', 'attaching', 'owned', 'confirming', 'stripping'] as const;

/** What one chat and topic shows of plan keyboards, as stored before anything is sent. Times are milliseconds. */
export const KeyboardRecord = z.object({
  v: z.literal(1),
  state: z.enum(states),
  /** The newest message that may carry the keyboard. */
  home: z.number().nullable(),
  /** What the session wants shown, as last heard. */
  wish: PlanKeyboard.nullable(),
  /** The one message that shows a keyboard, or may show one: an edit without an answer counts as done. */
  shows: z.object({ message: z.number(), keyboard: PlanKeyboard }).nullable(),
  /** Until when "Discard plan" and "Keep" are asked; null: nobody asked (D38). */
  askedUntil: z.number().nullable(),
  /** When a failed edit is tried again; null: none has failed. */
  due: z.number().nullable(),
  tries: z.number(),
  /** Messages that the record did not know and that lose the buttons somebody pressed there. */
  strays: z.array(z.object({ message: z.number(), due: z.number().nullable(), tries: z.number() })),
});
export type KeyboardRecord = z.infer<typeof KeyboardRecord>;
