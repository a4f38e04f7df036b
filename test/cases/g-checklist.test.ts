import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Harness } from '../support/harness.ts';
import { plan, planText, reply, says } from '../support/harness-script.ts';
import { rawTask } from '../support/samples.ts';
import { plantPlan } from './plant.ts';
import { checklist, codes, inReview, open, results, sidecar, sidecarText, writeApp } from './support.ts';

const task = (title: string, more: object = {}) => ({ title, description: `Do ${title}.`, ...more });

describe('section G, tasks and their end', () => {
  it('B86 a turn that ends on an open last task leaves the plan visibly open', async () => {
    const h = await open(() => [
      says('Here is the report: all is well.'),
      reply(plan('complete')),
      says('Done.'),
    ]);
    const listed = [
      rawTask(1, 'Completed'),
      rawTask(2, 'Completed'),
      rawTask(3, 'InProgress', { title: 'Report' }),
    ];
    await plantPlan(h, { status: 'Active', title: 'T', track: 'checklist', tasks: listed }, null);
    await h.turn(() => h.chat('report'));
    const view = h.session.view();
    expect(view).toMatchObject({ phase: 'checklist', badge: 'Active', progress: { done: 2, total: 3 } });
    expect(view.tasks[2]).toMatchObject({ title: 'Report', status: 'running' });
    expect(view.hint).toBe('Task 3 was left in progress: /continue goes on, /discard leaves.');
    expect((await h.world.store.read(h.id)).archives).toEqual([]);
    await h.turn(() => h.chat('then close it'));
    expect(h.session.view().phase).toBe('noPlan');
    expect((await h.world.store.read(h.id)).archives).toHaveLength(1);
  });

  it('B87 only a started task is completed; its criteria are handed out, and travel as the goal', async () => {
    const criteria = ['the tests pass', 'the page is written'];
    const h = await open(() => [
      reply(checklist(task('A', { acceptance_criteria: criteria }), task('B')), plan('start')),
      reply(plan('complete', { task_order: 2 }), plan('complete', { task_order: 1 })),
      says('Next.'),
    ]);
    const goals: (string | null)[] = [];
    h.session.subscribe((told) => {
      if (told.type === 'view') goals.push(told.view.goal.task);
    });
    await h.turn(() => h.chat('do A and B'));
    expect(codes(h)).toEqual(['ok', 'ok', 'TASK_NOT_RUNNING', 'ok']);
    expect(results(h)[2]?.text).toContain('task 2 "B" is not in progress');
    for (const line of criteria) expect(results(h)[1]?.text).toContain(`Done when: ${line}`);
    expect(goals).toContain('Task 1: A. Done when: the tests pass; the page is written');
    expect(sidecar(h).tasks.map(({ status }) => status)).toEqual(['Completed', 'Pending']);
  });

  it('B89 the seed gives one task for each approved step: another number is a mismatch', async () => {
    const text = planText('Three steps', 'Split the key.', 'Move the readers.', 'Drop the old key.');
    const h = await inReview(text, () => [
      reply(plan('add_tasks', { tasks: [task('Split'), task('Move')] }), writeApp),
      reply(plan('add_tasks', { tasks: [task('Drop'), task('Split'), task('Move')] }), plan('start')),
      says('Working.'),
    ]);
    await h.turn(() => h.execute());
    const [, , short] = results(h);
    expect(short?.text).toContain('has 3 numbered steps');
    for (const step of ['1. Split the key', '2. Move the readers', '3. Drop the old key'])
      expect(short?.text).toContain(step);
    expect(codes(h).slice(2)).toEqual(['SEED_COUNT', 'GATE_CLOSED', 'ok', 'ok']);
    // Which step is which task is the model's to say (D41): its order is taken as it is.
    expect(sidecar(h).tasks.map(({ title, status }) => `${title} ${String(status)}`)).toEqual([
      'Drop InProgress',
      'Split Pending',
      'Move Pending',
    ]);
  });
});

describe('section G, dependencies', () => {
  const faulty: [string, object[], RegExp][] = [
    [
      'a circle',
      [task('A', { dependencies: [2] }), task('B', { dependencies: [1] })],
      /tasks 1, 2 depend on each other/u,
    ],
    [
      'one that is not there',
      [task('A'), task('B', { dependencies: [3] })],
      /task 2 \("B"\): dependency 3 names no task/u,
    ],
    [
      'itself',
      [task('A', { dependencies: [1] }), task('B')],
      /task 1 \("A"\): dependency 1 is the task itself/u,
    ],
    [
      'one twice',
      [task('A'), task('B', { dependencies: [1, 1] })],
      /task 2 \("B"\): dependency 1 is named twice/u,
    ],
    ['zero', [task('A'), task('B', { dependencies: [0] })], /task 2 \("B"\): dependency 0 names no task/u],
    [
      'a number as text',
      [task('A'), task('B', { dependencies: ['1'] })],
      /task 2 \("B"\): dependency "1" names no task/u,
    ],
    [
      'a fraction',
      [task('A'), task('B', { dependencies: [1.5] })],
      /task 2 \("B"\): dependency 1.5 names no task/u,
    ],
  ];

  it.each(faulty)(
    'B90 %s is refused in a new checklist and in an import, and nothing is written',
    async (_, tasks, fault) => {
      const h = await open(() => [
        reply(checklist(...tasks), plan('init', { file_path: 'plan.json' })),
        says('I see.'),
      ]);
      writeFileSync(join(h.project, 'plan.json'), JSON.stringify({ title: 'T', description: 'd', tasks }));
      await h.turn(() => h.chat('do it'));
      expect(codes(h)).toEqual(['TASKS_INVALID', 'IMPORT_INVALID']);
      for (const { text } of results(h)) expect(text).toMatch(fault);
      expect(h.session.view().phase).toBe('noPlan');
    },
  );

  /** Added behind one task that is there: a number is then one of the whole list. */
  const shifted = (tasks: object[]): object[] =>
    tasks.map((one) => {
      const { dependencies = [] } = one as { dependencies?: unknown[] };
      const moved = dependencies.map((n) => (typeof n === 'number' && n >= 1 ? n + 1 : n));
      return { ...one, ...(moved.length === 0 ? {} : { dependencies: moved }) };
    });

  it.each(faulty)('B90 %s is refused in add_tasks too', async (_, tasks) => {
    const h = await open(() => [
      reply(checklist(task('Z')), plan('add_tasks', { tasks: shifted(tasks) })),
      says('I see.'),
    ]);
    const before = await added(h);
    expect(codes(h)).toEqual(['ok', 'TASKS_INVALID']);
    expect(sidecar(h).tasks).toHaveLength(1);
    expect(sidecarText(h)).toBe(before);
  });

  async function added(h: Harness): Promise<string> {
    let after = '';
    h.session.subscribe((told) => {
      if (told.type === 'tool.ended' && after === '') after = sidecarText(h);
    });
    await h.turn(() => h.chat('do it'));
    return after;
  }

  it('B90 add_task is judged by the same rule, and good numbers become ids', async () => {
    const h = await open(() => [
      reply(
        checklist(task('A'), task('B', { dependencies: [1] })),
        plan('add_task', { title: 'C', description: 'c', dependencies: [3] }),
        plan('add_task', { title: 'C', description: 'c', dependencies: [2] }),
        plan('start', { task_order: 3 }),
      ),
      says('I see.'),
    ]);
    await h.turn(() => h.chat('do it'));
    expect(codes(h)).toEqual(['ok', 'TASKS_INVALID', 'ok', 'DEPENDENCIES_OPEN']);
    expect(results(h)[1]?.text).toContain('is the task itself');
    const { tasks } = JSON.parse(sidecarText(h)) as { tasks: { id: string; dependencies: string[] }[] };
    expect(tasks.map(({ dependencies }) => dependencies)).toEqual([[], [tasks[0]?.id], [tasks[1]?.id]]);
    expect(h.session.view().tasks.map(({ waitsFor }) => waitsFor)).toEqual([[], [1], [2]]);
  });
});
