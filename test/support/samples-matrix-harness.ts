import { phaseOf, turnOf } from '../../machines/index.ts';
import { rawTask, sessionIn, type SessionShape, turnId } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, seeded } from './samples-recipes.ts';
import type { Recipe, Recipes } from './samples-rows.ts';
import { people, turnEnd } from './samples-said.ts';

const ends = ['done', 'failed', 'cancelled', 'lost'] as const;

/** Every outcome that a turn can have, on a session of this shape. */
const turnEnds =
  (shape: SessionShape = {}): Recipe =>
  (row) =>
    ends.map((outcome) =>
      at(
        row,
        turnEnd(outcome),
        shape,
        check.all(
          check.emits('turn.settle', { turn: turnId, outcome }),
          check.archives(null),
          check.holds('the lease is gone', ({ files }) => files.record.lease === null),
          check.holds('only a done turn is not interrupted', ({ files }) => {
            return files.record.interrupted === (outcome !== 'done');
          }),
        ),
      ),
    );

const dies =
  (shape: SessionShape = {}, test?: check.Check): Recipe =>
  (row) =>
    at(row, null, { ...shape, leaseAlive: false }, test);

/** Loading a sidecar of an active design with these root fields. */
const loads =
  (shapes: readonly SessionShape[], test?: check.Check): Recipe =>
  () =>
    shapes.map((shape) => ({
      session: sessionIn('checklist', shape),
      said: null,
      ...(test === undefined ? {} : { check: test }),
    }));

/** A file of an older program: no fields of ours. */
const legacy = (status: string, shape: SessionShape): SessionShape => ({
  document: 'missing',
  ...shape,
  root: {
    status,
    track: undefined,
    seed: undefined,
    approval: undefined,
    rev: undefined,
    approved_at: null,
    ...shape.root,
  },
});

const pending = [rawTask(1, 'Pending')];
const resolved = [rawTask(1, 'Completed'), rawTask(2, 'Skipped')];
const broken = ['', ' ', '{', '[]', 'null', '"Active"', '{"tasks":[]}', '{"status":"Active"}'];

const keepsLegacyTasks = check.holds('the tasks are kept aside', ({ snapshot }) => {
  const { plan } = snapshot.context;
  return plan?.tasks.length === 0 && Array.isArray(plan.rest['legacy_tasks']);
});

const unreadableKept = check.all(
  check.archives(null),
  check.holds('the file is not written', ({ steps }) => steps.length === 0),
);

const silently = (as: 'completed' | 'discarded'): check.Check =>
  check.all(check.archives(as), check.nothingLive, check.emitsNo('plan.ended'));

const loadRecipes: Recipes = {
  'load Active, checklist track, no tasks': loads([
    { track: 'checklist', tasks: [] },
    { track: 'import', tasks: [] },
  ]),
  'load Active, design track, no tasks, no live turn': loads([
    { tasks: [], root: { seed: 'pending' } },
    { tasks: [], root: { seed: undefined } },
    { tasks: [], root: { seed: 'done' } },
  ]),
  'load Active, design track, tasks, seed pending, no live turn': loads([
    { tasks: pending, root: { seed: 'pending' } },
    { tasks: pending, root: { seed: undefined } },
  ]),
  'load Active, every task resolved': loads(
    [{ tasks: resolved }, { tasks: resolved, track: 'checklist' }],
    silently('completed'),
  ),
  'load Editing, flag set, .md there': () => ({
    session: sessionIn('preInit', { document: 'valid' }),
    said: null,
    check: check.all(
      check.archives('orphan'),
      check.holds('the .md is gone', ({ files }) => files.document.kind === 'absent'),
    ),
  }),
  'load legacy status Approved (with tasks, any .md)': loads([
    legacy('Approved', { tasks: pending }),
    legacy('Approved', { tasks: pending, document: 'valid' }),
  ]),
  'load legacy status InProgress (with tasks, any .md)': loads([
    legacy('InProgress', { tasks: pending }),
    legacy('InProgress', { tasks: pending, document: 'invalid' }),
  ]),
  'load legacy status Approved or InProgress (no tasks, with a .md)': loads([
    legacy('Approved', { tasks: [], document: 'valid' }),
    legacy('InProgress', { tasks: [], document: 'valid' }),
  ]),
  'load legacy status Cancelled': loads([legacy('Cancelled', { tasks: pending })], silently('discarded')),
  'load legacy status Completed (archived silently)': loads(
    [legacy('Completed', { tasks: pending }), legacy('Completed', { tasks: resolved, document: 'valid' })],
    silently('completed'),
  ),
  'load legacy status Draft (no tasks, no .md)': loads(
    [legacy('Draft', { tasks: [] })],
    check.emits('plan.restored', { from: 'description' }),
  ),
  'load legacy status Draft (with a .md)': loads([
    legacy('Draft', { tasks: [], document: 'valid' }),
    legacy('Draft', { tasks: pending, document: 'valid' }),
  ]),
  'load legacy status Draft (tasks and no .md)': loads([legacy('Draft', { tasks: pending })]),
  'load legacy status PendingApproval (with a .md)': loads([
    legacy('PendingApproval', { tasks: [], document: 'valid' }),
  ]),
  'load legacy status Rejected (with a .md)': loads([legacy('Rejected', { tasks: [], document: 'valid' })]),
  'load legacy status Rejected or PendingApproval (tasks and no .md; never run by loading)': loads(
    [legacy('Rejected', { tasks: pending }), legacy('PendingApproval', { tasks: pending })],
    keepsLegacyTasks,
  ),
  'load unknown status, tasks not a list, torn or empty file': loads(
    [
      ...broken.map((sidecar) => ({ sidecar })),
      { root: { status: 'Paused' } },
      { root: { status: undefined } },
      { root: { tasks: {} } },
      { root: { tasks: undefined } },
    ],
    unreadableKept,
  ),
};

/** What happens to files and turns: the matrix' section "Harness and files". */
export const harnessRecipes: Recipes = {
  ...loadRecipes,
  '.md changed from outside': (row) =>
    at(
      row,
      null,
      { document: 'changed' },
      check.all(
        check.mirrors('changed'),
        check.holds('the title is mirrored', ({ snapshot }) => {
          return snapshot.context.plan?.title === 'Split both keys';
        }),
      ),
    ),
  '.md deleted from outside': (row) =>
    at(
      row,
      null,
      { document: 'missing' },
      check.all(check.documentIs('valid'), check.emits('plan.restored', { from: 'description' })),
    ),
  '.md changed or deleted from outside': (row) =>
    (['changed', 'missing'] as const).map((document) =>
      at(row, null, { document }, check.all(check.drifts, check.mirrors('valid'))),
    ),
  'any chat message arrives': (row) =>
    ['hello', 'looks good, go ahead', '/unknown'].map((text) =>
      at(row, people.chat(text), {}, check.all(check.startsTurn(), check.mirrors('valid'))),
    ),
  'process restart': (row) =>
    at(
      row,
      null,
      {},
      check.holds('nothing is left to commit', ({ steps }) => steps.length === 0),
    ),
  'seed turn ends, tasks empty': turnEnds(),
  'seed turn ends, tasks there, no successful start': turnEnds(seeded),
  "seed turn's process dies, tasks empty": dies(),
  "seed turn's process dies, tasks there": dies(seeded),
  'turn ends': turnEnds(),
  "turn's process dies, a task InProgress": dies(
    {},
    check.all(
      check.interrupted,
      check.holds('the task stays in progress', ({ snapshot }) => {
        const running = snapshot.context.plan?.tasks[0]?.status === 'InProgress';
        return running && phaseOf(snapshot) === 'checklist' && turnOf(snapshot) === 'idle';
      }),
    ),
  ),
};
