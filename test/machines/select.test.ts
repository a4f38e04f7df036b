import { describe, expect, it } from 'vitest';
import { derive, gate, type Phase, select, type SessionView, type TurnState } from '../../machines/index.ts';
import { paths, rawTask, sessionIn, type SessionShape, texts, turnId } from '../support/samples.ts';
import { busyIn, requestOf } from '../support/samples-gate.ts';
import { matrix } from '../support/samples-matrix.ts';
import { people } from '../support/samples-said.ts';

const viewOf = (phase: Phase, shape: SessionShape = {}): SessionView =>
  select(derive(sessionIn(phase, shape)).snapshot);

/** The decisions that are open, as a list of words. */
function openIn(phase: Phase, shape: SessionShape = {}): string {
  const { approve, why: _why, ...rest } = viewOf(phase, shape).decisions;
  const names = Object.entries(rest).flatMap(([name, open]) => (open ? [name] : []));
  return [...(approve === 'hidden' ? [] : [`approve ${approve}`]), ...names].join(', ');
}

const silentPhases: ReadonlySet<Phase> = new Set<Phase>(['noPlan', 'checklist']);

describe('B17 badge, phase and gate are one', () => {
  const badges = {
    noPlan: ['', 'allow'],
    preInit: ['Editing · no plan yet', 'deny'],
    postInit: ['Editing', 'deny'],
    seeding: ['Active', 'deny'],
    seedFailedEmpty: ['Active · not built', 'deny'],
    seedFailedPartial: ['Active · not started', 'deny'],
    checklist: ['Active', 'allow'],
    unreadable: ['Unreadable', 'deny'],
  } as const satisfies Record<Phase, readonly [string, 'allow' | 'deny']>;

  it.each(matrix.states)('%s', (phase) => {
    const snapshot = busyIn(phase);
    const view = select(snapshot);
    const [badge, write] = badges[phase];
    expect(view.phase).toBe(phase);
    expect(view.badge).toBe(badge);
    expect(gate(snapshot, requestOf({ class: 'projectWrite' })).kind).toBe(write);
    const isSeedPhase = phase === 'seeding' || view.seedError !== null;
    expect(view.badge.startsWith('Active') && !isSeedPhase).toBe(write === 'allow' && phase !== 'noPlan');
  });

  it.each(matrix.states)('%s has a hint for people, while idle and while a turn is cancelled', (phase) => {
    for (const turn of ['idle', 'running', 'stopping', 'discarding'] as const) {
      if (phase === 'seeding' && turn === 'idle') continue;
      const view = viewOf(phase, { turn });
      expect(view.turn).toBe(turn);
      const silent =
        (phase === 'noPlan' && turn === 'idle') || (turn === 'running' && silentPhases.has(phase));
      const words = {
        idle: /^.{10,}/u,
        running: /^.{10,}/u,
        stopping: /^Stopping/u,
        discarding: /^Discarding/u,
      };
      expect(view.hint).toMatch(silent ? /^$/u : words[turn]);
    }
  });
});

describe('D31 decisions', () => {
  const rows: [Phase, SessionShape, string][] = [
    ['noPlan', {}, ''],
    ['noPlan', { turn: 'running' }, ''],
    ['preInit', {}, 'discard'],
    ['preInit', { turn: 'running' }, 'discard'],
    ['postInit', {}, 'approve on, revise, discard'],
    ['postInit', { turn: 'running' }, 'approve off, revise, discard'],
    ['postInit', { document: 'invalid' }, 'approve off, revise, discard'],
    ['seeding', {}, 'discard'],
    ['seedFailedEmpty', {}, 'discard, retry'],
    ['seedFailedEmpty', { turn: 'running' }, 'discard'],
    ['seedFailedEmpty', { document: 'changed' }, 'discard, restore'],
    ['seedFailedEmpty', { document: 'missing' }, 'discard, restore'],
    ['seedFailedEmpty', { document: 'changed', turn: 'running' }, 'discard'],
    ['seedFailedEmpty', { document: 'changed', root: { description: '', approval: null } }, 'discard'],
    ['seedFailedPartial', {}, 'discard'],
    ['seedFailedPartial', { record: { interrupted: true } }, 'discard'],
    ['checklist', {}, 'discard'],
    ['checklist', { record: { interrupted: true } }, 'discard, resume'],
    ['checklist', { turn: 'running', record: { interrupted: true } }, 'discard'],
    ['checklist', { document: 'changed' }, 'discard, restore'],
    ['checklist', { document: 'changed', turn: 'running' }, 'discard'],
    ['checklist', { track: 'checklist' }, 'discard'],
    ['unreadable', {}, 'discard'],
    ['unreadable', { turn: 'running' }, 'discard'],
  ];

  it.each(rows)('%s %j: %s', (phase, shape, expected) => {
    expect(openIn(phase, shape)).toBe(expected);
  });

  it.each(matrix.states.filter((phase) => phase !== 'noPlan'))(
    '%s: Discard goes while discarding',
    (phase) => {
      expect(viewOf(phase, { turn: 'discarding' }).decisions.discard).toBe(false);
    },
  );

  it('says why Approve is off', () => {
    const why = (shape: SessionShape) => viewOf('postInit', shape).decisions.why;
    expect(why({})).toBeNull();
    expect(why({ turn: 'running' })).toBe('a turn is running');
    expect(why({ document: 'invalid' })).toMatch(/^\d+ parts are missing$/u);
    expect(viewOf('checklist', { turn: 'running' }).decisions.why).toBeNull();
  });
});

describe('what a surface draws', () => {
  it('tasks with status, number and what they wait for', () => {
    const tasks = [
      rawTask(1, 'Completed'),
      rawTask(2, 'InProgress'),
      rawTask(3, 'Pending', { dependencies: [1, 2] }),
      rawTask(4, { Blocked: 'no key' }),
      rawTask(5, 'Failed'),
      rawTask(6, 'Skipped'),
      rawTask(7, 'Paused'),
    ];
    const view = viewOf('checklist', { tasks });
    expect(view.tasks.map(({ number, status, waitsFor }) => [number, status, waitsFor])).toEqual([
      [1, 'completed', []],
      [2, 'running', []],
      [3, 'pending', [2]],
      [4, 'blocked', []],
      [5, 'failed', []],
      [6, 'skipped', []],
      [7, 'pending', []],
    ]);
    expect(view.progress).toEqual({ done: 2, total: 7 });
    expect(view.title).toBe('Split the key');
  });

  it('Building checklist… only until the batch is there', () => {
    expect(viewOf('seeding').building).toBe(true);
    expect(viewOf('seeding').hint).toBe('Building checklist…');
    const seeded = viewOf('seeding', { tasks: [rawTask(1, 'Pending')] });
    expect([seeded.building, seeded.hint]).toEqual([false, '']);
    expect(viewOf('seedFailedEmpty').building).toBe(false);
    expect([viewOf('seedFailedEmpty').seedError, viewOf('seedFailedPartial').seedError]).toEqual([
      'empty',
      'partial',
    ]);
  });

  it('the session plan in review and later, never for a checklist', () => {
    const postInit = viewOf('postInit').document;
    expect(postInit).toMatchObject({
      path: paths.document,
      text: texts.valid,
      steps: 2,
      faults: [],
      drifted: false,
    });
    expect(viewOf('checklist', { document: 'changed' }).document).toMatchObject({ drifted: true });
    expect(viewOf('checklist').document).toMatchObject({ drifted: false });
    expect(viewOf('checklist', { document: 'missing' }).document).toMatchObject({
      text: null,
      drifted: true,
    });
    for (const view of [viewOf('noPlan'), viewOf('preInit'), viewOf('checklist', { track: 'import' })]) {
      expect(view.document).toBeNull();
    }
  });

  it('the running turn and what it waits for (D36)', () => {
    const waiting = { what: 'your answer', surface: 'tui', since: '2026-03-01T12:03:00.000Z' };
    const view = viewOf('checklist', { turn: 'running', lease: { waiting } });
    expect(view.running).toMatchObject({
      turn: turnId,
      kind: 'chat',
      entry: 'interactive',
      surface: 'tui',
      waiting,
    });
    expect(viewOf('checklist').running).toBeNull();
  });

  it('what waits in the queue, with its text', () => {
    const said = [people.chat('hello'), people.planText('the cache'), people.revise(), people.plan()];
    const elsewhere = { owner: 'elsewhere', state: 'waiting' };
    const queue = said.map((one, index) => ({ id: String(index), at: '', process: 'p', said: one }));
    expect(viewOf('postInit', { record: { queue } }).queue).toEqual([
      { id: '0', surface: 'tui', text: 'hello', kind: 'user.chat', ...elsewhere },
      { id: '1', surface: 'tui', text: '/plan the cache', kind: 'user.plan', ...elsewhere },
      { id: '2', surface: 'tui', text: 'Split step 1.', kind: 'user.revise', ...elsewhere },
      { id: '3', surface: 'tui', text: '/plan', kind: 'user.plan', ...elsewhere },
    ]);
  });

  it('D26 and whether the process that shows it will take it, another one, or none', () => {
    const queue = ['mine', 'theirs', 'left'].map((process) => ({
      id: process,
      at: '',
      process,
      said: people.plan(),
    }));
    const { snapshot } = derive(sessionIn('postInit', { record: { queue }, gone: ['left'] }));
    expect(select(snapshot, 'mine').queue.map(({ owner, state }) => `${owner}, ${state}`)).toEqual([
      'here, waiting',
      'elsewhere, waiting',
      'elsewhere, not sent',
    ]);
    expect(select(snapshot, 'left').queue.map(({ state }) => state)).not.toContain('not sent');
  });

  it('D17 a finished checklist while its turn lives, and not longer', () => {
    const closed = { plan: 'p', title: 'Old', tasks: [{ title: 'A', status: 'completed' }], at: '' };
    expect(viewOf('noPlan', { turn: 'running', lease: { closed } }).closed).toMatchObject({ title: 'Old' });
    expect(viewOf('noPlan').closed).toBeNull();
  });

  it('D37 an interruption shows only with open tasks and no turn', () => {
    const shape: SessionShape = { record: { interrupted: true } };
    expect(viewOf('checklist', shape)).toMatchObject({
      interrupted: true,
      hint: expect.stringContaining('/continue'),
    });
    expect(viewOf('postInit', shape).interrupted).toBe(false);
    expect(viewOf('checklist', { ...shape, turn: 'running' }).interrupted).toBe(false);
  });

  it('D9 the unreadable file with its cause', () => {
    expect(viewOf('unreadable').unreadable?.path).toBe(paths.sidecar);
    expect(viewOf('unreadable').hint).toContain(paths.sidecar);
  });

  it('policy and goals', () => {
    const goal = { user: 'Ship it', task: 'Task 1: A' };
    expect(viewOf('noPlan', { yolo: true, record: { goal } })).toMatchObject({ policy: 'yolo', goal });
    expect(viewOf('noPlan').policy).toBe('ask');
  });

  it.each([
    ['postInit', {}, 'ready for review'],
    ['postInit', { document: 'invalid' }, 'not complete'],
    ['postInit', { turn: 'running' }, 'being written'],
    ['seedFailedEmpty', {}, '/execute'],
    ['seedFailedEmpty', { document: 'changed' }, 'not the approved text'],
    ['checklist', { tasks: [], track: 'checklist' }, 'no tasks'],
    ['checklist', {}, '/continue'],
  ] as [Phase, SessionShape, string][])('hint in %s %j', (phase, shape, words) => {
    expect(viewOf(phase, shape).hint).toContain(words);
  });

  it('turn states are the four of the machine', () => {
    const turns: TurnState[] = ['idle', 'running', 'stopping', 'discarding'];
    expect(turns.map((turn) => viewOf('checklist', { turn }).turn)).toEqual(turns);
  });
});
