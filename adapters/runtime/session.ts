import {
  type Answer,
  derive,
  type Effect,
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
import { noticeOf } from './notices.ts';
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
  private looking = false;
  /** Counts what dispatches brought, so that a slower look never shows an older state after them. */
  private adopted = 0;
  private missingSince: number | null = null;

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
    this.host = new TurnHost(world, { id, desk: this.desk, send, publish, fresh: () => this.fresh() });
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
    return () => this.listeners.delete(listener);
  }

  async transcript(): Promise<readonly TranscriptEntry[]> {
    return (await this.world.store.transcript(this.id)).entries;
  }

  answer(prompt: string, answer: PromptAnswer): boolean {
    return this.desk.answer(prompt, answer);
  }

  /** A write that failed is an answer like any other: what failed, on which path, and nothing was changed. */
  async send(said: Said): Promise<Answer> {
    try {
      const result = await this.world.dispatcher.dispatch(this.id, said);
      this.adopt(result);
      return result.answer ?? { kind: 'view', text: '' };
    } catch (error) {
      return notSaved(error);
    }
  }

  /** Resolves when no turn of this process runs. */
  idle(): Promise<void> {
    return this.host.idle();
  }

  /** Cancels the running turn, waits for its end and lets go of the session. */
  async close(): Promise<void> {
    await this.host.stop();
    this.closing.abort();
    this.listeners.clear();
  }

  private publish(published: Published): void {
    for (const listener of this.listeners) listener(published);
  }

  private adopt({ snapshot, effects }: Pick<Dispatched, 'snapshot' | 'effects'>): void {
    this.adopted += 1;
    this.show(snapshot);
    for (const effect of effects) this.carryOut(effect);
    void this.takeQueued();
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
    if (effect.type === 'queue.returned') {
      const own = effect.items.filter(({ process }) => process === this.world.process);
      for (const { said } of own) this.publish({ type: 'returned', text: textOf(said) });
    }
    const text = noticeOf(effect);
    if (text !== null) this.publish({ type: 'notice', level: 'info', text });
  }

  /** The oldest message of this process is decided anew when no turn runs (D26). */
  private async takeQueued(): Promise<void> {
    const { lease, queue } = this.snapshot.context.record;
    const item = queue.find(({ process }) => process === this.world.process);
    if (item === undefined || lease !== null || this.host.busy || this.taking) return;
    if (this.closing.signal.aborted) return;
    this.taking = true;
    const answer = await this.send({ type: 'queue.take', item: item.id });
    this.taking = false;
    if ('code' in answer) this.publish({ type: 'notice', level: 'error', text: answer.text });
    // A message that started no turn leaves the way open for the next one; a failed write waits for a new event.
    else await this.takeQueued();
  }

  /** Reads the files without the lock; only a finding that has to be committed takes it. */
  private async look(): Promise<void> {
    if (this.looking || this.closing.signal.aborted) return;
    this.looking = true;
    try {
      await this.follow();
    } catch (error) {
      // A file in the middle of a change, or a disk that fails: the next look tells, an act reports it.
      this.publish({ type: 'notice', level: 'error', text: messageOf(error) });
    } finally {
      this.looking = false;
    }
  }

  private async follow(): Promise<void> {
    const { adopted } = this;
    const { found, snapshot } = derive(await this.world.store.read(this.id));
    if (adopted !== this.adopted) return;
    const { lease } = snapshot.context.record;
    if (lease?.cancel) this.host.abort(lease.turn);
    const missing = found.some(({ type }) => type === 'file.lost');
    const waited = this.missingFor(missing);
    if (found.some(({ type }) => type !== 'file.lost') || waited >= missingMs) {
      this.adopt(await this.world.dispatcher.refresh(this.id, waited >= missingMs ? 'missing' : 'watch'));
    } else {
      this.show(snapshot);
    }
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

function textOf(said: Said): string {
  if (said.type === 'user.revise') return said.note;
  if (said.type === 'user.plan') return said.text === undefined ? '/plan' : `/plan ${said.text}`;
  return said.type === 'user.chat' ? said.text : '';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function notSaved(error: unknown): Answer {
  const text = refusals.NOT_SAVED({ cause: messageOf(error) });
  return { kind: 'refused', code: 'NOT_SAVED', text };
}
