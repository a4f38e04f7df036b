import { draftTasks } from './drafts.ts';
import type { SessionEvent } from './events.ts';
import { readImport } from './import.ts';
import type { Code, RefusalFacts } from './refusals.ts';
import { taskToComplete, taskToStart } from './session/checklist-faults.ts';
import type { SessionContext } from './session/context.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { openDependencies, type Task, taskClosed } from './tasks.ts';

/** What a refusal text may name: everything from the files and the event, nothing remembered. */
export function refusalFacts(snapshot: SessionSnapshot, event: SessionEvent, code: Code): RefusalFacts {
  const { context } = snapshot;
  return {
    documentPath: context.places.document,
    sidecarPath: context.unreadable?.path ?? context.places.sidecar,
    faults: faultLines(context, event, code),
    running: runningText(context),
    task: taskText(context, event, code),
    value: valueOf(event),
    cause: causeOf(context, event),
    archived: archivedText(context),
  };
}

/** "The turn … waits in the terminal for your answer since 12:03" (D36). */
function runningText({ record: { lease } }: SessionContext): string {
  if (lease === null) return 'A turn is running';
  if (lease.cancel !== null) return 'A turn is being cancelled';
  if (lease.waiting === null) return `A turn is running since ${clock(lease.since)}`;
  const { what, surface, since } = lease.waiting;
  return `A turn waits ${place(surface)} for ${what} since ${clock(since)}`;
}

const clock = (at: string): string => `${at.slice(11, 16)} UTC`;
const place = (surface: string): string => (surface === 'tui' ? 'in the terminal' : `on ${surface}`);

function faultLines(context: SessionContext, event: SessionEvent, code: Code): string[] {
  switch (code) {
    case 'TEMPLATE_INVALID':
      return templateLines(context);
    case 'SEED_COUNT':
      return (context.document?.scan.steps ?? []).map((step) => `${step.number}. ${step.title}`);
    case 'TASKS_INVALID':
      return draftFaults(context, event);
    case 'IMPORT_INVALID':
      return importFaults(event);
    case 'DEPENDENCIES_OPEN':
      return dependencyLines(context, event);
    case 'NOTHING_TO_START':
      return openTaskLines(context);
    default:
      return [];
  }
}

export function templateLines({ document }: SessionContext): string[] {
  if (document === null) return ['the file is missing'];
  return document.scan.faults.map(
    ({ line, text, hint }) => `line ${line}: ${text}${hint === undefined ? '' : ` ${hint}`}`,
  );
}

function draftFaults({ plan }: SessionContext, event: SessionEvent): string[] {
  if (event.type !== 'tool.addTasks' && event.type !== 'tool.init') return [];
  const tasks = event.tasks ?? [];
  if (tasks.length === 0) return ['there is no task in the call'];
  const existing = event.type === 'tool.addTasks' ? (plan?.tasks ?? []) : [];
  const result = draftTasks(tasks, existing, event.ids.slice(2));
  return 'faults' in result ? result.faults : [];
}

function importFaults(event: SessionEvent): string[] {
  if (event.type !== 'tool.init' || event.file === undefined || !('text' in event.file)) return [];
  const file = readImport(event.file.text);
  if ('faults' in file) return file.faults;
  const result = draftTasks(
    file.tasks,
    [],
    file.tasks.map((_, index) => `#${index}`),
  );
  return 'faults' in result ? result.faults : [];
}

function dependencyLines(context: SessionContext, event: SessionEvent): string[] {
  const task = event.type === 'tool.start' ? taskToStart(context, event.task) : null;
  const tasks = context.plan?.tasks ?? [];
  if (task === null) return [];
  return openDependencies(tasks, task).map(
    (open) => named(tasks.find((t) => String(t.order) === open)) ?? open,
  );
}

function openTaskLines({ plan }: SessionContext): string[] {
  const tasks = plan?.tasks ?? [];
  return tasks
    .filter((task) => !taskClosed(task))
    .map((task) => {
      const open = openDependencies(tasks, task);
      const why = task.status === 'Failed' ? 'failed' : `waits for ${open.join(', ')}`;
      return `${named(task)}: ${why}`;
    });
}

const named = (task: Task | undefined): string | undefined =>
  task === undefined ? undefined : `task ${task.order} "${task.title}"`;

function taskText(context: SessionContext, event: SessionEvent, code: Code): string {
  if (code === 'TASK_RUNNING')
    return named(context.plan?.tasks.find((t) => t.status === 'InProgress')) ?? 'another task';
  if (event.type === 'tool.start') return named(taskToStart(context, event.task) ?? undefined) ?? 'the task';
  if (event.type === 'tool.complete')
    return named(taskToComplete(context, event.task) ?? undefined) ?? 'No task';
  return 'the task';
}

function valueOf(event: SessionEvent): string {
  switch (event.type) {
    case 'tool.unknown':
      return JSON.stringify(event.operation);
    case 'tool.init':
      return event.file?.path ?? JSON.stringify(event.mode ?? '');
    case 'tool.complete':
      return event.task === undefined ? JSON.stringify(event.action ?? '') : actionOrNumber(event);
    case 'tool.start':
      return String(event.task ?? '');
    default:
      return '';
  }
}

/** UNKNOWN_ACTION names the action, NO_SUCH_TASK the number; the guards ask for the action first. */
function actionOrNumber(event: { task?: number | undefined; action?: string | undefined }): string {
  const known = /^\s*(success|fail|skip)\s*$/iu.test(event.action ?? 'success');
  return known ? String(event.task) : JSON.stringify(event.action);
}

function causeOf({ unreadable }: SessionContext, event: SessionEvent): string {
  if (event.type === 'tool.init' && event.file !== undefined && 'cause' in event.file)
    return event.file.cause;
  return unreadable?.cause ?? '';
}

function archivedText({ archives }: SessionContext): string {
  const newest = archives.filter((name) => name.endsWith('.md')).at(-1);
  return newest === undefined ? '' : ` The last one is kept as ${newest} in the archive.`;
}
