import { draftTasks } from '../drafts.ts';
import type { SessionEvent } from '../events.ts';
import type { Code } from '../refusals.ts';
import { openDependencies, type Task, taskClosed } from '../tasks.ts';
import { approvedTextStands, type SessionContext } from './context.ts';

const tasksOf = (context: SessionContext): readonly Task[] => context.plan?.tasks ?? [];
const isBlocked = (task: Task): boolean => typeof task.status === 'object' || task.status === 'Blocked';

/** Whether `start` without a number may take it: Pending or Blocked, dependencies resolved (D18). */
function canStart(tasks: readonly Task[], task: Task): boolean {
  if (task.status !== 'Pending' && !isBlocked(task)) return false;
  return openDependencies(tasks, task).length === 0;
}

/** The task that `start` means: the number given, else the one InProgress, else the first that can start. */
export function taskToStart(context: SessionContext, number: number | undefined): Task | null {
  const tasks = tasksOf(context);
  if (number !== undefined) return tasks.find((task) => task.order === number) ?? null;
  return runningTask(context) ?? tasks.find((task) => canStart(tasks, task)) ?? null;
}

/** The task that `complete` means: the number given, else the one InProgress. */
export function taskToComplete(context: SessionContext, number: number | undefined): Task | null {
  if (number === undefined) return runningTask(context);
  return tasksOf(context).find((task) => task.order === number) ?? null;
}

export function runningTask(context: SessionContext): Task | null {
  return tasksOf(context).find((task) => task.status === 'InProgress') ?? null;
}

/** `success`, `fail` or `skip`, any letter case; missing means success (D18). */
export function completeAction(action: string | undefined): 'success' | 'fail' | 'skip' | null {
  const word = (action ?? 'success').trim().toLowerCase();
  return word === 'success' || word === 'fail' || word === 'skip' ? word : null;
}

export function batchFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.addTasks') return null;
  if (event.tasks.length === 0) return 'TASKS_INVALID';
  return 'faults' in draftTasks(event.tasks, tasksOf(context), event.ids.slice(2)) ? 'TASKS_INVALID' : null;
}

/** The one batch of the seed window: from the approved text, as many tasks as steps (D41). */
export function seedFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.addTasks') return null;
  if (!approvedTextStands(context)) return 'TEXT_CHANGED';
  if (event.tasks.length !== context.document?.scan.steps.length) return 'SEED_COUNT';
  return batchFault(context, event);
}

export function startFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.start') return null;
  const tasks = tasksOf(context);
  if (tasks.length === 0) return 'NO_TASKS';
  const task = taskToStart(context, event.task);
  if (task === null) return event.task === undefined ? 'NOTHING_TO_START' : 'NO_SUCH_TASK';
  if (task.status === 'InProgress') return null;
  if (taskClosed(task)) return 'TASK_CLOSED';
  if (runningTask(context) !== null) return 'TASK_RUNNING';
  if (openDependencies(tasks, task).length > 0) return 'DEPENDENCIES_OPEN';
  return task.status === 'Failed' && task.retry_count >= task.max_retries ? 'RETRY_LIMIT' : null;
}

export function completeFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.complete') return null;
  const action = completeAction(event.action);
  if (action === null) return 'UNKNOWN_ACTION';
  const task = taskToComplete(context, event.task);
  if (task === null) return event.task === undefined ? 'TASK_NOT_RUNNING' : 'NO_SUCH_TASK';
  if (task.status === 'InProgress') return null;
  return action === 'skip' && !taskClosed(task) ? null : 'TASK_NOT_RUNNING';
}

/** Whether this `complete` resolves the last open task (D17). A failed task stays open. */
export function finishes(context: SessionContext, event: SessionEvent): boolean {
  if (event.type !== 'tool.complete' || completeAction(event.action) === 'fail') return false;
  const task = taskToComplete(context, event.task);
  return task !== null && tasksOf(context).every((other) => other.id === task.id || taskClosed(other));
}
