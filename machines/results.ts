import type { SessionEvent } from './events.ts';
import { templateLines } from './facts.ts';
import type { SessionContext } from './session/context.ts';
import { runningTask } from './session/checklist-faults.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { restoredText } from './session/kept.ts';
import { openDependencies, type Task, taskClosed } from './tasks.ts';

/**
 * Text of an accepted event: what happened and what comes next, fixed and deterministic (seeds,
 * "Model navigation"). `next` is the snapshot after the commit.
 */
export function acceptedText(before: SessionSnapshot, next: SessionSnapshot, event: SessionEvent): string {
  const { context } = next;
  switch (event.type) {
    case 'user.plan':
      return 'Plan mode is on. The agent explores and writes a session plan; nothing else is changed. Leave with /discard.';
    case 'user.execute':
    case 'user.approveText':
      return 'Approved. Building checklist… Approving does not change tool permissions.';
    case 'user.revise':
      return 'The note goes to the agent as the next turn. The plan stays in review.';
    case 'user.discard':
      return discardText(before, next);
    case 'user.restore':
      return `The approved text is back in ${context.places.document}.`;
    case 'user.compact':
      return 'The conversation is being made shorter. The plan stays as it is.';
    case 'user.stop':
      return 'Stopping the turn.';
    case 'user.policy':
      return event.yolo
        ? 'Tools run without asking in this session (yolo). Plans are still approved by a person with /execute.'
        : 'Tools ask before they change anything (ask). Plans are approved with /execute.';
    case 'user.place':
      return `Working in ${context.record.cwd}${context.record.project === null ? '' : `, plans kept with project ${context.record.project}`}.`;
    case 'user.goal':
      return event.text === null ? 'The goal is cleared.' : `Goal: ${event.text}`;
    case 'user.rename':
      return `This session is called: ${context.record.name ?? ''}`;
    case 'tool.init':
      return initText(context);
    case 'tool.addTasks':
      return addedText(before, context);
    case 'tool.start':
      return startText(context);
    case 'tool.complete':
      return completeText(before, context, event.task);
    case 'tool.document':
      return documentText(context);
    case 'turn.note':
      return restoredText(before.context.record.lease?.files?.restored ?? []);
    default:
      return '';
  }
}

/** Names where the copy is (D38, D43); a flag without a plan leaves none. */
function discardText({ context: { plan } }: SessionSnapshot, { context }: SessionSnapshot): string {
  if (context.record.lease !== null) return 'Cancelling the turn; discarding follows when it has ended.';
  if (plan?.pre_init_editing === true) return 'Plan mode is off. There was no plan yet.';
  const { sidecar } = context.places;
  return `Discarded. A copy is kept in ${sidecar.slice(0, sidecar.lastIndexOf('/'))}/archive.`;
}

function initText({ plan, places }: SessionContext): string {
  if (plan?.status === 'Editing') {
    return (
      `Session plan created: ${places.document}\n` +
      'Write the design into that file only: Problem, Target state and Intent on the label lines, then numbered ' +
      'Implementation steps. When it is complete, end the turn; the user approves it. Start nothing.'
    );
  }
  const tasks = plan?.tasks ?? [];
  return `Checklist "${plan?.title ?? ''}" with ${count(tasks.length)}:${lines(tasks)}\nCall \`plan\` with operation start now.`;
}

function addedText(before: SessionSnapshot, { plan }: SessionContext): string {
  const had = before.context.plan?.tasks.length ?? 0;
  const tasks = plan?.tasks ?? [];
  const added = tasks.slice(had);
  return `Added ${count(added.length)}, ${tasks.length} in all:${lines(added)}\nCall \`plan\` with operation start next.`;
}

/** Full details: after a compaction this text is all that the model has (facts, "start"). */
function startText(context: SessionContext): string {
  const task = runningTask(context);
  const tasks = context.plan?.tasks ?? [];
  if (task === null) return 'Started.';
  const done = tasks.filter(taskClosed).length;
  const criteria = task.acceptance_criteria.map((line) => `\nDone when: ${line}`).join('');
  return (
    `Task ${task.order} of ${tasks.length} is in progress (${done} resolved): ${task.title}\n${task.description}${criteria}\n` +
    `When it is done, call \`plan\` with operation complete and task_order ${task.order}.`
  );
}

function completeText(
  before: SessionSnapshot,
  { plan, record }: SessionContext,
  number: number | undefined,
): string {
  if (plan === null) {
    const closed = record.lease?.closed;
    return `The checklist "${closed?.title ?? ''}" is finished: ${closed?.tasks.length ?? 0} tasks resolved and archived. Tell the user what was done.`;
  }
  const acted = number ?? runningTask(before.context)?.order ?? 0;
  const task = plan.tasks.find((other) => other.order === acted);
  const done = plan.tasks.filter(taskClosed).length;
  const next = plan.tasks.find(
    (other) => other.status === 'Pending' && openDependencies(plan.tasks, other).length === 0,
  );
  const go =
    next === undefined
      ? 'No further task can start by itself; start a failed one by its number, or skip it.'
      : `Next is task ${next.order}: ${next.title}. Call \`plan\` with operation start.`;
  return `Task ${acted} is ${statusWord(task)}. ${done} of ${plan.tasks.length} resolved. ${go}`;
}

function documentText(context: SessionContext): string {
  const faults = templateLines(context);
  const steps = context.document?.scan.steps.length ?? 0;
  if (faults.length === 0)
    return `Written. The session plan is complete (${steps} steps); end the turn for the user's review.`;
  return `Written. Still missing before it can be approved:${faults.map((fault) => `\n- ${fault}`).join('')}`;
}

const count = (n: number): string => (n === 1 ? '1 task' : `${n} tasks`);
const lines = (tasks: readonly Task[]): string =>
  tasks.map((task) => `\n${task.order}. ${task.title}`).join('');
const statusWord = (task: Task | undefined): string =>
  typeof task?.status === 'string' ? task.status.toLowerCase() : 'resolved';
