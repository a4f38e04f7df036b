import type { Actor, TurnKind } from './events.ts';

/**
 * What the committing process has to do after the commit. Data only: results come back as events,
 * and an effect that a crash loses is found again by derivation (turn.start: the lease is dead).
 */
export type Effect =
  | { type: 'turn.start'; turn: string; kind: TurnKind; by: Actor; text: string; words: string | null; again: boolean }
  | { type: 'turn.abort'; turn: string }
  | { type: 'turn.settle'; turn: string; outcome: 'done' | 'failed' | 'cancelled' | 'lost' | 'discarded' }
  | { type: 'queue.take'; item: string }
  | { type: 'queue.returned'; items: readonly { id: string; surface: string; text: string }[] }
  | { type: 'plan.armed'; words: string | null }
  | { type: 'plan.restored'; from: 'description' | 'scaffold' | 'approved' }
  | { type: 'plan.ended'; as: 'completed' | 'discarded'; title: string; tasks: number }
  | { type: 'plan.approved'; by: Actor };

/** An instruction inside the commit: which copy of the live files the archive gets (D43). */
export interface ArchiveOrder {
  type: 'files.archive';
  as: 'completed' | 'discarded' | 'unreadable' | 'orphan';
}
