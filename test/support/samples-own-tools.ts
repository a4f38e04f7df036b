import type { Said } from '../../machines/index.ts';
import { rawTask, type RawTask, type SessionShape, texts } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, say, sayAll, seeded, taken } from './samples-recipes.ts';
import type { Recipe, Recipes } from './samples-rows.ts';
import { calls, draft, everyCall, importable } from './samples-said.ts';

const withTasks =
  (said: Said, tasks: readonly RawTask[], test?: check.Check): Recipe =>
  (row) =>
    at(row, said, { tasks }, taken(row) ? test : undefined);

const criteria = { acceptance_criteria: ['it works'] };
const goal = 'Task 1: Task 1. Done when: it works';
const goalSet: SessionShape = { record: { goal: { user: null, task: goal } } };
const closed = { plan: 'old', title: 'Old', tasks: [], at: '2026-03-01T11:59:00.000Z' };
const unknown = rawTask(1, 'Pending', { dependencies: [7] });
const second = rawTask(2, 'Pending');

/** `start` after the batch, on files that a hand or another program changed. */
const afterBatch: Recipes = Object.fromEntries(
  (
    [
      ['nothing can start', calls.start(), [unknown, rawTask(2, 'Pending', { dependencies: [1] })]],
      ['no such number', calls.start(9), seeded.tasks ?? []],
      ['one is closed', calls.start(1), [rawTask(1, 'Completed'), second]],
      ['one is running', calls.start(2), [rawTask(1, 'InProgress'), second]],
      ['dependencies open', calls.start(1), [unknown, second]],
      ['no retry left', calls.start(1), [rawTask(1, 'Failed', { retry_count: 1 }), second]],
    ] as const
  ).map(([what, said, tasks]) => [`plan start after the batch, ${what}`, withTasks(said, tasks)]),
);

const retried = check.holds('the retry is counted', ({ snapshot }) => {
  return snapshot.context.plan?.tasks[0]?.retry_count === 1;
});

const startRows: Recipes = {
  ...afterBatch,
  'plan start n after the batch': (row) =>
    at(row, calls.start(2), seeded, check.all(check.taskStatuses('Pending', 'InProgress'), check.seedDone)),
  'plan start on a checklist without tasks': (row) =>
    [calls.start(), calls.start(1)].map((said) => at(row, said, { tasks: [], track: 'checklist' })),
  'plan start while one is in progress': (row) => [
    at(row, calls.start(), { tasks: [rawTask(1, 'InProgress', criteria), second] }, check.goals(null, goal)),
    at(row, calls.start(1), {}, check.taskStatuses('InProgress', 'Pending')),
  ],
  'plan start n, Blocked or an unknown status': (row) =>
    ['Blocked', { Blocked: 'no key' }, 'Paused'].map((status) =>
      at(
        row,
        calls.start(1),
        { tasks: [rawTask(1, status), second] },
        check.taskStatuses('InProgress', 'Pending'),
      ),
    ),
  'plan start takes the first that can start': (row) => [
    at(row, calls.start(), { tasks: [unknown, second] }, check.taskStatuses('Pending', 'InProgress')),
    at(
      row,
      calls.start(),
      { tasks: [rawTask(1, 'Failed'), second] },
      check.taskStatuses('Failed', 'InProgress'),
    ),
    at(
      row,
      calls.start(),
      { tasks: [rawTask(1, { Blocked: 'no key' }), second] },
      check.taskStatuses('InProgress', 'Pending'),
    ),
    at(
      row,
      calls.start(),
      { tasks: [rawTask(1, 'Skipped'), rawTask(2, 'Pending', { dependencies: [1] })] },
      check.taskStatuses('Skipped', 'InProgress'),
    ),
  ],
  'plan start n, Failed with a retry left': withTasks(
    calls.start(1),
    [rawTask(1, 'Failed'), second],
    check.all(check.taskStatuses('InProgress', 'Pending'), retried),
  ),
  'plan start n, Failed, dependencies open again or unknown': (row) => [
    at(row, calls.start(1), { tasks: [rawTask(1, 'Failed', { dependencies: [2] }), second] }),
    at(row, calls.start(1), { tasks: [rawTask(1, 'Failed', { dependencies: [7] }), second] }),
  ],
};

const completeRows: Recipes = {
  'plan complete, none in progress': (row) =>
    [calls.complete(), calls.complete({ action: 'fail' }), calls.complete({ action: 'skip' })].map((said) =>
      at(row, said, { tasks: [rawTask(1, 'Pending'), second] }),
    ),
  'plan complete n, closed already': (row) =>
    ['Completed', 'Skipped'].flatMap((status) =>
      (['success', 'fail', 'skip'] as const).map((action) =>
        at(row, calls.complete({ task: 1, action }), { tasks: [rawTask(1, status), second] }),
      ),
    ),
  'plan complete, action in any letter case': (row) => [
    at(row, calls.complete({ action: ' SUCCESS ' }), {}, check.taskStatuses('Completed', 'Pending')),
    at(row, calls.complete({ action: 'Skip' }), {}, check.taskStatuses('Skipped', 'Pending')),
    at(row, calls.complete({ action: 'FAIL' }), {}, check.taskStatuses('Failed', 'Pending')),
  ],
  'plan complete fail': (row) =>
    at(
      row,
      calls.complete({ action: 'fail', output: 'no key' }),
      goalSet,
      check.all(
        check.taskStatuses('Failed', 'Pending'),
        check.goals(null, goal),
        check.holds('the output is the note', ({ snapshot }) => {
          return snapshot.context.plan?.tasks[0]?.notes === 'no key';
        }),
      ),
    ),
  'plan complete skip, in progress': (row) =>
    at(
      row,
      calls.complete({ action: 'skip' }),
      goalSet,
      check.all(check.taskStatuses('Skipped', 'Pending'), check.goals(null, null)),
    ),
  'plan complete skip, not in progress': (row) =>
    at(
      row,
      calls.complete({ task: 2, action: 'skip' }),
      goalSet,
      check.all(check.taskStatuses('InProgress', 'Skipped'), check.goals(null, goal)),
    ),
};

const callRows: Recipes = {
  'plan init, tasks that cannot be taken': sayAll([
    calls.init({ tasks: [draft(' ')] }),
    calls.init({ mode: 'checklist', tasks: [draft('A', { dependencies: [9] })] }),
    calls.init({ tasks: [draft('A', { dependencies: [2] }), draft('B', { dependencies: [1] })] }),
  ]),
  'plan init after the last complete of the same turn': (row) =>
    at(
      row,
      calls.init({ tasks: [draft('A')] }),
      { lease: { closed } },
      check.holds('the finished one is not shown any more', ({ files }) => {
        return files.record.lease !== null && files.record.lease.closed === null;
      }),
    ),
  'plan init file_path with an empty list of tasks': say(
    calls.init({ file: importable, tasks: [] }),
    check.taskStatuses('Pending', 'Pending'),
  ),
  'plan init from an archived plan that is not complete': say(
    calls.init({ mode: 'design', from: texts.invalid }),
    check.documentIs('invalid'),
  ),
  'plan init mode=checklist after plan words': (row) =>
    at(
      row,
      calls.init({ mode: 'checklist', tasks: [draft('A')] }),
      { root: { origin: 'make a plan' } },
      check.holds('what armed it is kept', ({ snapshot }) => {
        return snapshot.context.plan?.origin === 'make a plan';
      }),
    ),
  'write to the session .md': (row) =>
    at(
      row,
      calls.document(),
      {},
      check.all(
        check.documentIs('changed'),
        check.mirrors('changed'),
        check.holds('the title follows and the write counts', ({ snapshot }) => {
          const { plan } = snapshot.context;
          return plan?.title === 'Split both keys' && plan.rev === 4;
        }),
      ),
    ),
  'plan add_tasks, right count but not valid': sayAll([
    calls.addTasks([draft(' '), draft('B')]),
    calls.addTasks([draft('A'), draft('B', { dependencies: [2] })]),
  ]),
  'plan add_tasks with the dependencies of the text': say(
    calls.addTasks([draft('A'), draft('B', { dependencies: [1] })]),
    check.holds('the second waits for the first', ({ snapshot }) => {
      const [first, next] = snapshot.context.plan?.tasks ?? [];
      return first !== undefined && next?.dependencies.join() === first.id;
    }),
  ),
  'plan add_tasks on a checklist without tasks': (row) =>
    (['checklist', 'design'] as const).map((track) =>
      at(
        row,
        calls.addTasks([draft('A')]),
        track === 'design' ? {} : { track, tasks: [] },
        check.holds('the task is there', ({ snapshot }) => {
          return snapshot.context.plan?.tasks.at(-1)?.title === 'A';
        }),
      ),
    ),
  'plan, any operation, from a sub-agent, after the batch': sayAll(everyCall({ child: true }), seeded),
  'any call of a cancelled turn or a turn that is over, after the batch': (row) => [
    ...everyCall({ turn: 'over' }).map((said) => at(row, said, seeded)),
    ...everyCall().map((said) => at(row, said, { ...seeded, turn: 'stopping' })),
    ...everyCall().map((said) => at(row, said, { ...seeded, turn: 'discarding' })),
  ],
  'any call of a turn that is over': (row) =>
    row.turn === 'busy'
      ? everyCall({ turn: 'over' }).map((said) => at(row, said))
      : everyCall().map((said) => at(row, said)),
};

/** Own rows about what the agent calls. */
export const ownToolRecipes: Recipes = { ...callRows, ...startRows, ...completeRows };
