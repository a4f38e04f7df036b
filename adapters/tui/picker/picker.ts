import type { Press } from '../input/keys.ts';

/** One session to choose; `error` says why it can't be opened. `used` is RFC 3339, `state` words for people. */
export type Choice =
  | { id: string; name: string | null; cwd: string; state: string; used: string }
  | { id: string; error: string };

/** The open list of sessions. `at` is the marked one, `current` the session on screen. */
export interface Picker {
  choices: readonly Choice[];
  at: number;
  current: string;
  /** Why the last choice was not taken. */
  note: string | null;
}

/** What a key came to: the list as it is now, null when it closes, and the session that was chosen. */
export interface PickerStep {
  picker: Picker | null;
  chosen: string | null;
}

/** The mark begins on the session before this one: going back and forth is one key. */
export function openPicker(choices: readonly Choice[], current: string): Picker {
  const other = choices.findIndex(({ id }) => id !== current);
  return { choices, at: Math.max(0, other), current, note: null };
}

/** `page`: how many sessions are visible. A paste and typed text choose nothing. */
export function pickerPress(picker: Picker, press: Press, page: number): PickerStep {
  if (press.type !== 'key') return { picker, chosen: null };
  if (press.name === 'escape') return { picker: null, chosen: null };
  if (press.name === 'enter') return choose(picker);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageUp: -page,
    pageDown: page,
    home: -Infinity,
    end: Infinity,
  };
  const step = Object.hasOwn(steps, press.name) ? (steps[press.name] ?? 0) : 0;
  const at = Math.max(0, Math.min(picker.at + step, picker.choices.length - 1));
  return { picker: step === 0 ? picker : { ...picker, at, note: null }, chosen: null };
}

function choose(picker: Picker): PickerStep {
  const choice = picker.choices[picker.at];
  if (choice === undefined || choice.id === picker.current) return { picker: null, chosen: null };
  if ('error' in choice) return { picker: { ...picker, note: choice.error }, chosen: null };
  return { picker, chosen: choice.id };
}

/** The session that a typed id, or a beginning that only one has, stands for; null for none. */
export function choiceOf(choices: readonly Choice[], given: string): Choice | null {
  const exact = choices.find(({ id }) => id === given);
  const found = choices.filter(({ id }) => id.startsWith(given));
  return exact ?? (found.length === 1 ? (found[0] ?? null) : null);
}
