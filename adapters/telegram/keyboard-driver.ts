import {
  type KeyboardEffect,
  type KeyboardEvent,
  keyboardRecord,
  type KeyboardSnapshot,
  keyboardStep,
  markupOf,
  type PlanKeyboard,
  restoreKeyboard,
} from '../../machines/index.ts';
import { planMarkup } from './keyboard-markup.ts';
import type { Place } from './place.ts';
import type { Wire } from './wire.ts';

export interface KeyboardDeps {
  place: Place;
  wire: Pick<Wire, 'markup'>;
  now: () => number;
  /** Stores what is shown from now on, before anything is sent. */
  save: (record: unknown) => void;
}

type Press = Exclude<KeyboardEffect, { type: 'edit.markup' }>;

/** Which message of one place carries the plan keyboard: the machine decides, this sends and tells it how that went. */
export class KeyboardDriver {
  private readonly deps: KeyboardDeps;
  private snapshot: KeyboardSnapshot;
  private wished: string | undefined;

  constructor(stored: unknown, deps: KeyboardDeps) {
    this.deps = deps;
    this.snapshot = restoreKeyboard(stored);
  }

  /** What the session asks for, after every view. */
  want(keyboard: PlanKeyboard | null): void {
    const wished = JSON.stringify(keyboard);
    if (wished === this.wished) return;
    this.wished = wished;
    this.step({ type: 'want', keyboard });
  }

  /** The newest message that may carry it. */
  home(message: number): void {
    if (this.snapshot.context.home !== message) this.step({ type: 'home', message });
  }

  /** A message that was deleted, or is to be. */
  gone(message: number): void {
    this.step({ type: 'gone', message });
  }

  /** The plan has ended: its message carries no other plan's buttons (D30). */
  release(): void {
    const { home } = this.snapshot.context;
    if (home !== null && this.snapshot.value === 'none') this.gone(home);
  }

  press(
    press: string,
    at: Pick<Extract<KeyboardEvent, { type: 'press' }>, 'message' | 'by' | 'callback'>,
  ): Press[] {
    return this.step({ type: 'press', press, ...at, now: this.deps.now() });
  }

  /** Nothing happens here unless something is due, so an idle chat costs no call. */
  tick(): void {
    const { askedUntil, due, strays } = this.snapshot.context;
    const waits = askedUntil !== null || due !== null || strays.some((stray) => stray.due !== null);
    if (waits) this.step({ type: 'tick', now: this.deps.now() });
  }

  /** What a text edit of this message has to carry. */
  on(message: number): ReturnType<typeof planMarkup> {
    return planMarkup(markupOf(this.snapshot, message));
  }

  private step(event: KeyboardEvent): Press[] {
    const before = this.snapshot;
    const [next, effects] = keyboardStep(before, event);
    this.snapshot = next;
    const record = keyboardRecord(next);
    if (JSON.stringify(record) !== JSON.stringify(keyboardRecord(before))) this.deps.save(record);
    for (const effect of effects) if (effect.type === 'edit.markup') void this.draw(effect);
    return effects.filter((effect) => effect.type !== 'edit.markup');
  }

  private async draw({ message, keyboard }: Extract<KeyboardEffect, { type: 'edit.markup' }>): Promise<void> {
    const { wire, place, now } = this.deps;
    const result = await wire.markup(place, message, planMarkup(keyboard));
    if (result.kind === 'sent') this.step({ type: keyboard === null ? 'stripped' : 'attached', message });
    else if (result.kind === 'gone') this.step({ type: 'gone', message });
    else this.step({ type: 'failed', message, until: result.until, now: now() });
  }
}
