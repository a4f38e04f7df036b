import { phaseOf, turnOf } from './phase.ts';
import type { Said } from './events.ts';
import type { QueueItem } from './record.ts';
import { approvedTextStands, isRestorable, type SessionContext } from './session/context.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { isUnsent } from './session/turn-changes.ts';
import { openDependencies, type Task, taskClosed } from './tasks.ts';
import type { Phase, SessionView, TaskView, TurnState } from './views.ts';

/** What a surface shows of each phase in one or two words; nothing without a plan. */
export const badges: Readonly<Record<Phase, string>> = {
  noPlan: '',
  preInit: 'Editing · no plan yet',
  postInit: 'Editing',
  seeding: 'Active',
  seedFailedEmpty: 'Active · not built',
  seedFailedPartial: 'Active · not started',
  checklist: 'Active',
  unreadable: 'Unreadable',
};

/**
 * Badge, title, progress, goal, decisions and hint for every surface, from one snapshot (B17). Pure. `process`
 * is the mark of the process that shows it; without one nothing that waits is its own.
 */
export function select(snapshot: SessionSnapshot, process = ''): SessionView {
  const { context } = snapshot;
  const { record, plan, unreadable } = context;
  const phase = phaseOf(snapshot);
  const turn = turnOf(snapshot);
  const tasks = plan?.tasks ?? [];
  return {
    session: record.id,
    name: record.name ?? titleOf(plan),
    cwd: record.cwd,
    phase,
    turn,
    badge: badges[phase],
    plan: plan?.id ?? null,
    title: titleOf(plan),
    tasks: tasks.map((task) => taskView(tasks, task)),
    progress: { done: tasks.filter(taskClosed).length, total: tasks.length },
    goal: record.goal,
    building: snapshot.hasTag('building'),
    seedError: phase === 'seedFailedEmpty' ? 'empty' : phase === 'seedFailedPartial' ? 'partial' : null,
    document: documentView(context),
    unreadable,
    decisions: decisionsOf(context, phase, turn),
    policy: record.yolo ? 'yolo' : 'ask',
    running: runningView(context),
    queue: record.queue.map((item) => queueView(context, item, process)),
    closed: record.lease?.closed ?? null,
    interrupted: record.interrupted && phase === 'checklist' && turn === 'idle',
    hint: hintOf(context, phase, turn),
  };
}

const words: Readonly<Record<string, TaskView['status']>> = {
  Pending: 'pending',
  InProgress: 'running',
  Completed: 'completed',
  Skipped: 'skipped',
  Failed: 'failed',
  Blocked: 'blocked',
};

const titleOf = (plan: SessionContext['plan']): string | null =>
  plan === null || plan.title === '' ? null : plan.title;

function taskView(tasks: readonly Task[], task: Task): TaskView {
  const status = typeof task.status === 'object' ? 'blocked' : (words[task.status] ?? 'pending');
  const waitsFor = openDependencies(tasks, task).map(Number).filter(Number.isInteger);
  return { number: task.order, title: task.title, status, waitsFor };
}

function documentView(context: SessionContext): SessionView['document'] {
  const { plan, document, places } = context;
  if (plan === null || plan.pre_init_editing || plan.track !== 'design') return null;
  return {
    path: places.document,
    text: document?.text ?? null,
    hash: document?.hash ?? null,
    faults: document?.scan.faults ?? [],
    steps: document?.scan.steps.length ?? 0,
    drifted: plan.status === 'Active' && !approvedTextStands(context),
  };
}

function decisionsOf(context: SessionContext, phase: Phase, turn: TurnState): SessionView['decisions'] {
  const idle = turn === 'idle';
  const changed = phase === 'seedFailedEmpty' && !approvedTextStands(context);
  const why = approveFault(context, phase, idle);
  return {
    approve: phase !== 'postInit' ? 'hidden' : why === null ? 'on' : 'off',
    why: phase === 'postInit' ? why : null,
    revise: phase === 'postInit',
    discard: phase !== 'noPlan' && turn !== 'discarding',
    retry: idle && phase === 'seedFailedEmpty' && !changed,
    restore:
      idle && isRestorable(context) && (changed || (phase === 'checklist' && !approvedTextStands(context))),
    resume: idle && phase === 'checklist' && context.record.interrupted,
  };
}

function approveFault({ document }: SessionContext, phase: Phase, idle: boolean): string | null {
  if (phase !== 'postInit') return null;
  if (!idle) return 'a turn is running';
  const faults = document?.scan.faults.length ?? 1;
  return faults === 0 ? null : faults === 1 ? '1 part is missing' : `${faults} parts are missing`;
}

function runningView({ record: { lease } }: SessionContext): SessionView['running'] {
  if (lease === null) return null;
  const { turn, kind, by, since, waiting } = lease;
  return { turn, kind, entry: by.entry, surface: by.surface, since, waiting };
}

function queueView(context: SessionContext, item: QueueItem, self: string): SessionView['queue'][number] {
  const { id, said, process } = item;
  const owner = process === self ? 'here' : 'elsewhere';
  const state = owner === 'elsewhere' && isUnsent(context, item) ? 'not sent' : 'waiting';
  const surface = 'by' in said ? said.by.surface : '';
  return { id, surface, text: typedText(said), kind: said.type, owner, state };
}

/** A message that waits as the person typed it. */
export function typedText(said: Said): string {
  if (said.type === 'user.revise') return said.note;
  if (said.type === 'user.plan') return said.text === undefined ? '/plan' : `/plan ${said.text}`;
  return said.type === 'user.chat' ? said.text : '';
}

/** One line for people: what state this is, and what to do next. */
function hintOf(context: SessionContext, phase: Phase, turn: TurnState): string {
  if (turn === 'discarding') return 'Discarding as soon as the turn has ended.';
  if (turn === 'stopping') return 'Stopping the turn.';
  switch (phase) {
    case 'noPlan':
      return '';
    case 'preInit':
      return 'Plan mode: the agent explores, then writes a session plan. /discard leaves.';
    case 'postInit':
      return turn === 'idle' ? reviewHint(context) : 'The session plan is being written.';
    case 'seeding':
      return (context.plan?.tasks.length ?? 0) === 0 ? 'Building checklist…' : '';
    case 'seedFailedEmpty':
      return approvedTextStands(context)
        ? 'The checklist was not built. /execute tries again, /discard leaves.'
        : 'The checklist was not built, and the session plan is not the approved text. /show-plan, then approve or restore it.';
    case 'seedFailedPartial':
      return 'The checklist was written but never started. /discard, then plan again; the text is kept.';
    case 'checklist':
      return checklistHint(context, turn);
    case 'unreadable':
      return `The plan file cannot be read: ${context.unreadable?.cause ?? ''}. Mend ${context.unreadable?.path ?? 'it'} or /discard it.`;
  }
}

function reviewHint({ document }: SessionContext): string {
  const faults = document?.scan.faults.length ?? 1;
  if (faults === 0) return 'The session plan is ready for review: /show-plan, then /execute, or /discard.';
  return `The session plan is not complete (${faults} missing). /show-plan shows what; say what to change, or /discard.`;
}

function checklistHint({ plan, record }: SessionContext, turn: TurnState): string {
  const tasks = plan?.tasks ?? [];
  if (tasks.length === 0) return 'There are no tasks. Ask for some, or /discard.';
  if (turn !== 'idle') return '';
  if (record.interrupted) return 'Interrupted. /continue goes on, /discard leaves.';
  // A turn may end, or another program stop, without resolving its task: that must not pass for work (B76, B86).
  const left = tasks.find((task) => task.status === 'InProgress');
  if (left === undefined) return 'Tasks are open: /continue goes on.';
  return `Task ${left.order} was left in progress: /continue goes on, /discard leaves.`;
}
