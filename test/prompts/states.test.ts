import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadPrompts } from '../../adapters/prompts.ts';
import { derive, implementPrompt, recoveryOf, type Reminder, reminderOf } from '../../machines/index.ts';
import { paths, rawTask, sessionIn, type SessionShape, texts } from '../support/samples.ts';
import { findTool, parametersOf } from '../../tools/registry.ts';

const prompts = loadPrompts(new URL('../../prompts/', import.meta.url));
const running = { turn: 'running' } as const;
const mixed = [
  rawTask(1, 'Completed'),
  rawTask(2, 'Skipped'),
  rawTask(3, 'InProgress', { acceptance_criteria: ['it works'] }),
  rawTask(4, 'Pending', { dependencies: [3] }),
  rawTask(5, 'Failed'),
];

/** Every state that a turn can meet, with what of it changes a text. */
const states: Readonly<Record<string, [Parameters<typeof sessionIn>[0], SessionShape]>> = {
  'no-plan': ['noPlan', {}],
  'pre-init': ['preInit', {}],
  'post-init': ['postInit', {}],
  'post-init-missing': ['postInit', { document: 'invalid', root: { description: texts.invalid } }],
  seeding: ['seeding', {}],
  'seeding-with-tasks': ['seeding', { tasks: [rawTask(1, 'Pending'), rawTask(2, 'Pending')] }],
  'seed-failed-empty': ['seedFailedEmpty', {}],
  'seed-failed-partial': ['seedFailedPartial', {}],
  checklist: ['checklist', { tasks: mixed }],
  'checklist-nothing-can-start': ['checklist', { tasks: [rawTask(1, 'Failed')] }],
  'checklist-without-design': ['checklist', { track: 'checklist' }],
  'checklist-no-tasks': ['checklist', { track: 'checklist', tasks: [] }],
  unreadable: ['unreadable', {}],
};

const snapshotOf = (name: string) => {
  const [phase, shape] = states[name] ?? ['noPlan', {}];
  return derive(sessionIn(phase, { ...running, ...shape })).snapshot;
};
const rendered = (of: Reminder | null): string =>
  of === null ? '(nothing)' : prompts.render(of.prompt, of.variables);
const reminder = (name: string): string => rendered(reminderOf(snapshotOf(name)));
const recovery = (name: string): string => rendered(recoveryOf(snapshotOf(name)));
const names = Object.keys(states);

describe('D27 D28 what each state says to the model', () => {
  it('has a golden text for each state, and no other', () => {
    const golden = readdirSync(new URL('golden/states/', import.meta.url));
    expect(golden.toSorted()).toEqual(names.map((name) => `${name}.txt`).toSorted());
  });

  it.each(names)('%s', async (name) => {
    const text = `With every request:\n\n${reminder(name)}\n\nAfter a compaction:\n\n${recovery(name)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/states/${name}.txt`);
  });

  it('the implement message is made from the approved text', () => {
    const { prompt, variables } = implementPrompt(snapshotOf('seeding'), 'first');
    expect(prompts.render(prompt, variables)).toContain('Numbered steps as the harness counts them: 2');
  });
});

describe('D27 after a compaction', () => {
  it('without a plan nothing is said of one', () => {
    expect(recovery('no-plan')).toBe('(nothing)');
  });

  it('in Editing the file is read again and nothing is started', () => {
    expect(recovery('pre-init')).toMatch(/keep exploring[^]*`operation: init`/);
    for (const name of ['post-init', 'post-init-missing']) {
      expect(recovery(name)).toContain(`File: \`${paths.document}\`\nNow: re-read the file`);
      expect(recovery(name)).toContain('No `start`, no project writes.');
    }
  });

  it('B69 in Active the task at hand is named, and start without a number brings it back', () => {
    expect(recovery('checklist')).toMatch(/task 3 of 5, 2 done[^]*`operation: start` and no number/);
    expect(recovery('checklist')).toContain(`Frozen SESSION PLAN: ${paths.document}`);
    expect(recovery('seeding-with-tasks')).toContain('task 1 of 2, 0 done');
    expect(recovery('checklist-without-design')).toContain('Frozen SESSION PLAN: none');
    expect(recovery('checklist-nothing-can-start')).toContain('none that can start');
  });

  it('a seed turn without tasks gets them from the text, then starts', () => {
    expect(recovery('seeding')).toMatch(
      /`add_tasks` with one task for each of the 2 numbered[^]*Next: `start`/,
    );
    expect(recovery('seeding')).toContain(paths.document);
  });

  it('a failed seed is the person’s, and nothing is called', () => {
    expect(recovery('seed-failed-empty')).toContain('`/execute`');
    expect(recovery('seed-failed-empty')).not.toContain('/discard');
    expect(recovery('seed-failed-partial')).toContain('`/discard`');
    expect(recovery('seed-failed-partial')).not.toContain('/execute');
    for (const name of ['seed-failed-empty', 'seed-failed-partial', 'unreadable'])
      expect(recovery(name)).toMatch(/^Next: nothing\./mu);
    expect(recovery('unreadable')).toMatch(/File: `.*\.json`[^]*Write nothing/u);
  });
});

describe('D52 the plan tool is told of as the preamble does', () => {
  const plan = findTool('plan');

  it('in the same words, with add_tasks before its old name', () => {
    const text = plan?.description ?? '';
    expect(text).toMatch(/SESSION PLAN[^]*CHECKLIST/);
    expect(text.indexOf('add_tasks:')).toBeGreaterThan(text.indexOf('init:'));
    expect(text.indexOf('add_tasks:')).toBeLessThan(text.indexOf('add_task:'));
    expect(text.replaceAll(/SESSION PLAN|`plan`/g, '')).not.toMatch(/\bplans?\b/i);
    expect(prompts.render('preamble', {})).not.toMatch(/`add_task`/);
  });

  it('without the fields that are accepted only', () => {
    const schema = plan === null ? '' : JSON.stringify(parametersOf(plan));
    expect(schema).toContain('"add_tasks"');
    expect(schema).not.toMatch(/complexity|task_type|artifacts|technical_stack|test_strategy|risks/);
  });
});
