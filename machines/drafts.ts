import type { TaskDraft } from './events.ts';
import type { Task } from './tasks.ts';

/** A draft with what an import file may add: its own id and order. */
export type Draft = TaskDraft & { id?: string | undefined; order?: number | undefined };

export const taskLimits = { title: 200, description: 5000 } as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Turns drafts into tasks behind the existing ones, or names every fault with task and value (D19).
 * The one place that judges tasks on all three creation paths. An integer dependency is an order of
 * the file where it gives orders, else a number in the whole checklist.
 */
export function draftTasks(
  drafts: readonly Draft[],
  existing: readonly Task[],
  ids: readonly string[],
): { tasks: Task[] } | { faults: string[] } {
  const faults = [...drafts.flatMap(wordFaults), ...duplicates(drafts)];
  const all = [...existing.map((task) => task.id), ...drafts.map((_, index) => ids[index] ?? '')];
  const tasks = drafts.map((draft, index) => {
    const resolved = dependencyIds(draft, existing.length + index, { drafts, all, before: existing.length });
    faults.push(...resolved.faults);
    return toTask(draft, existing.length + index + 1, ids[index] ?? '', resolved.ids);
  });
  if (faults.length === 0) faults.push(...cycles([...existing, ...tasks]));
  return faults.length > 0 ? { faults } : { tasks };
}

function wordFaults(draft: Draft, index: number): string[] {
  const name = `task ${index + 1}`;
  const faults: string[] = [];
  for (const field of ['title', 'description'] as const) {
    const length = [...draft[field]].length;
    if (draft[field].trim() === '') faults.push(`${name}: ${field} is blank`);
    if (length > taskLimits[field]) {
      faults.push(`${name}: ${field} has ${length} characters, at most ${taskLimits[field]} fit`);
    }
  }
  return faults;
}

function duplicates(drafts: readonly Draft[]): string[] {
  const faults: string[] = [];
  for (const field of ['id', 'order'] as const) {
    const seen = new Map<string | number, number>();
    drafts.forEach((draft, index) => {
      const value = draft[field];
      if (value === undefined) return;
      const first = seen.get(value);
      if (first !== undefined) faults.push(`task ${index + 1}: ${field} ${value} is task ${first + 1}'s`);
      else seen.set(value, index);
    });
  }
  return faults;
}

interface Numbering {
  drafts: readonly Draft[];
  /** Ids of the whole checklist, existing tasks first. */
  all: readonly string[];
  before: number;
}

function dependencyIds(
  draft: Draft,
  self: number,
  numbering: Numbering,
): { ids: string[]; faults: string[] } {
  const ids: string[] = [];
  const faults: string[] = [];
  const name = `task ${self - numbering.before + 1} ("${draft.title}")`;
  for (const value of draft.dependencies ?? []) {
    const id = typeof value === 'number' ? byNumber(value, numbering) : byId(value, numbering);
    if (id === null) faults.push(`${name}: dependency ${JSON.stringify(value)} names no task`);
    else if (id === numbering.all[self]) faults.push(`${name}: dependency ${value} is the task itself`);
    else if (ids.includes(id)) faults.push(`${name}: dependency ${value} is named twice`);
    else ids.push(id);
  }
  return { ids, faults };
}

function byNumber(value: number, { drafts, all, before }: Numbering): string | null {
  if (!Number.isInteger(value) || value < 1) return null;
  if (!drafts.some((draft) => draft.order !== undefined)) return all[value - 1] ?? null;
  const index = drafts.findIndex((draft) => draft.order === value);
  return index < 0 ? null : (all[before + index] ?? null);
}

function byId(value: string, { drafts, all, before }: Numbering): string | null {
  if (!uuid.test(value)) return null;
  const index = drafts.findIndex((draft) => draft.id?.toLowerCase() === value.toLowerCase());
  if (index >= 0) return all[before + index] ?? null;
  return all.slice(0, before).find((id) => id.toLowerCase() === value.toLowerCase()) ?? null;
}

/** Takes away what nothing waits for, again and again; what is left waits for itself. */
function cycles(tasks: readonly Task[]): string[] {
  let left = [...tasks];
  for (;;) {
    const ids = new Set(left.map((task) => task.id));
    const next = left.filter((task) => task.dependencies.some((id) => ids.has(id)));
    if (next.length === left.length) break;
    left = next;
  }
  if (left.length === 0) return [];
  return [`tasks ${left.map((task) => task.order).join(', ')} depend on each other in a circle`];
}

function toTask(draft: Draft, order: number, id: string, dependencies: string[]): Task {
  return {
    id,
    order,
    title: draft.title.trim(),
    description: draft.description.trim(),
    task_type: (draft.task_type ?? 'other').trim().toLowerCase() || 'other',
    dependencies,
    complexity: Math.min(5, Math.max(1, Math.round(draft.complexity ?? 3))) || 3,
    acceptance_criteria: (draft.acceptance_criteria ?? []).filter((line) => line.trim() !== ''),
    status: 'Pending',
    notes: null,
    completed_at: null,
    retry_count: 0,
    max_retries: 3,
    artifacts: [],
    rest: {},
  };
}
