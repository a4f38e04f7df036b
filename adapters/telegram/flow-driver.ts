import type { InlineKeyboardMarkup } from 'grammy/types';
import {
  type FlowContent,
  type FlowEffect,
  type FlowEvent,
  flowRecord,
  type FlowSnapshot,
  flowStart,
  flowStep,
  isFlowDone,
  restoreFlow,
} from '../../machines/index.ts';
import { type Rich, run } from './html/rich.ts';
import type { Place } from './place.ts';
import type { Unsent, Wire } from './wire.ts';

/** A flow message as it is sent, or how many of its entries have room. */
export type Drawn =
  | { kind: 'fits'; body: Rich; plan: 'shown' | 'none'; delivered: string | null }
  | { kind: 'overflow'; fits: number };

export interface FlowDeps {
  place: Place;
  wire: Pick<Wire, 'post' | 'edit' | 'remove'>;
  now: () => number;
  /** Stores every flow message that is still owed something, before anything is sent. */
  save: (records: unknown[]) => void;
  draw: (content: FlowContent) => Drawn;
  keyboardOn: (message: number) => InlineKeyboardMarkup;
  /** A message landed: what it shows of the plan was delivered, `text` being the hash of a whole text (D45). */
  landed: (message: number, text: string | null) => void;
  /** A copy further up is deleted. */
  dropped: (message: number) => void;
}

type Input = FlowEvent extends infer E ? (E extends FlowEvent ? Omit<E, 'now'> : never) : never;

/** The flow messages of one place: the newest, and older ones whose last edit has not landed yet. */
export class FlowDriver {
  private readonly deps: FlowDeps;
  private flows: FlowSnapshot[];
  /** Turns whose message shows something of a plan, as far as this program has drawn it. */
  private readonly planless = new Set<string>();
  /** Every message that this program has shown a turn in. */
  private readonly known: Set<number>;

  constructor(stored: readonly unknown[], deps: FlowDeps) {
    this.deps = deps;
    this.flows = stored.map(restoreFlow).filter((flow) => flow !== null);
    this.known = new Set(
      this.flows.flatMap(({ context: { message, stale, leaving } }) => {
        const ids = [message, leaving?.message ?? null, ...stale];
        return ids.filter((id) => id !== null);
      }),
    );
  }

  /** The turn of the newest flow message, while it runs. */
  get running(): string | null {
    const newest = this.newest;
    return newest === null || newest.context.outcome !== null ? null : newest.context.turn;
  }

  /** The message that shows the plan: the newest one, or an older one while the newest turn has none. */
  get shows(): number | null {
    return this.holder?.context.message ?? null;
  }

  /** Something of the newest turn is still to be sent. */
  get owes(): boolean {
    return this.newest !== null && !isFlowDone(this.newest);
  }

  get isClosed(): boolean {
    return this.newest?.value === 'closed';
  }

  /** A turn begins: its message takes the plan over from the older ones once it is there (D33). */
  begin(turn: string): void {
    this.flows = [...this.flows, flowStart(turn, this.deps.now())];
  }

  /** Of turns that the last program did not end (D37). */
  interrupt(): void {
    for (const flow of this.flows) {
      if (flow.context.outcome === null) this.stepOn(flow, { type: 'turn.ended', outcome: 'interrupted' });
    }
  }

  /** Something happened in the newest turn. */
  step(event: Input): void {
    const newest = this.newest;
    if (newest !== null) this.stepOn(newest, event);
  }

  /** What stands where the plan is, in all messages, or in those that are older than the one that shows it (D33). */
  sections(sections: Extract<FlowEvent, { type: 'sections' }>['sections'], which: 'older' | 'all'): void {
    const { holder } = this;
    const flows =
      which === 'all' || holder === null ? this.flows : this.flows.slice(0, this.flows.indexOf(holder));
    for (const flow of flows) {
      const { turn, sections: now } = flow.context;
      if (sections.kind !== 'plan' && this.planless.has(turn)) continue;
      if (now.kind === 'plan') this.stepOn(flow, { type: 'sections', sections });
    }
    this.flows = this.flows.filter((flow) => this.isNeeded(flow));
  }

  /** A message of the bot that says that a turn runs: one that nobody heard of when it was sent says so no longer (0060). */
  met(message: number): void {
    if (this.known.has(message)) return;
    const { wire, place, keyboardOn } = this.deps;
    const text = '⤵️ An old copy: its turn is shown in another message.';
    void wire.edit(place, message, run(text), keyboardOn(message), 'always');
  }

  /** Nothing is done where nothing is owed, so an idle chat costs no call. */
  tick(): void {
    for (const flow of this.flows) if (!isFlowDone(flow)) this.stepOn(flow, { type: 'tick' });
  }

  private get newest(): FlowSnapshot | null {
    return this.flows.at(-1) ?? null;
  }

  private get holder(): FlowSnapshot | null {
    const { newest } = this;
    const holds = ({ context: { message, sections, place } }: FlowSnapshot): boolean =>
      message !== null && sections.kind === 'plan' && place === 'there';
    if (newest === null || newest.context.message !== null)
      return newest !== null && holds(newest) ? newest : null;
    return this.flows.findLast((flow) => holds(flow) && !this.planless.has(flow.context.turn)) ?? null;
  }

  private stepOn(flow: FlowSnapshot, event: Input): void {
    const at = this.flows.findIndex(({ context }) => context.turn === flow.context.turn);
    const current = this.flows[at];
    if (current === undefined) return;
    const [next, effects] = flowStep(current, { ...event, now: this.deps.now() });
    this.flows[at] = next;
    const { turn } = next.context;
    if (effects.length > 0 || event.type === 'turn.ended' || next.value !== current.value) this.save();
    for (const effect of effects) void this.carryOut(turn, effect);
  }

  /** Not the newest, nothing owed, and no plan in it that a newer message would have to take over. */
  private isNeeded(flow: FlowSnapshot): boolean {
    if (flow === this.newest || !isFlowDone(flow)) return true;
    const { turn, sections, place } = flow.context;
    return place === 'there' && sections.kind === 'plan' && !this.planless.has(turn);
  }

  private save(): void {
    this.flows = this.flows.filter((flow) => this.isNeeded(flow));
    this.deps.save(this.flows.map(flowRecord));
  }

  private async carryOut(turn: string, effect: FlowEffect): Promise<void> {
    const answer = await this.sent(turn, effect);
    const flow = this.flows.find(({ context }) => context.turn === turn);
    if (flow === undefined) return;
    const before = flow.context.message;
    this.stepOn(flow, answer.event);
    // The answer is in the record before anybody acts on it.
    this.save();
    if (answer.event.type === 'posted') this.known.add(answer.event.message);
    if (answer.event.type === 'posted') this.deps.landed(answer.event.message, answer.delivered);
    else if (answer.event.type === 'edited' && before !== null) this.deps.landed(before, answer.delivered);
  }

  private async sent(turn: string, effect: FlowEffect): Promise<{ event: Input; delivered: string | null }> {
    const { wire, place, draw, keyboardOn, dropped } = this.deps;
    if (effect.type === 'delete') {
      dropped(effect.message);
      const removed = await wire.remove(place, effect.message);
      return { event: removed.kind === 'sent' ? { type: 'deleted' } : unsent(removed), delivered: null };
    }
    const drawn = draw(effect.content);
    if (drawn.kind === 'overflow') return { event: { type: 'overflow', fits: drawn.fits }, delivered: null };
    const { body, delivered } = drawn;
    if (drawn.plan === 'shown') this.planless.delete(turn);
    else this.planless.add(turn);
    if (effect.type === 'post') {
      const posted = await wire.post(place, body, { notify: 'no', keep: 'droppable' });
      const message = posted.kind === 'sent' ? posted.messages.at(-1) : undefined;
      if (posted.kind !== 'sent') return { event: unsent(posted), delivered: null };
      return message === undefined
        ? { event: { type: 'failed', until: null }, delivered: null }
        : { event: { type: 'posted', message }, delivered };
    }
    const keep = effect.type === 'settle' ? 'always' : 'droppable';
    const edited = await wire.edit(place, effect.message, body, keyboardOn(effect.message), keep);
    return { event: edited.kind === 'sent' ? { type: 'edited' } : unsent(edited), delivered };
  }
}

const unsent = (result: Unsent): Input =>
  result.kind === 'gone' ? { type: 'gone' } : { type: 'failed', until: result.until };
