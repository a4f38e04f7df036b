import { z } from 'zod';
import type { Draft } from './drafts.ts';
import { parseJson } from './json.ts';

/** An import file that reads as a plan; tasks are still to be judged by `draftTasks`. */
export interface ImportedPlan {
  title: string;
  description: string;
  tasks: Draft[];
}

const ImportTask = z.looseObject({
  id: z.string().optional(),
  order: z.number().int().positive().optional(),
  title: z.string(),
  description: z.string(),
  task_type: z.string().optional(),
  dependencies: z.array(z.union([z.number(), z.string()])).optional(),
  complexity: z.number().optional(),
  acceptance_criteria: z.array(z.string()).optional(),
});

const ImportFile = z.looseObject({
  title: z.string(),
  description: z.string(),
  tasks: z.array(ImportTask).default([]),
});

/** Reads an import file's text (JSON spec, "Minimal Import Format"); faults name place and value. Never throws. */
export function readImport(text: string): ImportedPlan | { faults: string[] } {
  const json = parseJson(text);
  if ('cause' in json) return { faults: [json.cause] };
  const file = ImportFile.safeParse(json.value);
  if (!file.success) {
    return { faults: file.error.issues.map((issue) => `${where(issue.path)}: ${issue.message}`) };
  }
  const blank = (['title', 'description'] as const).filter((field) => file.data[field].trim() === '');
  if (blank.length > 0) return { faults: blank.map((field) => `${field} is blank`) };
  const { title, description, tasks } = file.data;
  return { title: title.trim(), description, tasks: tasks.map(toDraft) };
}

function toDraft(task: z.infer<typeof ImportTask>): Draft {
  const { id, order, title, description, task_type, dependencies, complexity, acceptance_criteria } = task;
  return { id, order, title, description, task_type, dependencies, complexity, acceptance_criteria };
}

/** `tasks.0.title` becomes `task 1 title`: people count from one. */
function where(path: readonly PropertyKey[]): string {
  const [root, index, ...rest] = path;
  if (root === undefined) return 'the file';
  if (root !== 'tasks' || typeof index !== 'number') return path.join('.');
  return [`task ${index + 1}`, ...rest].join(' ');
}
