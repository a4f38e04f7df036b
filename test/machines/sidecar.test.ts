import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive, phaseOf } from '../../machines/index.ts';
import { type Loaded, loadSidecar, type Plan, projectSidecar } from '../../machines/sidecar.ts';
import { rawTask, sessionId, sessionIn } from '../support/samples.ts';

const alone = { session: sessionId, document: false };
const withText = { session: sessionId, document: true };
const load = (root: object, facts = alone): Loaded => loadSidecar(JSON.stringify(root), facts);
const tasks = [rawTask(1, 'Pending')];
const done = [rawTask(1, 'Completed'), rawTask(2, 'Skipped')];

function planOf(loaded: Loaded): Plan {
  if (!('plan' in loaded)) throw new Error(`unreadable: ${loaded.cause}`);
  return loaded.plan;
}

/** kind, track and number of tasks, as D8 and D11 tell them apart. */
function facts(loaded: Loaded): string {
  if (loaded.kind === 'unreadable') return 'unreadable';
  const { track, seed, tasks: list, pre_init_editing: flag } = loaded.plan;
  return `${loaded.kind}${loaded.kind === 'finished' ? ` ${loaded.as}` : ''} ${track} ${seed} ${list.length}${flag ? ' flag' : ''}`;
}

describe('D8 the nine statuses', () => {
  it.each([
    ['Editing', { tasks: [] }, 'editing checklist pending 0', 'editing design pending 0'],
    [
      'Editing',
      { tasks: [], pre_init_editing: true },
      'editing checklist pending 0 flag',
      'editing design pending 0 flag',
    ],
    ['Editing', { tasks, track: 'design' }, 'editing design pending 0', 'editing design pending 0'],
    ['Active', { tasks: [] }, 'active checklist pending 0', 'active design pending 0'],
    ['Active', { tasks }, 'active checklist pending 1', 'active design pending 1'],
    ['Active', { tasks: done }, 'finished completed checklist done 2', 'finished completed design done 2'],
    ['Draft', { tasks: [] }, 'editing checklist pending 0', 'editing design pending 0'],
    ['Draft', { tasks }, 'active checklist done 1', 'editing design pending 0'],
    ['PendingApproval', { tasks }, 'editing checklist pending 0', 'editing design pending 0'],
    ['Rejected', { tasks }, 'editing checklist pending 0', 'editing design pending 0'],
    ['Approved', { tasks }, 'active checklist pending 1', 'active checklist pending 1'],
    ['Approved', { tasks: [] }, 'active checklist pending 0', 'active design pending 0'],
    ['InProgress', { tasks }, 'active checklist pending 1', 'active checklist pending 1'],
    [
      'InProgress',
      { tasks: done },
      'finished completed checklist done 2',
      'finished completed checklist done 2',
    ],
    [
      'Completed',
      { tasks: [] },
      'finished completed checklist pending 0',
      'finished completed design pending 0',
    ],
    ['Cancelled', { tasks }, 'finished discarded checklist pending 1', 'finished discarded design pending 1'],
  ] as const)('%s %j', (status, root, without, beside) => {
    expect(facts(load({ ...root, status }))).toBe(without);
    expect(facts(load({ ...root, status }, withText))).toBe(beside);
  });

  it.each(['active', 'Done', '', null, 7, ['Active']])('a status %j is not one of the nine', (status) => {
    expect(load({ status, tasks: [] }).kind).toBe('unreadable');
  });

  it('a missing status is Editing with the pre-init flag, and unreadable without it', () => {
    expect(facts(load({ tasks: [], pre_init_editing: true }))).toBe('editing checklist pending 0 flag');
    expect(load({ tasks: [] })).toEqual({ kind: 'unreadable', cause: 'status is missing' });
    expect(load({ tasks: [], pre_init_editing: 'yes' }).kind).toBe('unreadable');
  });

  it('what nobody approved is never run by loading', () => {
    for (const status of ['Draft', 'Active', 'Approved', 'InProgress', 'PendingApproval']) {
      for (const at of [alone, withText]) {
        const loaded = load({ status, tasks, pending_approval: true }, at);
        expect(loaded.kind).toBe('editing');
        expect(planOf(loaded).rest).not.toHaveProperty('pending_approval');
      }
    }
    expect(load({ status: 'Completed', tasks, pending_approval: true }).kind).toBe('finished');
    expect(load({ status: 'Active', tasks, pending_approval: false }).kind).toBe('active');
  });

  it('a flag that a finished plan still carries is dropped, so that its copy is kept', () => {
    const loaded = load({ status: 'Cancelled', tasks, pre_init_editing: true });
    expect(planOf(loaded).pre_init_editing).toBe(false);
  });
});

describe('D8 rule 1: what cannot be parsed is unreadable and says where', () => {
  it.each([
    ['', 'the file is empty'],
    [' \n', 'the file is empty'],
    ['\uFEFF', 'the file is empty'],
    ['{', 'not JSON at line 1, column 2'],
    ['{}\n{}', 'not JSON at line 2, column 1'],
    ['{"a": 1,\n "b": }', 'not JSON at line 2, column 7'],
    ['[]', 'the root: '],
    ['null', 'the root: '],
    ['"Active"', 'the root: '],
    ['{"status":"Active"}', 'tasks: '],
    ['{"status":"Active","tasks":{}}', 'tasks: '],
    ['{"status":"Active","tasks":["a"]}', 'tasks.0: '],
    ['{"status":"Active","tasks":[null]}', 'tasks.0: '],
  ])('%j', (text, cause) => {
    const loaded = loadSidecar(text, alone);
    expect(loaded).toEqual({ kind: 'unreadable', cause: expect.stringContaining(cause) });
  });

  it('a byte order mark does not matter', () => {
    expect(loadSidecar(`\uFEFF${JSON.stringify({ status: 'Editing', tasks: [] })}`, alone).kind).toBe(
      'editing',
    );
  });
});

describe('D12 what we do not know survives', () => {
  const foreign = {
    id: 'p',
    status: 'Active',
    track: 'checklist',
    context: 'why',
    risks: ['one'],
    nested: { a: [1, { b: null }] },
    tasks: [
      {
        ...rawTask(1, { Blocked: 'no key' }),
        owner: 'ann',
        task_type: { Other: 'spike' },
        artifacts: [{ path: 'a' }],
      },
      { ...rawTask(2, 'Paused'), estimate: 3 },
    ],
  };

  it('at the root and inside tasks, through any number of loads and saves', () => {
    let text = JSON.stringify(foreign);
    for (let round = 0; round < 3; round += 1) {
      const plan = planOf(loadSidecar(text, alone));
      text = projectSidecar(plan);
      const saved = JSON.parse(text) as { tasks: { artifacts?: unknown }[] };
      expect(saved).toMatchObject({ context: 'why', risks: ['one'], nested: { a: [1, { b: null }] } });
      expect(saved.tasks[0]).toMatchObject({
        owner: 'ann',
        task_type: 'spike',
        status: { Blocked: 'no key' },
      });
      expect(saved.tasks[1]).toMatchObject({ estimate: 3, status: 'Paused' });
      expect(saved.tasks[0]?.artifacts).toEqual([{ path: 'a' }]);
    }
    expect(projectSidecar(planOf(loadSidecar(text, alone)))).toBe(text);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('a file without ids takes the session from its name and numbers the rest', () => {
    const plan = planOf(
      load({ status: 'Active', track: 'checklist', tasks: [{ title: 'A' }, { title: 'B' }] }),
    );
    expect(plan.session_id).toBe(sessionId);
    expect(new Set([plan.id, ...plan.tasks.map((task) => task.id)]).size).toBe(3);
    expect(plan.tasks.map(({ order, status }) => [order, status])).toEqual([
      [1, 'Pending'],
      [2, 'Pending'],
    ]);
  });

  it('fields of a wrong type fall back, and the plan stays readable', () => {
    const odd = {
      id: 1,
      title: {},
      description: [],
      rev: 'x',
      approval: {},
      track: 'x',
      seed: 'x',
      origin: 4,
    };
    const plan = planOf(load({ status: 'Active', tasks: [{ retry_count: 'x', dependencies: 'x' }], ...odd }));
    expect(plan).toMatchObject({ title: '', description: '', rev: 0, approval: null, track: 'checklist' });
    expect(plan.tasks[0]).toMatchObject({ retry_count: 0, dependencies: [] });
  });

  it('tasks found while Editing are kept aside, and the saved list is empty', () => {
    const plan = planOf(load({ status: 'Rejected', tasks: [{ ...rawTask(1, 'Completed'), extra: 1 }] }));
    const saved = JSON.parse(projectSidecar(plan)) as { tasks: unknown[]; legacy_tasks: unknown[] };
    expect(saved.tasks).toEqual([]);
    expect(saved.legacy_tasks).toEqual([
      expect.objectContaining({ title: 'Task 1', status: 'Completed', extra: 1 }),
    ]);
  });
});

describe('D41 the seed window without the field', () => {
  it.each([
    ['no task has left Pending', [rawTask(1, 'Pending')], undefined, 'pending'],
    ['one has', [rawTask(1, 'Pending'), rawTask(2, 'Failed')], undefined, 'done'],
    ['blocked counts as left', [rawTask(1, { Blocked: 'x' })], undefined, 'done'],
    ['the field wins', [rawTask(1, 'Failed')], 'pending', 'pending'],
    ['the field wins', [rawTask(1, 'Pending')], 'done', 'done'],
  ] as const)('%s', (_, list, seed, expected) => {
    const plan = planOf(load({ status: 'Active', track: 'design', tasks: list, seed }, withText));
    expect(plan.seed).toBe(expected);
  });
});

describe('for any bytes', () => {
  const statuses = ['Editing', 'Active', 'Draft', 'Rejected', 'Approved', 'Completed', 'Cancelled', 'x', 1];
  const task = fc.record({
    status: fc.oneof(fc.constantFrom('Pending', 'Completed', 'Skipped'), fc.jsonValue()),
    dependencies: fc.jsonValue(),
    order: fc.oneof(fc.integer(), fc.jsonValue()),
    id: fc.jsonValue(),
  });
  const root = fc.record(
    {
      status: fc.constantFrom(...statuses),
      tasks: fc.oneof(fc.array(task, { maxLength: 3 }), fc.jsonValue()),
      pre_init_editing: fc.oneof(fc.boolean(), fc.jsonValue()),
      track: fc.constantFrom('design', 'import', 'x'),
      seed: fc.constantFrom('pending', 'done', null),
      approval: fc.jsonValue(),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    root.map((value) => JSON.stringify(value)),
  );

  it('a sidecar never throws and never counts as no plan; only a finished one leaves', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (sidecar, beside) => {
        const session = sessionIn('checklist', { sidecar, document: beside ? 'valid' : 'missing' });
        const { snapshot, found } = derive(session);
        expect(phaseOf(snapshot)).not.toBe('noPlan');
        const { kind } = loadSidecar(sidecar, { session: sessionId, document: beside });
        expect(found.some(({ type }) => type === 'file.finished')).toBe(kind === 'finished');
        expect(phaseOf(snapshot) === 'unreadable').toBe(kind === 'unreadable');
      }),
      { numRuns: 1000 },
    );
  });

  it('what was saved reads back as the same text', () => {
    fc.assert(
      fc.property(root, fc.boolean(), (value, document) => {
        const at = { session: sessionId, document };
        const loaded = loadSidecar(JSON.stringify(value), at);
        if (loaded.kind !== 'editing' && loaded.kind !== 'active') return;
        const saved = projectSidecar(loaded.plan);
        const again = loadSidecar(saved, at);
        expect('plan' in again && projectSidecar(again.plan)).toBe(saved);
      }),
      { numRuns: 1000 },
    );
  });
});
