import {
  type Answer,
  type QueueItem,
  type Said,
  type SessionSnapshot,
  typedText,
} from '../../machines/index.ts';
import type { Published } from '../ports.ts';
import { type Returned, returnedText } from './notices.ts';

export interface QueueWorld {
  /** Marks the items of this process. */
  process: string;
  /** Whether a turn of this process is being worked. */
  working(): boolean;
  snapshot(): SessionSnapshot;
  send(said: Said): Promise<Answer>;
  publish(published: Published): void;
  signal: AbortSignal;
}

/** The messages of this process that wait for a turn to end (D26). */
export class OwnQueue {
  private readonly world: QueueWorld;
  private taking = false;
  /** An item that could not be taken; the next act of a person tries again. */
  private stuck: string | null = null;

  constructor(world: QueueWorld) {
    this.world = world;
  }

  retry(): void {
    this.stuck = null;
  }

  /** The oldest item is decided anew when no turn runs. Never rejects. */
  async take(): Promise<void> {
    const { lease, queue } = this.world.snapshot().context.record;
    const item = queue.find(({ process }) => process === this.world.process);
    if (item === undefined || item.id === this.stuck || lease !== null) return;
    if (this.world.working() || this.taking || this.world.signal.aborted) return;
    this.taking = true;
    const answer = await this.world.send({ type: 'queue.take', item: item.id });
    this.taking = false;
    if ('code' in answer && answer.code === 'NOT_SAVED') {
      this.stuck = item.id;
      this.world.publish({ type: 'notice', level: 'error', text: answer.text });
    }
    // A message that started no turn leaves the way open for the next one; one that came too late waits on.
    await this.take();
  }

  /**
   * Items that are not in the next snapshot any more, and that nobody here took: another process emptied the
   * queue by /stop or /discard, and their texts come back. `accounted`: ids of those that are dealt with here.
   */
  compare(next: SessionSnapshot, accounted: readonly string[]): void {
    const kept = new Set([...next.context.record.queue.map(({ id }) => id), ...accounted]);
    const gone = this.world.snapshot().context.record.queue.filter(({ id }) => !kept.has(id));
    this.giveBack(gone, 'cancelled');
  }

  giveBack(items: readonly QueueItem[], why: Returned['why']): void {
    const own = items.filter(({ process }) => process === this.world.process);
    const text = returnedText(why);
    for (const { said } of own) this.world.publish({ type: 'returned', text: typedText(said) });
    if (own.length > 0 && text !== null) this.world.publish({ type: 'notice', level: 'info', text });
  }
}
