import {
  type Answer,
  derive,
  type Effect,
  type Lease,
  type QueueItem,
  refusals,
  type Said,
  select,
  type SessionSnapshot,
  type SessionView,
  settle,
} from '../../machines/index.ts';
import type {
  Clock,
  ModelPort,
  PromptAnswer,
  PromptTexts,
  Published,
  SessionHandle,
  SessionStore,
  TranscriptEntry,
  Workspace,
} from '../ports.ts';
import type { Dispatched, Dispatcher } from './dispatch.ts';
import { noticeOf, returnedText, waitingText } from './notices.ts';
import { createPromptDesk, type PromptDesk } from './prompt-desk.ts';
import { TurnHost } from './turn-host.ts';

export interface RuntimeWorld {
  store: SessionStore;
  dispatcher: Dispatcher;
  workspace: Workspace;
  model: ModelPort;
  prompts: PromptTexts;
  clock: Clock;
  process: string;
}

/** How often a cancel, a vanished file and the owner of another process's turn are looked for, in ms (D10, D15, D16). */
const pollMs = 250;
/** A `.md` that stayed away this long is gone; editors save by rename (D10). */
const missingMs = 2000;
/** A turn that has not ended this long after a cancel is ended from outside (D16). */
const overdueMs = 10_000;

/** One open session of this process: sends events, publishes snapshots, carries out turn effects. */
export class RuntimeSession implements SessionHandle {
  readonly id: string;
  private readonly world: RuntimeWorld;
  private readonly listeners = new Set<(published: Published) => void>();
  private readonly desk: PromptDesk;
  private readonly host: TurnHost;
  private readonly closing = new AbortController();
  private snapshot: SessionSnapshot;
  private drawn = '';
  private taking = false;
  /** A waiting message that could not be taken; the next act of a person tries again. */
  private stuck: string | null = null;
  private looking = false;
  private lookFault: string | null = null;
  /** Count what dispatches ask and brought, so that a slower look never shows an older state after them. */
  private sending = 0;
  private adopted = 0;
  private missingSince: number | null = null;
  /** What loading had to say before a surface was there to hear it. */
  private unheard: Published[] | null = [];

  private constructor(id: string, world: RuntimeWorld, snapshot: SessionSnapshot) {
    this.id = id;
    this.world = world;
    this.snapshot = snapshot;
    const publish = (published: Published): void => this.publish(published);
    this.desk = createPromptDesk({
      newId: () => world.clock.id(),
      opened: (prompt) => publish({ type: 'prompt.opened', turn: this.view().running?.turn ?? '', prompt }),
      closed: (prompt, reason) => publish({ type: 'prompt.closed', id: prompt, reason }),
    });
    const send = (said: Said): Promise<Answer> => this.send(said);
    const letGo = (turn: string): void => world.dispatcher.letGo(turn);
    this.host = new TurnHost(world, { id, desk: this.desk, send, publish, letGo, fresh: () => this.fresh() });
  }

  /** Loads the session, commits what loading finds, and follows its files until `close`. */
  static async open(id: string, world: RuntimeWorld): Promise<RuntimeSession> {
    const loaded = await world.dispatcher.refresh(id, 'missing');
    const session = new RuntimeSession(id, world, loaded.snapshot);
    session.adopt(loaded);
    world.store.watch(id, () => void session.look(), session.closing.signal);
    const poll = setInterval(() => void session.look(), pollMs);
    session.closing.signal.addEventListener('abort', () => clearInterval(poll));
    return session;
  }

  get paths() {
    return this.world.store.paths(this.id);
  }

  get model() {
    return { name: this.world.model.name, label: this.world.model.label };
  }

  get cwd(): string {
    return this.snapshot.context.record.cwd;
  }

  view(): SessionView {
    return select(this.snapshot);
  }

  subscribe(listener: (published: Published) => void): () => void {
    this.listeners.add(listener);
    const { unheard } = this;
    this.unheard = null;
    for (const published of unheard ?? []) queueMicrotask(() => listener(published));
    return () => this.listeners.delete(listener);
  }

  async transcript(): Promise<readonly TranscriptEntry[]> {
    return (await this.world.store.transcript(this.id)).entries;
  }

  answer(prompt: string, answer: PromptAnswer): boolean {
    return this.desk.answer(prompt, answer);
  }

  /** A write that failed is an answer like any other: what failed, on which path, what to do. Never rejects. */
  async send(said: Said): Promise<Answer> {
    if (said.type.startsWith('user.')) this.stuck = null;
    this.sending += 1;
    const result = await this.world.dispatcher.dispatch(this.id, said).catch(messageOf);
    this.sending -= 1;
    if (typeof result === 'string') {
      // What stands after a failure, only the files tell.
      await this.look();
      return { kind: 'refused', code: 'NOT_SAVED', text: refusals.NOT_SAVED({ cause: result }) };
    }
    this.adopt(result, 'item' in said ? said.item : null);
    return result.answer ?? { kind: 'view', text: '' };
  }

  /** Resolves when no turn of this process runs. */
  idle(): Promise<void> {
    return this.host.idle();
  }

  /** Cancels the running turn, waits for its end and lets go of the session. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.host.stop();
    this.listeners.clear();
  }

  /** Contract: never throws. A listener that does is a defect of its surface, and ends the program as one. */
  private publish(published: Published): void {
    this.unheard?.push(published);
    for (const listener of this.listeners) {
      try {
        listener(published);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  private tell(level: 'info' | 'error', text: string): void {
    this.publish({ type: 'notice', level, text });
  }

  /** `item` is the waiting message that this dispatch took or dropped. */
  private adopt({ snapshot, effects, warnings }: Dispatched, item: string | null = null): void {
    this.adopted += 1;
    const returned = effects.flatMap((effect) => (effect.type === 'queue.returned' ? effect.items : []));
    this.handBack(snapshot, [...returned.map(({ id }) => id), ...(item === null ? [] : [item])]);
    this.show(snapshot);
    for (const warning of warnings) this.tell('error', warning);
    for (const effect of effects) this.carryOut(effect);
    void this.takeQueued();
  }

  /** Waiting messages of this process that another process took out of the queue, by /stop or /discard, come back (D26). */
  private handBack(next: SessionSnapshot, accounted: readonly string[]): void {
    const kept = new Set([...next.context.record.queue.map(({ id }) => id), ...accounted]);
    const gone = this.snapshot.context.record.queue.filter((item) => !kept.has(item.id));
    this.giveBack(gone, 'cancelled');
  }

  private giveBack(items: readonly QueueItem[], why: 'cancelled' | 'not applicable'): void {
    const own = items.filter(({ process }) => process === this.world.process);
    for (const { said } of own) this.publish({ type: 'returned', text: waitingText(said) });
    if (own.length > 0) this.tell('info', returnedText(why));
  }

  private show(snapshot: SessionSnapshot): void {
    this.snapshot = snapshot;
    const view = select(snapshot);
    const drawn = JSON.stringify(view);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.publish({ type: 'view', view });
  }

  private carryOut(effect: Effect): void {
    if (effect.type === 'turn.start') this.host.start(effect);
    if (effect.type === 'turn.abort') this.host.abort(effect.turn);
    if (effect.type === 'queue.returned') this.giveBack(effect.items, effect.why);
    const text = noticeOf(effect);
    if (text !== null) this.tell('info', text);
  }

  /** The oldest message of this process is decided anew when no turn runs (D26). Never rejects. */
  private async takeQueued(): Promise<void> {
    const { lease, queue } = this.snapshot.context.record;
    const item = queue.find(({ process }) => process === this.world.process);
    if (item === undefined || item.id === this.stuck || lease !== null) return;
    if (this.host.busy || this.taking || this.closing.signal.aborted) return;
    this.taking = true;
    const answer = await this.send({ type: 'queue.take', item: item.id });
    this.taking = false;
    if ('code' in answer && answer.code === 'NOT_SAVED') {
      this.stuck = item.id;
      this.tell('error', answer.text);
    }
    // A message that started no turn leaves the way open for the next one; one that came too late waits on.
    await this.takeQueued();
  }

  /** Reads the files without the lock; only a finding that has to be committed takes it. Never rejects. */
  private async look(): Promise<void> {
    if (this.looking || this.closing.signal.aborted) return;
    this.looking = true;
    try {
      await this.follow();
      this.lookFault = null;
    } catch (error) {
      // A file in the middle of a change, or a disk that fails: the next look tells, an act reports it.
      const text = messageOf(error);
      if (text !== this.lookFault) this.tell('error', text);
      this.lookFault = text;
    } finally {
      this.looking = false;
    }
  }

  private async follow(): Promise<void> {
    const { adopted } = this;
    const { found, snapshot } = derive(await this.world.store.read(this.id));
    const { lease } = snapshot.context.record;
    if (lease?.cancel) await this.cancel(lease, lease.cancel.at);
    if (adopted !== this.adopted || this.sending > 0) return;
    const missing = found.some(({ type }) => type === 'file.lost');
    const waited = this.missingFor(missing);
    try {
      if (found.some(({ type }) => type !== 'file.lost') || waited >= missingMs) {
        this.adopt(await this.world.dispatcher.refresh(this.id, waited >= missingMs ? 'missing' : 'watch'));
        return;
      }
    } catch (error) {
      // What was found can't be committed now; the files are as they are.
      this.show(snapshot);
      throw error;
    }
    this.handBack(snapshot, []);
    this.show(snapshot);
    void this.takeQueued();
  }

  /** The request may come from another process; a turn that does not end is ended by whoever sees it (D16). */
  private async cancel({ turn, group }: Lease, at: string): Promise<void> {
    this.host.abort(turn);
    if (Date.parse(this.world.clock.now()) - Date.parse(at) < overdueMs) return;
    if (group !== null) await this.world.workspace.endGroup(group);
    this.host.abandon(turn);
    await this.send({ type: 'turn.end', turn, outcome: 'lost' });
  }

  private missingFor(missing: boolean): number {
    if (!missing) {
      this.missingSince = null;
      return 0;
    }
    const now = Date.parse(this.world.clock.now());
    this.missingSince ??= now;
    return now - this.missingSince;
  }

  private async fresh() {
    const stored = await this.world.store.read(this.id);
    const derived = derive(stored);
    // What loading would commit is part of the state, whether or not somebody has committed it yet.
    const stamp = { at: this.world.clock.now(), ids: ['', ''], process: this.world.process };
    const snapshot = settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot;
    return { stored, snapshot };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
