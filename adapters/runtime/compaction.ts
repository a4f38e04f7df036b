import {
  contextFigure,
  type ContextUse,
  contextWindow,
  corrected,
  type Counted,
  estimateTokens,
  type FullCause,
  isFull,
  isOver,
  phaseOf,
  recoveryOf,
  type SessionSnapshot,
  shares,
} from '../../machines/index.ts';
import type { ModelMessage, ModelRequest, TranscriptEntry } from '../ports.ts';
import { costFrom, cutText, type Kept, keptLines, keptOf, tailStart } from './compaction-history.ts';
import { conversationText, type Summary, summaryBy } from './compaction-summary.ts';
import { toMessages } from './conversation.ts';
import type { TurnWorld } from './turn-world.ts';

/** What a process has learned about the model's window with this session; in memory only. */
export interface ContextMemory {
  last: Counted | null;
  /** A provider that refuses a request as too long tells that its window is smaller than thought. */
  window: number | null;
  /** Use after the newest compaction: another one before it has grown again would gain nothing. */
  floor: number;
}

export const newMemory = (): ContextMemory => ({ last: null, window: null, floor: 0 });

/** `asked`: a person said /compact. */
export type CompactionCause = 'asked' | FullCause;

/** `none`: there was nothing to make shorter, and the request fits. */
export type Compaction = 'done' | 'none' | 'full' | 'aborted';

/** Characters that are left of an old tool output, and of a newer one where that is not enough. */
const cuts = { old: 200, newer: 2000 } as const;

/** The conversation of one turn as the model gets it, and how it is made shorter (D27). */
export class Conversation {
  private readonly world: TurnWorld;
  private readonly history: readonly TranscriptEntry[];
  /** The request anew for every step, so that the reminder is that of the present state (D28). */
  readonly build: () => Promise<ModelRequest>;

  constructor(world: TurnWorld, history: readonly TranscriptEntry[], build: () => Promise<ModelRequest>) {
    this.world = world;
    this.history = history;
    this.build = build;
  }

  /** Whether the conversation has to be made shorter before this request is sent. Tells surfaces how full it is. */
  isFull(request: ModelRequest): boolean {
    const use = this.useOf(request);
    this.world.publish({ type: 'context', ...use });
    const hasGrown = use.used > this.world.context.floor + use.window * shares.growth;
    return isOver(use) || (isFull(use) && hasGrown);
  }

  /** What the provider counted for a request, for better estimates from now on. */
  counted(request: ModelRequest | null, usage: { input: number; output: number } | undefined): void {
    if (request === null || usage === undefined || usage.input <= 0) return;
    this.world.context.last = { estimate: estimateOf(request), counted: usage.input };
    this.world.publish({ type: 'context', used: usage.input + usage.output, window: this.window });
  }

  /** Makes the conversation shorter and says so. Never ends the turn or the lease. Throws what the store throws. */
  async compact(cause: CompactionCause): Promise<Compaction> {
    const before = this.useOf(await this.build());
    if (cause === 'refused') this.learn(before);
    const done = await this.shorten(cause);
    if (done === 'aborted') return 'aborted';
    const after = this.useOf(await this.build());
    this.world.context.floor = after.used;
    this.world.publish({ type: 'context', ...after });
    if (isOver(after)) return 'full';
    if (done === 'none') return cause === 'refused' ? 'full' : 'none';
    this.say('info', `Compacted. ${contextFigure(before)} before, ${contextFigure(after)} now.`);
    return 'done';
  }

  private get window(): number {
    const { model, context } = this.world;
    const stated = contextWindow(model.name, model.context ?? null);
    return Math.min(stated, context.window ?? stated);
  }

  private useOf(request: ModelRequest): ContextUse {
    return { used: corrected(estimateOf(request), this.world.context.last), window: this.window };
  }

  private learn({ used, window }: ContextUse): void {
    this.world.context.window = Math.min(window, Math.floor(used * 0.9));
  }

  /** A summary; where there is none, or where it is not enough, outputs are cut. */
  private async shorten(cause: CompactionCause): Promise<'done' | 'none' | 'aborted'> {
    const { snapshot } = await this.world.fresh();
    const kept = keptOf(this.history);
    const tail = this.tailOf(kept, snapshot, cause);
    const summary = await this.summary(kept, tail, cause);
    if (summary === 'aborted') return 'aborted';
    const summed = summary !== null && 'text' in summary;
    if (summed) await this.note(tail, { summary: cutText(summary.text, this.window * shares.summary * 4) });
    else if (summary !== null)
      this.say('error', `No summary: ${summary.cause} Old tool outputs are cut instead.`);
    if (summed && !(await this.stillFull())) return 'done';
    const cut = await this.cut(tail, cuts.old);
    if (cause === 'asked' || !(await this.stillFull())) return summed || cut ? 'done' : 'none';
    const fixed = this.implementStart(kept, snapshot, 'strict') ?? this.history.length;
    return (await this.cut(fixed, cuts.newer)) || summed || cut ? 'done' : 'none';
  }

  private async stillFull(): Promise<boolean> {
    return isFull(this.useOf(await this.build()));
  }

  /** From where on the conversation stays word for word. */
  private tailOf(kept: Kept, snapshot: SessionSnapshot, cause: CompactionCause): number {
    const budget = this.window * (cause === 'asked' ? shares.askedTail : shares.tail);
    const recent = tailStart(kept.lines, kept.from, budget);
    return Math.min(recent, this.implementStart(kept, snapshot, 'fitting') ?? recent);
  }

  /**
   * Where the implement message of the live plan is: it and all after it stay word for word, strictly while the
   * seed window is shut, later as far as there is room (decision 0040). Null where nothing has to stay.
   */
  private implementStart(
    { lines, from }: Kept,
    snapshot: SessionSnapshot,
    how: 'strict' | 'fitting',
  ): number | null {
    const phase = phaseOf(snapshot);
    const designed = snapshot.context.plan?.track === 'design';
    if (this.world.agent.kind !== 'main' || !designed || (phase !== 'seeding' && phase !== 'checklist'))
      return null;
    const at = lines.findLastIndex((line) => line.type === 'user' && line.kind === 'seed');
    if (at < from) return null;
    if (phase === 'seeding') return at;
    return how === 'fitting' && costFrom(lines, at) <= this.window * shares.implement ? at : null;
  }

  /** Null where there is too little before the tail to be worth a summary. */
  private async summary(kept: Kept, tail: number, cause: CompactionCause): Promise<Summary | null> {
    const { world } = this;
    const dropped = keptLines({ ...kept, lines: kept.lines.slice(0, tail) });
    // What opened this turn stays word for word, whatever the summary says of it.
    const gained = dropped.filter((line) => line.type !== 'user' || line.turn !== world.turn);
    if (costFrom(gained, 0) <= (cause === 'asked' ? 0 : this.window * shares.gain)) return null;
    this.say('info', 'The conversation is being compacted…');
    const text = conversationText(kept.summary, toMessages(dropped), this.window * shares.summarised);
    const words = Math.max(100, Math.min(1200, Math.floor(this.window * shares.summary * 0.5)));
    const request: ModelRequest = {
      system: world.prompts.render('compaction-request', { words }),
      messages: [
        { role: 'user', text: world.prompts.render('compaction-conversation', { conversation: text }) },
      ],
      tools: [],
    };
    const retrying = (part: { cause: string; attempt: number; of: number }): void =>
      this.say('info', `${part.cause} Trying again (${part.attempt} of ${part.of}).`);
    return summaryBy(world.model, request, retrying, world.signal);
  }

  /** Whether anything before the index was longer than the limit. */
  private async cut(before: number, limit: number): Promise<boolean> {
    const { lines, from } = keptOf(this.history);
    const long = lines
      .slice(from, before)
      .some((line) => line.type === 'tool' && line.text.length > limit * 2);
    if (long) await this.note(before, { limit });
    return long;
  }

  /** The line stands at the end of the transcript; everything from `tail` on stays as it is. */
  private async note(
    tail: number,
    how: Extract<TranscriptEntry, { type: 'compacted' }>['how'],
  ): Promise<void> {
    const { turn, clock } = this.world;
    const length = Math.max(0, this.history.length - tail);
    await this.world.record({ v: 1, at: clock.now(), type: 'compacted', turn, tail: length, how });
  }

  private say(level: 'info' | 'error', text: string): void {
    this.world.publish({ type: 'notice', level, text });
  }
}

/** The transcript as messages; a summary of what is not word for word comes first, with the state as it is now. */
export function messagesOf(
  world: TurnWorld,
  history: readonly TranscriptEntry[],
  snapshot: SessionSnapshot,
): ModelMessage[] {
  const kept = keptOf(history);
  const messages = toMessages(keptLines(kept));
  if (kept.summary === null) return messages;
  const recovery = world.agent.kind === 'main' ? recoveryOf(snapshot) : null;
  const state = recovery === null ? '' : world.prompts.render(recovery.prompt, recovery.variables);
  const text = world.prompts.render('compaction-summary', { summary: kept.summary, state });
  return [{ role: 'user', text }, ...messages];
}

function estimateOf({ system, messages, tools }: ModelRequest): number {
  return estimateTokens(JSON.stringify([system, messages, tools]));
}
