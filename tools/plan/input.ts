import { z } from 'zod';

/** In the order in which they are explained; `add_task` is `add_tasks` with one task (seeds). */
export const operations = ['init', 'add_tasks', 'add_task', 'start', 'complete'] as const;

/** Old fields: taken when given, never asked for (D52), and of no use when malformed. */
const old = {
  task_type: z.string().optional().catch(undefined).meta({ deprecated: true }),
  complexity: z.number().optional().catch(undefined).meta({ deprecated: true }),
};

const dependencies = z
  .array(z.union([z.number(), z.string()]))
  .optional()
  .describe('Numbers of tasks that have to be resolved first');
const criteria = z.array(z.string()).optional().describe('Optional: when the task counts as done');

// What is missing in a task, the machine says, for all tasks at once; the model is told what to give.
const task = z
  .object({
    title: z.string().optional(),
    description: z.string().optional(),
    dependencies,
    acceptance_criteria: criteria,
    ...old,
  })
  .meta({ required: ['title', 'description'] });

/** Wide on purpose: an unknown operation, mode or action has a code and a text in the machine. */
export const planInput = z.object({
  operation: z.string().meta({ enum: [...operations] }),
  title: z.string().optional().describe('init: title of the whole; add_task: title of the task'),
  description: z.string().optional(),
  mode: z
    .string()
    .optional()
    .meta({ enum: ['design', 'checklist'], description: 'init' }),
  tasks: z.array(task).optional().describe('init with mode checklist, and add_tasks'),
  file_path: z.string().optional().describe('init: a JSON file to import the CHECKLIST from'),
  from: z
    .string()
    .optional()
    .describe('init with mode design: file name of an archived SESSION PLAN of this session, as first text'),
  task_order: z.coerce.number().optional().describe('start, complete: number of the task'),
  action: z
    .string()
    .optional()
    .meta({ enum: ['success', 'fail', 'skip'], description: 'complete; success when left out' }),
  output: z.string().optional().describe('complete: what was done, or why not'),
  dependencies: dependencies.describe('add_task'),
  acceptance_criteria: criteria.describe('add_task'),
  ...old,
});
export type PlanInput = z.infer<typeof planInput>;
