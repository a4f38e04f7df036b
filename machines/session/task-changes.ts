import type { SessionEvent } from '../events.ts';
import type { Plan } from '../sidecar.ts';
import type { Task } from '../tasks.ts';
import { completeAction, taskToComplete, taskToStart } from './checklist-faults.ts';
import type { SessionContext } from './context.ts';
import type { Change } from './plan-changes.ts';

function withTask(plan: Plan, event: SessionEvent, changed: Task): Plan {
  const tasks = plan.tasks.map((task) => (task.id === changed.id ? changed : task));
  return { ...plan, tasks, rev: plan.rev + 1, updated_at: event.at };
}

/** `Task 2: Write it. Done when: a; b`; null without criteria, which clears the goal (D20). */
function goalOf(task: Task): string | null {
  if (task.acceptance_criteria.length === 0) return null;
  return `Task ${task.order}: ${task.title}. Done when: ${task.acceptance_criteria.join('; ')}`;
}

/** D18: a failed task costs a retry; resurfacing the running one changes nothing but the goal. */
export function taskStarted(context: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'tool.start' || context.plan === null) return {};
  const task = taskToStart(context, event.task);
  if (task === null) return {};
  const retry_count = task.retry_count + (task.status === 'Failed' ? 1 : 0);
  const plan = withTask(context.plan, event, { ...task, status: 'InProgress', retry_count });
  return {
    plan: { ...plan, seed: 'done' },
    record: { ...context.record, goal: { ...context.record.goal, task: goalOf(task) } },
  };
}

export function taskCompleted(context: SessionContext, event: SessionEvent): Change {
  if (event.type !== 'tool.complete' || context.plan === null) return {};
  const task = taskToComplete(context, event.task);
  const action = completeAction(event.action);
  if (task === null || action === null) return {};
  const plan = withTask(context.plan, event, ended(task, action, event.output ?? '', event.at));
  // A failed task keeps its goal for the retry; a task that never ran has set none (D20).
  if (action === 'fail' || task.status !== 'InProgress') return { plan };
  return { plan, record: { ...context.record, goal: { ...context.record.goal, task: null } } };
}

function ended(task: Task, action: 'success' | 'fail' | 'skip', output: string, at: string): Task {
  const notes = output === '' ? task.notes : output;
  if (action === 'skip') return { ...task, status: 'Skipped', notes };
  if (action === 'fail') return { ...task, status: 'Failed', notes: notes ?? 'failed' };
  return { ...task, status: 'Completed', notes, completed_at: at };
}

/** The last task is resolved: the plan leaves, and the lease keeps what the surfaces show until the turn settles (D17). */
export function planCompleted(context: SessionContext, event: SessionEvent): Change {
  const plan = completedPlan(context, event);
  const { lease, goal } = context.record;
  if (plan === null || lease === null) return {};
  const tasks = plan.tasks.map(({ title, status }) => ({
    title,
    status: status === 'Skipped' ? 'skipped' : 'completed',
  }));
  const closed = { plan: plan.id, title: plan.title, tasks, at: event.at };
  return {
    plan: null,
    document: null,
    record: { ...context.record, lease: { ...lease, closed }, goal: { ...goal, task: null } },
  };
}

/** The plan as it ends with this event. */
export function completedPlan(context: SessionContext, event: SessionEvent): Plan | null {
  return taskCompleted(context, event).plan ?? null;
}
