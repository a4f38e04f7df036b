import { z } from 'zod';
import { numberedId } from './ids.ts';

/** Status of a task on disk: a string, or an object that says why it is blocked (D12). */
export type TaskStatus = string | { readonly Blocked: string };

export interface Task {
  id: string;
  /** 1-based place in the whole checklist. */
  order: number;
  title: string;
  description: string;
  task_type: string;
  /** UUIDs of earlier work; an unknown one is never satisfied. */
  dependencies: readonly string[];
  /** 1 (trivial) to 5. */
  complexity: number;
  acceptance_criteria: readonly string[];
  status: TaskStatus;
  notes: string | null;
  completed_at: string | null;
  retry_count: number;
  max_retries: number;
  artifacts: readonly unknown[];
  rest: Readonly<Record<string, unknown>>;
}

export const taskClosed = (task: Task): boolean => task.status === 'Completed' || task.status === 'Skipped';

/** Tasks that `task` still waits for; a dependency that names nothing counts as one (D18). */
export function openDependencies(tasks: readonly Task[], task: Task): string[] {
  return task.dependencies.flatMap((id) => {
    const found = tasks.find((other) => other.id === id);
    if (found === undefined) return [id];
    return taskClosed(found) ? [] : [String(found.order)];
  });
}

const Stored = z.looseObject({
  id: z.string().catch(''),
  order: z.number().catch(0),
  title: z.string().catch(''),
  description: z.string().catch(''),
  task_type: z
    .union([z.string(), z.object({ Other: z.string() }).transform((type) => type.Other)])
    .catch('other'),
  dependencies: z.array(z.union([z.string(), z.number()])).catch([]),
  complexity: z.number().catch(3),
  acceptance_criteria: z.array(z.string()).catch([]),
  status: z.union([z.string(), z.object({ Blocked: z.string() })]).catch('Pending'),
  notes: z.string().nullable().catch(null),
  completed_at: z.string().nullable().catch(null),
  retry_count: z.number().catch(0),
  max_retries: z.number().catch(3),
  artifacts: z.array(z.unknown()).catch([]),
});

/** Tasks as a file holds them: defaults filled in, orders 1…n, integer dependencies turned into UUIDs (D12). */
export function loadTasks(raw: readonly unknown[], session: string): Task[] {
  const stored = raw.map((entry) => Stored.parse(entry));
  const ids = stored.map((task, index) => task.id || numberedId(session, index + 1));
  const ordered = stored.some((task) => task.order > 0);
  const byNumber = (n: number): string | undefined => {
    const index = ordered ? stored.findIndex((task) => task.order === n) : n - 1;
    return ids[index];
  };
  return stored.map((task, index) => ({
    id: ids[index] ?? numberedId(session, index + 1),
    order: index + 1,
    title: task.title,
    description: task.description,
    task_type: task.task_type,
    dependencies: task.dependencies.map((d) => (typeof d === 'string' ? d : (byNumber(d) ?? String(d)))),
    complexity: task.complexity === 0 ? 3 : task.complexity,
    acceptance_criteria: task.acceptance_criteria,
    status: task.status,
    notes: task.notes,
    completed_at: task.completed_at,
    retry_count: task.retry_count,
    max_retries: task.max_retries,
    artifacts: task.artifacts,
    rest: restOf(task),
  }));
}

/** Fields of a task that the schema knows. */
export const taskFields: ReadonlySet<string> = new Set(Object.keys(Stored.shape));

/** Fields that we do not know survive a load and a save (D12). */
const restOf = (task: z.infer<typeof Stored>): Task['rest'] =>
  Object.fromEntries(Object.entries(task).filter(([name]) => !taskFields.has(name)));
