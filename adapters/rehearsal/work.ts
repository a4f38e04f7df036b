import type { Place } from './design.ts';
import { writeNotes } from './new-files.ts';
import { progress, type EndedTask, type TaskAtHand } from './progress.ts';
import { act, firstLine, isPlan, plan, reason, say, type Reply } from './reply.ts';
import { sampleStep } from './sample-change.ts';
import { changeSample } from './sample-work.ts';
import type { SeedTask } from './seed.ts';
import type { Turn } from './turn.ts';

/** What to do next for the running task, or how it ends. */
export type TaskStep = { calls: Reply['calls'] } | { action: EndedTask['action']; output: string };

/**
 * One task after the other: start, do, complete (D18). `tasks` is what the seed turn added; null in a turn that goes
 * on with a checklist it did not build, where `start` without a number names the task.
 */
export function work(turn: Turn, tasks: readonly SeedTask[] | null, place: Place): Reply {
  const { task, ended, stuck } = progress(turn.done, tasks);
  const last = ended.at(-1);
  if (stuck !== null) {
    const over = tasks === null && last !== undefined && isPlan(stuck, 'start');
    return say(over ? summary(turn, ended) : `I stop here: ${firstLine(stuck.text)}`);
  }
  if (task !== null) return act(nextCalls(turn, task, place));
  if (last !== undefined && last.refused !== null) {
    return say(
      `I stop here, the CHECKLIST stays open: ${last.refused.name} did not go through. ${reason(last.refused)}`,
    );
  }
  if (last?.closing === true || (tasks !== null && ended.length === tasks.length))
    return say(summary(turn, ended));
  return act([plan('start', tasks === null ? {} : { task_order: ended.length + 1 })]);
}

function nextCalls(turn: Turn, task: TaskAtHand, place: Place): Reply['calls'] {
  const sample = place === 'sample' ? sampleStep(task.text) : null;
  const step: TaskStep = sample === null ? writeNotes(turn, task) : changeSample(task, sample);
  if ('calls' in step) return step.calls;
  const number = task.number === null ? {} : { task_order: task.number };
  return [plan('complete', { ...number, ...step })];
}

function summary(turn: Turn, ended: readonly EndedTask[]): string {
  const failed = ended.filter(({ action }) => action === 'fail').length;
  const done = ended.length - failed;
  const tasks = `${done} ${done === 1 ? 'task is' : 'tasks are'} done`;
  const wrote = turn.done.filter((call) => !call.failed && ['write_file', 'edit_file'].includes(call.name));
  const files = [...new Set(wrote.map(({ input }) => `- ${String(input['path'])}`))];
  const list = files.length === 0 ? '' : `\n\nWritten or changed:\n${files.join('\n')}`;
  if (failed === 0) return `The CHECKLIST is through: ${tasks}.${list}`;
  return (
    `${tasks}; ${failed} I could not do, because fixed rules only make new notes. ` +
    `A real model can take them up: \`--model openai:<model>\`.${list}`
  );
}
