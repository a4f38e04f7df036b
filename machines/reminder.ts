import { templateLines } from './facts.ts';
import { phaseOf } from './phase.ts';
import type { SessionContext } from './session/context.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { openDependencies, type Task, taskClosed } from './tasks.ts';

/** A prompt file and its variables: `prompts/reminder-<name>.md`. */
export interface Reminder {
  prompt: string;
  variables: Record<string, string | number>;
}

/**
 * What the model is reminded of with every request of a turn, tool loop included (D28). Null where
 * there is nothing to say: no plan, and the seed turn, whose own message says it.
 */
export function reminderOf(snapshot: SessionSnapshot): Reminder | null {
  const { context } = snapshot;
  const { sidecar, document } = context.places;
  switch (phaseOf(snapshot)) {
    case 'noPlan':
    case 'seeding':
      return null;
    case 'preInit':
      return { prompt: 'reminder-pre-init', variables: {} };
    case 'postInit':
      return { prompt: 'reminder-post-init', variables: { path: document, missing: missingParts(context) } };
    case 'seedFailedEmpty':
    case 'seedFailedPartial':
      return { prompt: 'reminder-seed-failed', variables: {} };
    case 'unreadable':
      return {
        prompt: 'reminder-unreadable',
        variables: {
          path: context.unreadable?.path ?? sidecar,
          cause: context.unreadable?.cause ?? 'unknown',
        },
      };
    case 'checklist':
      return activeReminder(context);
  }
}

function missingParts(context: SessionContext): string {
  return templateLines(context).join('; ') || 'nothing';
}

function activeReminder({ plan }: SessionContext): Reminder {
  const tasks = plan?.tasks ?? [];
  if (plan === null || tasks.length === 0) return { prompt: 'reminder-no-tasks', variables: {} };
  const lines = tasks.filter((task) => !taskClosed(task)).map((task) => taskLine(tasks, task));
  return {
    prompt: 'reminder-active',
    variables: {
      title: plan.title,
      done: tasks.filter(taskClosed).length,
      total: tasks.length,
      lines: lines.join('\n'),
    },
  };
}

/** `→ 2. Write it: in progress`, with criteria; a waiting task names what it waits for. */
function taskLine(tasks: readonly Task[], task: Task): string {
  const name = `${task.order}. ${task.title}`;
  if (task.status === 'InProgress') {
    const criteria = task.acceptance_criteria.map((line) => `; done when: ${line}`).join('');
    return `→ ${name} (in progress): ${[...task.description].slice(0, 160).join('')}${criteria}`;
  }
  if (task.status === 'Failed') return `✗ ${name} (failed: start it by its number, or skip it)`;
  const open = openDependencies(tasks, task);
  return open.length === 0 ? `☐ ${name}` : `⊘ ${name} (waits for ${open.join(', ')})`;
}

/** First message of the seed turn (D15); `again` marks a retry. Bounds of the approved text travel with it (B62). */
export function implementPrompt({ context }: SessionSnapshot, again: 'first' | 'again'): Reminder {
  const text = context.document?.text ?? '';
  const bounds = text
    .split('\n')
    .filter((line) => /^\s*(?:[-*+]\s+)?\*\*(?:Constraints|Out of scope):\*\*/u.test(line));
  return {
    prompt: 'implement',
    variables: {
      path: context.places.document,
      steps: context.document?.scan.steps.length ?? 0,
      again: again === 'again' ? 'again' : '',
      bounds: bounds.join('\n'),
    },
  };
}
