import { type FileFound, select, type StoredSession } from '../../machines/index.ts';
import type { KeptFile } from '../../machines/record.ts';
import { paths, rawTask, sessionIn, type SessionShape, turnId } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, sayAll } from './samples-recipes.ts';
import type { Recipe, Recipes } from './samples-rows.ts';
import { turnEnd } from './samples-said.ts';

const loads =
  (sessions: readonly StoredSession[], test?: check.Check): Recipe =>
  () =>
    sessions.map((session) => ({ session, said: null, ...(test === undefined ? {} : { check: test }) }));

const dies =
  (turn: 'stopping' | 'discarding'): Recipe =>
  (row) => {
    const settled =
      turn === 'stopping'
        ? check.all(check.emits('turn.settle', { outcome: 'lost' }), check.archives(null))
        : check.all(check.emits('turn.settle', { outcome: 'discarded' }), check.nothingLive);
    const free = check.holds('the lease is gone', ({ files }) => files.record.lease === null);
    return at(row, null, { turn, leaseAlive: false }, check.all(settled, free));
  };

const group = { pid: 4711, started: '12345' };
const waiting = { what: 'your answer', surface: 'tui', since: '2026-03-01T12:03:00.000Z' };

const unwatched: KeptFile = { kind: 'unwatched' };
const holds = (kept: KeptFile, found: FileFound): boolean =>
  kept.kind === found.kind && (kept.kind !== 'text' || (found.kind === 'text' && kept.text === found.text));

const notes: Recipe = (row) => [
  at(
    row,
    { type: 'turn.note', turn: turnId, waiting },
    { lease: { group } },
    check.holds('the view says what it waits for, and the group stays', ({ files, snapshot }) => {
      const shown = select(snapshot).running?.waiting?.what === 'your answer';
      return shown && files.record.lease?.group?.pid === group.pid;
    }),
  ),
  at(
    row,
    { type: 'turn.note', turn: turnId, group, waiting: null },
    { lease: { waiting } },
    check.holds('the group is recorded and nothing is waited for', ({ files }) => {
      const { lease } = files.record;
      return lease?.group?.pid === group.pid && lease.waiting === null;
    }),
  ),
  at(
    row,
    { type: 'turn.note', turn: turnId, shell: 'begins' },
    {},
    check.holds('the lease holds the plan files as they are', ({ files: { record, sidecar, document } }) => {
      const kept = record.lease?.files;
      return kept?.calls === 1 && holds(kept.sidecar, sidecar) && holds(kept.document, document);
    }),
  ),
  at(
    row,
    { type: 'turn.note', turn: turnId, shell: 'ended' },
    { lease: { files: { calls: 1, sidecar: unwatched, document: unwatched, restored: [paths.sidecar] } } },
    check.holds(
      'nothing is watched after the last command',
      ({ files }) => files.record.lease?.files === null,
    ),
  ),
];

const orphan: Recipe = (row) =>
  at(
    row,
    null,
    { document: 'valid' },
    check.all(
      check.archives('orphan'),
      check.nothingLive,
      check.holds('the copy is the .md only', ({ steps }) => steps[0]?.archive?.sidecar === 'none'),
    ),
  );

const held = (status: string, shape: SessionShape): StoredSession =>
  sessionIn('checklist', { ...shape, root: { status, pending_approval: true, approved_at: null } });

const noMark = check.holds('the mark does not come back', ({ files, snapshot }) => {
  const text = files.sidecar.kind === 'text' ? files.sidecar.text : '';
  return (
    snapshot.context.plan?.status === 'Editing' &&
    !('pending_approval' in snapshot.context.plan.rest) &&
    text !== ''
  );
});

const pending = [rawTask(1, 'Pending')];

const loadRows: Recipes = {
  'load Editing, but the .md cannot be read': () => {
    const session = sessionIn('postInit');
    const document = { kind: 'unreadable', path: paths.document, cause: 'EACCES' } as const;
    return {
      session: { ...session, document },
      said: null,
      check: check.holds('the .md is named as the culprit', ({ snapshot }) => {
        return snapshot.context.unreadable?.path === paths.document;
      }),
    };
  },
  'load a sidecar that cannot be read (EACCES, over 10 MiB)': loads(
    ['EACCES', 'larger than 10 MiB'].map((cause): StoredSession => ({
      ...sessionIn('checklist'),
      sidecar: { kind: 'unreadable', path: paths.sidecar, cause },
    })),
    check.holds('the view says where and why', ({ snapshot }) => {
      const { unreadable, hint } = select(snapshot);
      return unreadable?.path === paths.sidecar && hint.includes(unreadable.cause);
    }),
  ),
  'load pending_approval: true': loads(
    [
      held('Editing', { tasks: [], document: 'valid' }),
      held('Draft', { tasks: pending, document: 'missing' }),
      held('Active', { tasks: pending, document: 'valid' }),
      held('InProgress', { tasks: pending, document: 'missing' }),
    ],
    noMark,
  ),
  'load Completed or Cancelled with a pre-init flag left': () =>
    (
      [
        ['Completed', 'completed'],
        ['Cancelled', 'discarded'],
      ] as const
    ).map(([status, as]) => ({
      session: sessionIn('checklist', { tasks: pending, root: { status, pre_init_editing: true } }),
      said: null,
      check: check.all(
        check.archives(as),
        check.nothingLive,
        check.holds('the copy has its sidecar', ({ steps }) => steps[0]?.archive?.sidecar === 'disk'),
      ),
    })),
  'load Editing, flag set, tasks there': loads(
    [sessionIn('preInit', { tasks: pending })],
    check.holds('the tasks are kept aside', ({ snapshot }) => {
      return snapshot.context.plan?.tasks.length === 0 && 'legacy_tasks' in snapshot.context.plan.rest;
    }),
  ),
  'load Active, seed pending, a live chat turn': loads([
    sessionIn('checklist', { turn: 'running', tasks: pending, root: { seed: 'pending' } }),
  ]),
  'load Active, tasks with an unknown status': loads(
    [sessionIn('checklist', { tasks: [rawTask(1, 'Completed'), rawTask(2, 'Paused')] })],
    check.taskStatuses('Completed', 'Paused'),
  ),
};

/** Own rows about turns and files. */
export const ownHarnessRecipes: Recipes = {
  ...loadRows,
  'the turn says what it waits for and which processes it runs': notes,
  'another turn says what it waits for': sayAll([
    { type: 'turn.note', turn: 'another', waiting },
    { type: 'turn.note', turn: 'another', group },
  ]),
  'a turn ends that does not run': sayAll([turnEnd('done'), turnEnd('lost', 'another')]),
  'another turn ends': (row) =>
    (['running', 'stopping', 'discarding'] as const).map((turn) =>
      at(row, turnEnd('done', 'another'), { turn }),
    ),
  "the turn's process dies while discarding": dies('discarding'),
  "the turn's process dies while stopping": dies('stopping'),
  'the turn ends while discarding, and the files are gone already': (row) =>
    at(
      row,
      turnEnd('cancelled'),
      { turn: 'discarding' },
      check.all(
        check.archives(null),
        check.emitsNo('plan.ended'),
        check.emits('turn.settle', { outcome: 'discarded' }),
      ),
    ),
  'an .md without a sidecar': orphan,
  'the .md is deleted, and nothing was mirrored': (row) =>
    at(
      row,
      null,
      { document: 'missing', root: { description: '' } },
      check.all(
        check.emits('plan.restored', { from: 'scaffold' }),
        check.holds('the scaffold is there', ({ files }) => {
          return (
            files.document.kind === 'text' && files.document.text.startsWith('# Split the key\n## Context')
          );
        }),
      ),
    ),
};
