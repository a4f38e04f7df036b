import { scanDocument } from '../../machines/index.ts';
import type { Place } from './design.ts';
import { readDocumentText } from './document-round.ts';
import { act, firstLine, isPlan, plan, say, type Reply } from './reply.ts';
import type { Turn } from './turn.ts';
import { work } from './work.ts';

/** A task as `add_tasks` takes it. */
export interface SeedTask {
  title: string;
  description: string;
  acceptance_criteria?: readonly string[];
  dependencies?: readonly number[];
}

/** The implement turn: read the approved text, one `add_tasks`, then work task by task (D41). */
export function seed(turn: Turn, path: string, place: Place): Reply {
  const read = readDocumentText(turn, path);
  if ('reply' in read) return read.reply;
  const tasks = seedTasks(read.text);
  if (tasks.length === 0)
    return say(`The SESSION PLAN at ${path} has no numbered step, so there is nothing to build.`);
  const added = turn.done.find((done) => isPlan(done, 'add_tasks'));
  if (added === undefined)
    return act([plan('add_tasks', { tasks })], 'I turn the approved steps into tasks, one to one.');
  if (added.failed) return say(`The CHECKLIST could not be built: ${firstLine(added.text)}`);
  return work(turn, tasks, place);
}

/** Steps to tasks, one to one and in order; the caps are those of D19. */
export function seedTasks(text: string): SeedTask[] {
  return scanDocument(text).steps.map(({ title, description, doneWhen }, index) => {
    const needed = dependencies(`${title} ${description}`, index + 1);
    return {
      title: cut(title, 200),
      description: cut(description === '' ? title : description, 5000),
      ...(doneWhen.length > 0 ? { acceptance_criteria: doneWhen } : {}),
      ...(needed.length > 0 ? { dependencies: needed } : {}),
    };
  });
}

/** Only where the prose says so: "depends on step 1", "after step 2", "blocked by task 3". */
function dependencies(prose: string, self: number): number[] {
  const named = [...prose.matchAll(/\b(?:depends on|after|blocked by)\s+(?:step|task)\s+#?(\d+)\b/gi)];
  const numbers = named.map(([, digits]) => Number(digits)).filter((n) => n >= 1 && n < self);
  return [...new Set(numbers)];
}

function cut(text: string, limit: number): string {
  return Array.from(text).slice(0, limit).join('');
}
