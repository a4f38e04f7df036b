import { assign, emit, raise, setup } from 'xstate';
import type { ArchiveOrder, Effect } from '../effects.ts';
import type { SessionEvent, TurnKind } from '../events.ts';
import type { Code } from '../refusals.ts';
import { finishes } from './checklist-faults.ts';
import { isBusy, leaseOf, type SessionContext } from './context.ts';
import { type FaultName, faults } from './faults.ts';
import { initTrack } from './init-faults.ts';
import * as plan from './plan-changes.ts';
import { completedPlan, planCompleted, taskCompleted, taskStarted } from './task-changes.ts';
import type { SessionTag } from '../tags.ts';
import * as turn from './turn-changes.ts';

/** What a branch says of itself; without one a taken branch counts as accepted. */
export type BranchAnswer = { kind: 'refused' | 'info'; code: Code } | { kind: 'view' | 'queued' };

export interface SessionMeta {
  answer?: BranchAnswer;
}

const noMeta: SessionMeta = {};

export const session = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as Effect | ArchiveOrder,
    input: {} as SessionContext,
    meta: noMeta,
    tags: {} as SessionTag,
  },
  guards: {
    /** The first fault that the named question finds is this one. */
    fault: ({ context, event }, params: { of: FaultName; code: Code }) =>
      faults[params.of](context, event) === params.code,
    busy: ({ context }) => isBusy(context),
    discarding: ({ context }) => leaseOf(context)?.cancel?.then === 'discard',
    hasText: ({ event }) => event.type === 'user.plan' && (event.text ?? '').trim() !== '',
    startsDesign: ({ event }) => event.type === 'tool.init' && initTrack(event) === 'design',
    finishes: ({ context, event }) => finishes(context, event),
    armsPlan: ({ context, event }) => turn.armingWords(context, event) !== null,
    endsThisTurn: ({ context, event }) => event.type === 'turn.end' && leaseOf(context)?.turn === event.turn,
    notesThisTurn: ({ context, event }) =>
      event.type === 'turn.note' && leaseOf(context)?.turn === event.turn,
    isFree: ({ context, event }) => turn.freeItem(context, event) !== null,
    isUnsent: ({ context, event }) => turn.unsentItem(context, event) !== null,
  },
  actions: {
    arm: assign(({ context, event }) => plan.armed(context, event)),
    initialise: assign(({ context, event }) => plan.initialised(context, event)),
    approve: assign(({ context, event }) => plan.approved(context, event)),
    mirror: assign(({ context, event }) => plan.mirrored(context, event)),
    restoreDocument: assign(({ context, event }) => plan.documentRestored(context, event)),
    restoreApproved: assign(({ context }) => plan.approvedTextRestored(context)),
    clearPlan: assign(({ context }) => plan.cleared(context)),
    dropDocument: assign({ document: null }),
    addTasks: assign(({ context, event }) => plan.tasksAdded(context, event)),
    startTask: assign(({ context, event }) => taskStarted(context, event)),
    completeTask: assign(({ context, event }) => taskCompleted(context, event)),
    completePlan: assign(({ context, event }) => planCompleted(context, event)),
    beginTurn: assign(({ context, event }) => turn.turnBegun(context, event)),
    endTurn: assign(({ context, event }) => turn.turnEnded(context, event)),
    askStop: assign(({ context, event }) => turn.stopAsked(context, event)),
    askDiscard: assign(({ context, event }) => turn.discardAsked(context, event)),
    noteTurn: assign(({ context, event }) => turn.turnNoted(context, event)),
    enqueue: assign(({ context, event }) => turn.enqueued(context, event)),
    adopt: assign(({ context, event }) => turn.adopted(context, event)),
    dequeue: assign(({ context, event }) => turn.dequeued(context, event)),
    setPolicy: assign(({ context, event }) => turn.policySet(context, event)),
    place: assign(({ context, event }) => turn.placed(context, event)),
    setGoal: assign(({ context, event }) => turn.goalSet(context, event)),
    rename: assign(({ context, event }) => turn.renamed(context, event)),

    raisePlanTurn: raise(({ event }) => begin(event, 'chat', false)),
    raiseSeedTurn: raise(({ event }) => begin(event, 'seed', false)),
    raiseSeedTurnAgain: raise(({ event }) => begin(event, 'seed', true)),
    raiseRevision: raise(({ event }) => begin(event, 'revise', false)),
    raiseResume: raise(({ event }) => begin(event, 'resume', false)),
    raiseCompact: raise(({ event }) => begin(event, 'compact', false)),
    raiseDiscard: raise(({ event }) => ({ type: 'turn.discard', by: actorOf(event), ...stampOf(event) })),
    raiseArm: raise(({ context, event }) => ({
      type: 'plan.arm',
      words: turn.armingWords(context, event) ?? '',
      ...stampOf(event),
    })),
    raiseTurnEnded: raise(({ event }) => ({ type: 'plan.turnEnded', ...stampOf(event) })),
    raiseClear: raise(({ event }) => ({ type: 'plan.clear', ...stampOf(event) })),
    raiseQueued: raise(({ context, event }) => queuedEvent(context, event)),

    startTurn: emit(({ context, event }) => turnStart(context, event)),
    abortTurn: emit(({ context }) => ({
      type: 'turn.abort',
      turn: leaseOf(context)?.turn ?? '',
      then: leaseOf(context)?.cancel?.then ?? 'stop',
    })),
    settleTurn: emit(({ event }) => ({
      type: 'turn.settle',
      turn: event.type === 'turn.end' ? event.turn : '',
      outcome: event.type === 'turn.end' ? event.outcome : 'done',
    })),
    settleDiscarded: emit(({ event }) => ({
      type: 'turn.settle',
      turn: event.type === 'turn.end' ? event.turn : '',
      outcome: 'discarded',
    })),
    returnQueue: emit(({ context, event }) => ({
      type: 'queue.returned',
      items: turn.inherited(context, event.process),
      why: 'cancelled',
    })),
    returnDropped: emit(({ context, event }) => {
      const item = turn.freeItem(context, event);
      const items = item === null ? [] : [{ ...item, process: event.process }];
      return { type: 'queue.returned', items, why: 'dropped' };
    }),
    announceArmed: emit(({ context }) => ({ type: 'plan.armed', words: context.plan?.origin ?? null })),
    announceApproved: emit(({ event }) => ({ type: 'plan.approved', by: actorOf(event) })),
    announceRestored: emit(({ context }) => ({ type: 'plan.restored', from: plan.restoredFrom(context) })),
    announceDiscarded: emit(({ context }) => ended(context, 'discarded')),
    announceCompleted: emit(({ context }) => ended(context, 'completed')),

    archiveDiscarded: emit(({ context }) => order('discarded', context)),
    archiveUnreadable: emit(({ context }) => order('unreadable', context)),
    archiveOrphan: emit(({ context }) => order('orphan', context)),
    archiveFinished: emit(({ context, event }) =>
      order(event.type === 'file.finished' ? event.as : 'completed', context),
    ),
    archiveCompleted: emit(({ context, event }) => ({
      type: 'files.archive',
      as: 'completed',
      sidecar: completedPlan(context, event) ?? 'disk',
    })),
  },
});

const stampOf = ({ at, ids, process }: SessionEvent) => ({ at, ids, process });

const nobody = { entry: 'run', surface: 'harness', person: 'harness', owner: false } as const;
const actorOf = (event: SessionEvent) => ('by' in event ? event.by : nobody);

function begin(event: SessionEvent, kind: TurnKind, again: boolean) {
  const revise = event.type === 'user.revise' ? event : null;
  const text = revise?.note ?? (event.type === 'user.plan' ? (event.text ?? '') : '');
  const seen = revise?.seen ?? null;
  return { type: 'turn.begin', kind, by: actorOf(event), text, again, seen, ...stampOf(event) } as const;
}

function turnStart(context: SessionContext, event: SessionEvent): Effect {
  const lease = leaseOf(context);
  const begun = event.type === 'turn.begin';
  return {
    type: 'turn.start',
    turn: lease?.turn ?? '',
    kind: lease?.kind ?? 'chat',
    by: actorOf(event),
    text: 'text' in event ? (event.text ?? '') : '',
    hint: begun ? null : turn.hintOf(context, event),
    tools: turn.toolWords(event),
    again: begun ? event.again : false,
    revision: begun && event.seen !== null && event.seen !== context.document?.hash ? 'older' : 'newest',
  };
}

/** The said of a queued item, decided anew with this dispatch's time and ids (D26). */
function queuedEvent(context: SessionContext, event: SessionEvent): SessionEvent {
  const item = turn.queuedItem(context, event);
  // Only a guarded branch gets here; without an item the event falls through as one that nobody handles.
  if (item === null) return { type: 'plan.turnEnded', ...stampOf(event) };
  return turn.saidAnew(item, event);
}

function ended({ plan: live }: SessionContext, as: 'completed' | 'discarded'): Effect {
  return { type: 'plan.ended', as, title: live?.title ?? '', tasks: live?.tasks.length ?? 0 };
}

function order(as: ArchiveOrder['as'], { plan: live }: SessionContext): ArchiveOrder {
  const flagOnly = as === 'orphan' || live?.pre_init_editing === true;
  return { type: 'files.archive', as, sidecar: flagOnly ? 'none' : 'disk' };
}
