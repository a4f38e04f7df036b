import type { SessionSnapshot } from '../../machines/index.ts';
import { phaseOf, turnOf } from '../../machines/index.ts';
import { approvedTextStands, isRestorable } from '../../machines/session/context.ts';
import type { Task } from '../../machines/tasks.ts';

/**
 * Identity of a place while exploring: the state, and of the files only what a guard can look at
 * there. What is left out in one state (the tasks of an idle session, say) is looked at in another
 * one that is reached by itself.
 */
export function keyOf(snapshot: SessionSnapshot): string {
  const facts = factsOf(snapshot).filter((fact) => fact !== '');
  return `${JSON.stringify(snapshot.value.plan)}/${turnOf(snapshot)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function factsOf(snapshot: SessionSnapshot): string[] {
  const { context } = snapshot;
  const { record, document } = context;
  const { lease, yolo } = record;
  // From a cancel on every call is refused, whatever the files say.
  if (lease !== null && lease.cancel !== null) return [];
  const [next] = record.queue;
  const left = next !== undefined && context.gone.includes(next.process) ? ', not sent' : '';
  const queued = when(next !== undefined, `queued ${next?.said.type}${left}`);
  const headless = when(lease !== null && lease.by.entry !== 'interactive', 'headless');
  const others = when(lease !== null && !lease.by.owner, "another's turn");
  const faulty = when((document?.scan.faults.length ?? 0) > 0, 'faulty text');
  const text = document === null ? 'no text' : when(!approvedTextStands(context), 'changed text');
  const restorable = when(!isRestorable(context), 'nothing to restore');
  const tasks = tasksOf(snapshot);
  switch (phaseOf(snapshot)) {
    case 'noPlan':
      return [when(yolo, 'yolo'), headless, others, queued];
    case 'preInit':
      return [when(yolo, 'yolo'), headless];
    case 'postInit':
      return [faulty, queued];
    case 'seeding':
      return tasks.length > 0 ? tasks : [text, faulty];
    case 'seedFailedEmpty':
      return lease === null ? [text, faulty, restorable] : [];
    case 'checklist':
      return lease === null ? [restorable] : tasks;
    case 'seedFailedPartial':
    case 'unreadable':
      return [];
  }
}

const when = (holds: boolean, fact: string): string => (holds ? fact : '');

function tasksOf({ context: { plan } }: SessionSnapshot): string[] {
  const tasks = plan?.tasks ?? [];
  return tasks.map((task) => `${task.order} ${statusOf(task)}${dependenciesOf(tasks, task)}`);
}

function statusOf(task: Task): string {
  const status = typeof task.status === 'object' ? 'Blocked' : task.status;
  return task.retry_count > 0 && status !== 'Completed' && status !== 'Skipped' ? `${status} again` : status;
}

function dependenciesOf(tasks: readonly Task[], task: Task): string {
  const orders = task.dependencies.map((id) => tasks.find((other) => other.id === id)?.order ?? '?');
  return orders.length === 0 ? '' : ` after ${orders.join('+')}`;
}
