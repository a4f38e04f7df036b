import { derive, type Lease, type SessionSnapshot, type StoredSession } from '../../machines/index.ts';

export interface FollowerWorld {
  /** Without the lock. */
  read(): Promise<StoredSession>;
  /** Epoch ms. */
  now(): number;
  /** Changes with every dispatch; null while one is under way. */
  mark(): number | null;
  /** Commits what was found, under the lock. */
  refresh(occasion: 'watch' | 'missing'): Promise<void>;
  show(snapshot: SessionSnapshot): void;
  abort(turn: string): void;
  /** Ends a turn that does not end by itself. */
  endOverdue(lease: Lease): Promise<void>;
  tell(text: string): void;
  signal: AbortSignal;
}

/** A `.md` that stayed away this long is gone; editors save by rename (D10). In ms. */
const missingMs = 2000;
/** A turn that has not ended this long after a cancel is ended by whoever sees it (D16). In ms. */
const overdueMs = 10_000;

/** Sees what other processes, editors and the end of other processes do to the files. */
export class Follower {
  private readonly world: FollowerWorld;
  private looking: Promise<void> | null = null;
  private fault: string | null = null;
  private missingSince: number | null = null;
  /** Whether the next tick has to look although no file changes. */
  private next: 'due' | 'on change' = 'due';

  constructor(world: FollowerWorld) {
    this.world = world;
  }

  /** Reads the files without the lock; only a finding that has to be committed takes it. Never rejects. */
  look(): Promise<void> {
    if (this.world.signal.aborted) return Promise.resolve();
    // A change during a look may have come too late for it.
    if (this.looking !== null) this.next = 'due';
    this.looking ??= this.once();
    return this.looking;
  }

  /** To be called regularly, beside `look` after each change: reads only where something else than a change is waited for. */
  async tick(): Promise<void> {
    if (this.next === 'due') await this.look();
  }

  /** A look that begins now: one that is under way may have read too early. Not for use inside a look. */
  async lookAnew(): Promise<void> {
    await this.looking;
    await this.look();
  }

  private async once(): Promise<void> {
    this.next = 'on change';
    try {
      if ((await this.follow()) === 'due') this.next = 'due';
      this.fault = null;
    } catch (error) {
      this.next = 'due';
      // A file in the middle of a change, or a disk that fails: the next look tells, an act reports it.
      const text = error instanceof Error ? error.message : String(error);
      if (text !== this.fault) this.world.tell(text);
      this.fault = text;
    } finally {
      this.looking = null;
    }
  }

  private async follow(): Promise<'due' | 'on change'> {
    const { world } = this;
    const before = world.mark();
    const { found, snapshot } = derive(await world.read());
    await this.cancel(snapshot.context.record.lease);
    // What a session that was left has read is for the next one to see, and to tell.
    if (world.signal.aborted) return 'on change';
    // A look that a dispatch overtook shows an older state than it.
    if (before === null || before !== world.mark()) return 'due';
    const missing = found.some(({ type }) => type === 'file.lost');
    const waited = this.missingFor(missing);
    try {
      const occasion = waited >= missingMs ? 'missing' : 'watch';
      if (occasion === 'missing' || found.some(({ type }) => type !== 'file.lost')) {
        await world.refresh(occasion);
        return 'due';
      }
    } catch (error) {
      // What was found can't be committed now; the files are as they are.
      world.show(snapshot);
      throw error;
    }
    // A commit of another process writes the sidecar first: seen in between, its text seems to be gone.
    if (!missing || waited > 0) world.show(snapshot);
    return missing || isTransient(snapshot) ? 'due' : 'on change';
  }

  /** The request may come from another process. */
  private async cancel(lease: Lease | null): Promise<void> {
    if (lease === null || lease.cancel === null) return;
    this.world.abort(lease.turn);
    if (this.world.now() - Date.parse(lease.cancel.at) >= overdueMs) await this.world.endOverdue(lease);
  }

  private missingFor(missing: boolean): number {
    if (!missing) {
      this.missingSince = null;
      return 0;
    }
    const now = this.world.now();
    this.missingSince ??= now;
    return now - this.missingSince;
  }
}

/** What can end without a change in a file: a process that runs a turn or has messages waiting, a fault of the disk. */
function isTransient({ context: { record, unreadable } }: SessionSnapshot): boolean {
  return record.lease !== null || record.queue.length > 0 || unreadable !== null;
}
