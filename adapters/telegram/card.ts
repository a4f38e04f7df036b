import type { InlineKeyboardMarkup } from 'grammy/types';
import type { SessionView } from '../../machines/index.ts';
import type { Card } from './chat-record.ts';
import { bold, join, type Rich, run } from './html/rich.ts';
import { planInFull, planSections } from './html/plan-sections.ts';
import { messageLimits } from './html/split.ts';
import type { Place } from './place.ts';
import { hasPlan, planMarkOf } from './plan-watch.ts';
import type { Wire } from './wire.ts';

export interface CardDeps {
  place: Place;
  wire: Pick<Wire, 'post' | 'file' | 'edit' | 'remove'>;
  view: () => SessionView;
  /** Context figure, or null. */
  footer: () => string | null;
  save: (card: Card | null) => void;
  keyboardOn: (message: number) => InlineKeyboardMarkup;
  /** A message carries the plan from now on; `text`: the hash of the whole text that was delivered (D45). */
  landed: (message: number, text: string | null) => void;
}

/** The plan outside of a turn: what `/show_plan` and the ready notice post, kept in step afterwards (D31, D36, D50). */
export class PlanCard {
  private readonly deps: CardDeps;
  private card: Card | null;
  private editing = false;
  /** The line that is left of the plan, still to be shown. */
  private closed: Rich | null = null;

  constructor(stored: Card | null, deps: CardDeps) {
    this.card = stored;
    this.deps = deps;
  }

  get message(): number | null {
    return this.card?.message ?? null;
  }

  /** Posts the plan anew at the bottom; false when there is none or it could not be sent. `lead` comes first. */
  async post(notify: 'yes' | 'no', lead: string | null): Promise<boolean> {
    const { place, wire, view, footer, landed } = this.deps;
    const now = view();
    const full = planInFull(now, footer());
    if (full.kind === 'none') return false;
    const hash = full.shown === 'full' ? (now.document?.hash ?? null) : null;
    const head = lead === null ? [] : run(lead, bold);
    if (full.kind === 'document') {
      const file = await wire.file(
        place,
        { name: full.name, text: full.text, caption: full.caption },
        { notify: 'no' },
      );
      if (file.kind !== 'sent') return false;
    }
    const body = full.kind === 'messages' ? full.body : this.sections(now).body;
    const posted = await wire.post(place, join([head, body], '\n'), { notify });
    const last = posted.kind === 'sent' ? posted.messages.at(-1) : undefined;
    if (posted.kind !== 'sent' || last === undefined) return false;
    const old = this.card;
    this.keep({ message: last, parts: posted.messages.slice(0, -1), mark: planMarkOf(now) });
    landed(last, hash);
    if (old !== null) await this.retire(old, null);
    this.refresh();
    return true;
  }

  /** A newer message shows the plan (D33). */
  handOver(): void {
    const { card: old, closed } = this;
    this.keep(null);
    if (old !== null) void this.retire(old, closed);
  }

  /** The plan is no more: one line of it is left (D17). */
  close(line: Rich): void {
    if (this.card === null) return;
    this.closed = line;
    this.refresh();
  }

  /** After each view: shows what is true now. */
  refresh(): void {
    const { card, closed } = this;
    if (card === null || this.editing) return;
    const now = this.deps.view();
    if (closed === null && (!hasPlan(now) || planMarkOf(now) === card.mark)) return;
    void this.edit(card, now, closed);
  }

  private async edit(card: Card, now: SessionView, closed: Rich | null): Promise<void> {
    const { place, wire, keyboardOn, landed } = this.deps;
    this.editing = true;
    const sections = this.sections(now);
    for (const part of card.parts) await wire.remove(place, part);
    const keyboard = keyboardOn(card.message);
    const result = await wire.edit(place, card.message, closed ?? sections.body, keyboard, 'always');
    this.editing = false;
    if (this.card?.message !== card.message) return;
    if (result.kind === 'gone' || closed !== null) return this.keep(null);
    // A failure is met again by the next view.
    if (result.kind !== 'sent') return;
    this.keep({ ...card, parts: [], mark: planMarkOf(now) });
    landed(card.message, sections.shown === 'full' ? (now.document?.hash ?? null) : null);
    this.refresh();
  }

  private async retire({ message, parts }: Card, closed: Rich | null): Promise<void> {
    const { place, wire, view, keyboardOn } = this.deps;
    for (const part of parts) await wire.remove(place, part);
    const title = view().title ?? 'Plan';
    const body = closed ?? run(`📋 ${title}: shown further down.`);
    await wire.edit(place, message, body, keyboardOn(message), 'always');
  }

  private sections(view: SessionView) {
    return planSections(view, { footer: this.deps.footer(), limits: messageLimits });
  }

  private keep(card: Card | null): void {
    this.card = card;
    if (card === null) this.closed = null;
    this.deps.save(card);
  }
}
