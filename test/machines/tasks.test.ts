import { describe, expect, it } from 'vitest';
import { loadTasks, openDependencies, taskClosed, type TaskStatus } from '../../machines/tasks.ts';
import { rawTask, sessionId } from '../support/samples.ts';

const load = (...raw: unknown[]) => loadTasks(raw, sessionId);
const statuses: readonly TaskStatus[] = [
  'Pending',
  'InProgress',
  'Failed',
  'Blocked',
  'Paused',
  { Blocked: 'x' },
];

describe('D18 resolved tasks', () => {
  it.each(['Completed', 'Skipped'])('%s is resolved', (status) => {
    expect(load(rawTask(1, status)).every(taskClosed)).toBe(true);
  });

  it.each(statuses)('%j is open', (status) => {
    expect(load(rawTask(1, status)).some(taskClosed)).toBe(false);
  });

  it('a dependency is open until its task is completed or skipped', () => {
    for (const status of statuses) {
      const tasks = load(rawTask(1, status), rawTask(2, 'Pending', { dependencies: [1] }));
      expect(tasks.map((task) => openDependencies(tasks, task))).toEqual([[], ['1']]);
    }
    for (const status of ['Completed', 'Skipped']) {
      const tasks = load(rawTask(1, status), rawTask(2, 'Pending', { dependencies: [1] }));
      expect(tasks.map((task) => openDependencies(tasks, task))).toEqual([[], []]);
    }
  });

  it('a dependency that names nothing is never resolved and is named as it is', () => {
    const tasks = load({ ...rawTask(1, 'Pending'), dependencies: ['gone'] });
    expect(tasks.map((task) => openDependencies(tasks, task))).toEqual([['gone']]);
  });
});

describe('D12 tasks of any file', () => {
  it('orders are counted anew, and a number is an order where the file gives orders', () => {
    const tasks = load(
      { id: 'a', title: 'A', order: 20 },
      { id: 'b', title: 'B', order: 10, dependencies: [20] },
      { id: 'c', title: 'C', order: 30, dependencies: [10, 99] },
    );
    expect(tasks.map(({ order, dependencies }) => [order, dependencies])).toEqual([
      [1, []],
      [2, ['a']],
      [3, ['b', '99']],
    ]);
  });

  it('one order in the file is enough to make numbers orders', () => {
    const tasks = load({ id: 'a', order: 5 }, { id: 'b', dependencies: [5, 1] });
    expect(tasks[1]?.dependencies).toEqual(['a', '1']);
  });

  it('a number is a place where the file gives no orders', () => {
    const tasks = load({ id: 'a' }, { id: 'b', dependencies: [1, 0, 3] });
    expect(tasks[1]?.dependencies).toEqual(['a', '0', '3']);
  });

  it('an unknown number is kept and never resolved', () => {
    const tasks = load({ id: 'a', dependencies: [7] });
    expect(tasks.map((task) => openDependencies(tasks, task))).toEqual([['7']]);
  });

  it.each([
    ['research', 'research'],
    [{ Other: 'spike' }, 'spike'],
    [{ other: 'x' }, 'other'],
    [7, 'other'],
    [undefined, 'other'],
  ])('task_type %j reads as %s', (task_type, expected) => {
    expect(load({ task_type })[0]?.task_type).toBe(expected);
  });

  it('defaults fill in what is missing or has a wrong type', () => {
    expect(load({})[0]).toEqual({
      id: '11111111-1111-4111-8111-000000000001',
      order: 1,
      title: '',
      description: '',
      task_type: 'other',
      dependencies: [],
      complexity: 3,
      acceptance_criteria: [],
      status: 'Pending',
      notes: null,
      completed_at: null,
      retry_count: 0,
      max_retries: 3,
      artifacts: [],
      rest: {},
    });
    expect(load({ complexity: 0, status: 5, notes: 1, max_retries: 'x', extra: true })[0]).toMatchObject({
      complexity: 3,
      status: 'Pending',
      notes: null,
      max_retries: 3,
      rest: { extra: true },
    });
  });

  it('caps do not apply at load (D19)', () => {
    const title = 'x'.repeat(500);
    expect(load({ title, description: 'y'.repeat(6000) })[0]).toMatchObject({ title });
  });
});
