import { describe, expect, it } from 'vitest';
import {
  derive,
  implementPrompt,
  type Phase,
  phaseOf,
  recoveryOf,
  type Reminder,
  reminderOf,
} from '../../machines/index.ts';
import { explore } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { paths, rawTask, sessionIn, type SessionShape, texts } from '../support/samples.ts';

const remind = (phase: Phase, shape: SessionShape = {}): Reminder | null =>
  reminderOf(derive(sessionIn(phase, { turn: 'running', ...shape })).snapshot);

describe('D28 reminders', () => {
  it.each([
    ['noPlan', null],
    ['preInit', 'reminder-pre-init'],
    ['postInit', 'reminder-post-init'],
    ['seeding', null],
    ['seedFailedEmpty', 'reminder-seed-failed'],
    ['seedFailedPartial', 'reminder-seed-failed'],
    ['checklist', 'reminder-active'],
    ['unreadable', 'reminder-unreadable'],
  ] as const)('%s: %s', (phase, prompt) => {
    expect(remind(phase)?.prompt ?? null).toBe(prompt);
  });

  it('post-init names the file and what is missing', () => {
    expect(remind('postInit')?.variables).toMatchObject({ path: paths.document });
    const faulty = remind('postInit', { document: 'invalid', root: { description: texts.invalid } });
    expect(faulty?.variables['missing']).toMatch(/line 3: .*; /u);
  });

  it('the unreadable one names file and cause', () => {
    expect(remind('unreadable')?.variables).toMatchObject({
      path: paths.sidecar,
      cause: expect.stringContaining('not JSON'),
    });
  });

  it('the active one counts, and shows open tasks with what they need', () => {
    const criteria = { acceptance_criteria: ['it works'] };
    const tasks = [
      rawTask(1, 'Completed'),
      rawTask(2, 'InProgress', criteria),
      rawTask(3, 'Pending', { dependencies: [2] }),
      rawTask(4, 'Failed'),
      rawTask(5, 'Pending'),
    ];
    expect(remind('checklist', { tasks })?.variables).toEqual({
      title: 'Split the key',
      done: 1,
      total: 5,
      lines: [
        '→ 2. Task 2 (in progress): Do 2.; done when: it works',
        '⊘ 3. Task 3 (waits for 2)',
        '✗ 4. Task 4 (failed: start it by its number, or skip it)',
        '☐ 5. Task 5',
      ].join('\n'),
    });
  });

  it('an empty checklist asks for tasks', () => {
    expect(remind('checklist', { tasks: [], track: 'checklist' })).toEqual({
      prompt: 'reminder-no-tasks',
      variables: {},
    });
  });
});

describe('D27 D28 every state that can be reached', () => {
  /** Reminder and recovery text of each place: plan region, and whether there are tasks. */
  const table: Readonly<Record<string, readonly [string | null, string | null]>> = {
    noPlan: [null, null],
    preInit: ['reminder-pre-init', 'compaction-pre-init'],
    postInit: ['reminder-post-init', 'compaction-post-init'],
    seeding: [null, 'compaction-seeding'],
    'seeding with tasks': [null, 'compaction-active'],
    seedFailedEmpty: ['reminder-seed-failed', 'compaction-seed-empty'],
    'seedFailedPartial with tasks': ['reminder-seed-failed', 'compaction-seed-partial'],
    checklist: ['reminder-no-tasks', 'compaction-no-tasks'],
    'checklist with tasks': ['reminder-active', 'compaction-active'],
    unreadable: ['reminder-unreadable', 'compaction-unreadable'],
  };

  it('has the texts of the table, and the table has no other state', () => {
    const found = new Map<string, Set<string>>();
    for (const { world } of explore(movesAt)) {
      const { snapshot } = world;
      const tasks = (snapshot.context.plan?.tasks.length ?? 0) > 0 ? ' with tasks' : '';
      const texts = JSON.stringify([
        reminderOf(snapshot)?.prompt ?? null,
        recoveryOf(snapshot)?.prompt ?? null,
      ]);
      const name = `${phaseOf(snapshot)}${tasks}`;
      found.set(name, (found.get(name) ?? new Set()).add(texts));
    }
    expect(
      Object.fromEntries([...found].map(([name, texts]) => [name, [...texts].map((one) => JSON.parse(one))])),
    ).toEqual(Object.fromEntries(Object.entries(table).map(([name, texts]) => [name, [texts]])));
  });
});

describe('D15 the implement prompt', () => {
  const prompt = (again: 'first' | 'again', shape: SessionShape = {}): Reminder =>
    implementPrompt(derive(sessionIn('seeding', shape)).snapshot, again);

  it('names the file and the number of steps, and marks a retry', () => {
    expect(prompt('first')).toMatchObject({
      prompt: 'implement',
      variables: { path: paths.document, steps: 2, again: '', bounds: '' },
    });
    expect(prompt('again').variables['again']).toBe('again');
  });

  it('counts no steps where the file is gone', () => {
    expect(prompt('first', { document: 'missing' }).variables['steps']).toBe(0);
  });
});
