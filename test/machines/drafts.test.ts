import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Draft, draftTasks, taskLimits } from '../../machines/drafts.ts';
import { loadTasks } from '../../machines/tasks.ts';
import { rawTask, sessionId, stampOf } from '../support/samples.ts';
import { draft } from '../support/samples-said.ts';

const { ids } = stampOf(1);
const existing = loadTasks([rawTask(1, 'Completed'), rawTask(2, 'Pending')], sessionId);
const uuidOf = (index: number): string => ids[index] ?? '';
const unknownUuid = '99999999-9999-4999-8999-999999999999';

function made(drafts: Draft[], before = existing.slice(0, 0)) {
  const result = draftTasks(drafts, before, ids);
  if ('faults' in result) throw new Error(result.faults.join('; '));
  return result.tasks;
}

function faultsOf(drafts: Draft[], before = existing.slice(0, 0)): readonly string[] {
  const result = draftTasks(drafts, before, ids);
  return 'faults' in result ? result.faults : [];
}

describe('D19 dependencies', () => {
  it.each([
    ['a number is a place in the file', [draft('A'), draft('B', { dependencies: [1] })], [[], [uuidOf(0)]]],
    ['it may point forward', [draft('A', { dependencies: [2] }), draft('B')], [[uuidOf(1)], []]],
    ['none at all', [draft('A', { dependencies: [] })], [[]]],
  ])('%s', (_, drafts, expected) => {
    expect(made(drafts).map(({ dependencies }) => dependencies)).toEqual(expected);
  });

  it('in add_tasks a number is one of the whole checklist, existing tasks first', () => {
    const [task] = made([draft('C', { dependencies: [1, 2] })], existing);
    expect(task?.dependencies).toEqual(existing.map(({ id }) => id));
    expect(task?.order).toBe(3);
    expect(faultsOf([draft('C', { dependencies: [3] })], existing)).toEqual([
      'task 1 ("C"): dependency 3 is the task itself',
    ]);
    expect(made([draft('C'), draft('D', { dependencies: [3] })], existing)[1]?.dependencies).toEqual([
      uuidOf(0),
    ]);
  });

  it('where the file gives orders a number is an order', () => {
    const drafts: Draft[] = [
      { ...draft('A'), order: 10 },
      { ...draft('B', { dependencies: [10] }), order: 20 },
    ];
    expect(made(drafts)[1]?.dependencies).toEqual([uuidOf(0)]);
    expect(made(drafts).map(({ order }) => order)).toEqual([1, 2]);
    expect(faultsOf([{ ...draft('A', { dependencies: [1] }), order: 10 }])).toEqual([
      'task 1 ("A"): dependency 1 names no task',
    ]);
  });

  it('one order in the file is enough to make numbers orders', () => {
    const drafts: Draft[] = [{ ...draft('A'), order: 5 }, draft('B', { dependencies: [5] })];
    expect(made(drafts)[1]?.dependencies).toEqual([uuidOf(0)]);
    expect(faultsOf([{ ...draft('A'), order: 5 }, draft('B', { dependencies: [1] })])).toEqual([
      'task 2 ("B"): dependency 1 names no task',
    ]);
  });

  it('a UUID names a task of the file by its own id, or an existing one, in any letter case', () => {
    const id = 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA';
    const drafts: Draft[] = [{ ...draft('A'), id }, draft('B', { dependencies: [id.toLowerCase()] })];
    expect(made(drafts)[1]?.dependencies).toEqual([uuidOf(0)]);
    const known = existing[0]?.id ?? '';
    expect(made([draft('C', { dependencies: [known.toUpperCase()] })], existing)[0]?.dependencies).toEqual([
      known,
    ]);
  });

  it.each([
    ['zero', [0], 'dependency 0 names no task'],
    ['below zero', [-1], 'dependency -1 names no task'],
    ['no such number', [3], 'dependency 3 names no task'],
    ['not a whole number', [1.5], 'dependency 1.5 names no task'],
    ['a number in quotes', ['1'], 'dependency "1" names no task'],
    ['a title', ['A'], 'dependency "A" names no task'],
    ['an unknown UUID', [unknownUuid], `dependency "${unknownUuid}" names no task`],
    ['the task itself', [2], 'dependency 2 is the task itself'],
    ['one task twice', [1, 1], 'dependency 1 is named twice'],
  ])('%s is refused with task and value', (_, dependencies, fault) => {
    expect(faultsOf([draft('A'), draft('B', { dependencies })])).toEqual([`task 2 ("B"): ${fault}`]);
  });

  it('a circle is refused with its tasks, a task that only waits for it with them', () => {
    const drafts = [
      draft('A', { dependencies: [2] }),
      draft('B', { dependencies: [1] }),
      draft('C', { dependencies: [1] }),
      draft('D'),
    ];
    expect(faultsOf(drafts)).toEqual(['tasks 1, 2, 3 depend on each other in a circle']);
    expect(
      faultsOf([draft('C', { dependencies: [4] }), draft('D', { dependencies: [3] })], existing),
    ).toEqual(['tasks 3, 4 depend on each other in a circle']);
  });

  it('a long chain is no circle', () => {
    const chain = Array.from({ length: 6 }, (_, n) => draft(`T${n}`, n === 0 ? {} : { dependencies: [n] }));
    expect(faultsOf(chain)).toEqual([]);
  });
});

describe('D19 words', () => {
  it.each([
    ['a blank title', draft(' '), 'task 1: title is blank'],
    ['a blank description', draft('A', { description: '\n' }), 'task 1: description is blank'],
    ['a long title', draft('x'.repeat(201)), 'task 1: title has 201 characters, at most 200 fit'],
    [
      'a long description',
      draft('A', { description: 'y'.repeat(5001) }),
      'task 1: description has 5001 characters, at most 5000 fit',
    ],
  ])('%s is refused', (_, bad, fault) => {
    expect(faultsOf([bad])).toEqual([fault]);
  });

  it('caps count code points, not UTF-16 units', () => {
    expect(taskLimits).toEqual({ title: 200, description: 5000 });
    expect(faultsOf([draft('😀'.repeat(200)), draft('A', { description: '😀'.repeat(5000) })])).toEqual([]);
    expect(faultsOf([draft('😀'.repeat(201))])).toEqual([
      'task 1: title has 201 characters, at most 200 fit',
    ]);
  });

  it('every fault of every task is reported at once', () => {
    const drafts = [draft(''), draft('B', { dependencies: [9, 2] })];
    expect(faultsOf(drafts)).toHaveLength(3);
  });

  it('ids and orders may be given once only', () => {
    const twice = (field: object): Draft[] => [
      { ...draft('A'), ...field },
      { ...draft('B'), ...field },
    ];
    expect(faultsOf(twice({ id: unknownUuid }))).toEqual([`task 2: id ${unknownUuid} is task 1's`]);
    expect(faultsOf(twice({ order: 3 }))).toEqual(["task 2: order 3 is task 1's"]);
  });
});

describe('D19 what a task starts as', () => {
  it('takes what was worded and starts open', () => {
    const fields = { acceptance_criteria: ['it works', ' '], task_type: ' Research ', complexity: 9 };
    const [task] = made([draft(' A ', fields)]);
    expect(task).toEqual({
      id: uuidOf(0),
      order: 1,
      title: 'A',
      description: 'Do  A .',
      task_type: 'research',
      dependencies: [],
      complexity: 5,
      acceptance_criteria: ['it works'],
      status: 'Pending',
      notes: null,
      completed_at: null,
      retry_count: 0,
      max_retries: 3,
      artifacts: [],
      rest: {},
    });
  });

  it.each([
    [undefined, 3],
    [0, 1],
    [2.4, 2],
    [9, 5],
    [Number.NaN, 3],
  ])('complexity %s is %i', (complexity, expected) => {
    const [task] = made([draft('A', complexity === undefined ? {} : { complexity })]);
    expect(task?.complexity).toBe(expected);
  });

  it('an unknown task_type is kept', () => {
    expect(made([draft('A', { task_type: 'spike' })])[0]?.task_type).toBe('spike');
  });
});

describe('for any drafts', () => {
  const dependency = fc.oneof(
    fc.integer({ min: -1, max: 5 }),
    fc.double(),
    fc.constantFrom('1', unknownUuid, ''),
  );
  const any = fc.array(
    fc.record({
      title: fc.constantFrom('A', ' ', 'x'.repeat(201)),
      description: fc.constantFrom('D', ''),
      dependencies: fc.array(dependency, { maxLength: 3 }),
      order: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    }),
    { maxLength: 4 },
  );

  /** Nothing to work off is left when everything whose dependencies are resolved is resolved, again and again. */
  function isWorkable(drafts: Draft[]): boolean {
    const result = draftTasks(drafts, existing, ids);
    if ('faults' in result) return result.faults.length > 0;
    const closed = new Set(existing.map(({ id }) => id));
    for (let round = 0; round < result.tasks.length; round += 1) {
      for (const { id, dependencies } of result.tasks) {
        if (dependencies.every((other) => closed.has(other))) closed.add(id);
      }
    }
    return result.tasks.every(({ id }) => closed.has(id));
  }

  it('never throws; what is taken can always be worked off in some order', () => {
    fc.assert(
      fc.property(any, (drafts) => {
        expect(isWorkable(drafts)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
