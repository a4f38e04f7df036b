import { isChange, isPlan } from './reply.ts';
import type { SeedTask } from './seed.ts';
import type { Done } from './turn.ts';

/** The task at hand: its words, and what was done for it since it was started. */
export interface TaskAtHand {
  number: number | null;
  /** Title, line break, description. */
  text: string;
  since: readonly Done[];
}

/** A task that got its `complete`. */
export interface EndedTask {
  action: 'success' | 'fail';
  /** The change that did not go through and made it fail. */
  refused: Done | null;
  /** The answer says that there is nothing left to start. */
  closing: boolean;
}

/** What the `plan` calls of the turn have led to so far. */
export interface Progress {
  task: TaskAtHand | null;
  ended: readonly EndedTask[];
  /** A `start` or `complete` that was refused. */
  stuck: Done | null;
}

/** Folds the calls of the turn; `tasks` is what the seed turn added, null in a turn that goes on with a checklist. */
export function progress(done: readonly Done[], tasks: readonly SeedTask[] | null): Progress {
  let task: (TaskAtHand & { since: Done[] }) | null = null;
  const ended: EndedTask[] = [];
  for (const call of done) {
    const [isStart, isEnd] = [isPlan(call, 'start'), isPlan(call, 'complete')];
    if ((isStart || isEnd) && call.failed) return { task, ended, stuck: call };
    if (isStart) task = { ...startedTask(call, tasks), since: [] };
    else if (isEnd) {
      ended.push(endedTask(call, task?.since ?? []));
      task = null;
    } else task?.since.push(call);
  }
  return { task, ended, stuck: null };
}

function endedTask(call: Done, since: readonly Done[]): EndedTask {
  return {
    action: call.input['action'] === 'fail' ? 'fail' : 'success',
    refused: since.find((made) => made.failed && isChange(made)) ?? null,
    closing: /\barchived?\b|\bno further task can start\b/i.test(call.text),
  };
}

/** The words of a started task: those we added, else those that `start` answers with (D18). */
function startedTask(call: Done, tasks: readonly SeedTask[] | null): { number: number | null; text: string } {
  const given = call.input['task_order'];
  const named = typeof given === 'number' ? given : Number(/\btask #?(\d+)/i.exec(call.text)?.[1] ?? 0);
  const task = tasks?.[named - 1];
  const text =
    task === undefined
      ? call.text.replace(/^.*in progress[^:\n]*: /, '')
      : `${task.title}\n${task.description}`;
  return { number: named > 0 ? named : null, text };
}
