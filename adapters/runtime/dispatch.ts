import { setImmediate as diskIsBusy } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  acceptedAnswer,
  type Answer,
  answerOf,
  applyCommit,
  type Commit,
  derive,
  type Effect,
  idsNeeded,
  keepFiles,
  projectCommit,
  restoredText,
  restoring,
  type Said,
  type SessionSnapshot,
  type Spoken,
  type Stamp,
  step,
  type Step,
  type StoredSession,
  verdict,
  type Verdict,
} from '../../machines/index.ts';
import type { Clock, SessionStore, StoreTransaction, TurnHold, Workspace } from '../ports.ts';
import { createJournal, type JournalNotes } from './journal-notes.ts';
import { isPartly, saysAll } from './stands.ts';

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
  /** Hears once why the journal can't be written; nothing fails by it. */
  journalFailed?: (error: unknown) => void;
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
  /** The session is closed here: what still waits in it is not sent by this process any more (D26). */
  leave(session: string): void;
}

/**
 * The one path of every change (D6, D7): lock, read, derive, commit what loading found, verdict,
 * transition, write, unlock. Callers publish the snapshot and carry out the effects.
 * Throws what the store throws; what then stands, only reading tells.
 */
export function createDispatcher(world: DispatcherWorld): Dispatcher {
  let last: Derivation | null = null;
  const holds: Holds = { turns: new Map(), waiting: new Set() };
  const journal = createJournal((error) => world.journalFailed?.(error));
  const stamp = (said: Said | null): Stamp => ({
    at: world.clock.now(),
    ids: Array.from({ length: said === null ? 2 : idsNeeded(said) }, () => world.clock.id()),
    process: world.process,
  });
  const run = (session: string, said: Said | null, occasion: Occasion): Promise<Dispatched> =>
    world.store.exclusive(session, async (tx) => {
      const found = await tx.read();
      // Comparing is much cheaper than deriving, and between two acts of one turn nothing else happens.
      const known = last !== null && isDeepStrictEqual(last.of, found) ? last : derivation(found);
      const notes = journal(tx);
      const work = new Work(world, tx, { holds, notes }, known);
      try {
        await work.restore();
        await work.commitFindings(occasion, stamp);
        const result = said === null ? work.result(null) : await work.decide({ ...said, ...stamp(said) });
        last = work.current;
        return result;
      } finally {
        notes.write();
      }
    });
  return {
    dispatch: (session, said) => run(session, said, isPersonal(said) ? 'user' : 'watch'),
    refresh: (session, occasion) => run(session, null, occasion),
    letGo: (turn) => release(holds, turn),
    leave: (session) => {
      holds.waiting.delete(session);
      if (holds.waiting.size === 0) release(holds, world.process);
    },
  };
}

/** What this process holds: its turns, and its own mark while messages of it wait in any session. */
interface Holds {
  turns: Map<string, TurnHold>;
  waiting: Set<string>;
}

function release({ turns }: Holds, id: string): void {
  turns.get(id)?.release();
  turns.delete(id);
}

/** A message that waited is the person's, too. */
const isPersonal = ({ type }: Said): boolean => type.startsWith('user.') || type.startsWith('queue.');

/** Files, and what they make of the session. Deriving reads the whole plan: once for the same files. */
interface Derivation {
  of: StoredSession;
  is: ReturnType<typeof derive>;
}

const derivation = (of: StoredSession): Derivation => ({ of, is: derive(of) });

/** One stay under the lock. */
class Work {
  private readonly world: DispatcherWorld;
  private readonly tx: StoreTransaction;
  private readonly holds: Holds;
  private readonly notes: JournalNotes;
  current: Derivation;
  private readonly effects: Effect[] = [];
  private readonly warnings: string[] = [];

  constructor(
    world: DispatcherWorld,
    tx: StoreTransaction,
    { holds, notes }: { holds: Holds; notes: JournalNotes },
    current: Derivation,
  ) {
    this.world = world;
    this.tx = tx;
    this.holds = holds;
    this.notes = notes;
    this.current = current;
  }

  private get stored(): StoredSession {
    return this.current.of;
  }

  /** What a command did to the plan files is undone before anything is decided, by whoever comes first (D22). */
  async restore(): Promise<void> {
    if ((this.stored.record.lease?.files ?? null) === null) return;
    const found = restoring(this.stored, this.world.clock.now());
    if (found === null) return;
    const { commit, givenUp, changed } = found;
    const hash = (text: string): string => this.world.store.hash(text);
    try {
      await this.tx.commit(commit);
      this.current = derivation(applyCommit(this.stored, commit, hash));
      this.warnings.push(restoredText(changed.map(({ path }) => path)));
    } catch (error) {
      // What is no file is no plan either: the state says unreadable, and the turn need not hang on it.
      if (!(error instanceof Error) || changed.some(({ kind }) => kind !== 'unreadable')) throw error;
      await this.tx.commit(givenUp);
      this.current = derivation(applyCommit(this.stored, givenUp, hash));
      this.warnings.push(error.message);
    }
  }

  async commitFindings(occasion: Occasion, stamp: (said: null) => Stamp): Promise<void> {
    // Each finding is committed by itself and the files judged anew, as a crash in between would.
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const { snapshot, found } = this.current.is;
      const event = found.find(({ type }) => type !== 'file.lost' || occasion !== 'watch');
      if (event === undefined) return;
      const { lease } = snapshot.context.record;
      if (event.type === 'turn.end' && lease !== null)
        await this.world.workspace.endGroup(lease.group, lease.turn);
      if (event.type === 'turn.end') await this.keepOpening();
      await this.take({ ...event, ...stamp(null) });
    }
  }

  async decide(event: Spoken): Promise<Dispatched> {
    const before = this.current.is.snapshot;
    const judged = verdict(before, event);
    if (judged.kind !== 'accepted' && judged.kind !== 'queued') {
      this.notes.add({ before, event, verdict: judged, after: before, saved: true });
      return this.result(answerOf(judged, before, event));
    }
    if (event.type === 'turn.end' && event.outcome === 'lost') await this.keepOpening();
    await this.take(event, judged);
    const result = this.result(answerOf(judged, before, event));
    return judged.kind === 'queued'
      ? result
      : { ...result, answer: acceptedAnswer(before, result.snapshot, event) };
  }

  /** One event that changes something: committed, and noted with what then stands. */
  private async take(
    event: Spoken,
    judged: Verdict = verdict(this.current.is.snapshot, event),
  ): Promise<void> {
    const before = this.current.is.snapshot;
    let saved = false;
    try {
      await this.commit(step(before, event), event.at);
      saved = true;
    } finally {
      this.notes.add({ before, event, verdict: judged, after: this.current.is.snapshot, saved });
    }
  }

  result(answer: Answer | null): Dispatched {
    const { effects, warnings } = this;
    return { answer, snapshot: this.current.is.snapshot, effects, warnings };
  }

  /** What a restart would find is what is shown: the next snapshot is derived from what was written. */
  private async commit(next: Step, at: string): Promise<void> {
    const planned = projectCommit(this.stored, next.snapshot, next.archive, at, this.current.is.snapshot);
    const change = keepFiles(this.stored, planned, next.snapshot.context.record, (text) =>
      this.world.store.hash(text),
    );
    this.holdWaiting(next.snapshot);
    const claimed = this.claim(next.snapshot);
    const ended = this.stored.record.lease?.turn;
    const after = this.foresee(change, claimed);
    try {
      if (change !== null) await Promise.all([this.tx.commit(change), after]);
    } catch (error) {
      if (change === null || !(await this.stands(change, error))) {
        if (claimed !== null) release(this.holds, claimed);
        throw error;
      }
    }
    this.current = await after;
    if (ended !== undefined && this.stored.record.lease?.turn !== ended) release(this.holds, ended);
    this.effects.push(...next.effects);
  }

  /** What the files will say. Worked out while the disk works, and thrown away if the commit fails. */
  private async foresee(change: Commit | null, claimed: string | null): Promise<Derivation> {
    if (change !== null) await diskIsBusy();
    const hash = (text: string): string => this.world.store.hash(text);
    const written = change === null ? this.stored : applyCommit(this.stored, change, hash);
    return derivation(claimed === null ? written : { ...written, leaseAlive: true });
  }

  /** Whether a commit that failed after its point is on disk as a whole: then its effects are due, or texts would be lost. */
  private async stands(change: Commit, error: unknown): Promise<boolean> {
    if (!isPartly(error)) return false;
    const stored = await this.tx.read().catch(() => null);
    if (stored === null || !saysAll(stored, change)) return false;
    this.warnings.push(error.message);
    return true;
  }

  /** The turn's lock is held before the lease can be seen, so that nobody takes a live owner for dead (D16). */
  private claim({ context }: SessionSnapshot): string | null {
    const turn = context.record.lease?.turn;
    if (turn === undefined || turn === this.stored.record.lease?.turn) return null;
    this.holds.turns.set(turn, this.world.store.holdTurn(context.record.id, turn));
    return turn;
  }

  /**
   * A message waits for a process as long as that lives, which its own lock says (D26). Held before the message
   * can be seen, and kept: let go with the last message, a reader who still sees that one would take it for left.
   */
  private holdWaiting({ context: { record } }: SessionSnapshot): void {
    const { holds, world } = this;
    if (!record.queue.some(({ process }) => process === world.process)) return;
    holds.waiting.add(record.id);
    if (!holds.turns.has(world.process))
      holds.turns.set(world.process, world.store.holdTurn(record.id, world.process));
  }

  /** A process can die before the first line of its turn; what was said to start it is in the lease alone then (D37). */
  private async keepOpening(): Promise<void> {
    const { store } = this.world;
    const { id, lease } = this.stored.record;
    if (lease?.text === undefined) return;
    const { turn, since: at, text, kind } = lease;
    const { entries } = await store.transcript(id);
    if (entries.some((entry) => entry.type === 'user' && entry.turn === turn)) return;
    await store.append(id, [{ v: 1, at, type: 'user', turn, text, from: 'person', kind }]);
  }
}
