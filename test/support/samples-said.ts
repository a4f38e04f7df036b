import type { Actor, Said, TaskDraft } from '../../machines/index.ts';
import { hashOf, owner, planId, texts, turnId } from './samples.ts';

type Of<T extends Said['type']> = Extract<Said, { type: T }>;
type Button = NonNullable<Of<'user.discard'>['button']>;

/** A well-formed task, told apart by its title. */
export const draft = (title: string, fields: Partial<TaskDraft> = {}): TaskDraft => ({
  title,
  description: `Do ${title}.`,
  ...fields,
});

export const validHash = hashOf(texts.valid);

/** What a person says. `by` comes last because it nearly always is the owner at the terminal. */
export const people = {
  plan: (by: Actor = owner): Said => ({ type: 'user.plan', by }),
  planText: (text: string, by: Actor = owner): Said => ({ type: 'user.plan', by, text }),
  show: (by: Actor = owner): Said => ({ type: 'user.show', by }),
  execute: (shown: string | null = validHash, by: Actor = owner): Said => ({
    type: 'user.execute',
    by,
    shown,
  }),
  approveText: (shown: string = hashOf(texts.changed), by: Actor = owner): Said => ({
    type: 'user.approveText',
    by,
    shown,
  }),
  restore: (by: Actor = owner): Said => ({ type: 'user.restore', by }),
  revise: (by: Actor = owner): Said => ({ type: 'user.revise', by, note: 'Split step 1.', seen: null }),
  discard: (by: Actor = owner): Said => ({ type: 'user.discard', by }),
  resume: (by: Actor = owner): Said => ({ type: 'user.continue', by }),
  chat: (text: string, by: Actor = owner): Said => ({ type: 'user.chat', by, text, origin: 'typed' }),
  command: (text: string, by: Actor = owner): Said => ({ type: 'user.chat', by, text, origin: 'command' }),
  compact: (by: Actor = owner): Said => ({ type: 'user.compact', by }),
  stop: (by: Actor = owner): Said => ({ type: 'user.stop', by }),
  switch: (by: Actor = owner): Said => ({ type: 'user.switch', by }),
  policy: (policy: 'ask' | 'yolo', by: Actor = owner): Said => ({
    type: 'user.policy',
    by,
    yolo: policy === 'yolo',
  }),
  place: (place: { cwd?: string; project?: string | null }, by: Actor = owner): Said => ({
    type: 'user.place',
    by,
    ...place,
  }),
  note: (seen: string | null): Said => ({ type: 'user.revise', by: owner, note: 'Split step 1.', seen }),
  goal: (text: string | null, by: Actor = owner): Said => ({ type: 'user.goal', by, text }),
  rename: (name: string, by: Actor = owner): Said => ({ type: 'user.rename', by, name }),
};

/** Every decision that a plan button can carry (D30), pressed by `by`. */
export function presses(button: Button, by: Actor = owner): Said[] {
  return [
    { type: 'user.execute', by, button, shown: validHash },
    { type: 'user.approveText', by, button, shown: validHash },
    { type: 'user.restore', by, button },
    { type: 'user.revise', by, button, note: 'Split step 1.', seen: null },
    { type: 'user.discard', by, button },
    { type: 'user.continue', by, button },
  ];
}

const call = { turn: turnId, child: false };

/** What a model calls, in the turn that runs. */
export const calls = {
  init: (fields: Partial<Of<'tool.init'>> = {}): Said => ({
    type: 'tool.init',
    ...call,
    title: 'Split the key',
    ...fields,
  }),
  addTasks: (tasks: TaskDraft[], fields: Partial<Of<'tool.addTasks'>> = {}): Said => ({
    type: 'tool.addTasks',
    ...call,
    tasks,
    ...fields,
  }),
  start: (task?: number, fields: Partial<Of<'tool.start'>> = {}): Said => ({
    type: 'tool.start',
    ...call,
    ...(task === undefined ? {} : { task }),
    ...fields,
  }),
  complete: (fields: Partial<Of<'tool.complete'>> = {}): Said => ({
    type: 'tool.complete',
    ...call,
    ...fields,
  }),
  unknown: (operation: string, fields: Partial<Of<'tool.unknown'>> = {}): Said => ({
    type: 'tool.unknown',
    ...call,
    operation,
    ...fields,
  }),
  document: (fields: Partial<Of<'tool.document'>> = {}): Said => ({
    type: 'tool.document',
    ...call,
    text: texts.changed,
    base: validHash,
    plan: planId,
    ...fields,
  }),
};

/** One call of every kind that carries a turn, with these facts about the caller. */
export function everyCall(facts: { turn?: string; child?: boolean } = {}): Said[] {
  return [
    calls.init(facts),
    calls.addTasks([draft('A'), draft('B')], facts),
    calls.start(undefined, facts),
    calls.complete(facts),
    calls.unknown('finalize', facts),
    calls.document(facts),
  ];
}

export const turnEnd = (
  outcome: Of<'turn.end'>['outcome'] = 'done',
  turn: string = turnId,
): Of<'turn.end'> => ({ type: 'turn.end', turn, outcome });

/** An import file of `plan init file_path`. */
export const importFile = (plan: unknown): { path: string; text: string } => ({
  path: '/home/ann/project/plan.json',
  text: typeof plan === 'string' ? plan : JSON.stringify(plan),
});

export const importable = importFile({
  title: 'Split the key',
  description: 'Keys are shared.',
  tasks: [draft('A'), draft('B', { dependencies: [1] })],
});
