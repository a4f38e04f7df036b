import type { Said, TaskDraft } from '../../machines/index.ts';
import type { ToolContext, ToolEvent } from '../types.ts';
import type { ImportFile } from './import-file.ts';
import type { PlanInput } from './input.ts';

/** What `init` found on the disk. */
export interface Found {
  file?: ImportFile;
  from?: string;
}

/** The machine's event for a call (D6): nothing is decided here. */
export function eventOf(input: PlanInput, found: Found, context: ToolContext): ToolEvent {
  const call = { turn: context.turn, child: context.child === true };
  const { operation } = input;
  switch (operation) {
    case 'init': {
      const { title, description, mode } = input;
      const tasks = input.tasks?.map(draft);
      return { type: 'tool.init', ...call, ...given({ title, description, mode, tasks }), ...found };
    }
    case 'add_tasks':
      return { type: 'tool.addTasks', ...call, tasks: (input.tasks ?? []).map(draft) };
    case 'add_task':
      return { type: 'tool.addTasks', ...call, tasks: onlyTask(input) };
    case 'start':
      return { type: 'tool.start', ...call, ...given({ task: input.task_order }) };
    case 'complete': {
      const { task_order, action, output } = input;
      return { type: 'tool.complete', ...call, ...given({ task: task_order, action, output }) };
    }
    default:
      return { type: 'tool.unknown', ...call, operation } satisfies Said;
  }
}

/** Flat, or as the only element of `tasks`, which models mix up. */
function onlyTask(input: PlanInput): TaskDraft[] {
  return input.title === undefined && input.tasks !== undefined ? input.tasks.map(draft) : [draft(input)];
}

function draft(task: NonNullable<PlanInput['tasks']>[number]): TaskDraft {
  const { title = '', description = '', dependencies, acceptance_criteria, task_type, complexity } = task;
  return { title, description, ...given({ dependencies, acceptance_criteria, task_type, complexity }) };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was left out: the events are strict about keys. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
