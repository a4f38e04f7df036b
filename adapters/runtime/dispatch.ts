import {
  acceptedAnswer,
  type Answer,
  answerOf,
  applyCommit,
  derive,
  type Effect,
  idsNeeded,
  projectCommit,
  type Said,
  type SessionEvent,
  type SessionSnapshot,
  type Stamp,
  step,
  type Step,
  type StoredSession,
  verdict,
} from '../../machines/index.ts';
import type { Clock, SessionStore, StoreTransaction, TurnHold, Workspace } from '../ports.ts';

export interface Dispatched {
  /** Null for a refresh, which asks nothing. */
  answer: Answer | null;
  snapshot: SessionSnapshot;
  effects: Effect[];
}

export interface DispatcherWorld {
  store: SessionStore;
  clock: Clock;
  workspace: Pick<Workspace, 'endGroup'>;
  /** Marks queue items and tells this process from others. */
  process: string;
}

/** `user`: a person or a tool acts. `watch`: files changed; a vanished `.md` may still come back (D10). */
export type Occasion = 'user' | 'watch' | 'missing';

export interface Dispatcher {
  dispatch(session: string, said: Said): Promise<Dispatched>;
  refresh(session: string, occasion: Exclude<Occasion, 'user'>): Promise<Dispatched>;
  /** Whether this process runs the turn. */
  holds(turn: string): boolean;
}

/**
 * The one path of every change (D6, D7): lock, read, derive, commit what loading found, verdict,
 * transition, write, unlock. Callers publish the snapshot and carry out the effects.
 * Throws what the store throws; the old state then stands.
 */
export function createDispatcher(world: DispatcherWorld): Dispatcher {
  const holds = new Map<string, TurnHold>();
  const stamp = (said: Said | null): Stamp => ({
    at: world.clock.now(),
    ids: Array.from({ length: said === null ? 2 : idsNeeded(said) }, () => world.clock.id()),
    process: world.process,
  });
  const run = (session: string, said: Said | null, occasion: Occasion): Promise<Dispatched> =>
    world.store.exclusive(session, async (tx) => {
      const work = new Work(world, tx, holds, await tx.read());
      await work.commitFindings(occasion, stamp);
      return said === null ? work.result(null) : work.decide({ ...said, ...stamp(said) });
    });
  return {
    dispatch: (session, said) => run(session, said, 'user'),
    refresh: (session, occasion) => run(session, null, occasion),
    holds: (turn) => holds.has(turn),
  };
}

/** One stay under the lock. */
class Work {
  private readonly world: DispatcherWorld;
  private readonly tx: StoreTransaction;
  private readonly holds: Map<string, TurnHold>;
  private stored: StoredSession;
  private readonly effects: Effect[] = [];

  constructor(
    world: DispatcherWorld,
    tx: StoreTransaction,
    holds: Map<string, TurnHold>,
    stored: StoredSession,
  ) {
    this.world = world;
    this.tx = tx;
    this.holds = holds;
    this.stored = stored;
  }

  async commitFindings(occasion: Occasion, stamp: (said: null) => Stamp): Promise<void> {
    // Each finding is committed by itself and the files judged anew, as a crash in between would.
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const { snapshot, found } = derive(this.stored);
      const event = found.find(({ type }) => type !== 'file.lost' || occasion !== 'watch');
      if (event === undefined) return;
      const group = event.type === 'turn.end' ? snapshot.context.record.lease?.group : null;
      if (group !== null && group !== undefined) await this.world.workspace.endGroup(group);
      const stamped = stamp(null);
      await this.commit(step(snapshot, { ...event, ...stamped }), stamped.at);
    }
  }

  async decide(event: SessionEvent): Promise<Dispatched> {
    const before = derive(this.stored).snapshot;
    const judged = verdict(before, event);
    if (judged.kind !== 'accepted' && judged.kind !== 'queued')
      return this.result(answerOf(judged, before, event));
    await this.commit(step(before, event), event.at);
    const result = this.result(answerOf(judged, before, event));
    return judged.kind === 'queued'
      ? result
      : { ...result, answer: acceptedAnswer(before, result.snapshot, event) };
  }

  result(answer: Answer | null): Dispatched {
    return { answer, snapshot: derive(this.stored).snapshot, effects: this.effects };
  }

  /** What a restart would find is what is shown: the next snapshot is derived from what was written. */
  private async commit(next: Step, at: string): Promise<void> {
    const change = projectCommit(this.stored, next.snapshot, next.archive, at);
    const claimed = this.claim(next.snapshot);
    try {
      if (change !== null) await this.tx.commit(change);
    } catch (error) {
      if (claimed !== null) this.release(claimed);
      throw error;
    }
    const ended = this.stored.record.lease?.turn;
    if (change !== null)
      this.stored = applyCommit(this.stored, change, (text) => this.world.store.hash(text));
    if (claimed !== null) this.stored = { ...this.stored, leaseAlive: true };
    if (ended !== undefined && this.stored.record.lease?.turn !== ended) this.release(ended);
    this.effects.push(...next.effects);
  }

  /** The turn's lock is held before the lease can be seen, so that nobody takes a live owner for dead (D16). */
  private claim({ context }: SessionSnapshot): string | null {
    const turn = context.record.lease?.turn;
    if (turn === undefined || turn === this.stored.record.lease?.turn) return null;
    this.holds.set(turn, this.world.store.holdTurn(context.record.id, turn));
    return turn;
  }

  private release(turn: string): void {
    this.holds.get(turn)?.release();
    this.holds.delete(turn);
  }
}
