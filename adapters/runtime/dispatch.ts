import {
  acceptedAnswer,
  type Answer,
  answerOf,
  applyCommit,
  type Commit,
  derive,
  type Effect,
  type FileFound,
  idsNeeded,
  projectCommit,
  recordText,
  type Said,
  type SessionEvent,
  type SessionSnapshot,
  type Stamp,
  step,
  type Step,
  type StoredSession,
  verdict,
} from '../../machines/index.ts';
import type { Clock, SessionStore, StoreFailure, StoreTransaction, TurnHold, Workspace } from '../ports.ts';

export interface Dispatched {
  /** Null for a refresh, which asks nothing. */
  answer: Answer | null;
  snapshot: SessionSnapshot;
  effects: Effect[];
  /** What stands on disk, but not in full: sentences of the store (WRITE_PARTLY). */
  warnings: string[];
}

export interface DispatcherWorld {
  store: SessionStore;
  clock: Clock;
  workspace: Pick<Workspace, 'endGroup'>;
  /** Marks queue items and tells this process from others. */
  process: string;
}

/**
 * What makes the dispatcher look: a person acts, or a `.md` stayed away long enough (`missing`): both bring
 * a vanished `.md` back. `watch`: anything else; an editor may just be saving by rename (D10).
 */
export type Occasion = 'user' | 'watch' | 'missing';

export interface Dispatcher {
  dispatch(session: string, said: Said): Promise<Dispatched>;
  refresh(session: string, occasion: Exclude<Occasion, 'user'>): Promise<Dispatched>;
  /** Lets go of a turn whose end could not be written: whoever loads the session next takes it for lost (D16). */
  letGo(turn: string): void;
}

/**
 * The one path of every change (D6, D7): lock, read, derive, commit what loading found, verdict,
 * transition, write, unlock. Callers publish the snapshot and carry out the effects.
 * Throws what the store throws; what then stands, only reading tells.
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
    dispatch: (session, said) => run(session, said, isPersonal(said) ? 'user' : 'watch'),
    refresh: (session, occasion) => run(session, null, occasion),
    letGo: (turn) => {
      holds.get(turn)?.release();
      holds.delete(turn);
    },
  };
}

/** A message that waited is the person's, too. */
const isPersonal = ({ type }: Said): boolean => type.startsWith('user.') || type.startsWith('queue.');

/** One stay under the lock. */
class Work {
  private readonly world: DispatcherWorld;
  private readonly tx: StoreTransaction;
  private readonly holds: Map<string, TurnHold>;
  private stored: StoredSession;
  private readonly effects: Effect[] = [];
  private readonly warnings: string[] = [];

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
    const { effects, warnings } = this;
    return { answer, snapshot: derive(this.stored).snapshot, effects, warnings };
  }

  /** What a restart would find is what is shown: the next snapshot is derived from what was written. */
  private async commit(next: Step, at: string): Promise<void> {
    const change = projectCommit(this.stored, next.snapshot, next.archive, at);
    const claimed = this.claim(next.snapshot);
    try {
      if (change !== null) await this.tx.commit(change);
    } catch (error) {
      if (change === null || !(await this.stands(change, error))) {
        if (claimed !== null) this.release(claimed);
        throw error;
      }
    }
    const ended = this.stored.record.lease?.turn;
    if (change !== null)
      this.stored = applyCommit(this.stored, change, (text) => this.world.store.hash(text));
    if (claimed !== null) this.stored = { ...this.stored, leaseAlive: true };
    if (ended !== undefined && this.stored.record.lease?.turn !== ended) this.release(ended);
    this.effects.push(...next.effects);
  }

  /** Whether a commit that failed after its point is on disk as a whole: then its effects are due, or texts would be lost. */
  private async stands(change: Commit, error: unknown): Promise<boolean> {
    if (!isPartly(error)) return false;
    const stored = await this.tx.read().catch(() => null);
    if (stored === null) return false;
    const { record, sidecar, document } = stored;
    const same = (wanted: Commit['sidecar'], found: FileFound): boolean => {
      if (wanted === undefined) return true;
      if ('remove' in wanted) return found.kind === 'absent';
      return found.kind === 'text' && found.text === wanted.text;
    };
    const whole = same(change.sidecar, sidecar) && same(change.document, document);
    if (!whole || (change.record !== undefined && change.record.text !== recordText(record))) return false;
    this.warnings.push(error.message);
    return true;
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

function isPartly(error: unknown): error is StoreFailure {
  return error instanceof Error && 'code' in error && error.code === 'WRITE_PARTLY';
}
