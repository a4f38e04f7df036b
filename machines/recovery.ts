import { phaseOf } from './phase.ts';
import type { Reminder } from './reminder.ts';
import { taskToStart } from './session/checklist-faults.ts';
import type { SessionContext } from './session/context.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { taskClosed } from './tasks.ts';

/**
 * The plan block of a compacted conversation (D27), for the state as it is now: made anew with each request and
 * never stored, so that a plan that has ended can't come back with an old summary. Null without a plan.
 */
export function recoveryOf(snapshot: SessionSnapshot): Reminder | null {
  const { context } = snapshot;
  const path = context.places.document;
  switch (phaseOf(snapshot)) {
    case 'noPlan':
      return null;
    case 'preInit':
      return { prompt: 'compaction-pre-init', variables: {} };
    case 'postInit':
      return { prompt: 'compaction-post-init', variables: { path } };
    case 'seeding':
      return hasTasks(context) ? activeRecovery(context) : seedRecovery(context);
    case 'seedFailedEmpty':
      return { prompt: 'compaction-seed-empty', variables: { path } };
    case 'seedFailedPartial':
      return { prompt: 'compaction-seed-partial', variables: { path } };
    case 'checklist':
      return hasTasks(context) ? activeRecovery(context) : { prompt: 'compaction-no-tasks', variables: {} };
    case 'unreadable':
      return {
        prompt: 'compaction-unreadable',
        variables: { path: context.unreadable?.path ?? context.places.sidecar },
      };
  }
}

const hasTasks = ({ plan }: SessionContext): boolean => (plan?.tasks.length ?? 0) > 0;

function seedRecovery({ document, places }: SessionContext): Reminder {
  return {
    prompt: 'compaction-seeding',
    variables: { path: places.document, steps: document?.scan.steps.length ?? 0 },
  };
}

function activeRecovery(context: SessionContext): Reminder {
  const { plan, places } = context;
  const tasks = plan?.tasks ?? [];
  const next = taskToStart(context, undefined);
  return {
    prompt: 'compaction-active',
    variables: {
      title: plan?.title ?? '',
      at:
        next === null
          ? `${tasks.length} tasks, none that can start`
          : `task ${next.order} of ${tasks.length}`,
      done: tasks.filter(taskClosed).length,
      path: plan?.track === 'design' ? places.document : 'none',
    },
  };
}
