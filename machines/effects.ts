import type { Actor, TurnKind } from './events.ts';
import type { ToolFamily } from './intent/families.ts';
import type { QueueItem } from './record.ts';
import type { Plan } from './sidecar.ts';

/**
 * What the committing process has to do after the commit. Data only: results come back as events,
 * and an effect that a crash loses is found again by derivation (turn.start: the lease is dead).
 */
export type Effect =
  | {
      type: 'turn.start';
      turn: string;
      kind: TurnKind;
      by: Actor;
      text: string;
      /** Which hint the model gets with a person's text (D25). */
      hint: 'plan' | 'unattended' | null;
      /** What else the person's own words point to; whoever starts the turn knows which tools there are (D25). */
      tools: readonly ToolFamily[];
      /** A seed turn that was tried before (D15). */
      again: boolean;
      /** Whether a person's note is about the text as it is now (D44). */
      revision: 'newest' | 'older';
    }
  | { type: 'turn.abort'; turn: string; then: 'stop' | 'discard' }
  | { type: 'turn.settle'; turn: string; outcome: TurnOutcome }
  /** To the processes that the items name; what a dead one left goes to the one that commits (D26). */
  | { type: 'queue.returned'; items: readonly QueueItem[]; why: 'cancelled' | 'not applicable' | 'dropped' }
  | { type: 'plan.armed'; words: string | null }
  | { type: 'plan.restored'; from: 'description' | 'scaffold' | 'approved' }
  | { type: 'plan.ended'; as: 'completed' | 'discarded'; title: string; tasks: number }
  | { type: 'plan.approved'; by: Actor };

export type TurnOutcome = 'done' | 'failed' | 'cancelled' | 'lost' | 'discarded';

/** An instruction inside the commit: which copy of the live files the archive gets (D43). */
export interface ArchiveOrder {
  type: 'files.archive';
  as: 'completed' | 'discarded' | 'unreadable' | 'orphan';
  /** The archived sidecar: the bytes on disk, no copy (a flag has no content), or the plan as it ended. */
  sidecar: 'disk' | 'none' | Plan;
}
