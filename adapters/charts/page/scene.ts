/** What a machine says to an event. `ignored`: no transition, nothing changes; only machines that refuse nothing say it. */
export type AnswerKind = 'accepted' | 'view' | 'info' | 'queued' | 'refused' | 'ignored';

export interface SceneAnswer {
  kind: AnswerKind;
  /** The refusal's code, where there is one. */
  code: string | null;
  /** The text that people get; empty where there is nothing to say. */
  text: string;
}

/** Something that can happen here, with a payload that fits the place. */
export interface Choice {
  /** Unique in its scene and the same in every scene: links name steps by it. Letters, digits, dots and dashes. */
  id: string;
  label: string;
  /** Who does it: the heading that it stands under. */
  group: string;
  /** The event's type, `disk` for what happens to files and processes. */
  event: string;
  answer: () => SceneAnswer;
  /** Takes the event, also a refused one: that leads to the same place. */
  take: () => Taken;
}

/** What an event led to. */
export interface Taken {
  answer: SceneAnswer;
  /** What the machine asks its surroundings to do, in words. */
  did: readonly string[];
  next: Scene;
}

/** One place of a machine: what a person sees of it, and what can happen. Immutable. */
export interface Scene {
  /** Paths of the innermost states, one for each region, such as `plan.editing.preInit`. */
  states: readonly string[];
  /** One line: where things stand and what to do next. */
  hint: string;
  /** What the guards look at, in words. */
  facts: readonly Fact[];
  choices: () => readonly Choice[];
}

export interface Fact {
  label: string;
  text: string;
}

/** Paths of the innermost states of a machine's state value, one for each region. */
export function leavesOf(value: unknown, above = ''): string[] {
  const under = (name: string): string => (above === '' ? name : `${above}.${name}`);
  if (typeof value === 'string') return [under(value)];
  return Object.entries(value as object).flatMap(([name, inner]) => leavesOf(inner, under(name)));
}

export const accepted = (text = ''): SceneAnswer => ({ kind: 'accepted', code: null, text });
export const ignored: SceneAnswer = { kind: 'ignored', code: null, text: '' };

/** Whether an answer leaves everything as it is; drawn grey, and in words. */
export const changesNothing = ({ kind }: SceneAnswer): boolean => kind === 'refused' || kind === 'ignored';
