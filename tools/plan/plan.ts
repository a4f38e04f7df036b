import type { Answer } from '../../machines/index.ts';
import { counted, failed, oneLine, sentence } from '../text.ts';
import type { Preview, Tool, ToolContext, ToolEvent, ToolResult } from '../types.ts';
import { eventOf, type Found } from './event.ts';
import { importFile } from './import-file.ts';
import { type PlanInput, planInput } from './input.ts';

/** The agent's hand on the session machine: it words events and returns answers, and decides nothing (D6). */
export const plan: Tool<PlanInput> = {
  name: 'plan',
  class: 'plan',
  description: [
    'Open a SESSION PLAN (design prose in the session .md that the user approves) or run a CHECKLIST (tasks worked one by one).',
    'init: mode design opens a SESSION PLAN; write it to the .md that the answer names, then end the turn. Mode checklist, with tasks, goes Active at once; then start. With file_path, a CHECKLIST is imported.',
    'add_tasks: append tasks, each with title and description. add_task: the same for one task.',
    'start: the next task, or task_order.',
    'complete: the running task, with task_order, action and output. It does not start the next.',
    'Only the user approves or discards.',
  ].join('\n'),
  input: planInput,
  asks: ({ operation }) => operation === 'init',
  // A Yes for the session is one for this file, not for any that lies somewhere (D21).
  key: ({ file_path }) => (file_path === undefined ? 'plan' : `plan import ${file_path}`),
  summary,
  preview: async (input, context) =>
    input.file_path === undefined ? previewOf(input) : importPreview(input.file_path, context),
  event,
  async run(input, context) {
    const said = await event(input, context);
    if ('cause' in said) return failed(said.cause);
    return resultOf(input, await context.send(said));
  },
};

async function event(input: PlanInput, context: ToolContext): Promise<ToolEvent | { cause: string }> {
  const found = await findings(input, context);
  return 'cause' in found ? found : eventOf(input, found, context);
}

async function findings(input: PlanInput, context: ToolContext): Promise<Found | { cause: string }> {
  const found: Found = {};
  if (input.operation !== 'init') return found;
  if (input.file_path !== undefined) found.file = await importFile(input.file_path, context);
  if (input.from === undefined) return found;
  const archived = await context.archived(input.from);
  if ('cause' in archived) {
    return {
      cause: `Nothing was started. ${input.from} can't be used as first text: ${sentence(archived.cause)}`,
    };
  }
  return { ...found, from: archived.text };
}

function resultOf(input: PlanInput, answer: Answer): ToolResult {
  if (answer.kind === 'accepted') return { text: answer.text };
  const refusal =
    'code' in answer
      ? { ...failed(`${answer.code}: ${answer.text}`), code: answer.code }
      : failed(answer.text);
  // The approved text is gone, so no task of it can be right: the seed ends here (D41).
  const seedIsOver =
    input.operation.startsWith('add_task') && 'code' in answer && answer.code === 'TEXT_CHANGED';
  return seedIsOver ? { ...refusal, endsTurn: true } : refusal;
}

function summary(input: PlanInput): string {
  const { operation, tasks, task_order, action } = input;
  if (operation === 'init') return oneLine(`init ${input.file_path ?? input.title ?? ''}`);
  if (operation === 'add_tasks') return `add_tasks, ${counted(tasks?.length ?? 0, 'task')}`;
  return oneLine([operation, task_order, operation === 'complete' ? action : undefined].join(' '));
}

/** The file itself is not read for it; where the path leads elsewhere than it says, that is shown. */
async function importPreview(given: string, context: ToolContext): Promise<Preview> {
  const title = `Import a checklist from ${given}`;
  const target = await context.resolve(given, 'read');
  if ('cause' in target) return { title, body: sentence(target.cause) };
  const isPlain = [given, `${context.cwd}/${given}`].includes(target.path);
  return { title, body: isPlain ? '' : `Reads ${target.path}` };
}

function previewOf({ title = '', description = '', mode, tasks = [], from }: PlanInput): Preview {
  const list = tasks.map((task, index) => `${index + 1}. ${task.title ?? ''}`).join('\n');
  const start = from === undefined ? '' : `First text: ${from}`;
  const body = [description, start, list].filter((part) => part !== '').join('\n\n');
  const isChecklist = mode === undefined ? tasks.length > 0 : mode === 'checklist';
  return { title: `Start a ${isChecklist ? 'checklist' : 'session plan'}: ${title}`, body };
}
