import {
  type Actor,
  type Answer,
  derive,
  type Effect,
  type Lease,
  refusals,
  type Said,
  select,
  type SessionSnapshot,
  type SessionView,
  settle,
} from '../../machines/index.ts';
import type {
  ModelPort,
  PromptAnswer,
  Published,
  Revision,
  SessionHandle,
  SkillList,
  TranscriptEntry,
} from '../ports.ts';
import { withoutEchoes, withResults } from './conversation.ts';
import type { Dispatched } from './dispatch.ts';
import { noSkills } from './extensions.ts';
import { Follower } from './follower.ts';
import { noticeOf } from './notices.ts';
import { OwnQueue } from './own-queue.ts';
import { createPromptDesk, type PromptDesk } from './prompt-desk.ts';
import { TurnHost } from './turn-host.ts';
import type { RuntimeWorld } from './turn-world.ts';
import { messageOf } from './message-of.ts';

/** How often a cancel, a vanished file and the owner of another process's turn are looked for, in ms (D10, D15, D16). */
const pollMs = 250;

/** One open session of this process: sends events, publishes snapshots, carries out turn effects. */
/** What a person who completes a path can wait for, in ms. */
const filesMs = 2000;
const filesLimit = 20_000;

export class RuntimeSession implements SessionHandle {
  readonly id: string;
  private readonly world: RuntimeWorld;
  private readonly listeners = new Set<(published: Published) => void>();
  private readonly desk: PromptDesk;
  private readonly host: TurnHost;
  private readonly queue: OwnQueue;
  private readonly follower: Follower;
  private readonly closing = new AbortController();
  private snapshot: SessionSnapshot;
  private using: ModelPort;
  private drawn = '';
  /** Dispatches under way, and those that brought something. */
  private sending = 0;
  private adopted = 0;
  /** What loading had to say before a surface was there to hear it; null from then on. */
  private unheard: Published[] | null = [];

  private constructor(id: string, world: RuntimeWorld, snapshot: SessionSnapshot) {
    this.id = id;
    this.world = world;
    this.snapshot = snapshot;
    this.using = world.model;
    const publish = (published: Published): void => this.publish(published);
    this.desk = createPromptDesk({
      newId: () => world.clock.id(),
      opened: (prompt) => publish({ type: 'prompt.opened', turn: this.view().running?.turn ?? '', prompt }),
      closed: (prompt, reason) => publish({ type: 'prompt.closed', id: prompt, reason }),
    });
    const send = (said: Said): Promise<Answer> => this.send(said);
    const letGo = (turn: string): void => world.dispatcher.letGo(turn);
    this.host = new TurnHost(world, {
      id,
      desk: this.desk,
      model: () => this.using,
      send,
      publish,
      letGo,
      fresh: () => this.fresh(),
    });
    this.queue = new OwnQueue({
      process: world.process,
      working: () => this.host.busy,
      snapshot: () => this.snapshot,
      send,
      publish,
      signal: this.closing.signal,
    });
    this.follower = this.createFollower();
  }

  /** Loads the session, commits what loading finds, and follows its files until `close`. */
  static async open(id: string, world: RuntimeWorld): Promise<RuntimeSession> {
    const loaded = await world.dispatcher.refresh(id, 'missing');
    const session = new RuntimeSession(id, world, loaded.snapshot);
    session.adopt(loaded);
    world.store.watch(id, () => void session.follower.look(), session.closing.signal);
    const poll = setInterval(() => void session.follower.tick(), pollMs);
    session.closing.signal.addEventListener('abort', () => clearInterval(poll));
    return session;
  }

  get paths() {
    return this.world.store.paths(this.id);
  }

  get model() {
    return { name: this.using.name, label: this.using.label };
  }

  get cwd(): string {
    return this.snapshot.context.record.cwd;
  }

  view(): SessionView {
    return select(this.snapshot, this.world.process);
  }

  subscribe(listener: (published: Published) => void): () => void {
    this.listeners.add(listener);
    const { unheard } = this;
    this.unheard = null;
    for (const published of unheard ?? []) queueMicrotask(() => listener(published));
    return () => this.listeners.delete(listener);
  }

  async transcript(): Promise<readonly TranscriptEntry[]> {
    const { entries } = await this.world.store.transcript(this.id);
    return withResults(withoutEchoes(entries), this.view().running?.turn ?? null);
  }

  revisions(): Promise<readonly Revision[]> {
    return this.world.store.revisions(this.id);
  }

  revision(hash: string): Promise<string | null> {
    return this.world.store.revision(this.id, hash);
  }

  seen(by: Actor): Promise<readonly string[]> {
    return this.world.store.seen(this.id, by);
  }

  saw(hash: string, by: Actor): Promise<void> {
    return this.world.store.saw(this.id, hash, by);
  }

  async files(): Promise<readonly string[]> {
    const { workspace } = this.world;
    const folder = await workspace.resolve('.', 'read', this.cwd);
    if ('cause' in folder) return [];
    const walked = await workspace.files.walk(folder.path, filesLimit, AbortSignal.timeout(filesMs));
    return 'cause' in walked ? [] : walked.files;
  }

  skills(): Promise<SkillList> {
    return (this.world.skills ?? noSkills).list(this.cwd);
  }

  answer(prompt: string, answer: PromptAnswer): boolean {
    return this.desk.answer(prompt, answer);
  }

  /** A write that failed is an answer like any other: what failed, on which path, what to do. Never rejects. */
  async send(said: Said): Promise<Answer> {
    if (said.type.startsWith('user.') || said.type === 'queue.send') this.queue.retry();
    this.sending += 1;
    const result = await this.world.dispatcher.dispatch(this.id, said).catch(messageOf);
    this.sending -= 1;
    if (typeof result === 'string') {
      // What stands after a failure, only the files tell.
      await this.follower.lookAnew();
      return { kind: 'refused', code: 'NOT_SAVED', text: refusals.NOT_SAVED({ cause: result }) };
    }
    this.adopt(result, 'item' in said ? said.item : null);
    return result.answer ?? { kind: 'view', text: '' };
  }

  async useModel(name: string, by: Actor): Promise<Answer | { kind: 'wrong'; text: string }> {
    const answer = await this.send({ type: 'user.switch', by });
    if ('code' in answer) return answer;
    const opened = await this.world.openModel(name);
    if ('error' in opened) return { kind: 'wrong', text: opened.error };
    this.using = opened;
    this.host.modelChanged();
    return { kind: 'accepted', text: `The next turn asks ${opened.name}.` };
  }

  /** Resolves when no turn of this process runs. */
  idle(): Promise<void> {
    return this.host.idle();
  }

  /** Cancels the running turn, waits for its end and lets go of the session. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.host.stop();
    this.world.dispatcher.leave(this.id);
    this.listeners.clear();
  }

  /** Contract: never throws. A listener that does is a defect of its surface, and ends the program as one. */
  private publish(published: Published): void {
    this.world.observe?.(this.id, published);
    if (published.type === 'notice' || published.type === 'returned') this.unheard?.push(published);
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
    this.queue.compare(snapshot, [...returned.map(({ id }) => id), ...(item === null ? [] : [item])]);
    this.show(snapshot);
    for (const warning of warnings) this.tell('error', warning);
    for (const effect of effects) this.carryOut(effect);
    void this.queue.take();
  }

  private show(snapshot: SessionSnapshot): void {
    this.snapshot = snapshot;
    this.host.keepTo(snapshot.context.record.lease?.turn ?? null);
    const view = select(snapshot, this.world.process);
    const drawn = JSON.stringify(view);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.publish({ type: 'view', view });
  }

  private carryOut(effect: Effect): void {
    if (effect.type === 'turn.start') this.host.start(effect);
    if (effect.type === 'turn.abort') this.host.abort(effect.turn);
    if (effect.type === 'queue.returned') this.queue.giveBack(effect.items, effect.why);
    const text = noticeOf(effect);
    if (text !== null) this.tell('info', text);
  }

  private createFollower(): Follower {
    const { world, id, host } = this;
    return new Follower({
      read: () => world.store.read(id),
      now: () => Date.parse(world.clock.now()),
      mark: () => (this.sending > 0 ? null : this.adopted),
      refresh: async (occasion) => this.adopt(await world.dispatcher.refresh(id, occasion)),
      show: (snapshot) => {
        this.queue.compare(snapshot, []);
        this.show(snapshot);
        void this.queue.take();
      },
      abort: (turn) => host.abort(turn),
      endOverdue: (lease) => this.endOverdue(lease),
      tell: (text) => this.tell('error', text),
      signal: this.closing.signal,
    });
  }

  private async endOverdue({ turn, group }: Lease): Promise<void> {
    await this.world.workspace.endGroup(group, turn);
    this.host.abandon(turn);
    this.adopt(await this.world.dispatcher.dispatch(this.id, { type: 'turn.end', turn, outcome: 'lost' }));
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
