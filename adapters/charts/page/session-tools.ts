import type { Said, SessionSnapshot, TaskDraft } from '../../../machines/index.ts';
import { apart, draft, importFile, owner, type Spoken, texts, two } from './session-samples.ts';

/** What the agent calls, and what its turn and the queue report. */
export function toolChoices(snapshot: SessionSnapshot): Spoken {
  const call = { turn: snapshot.context.record.lease?.turn ?? 'ended', child: false };
  return {
    ...inits(call),
    ...taskCalls(snapshot, call),
    ...writes(snapshot, call),
    ...everyCall('child', { ...call, child: true }),
    ...everyCall('ended', { turn: 'ended', child: false }),
    ...turns(snapshot),
  };
}

interface Caller {
  turn: string;
  child: boolean;
}

const title = 'Keep the basket';

function inits(call: Caller): Spoken {
  const init = (fields: object): Said => ({ type: 'tool.init', ...call, ...fields });
  const description = 'Baskets last.';
  return {
    'agent.init-design': ['init: design', init({ title, mode: 'design' })],
    'agent.init-archived': ['init: design, from the archive', init({ title, from: texts.complete })],
    'agent.init-one': [
      'init: checklist of one task',
      init({ title, mode: 'checklist', tasks: two.slice(0, 1) }),
    ],
    'agent.init-two': ['init: checklist, 2 waits for 1', init({ title, tasks: two })],
    'agent.init-apart': ['init: checklist of two apart', init({ title, tasks: apart })],
    'agent.init-import': [
      'init: import a file',
      init({ file: importFile({ title, description, tasks: two }) }),
    ],
    'agent.init-file-and-tasks': ['init: a file and tasks', init({ file: importFile('{}'), tasks: two })],
    'agent.init-file-missing': [
      'init: a file that is not there',
      init({ file: { path: 'none.json', cause: 'ENOENT' } }),
    ],
    'agent.init-file-invalid': ['init: a file that is no plan', init({ file: importFile('{') })],
    'agent.init-file-empty': [
      'init: a file without tasks',
      init({ file: importFile({ title, description }) }),
    ],
    'agent.init-untitled': ['init: no title', init({})],
    'agent.init-mode': ['init: an unknown mode', init({ title, mode: 'sketch' })],
    'agent.init-design-tasks': ['init: a design with tasks', init({ title, mode: 'design', tasks: two })],
    'agent.init-no-tasks': ['init: a checklist without tasks', init({ title, mode: 'checklist' })],
    'agent.init-bad-tasks': [
      'init: tasks with a fault',
      init({ title, tasks: [draft('A', { dependencies: [9] })] }),
    ],
  };
}

function taskCalls({ context }: SessionSnapshot, call: Caller): Spoken {
  const add = (tasks: TaskDraft[]): Said => ({ type: 'tool.addTasks', ...call, tasks });
  const start = (fields: object): Said => ({ type: 'tool.start', ...call, ...fields });
  const complete = (fields: object): Said => ({ type: 'tool.complete', ...call, ...fields });
  const each = (context.document?.scan.steps ?? []).map((step) => draft(step.title || 'A step'));
  return {
    ...(each.length > 0 ? { 'agent.add-steps': ['add_tasks: one for each step', add(each)] } : {}),
    'agent.add-one': ['add_tasks: one more', add([draft('Tidy up')])],
    'agent.add-none': ['add_tasks: none', add([])],
    'agent.add-bad': ['add_tasks: two with a fault', add([draft(' '), draft('Tidy up')])],
    'agent.start': ['start: the next task', start({})],
    'agent.start-1': ['start: task 1', start({ task: 1 })],
    'agent.start-2': ['start: task 2', start({ task: 2 })],
    'agent.start-9': ['start: task 9', start({ task: 9 })],
    'agent.complete': ['complete: the running task', complete({})],
    'agent.fail': ['complete: it failed', complete({ action: 'fail' })],
    'agent.complete-1': ['complete: task 1', complete({ task: 1 })],
    'agent.skip-1': ['complete: skip task 1', complete({ task: 1, action: 'skip' })],
    'agent.skip-2': ['complete: skip task 2', complete({ task: 2, action: 'skip' })],
    'agent.complete-9': ['complete: task 9', complete({ task: 9 })],
    'agent.complete-action': ['complete: an unknown action', complete({ action: 'approve' })],
    'agent.finalize': [
      'An unknown operation: finalize',
      { type: 'tool.unknown', ...call, operation: 'finalize' },
    ],
  };
}

function writes({ context: { plan, document } }: SessionSnapshot, call: Caller): Spoken {
  const base = document?.hash ?? null;
  const write = (fields: object): Said => ({
    type: 'tool.document',
    ...call,
    text: texts.complete,
    base,
    plan: plan?.id ?? null,
    ...fields,
  });
  return {
    'agent.write': ['Write the session plan', write({})],
    'agent.write-other': ['Write another plan', write({ text: texts.other })],
    'agent.write-faulty': ['Write a plan with faults', write({ text: texts.faulty })],
    'agent.write-stale': ['Write over a text it never read', write({ base: 'stale' })],
    'agent.write-elsewhere': ['Write for an earlier plan', write({ plan: 'earlier' })],
  };
}

/** One call of every kind, by somebody who may not. */
function everyCall(group: 'child' | 'ended', call: Caller): Spoken {
  return {
    [`${group}.init`]: ['init', { type: 'tool.init', ...call, title }],
    [`${group}.add`]: ['add_tasks', { type: 'tool.addTasks', ...call, tasks: apart }],
    [`${group}.start`]: ['start', { type: 'tool.start', ...call }],
    [`${group}.complete`]: ['complete', { type: 'tool.complete', ...call }],
    [`${group}.finalize`]: ['An unknown operation', { type: 'tool.unknown', ...call, operation: 'finalize' }],
    [`${group}.write`]: [
      'Write the session plan',
      { type: 'tool.document', ...call, text: texts.complete, base: null, plan: null },
    ],
  };
}

function turns({ context: { record } }: SessionSnapshot): Spoken {
  const turn = record.lease?.turn ?? 'ended';
  const item = record.queue[0]?.id ?? 'none';
  const waiting = { what: 'your answer', surface: 'tui', since: '2026-01-01T09:00:00.000Z' };
  return {
    'turn.done': ['The turn ends: done', { type: 'turn.end', turn, outcome: 'done' }],
    'turn.failed': [
      'The turn ends: failed',
      { type: 'turn.end', turn, outcome: 'failed', cause: 'no answer' },
    ],
    'turn.cancelled': ['The turn ends: cancelled', { type: 'turn.end', turn, outcome: 'cancelled' }],
    'turn.done-other': ['An earlier turn ends', { type: 'turn.end', turn: 'earlier', outcome: 'done' }],
    'turn.waits': ['The turn waits for an answer', { type: 'turn.note', turn, waiting }],
    'turn.goes-on': ['The turn waits no more', { type: 'turn.note', turn, waiting: null }],
    'turn.shell-begins': ['A command without a sandbox begins', { type: 'turn.note', turn, shell: 'begins' }],
    'turn.shell-ended': ['That command has ended', { type: 'turn.note', turn, shell: 'ended' }],
    'turn.note-other': ['An earlier turn reports', { type: 'turn.note', turn: 'earlier', waiting: null }],
    'queue.take': ['The next message is taken', { type: 'queue.take', item }],
    'queue.send': ['The owner sends what was not sent', { type: 'queue.send', by: owner, item }],
    'queue.drop': ['The next message is taken back', { type: 'queue.drop', item }],
    'queue.take-gone': ['A message that is gone is taken', { type: 'queue.take', item: 'gone' }],
  };
}
