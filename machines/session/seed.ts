import { always, busy, call, person, design, queueWhileBusy, refuse, view } from './branches.ts';
import { session } from './setup.ts';

const start = refuse(
  'start',
  'NOTHING_TO_START',
  'NO_SUCH_TASK',
  'TASK_CLOSED',
  'TASK_RUNNING',
  'DEPENDENCIES_OPEN',
  'RETRY_LIMIT',
);

const seeding = session.createStateConfig({
  description: 'The seed turn turns the approved steps into a checklist; nothing else is written (D41).',
  initial: 'building',
  tags: ['seedWindow'],
  on: {
    'user.execute': [...person, always('BUSY')],
    'tool.complete': [...call, always('SEED_NOT_STARTED')],
  },
  states: {
    building: {
      description: 'Building checklist… is shown until the one batch of tasks is there.',
      tags: 'building',
      on: {
        'tool.addTasks': [
          ...call,
          ...refuse('seed', 'TEXT_CHANGED', 'SEED_COUNT', 'TASKS_INVALID'),
          { target: 'seeded', actions: 'addTasks' },
        ],
        'tool.start': [...call, always('NO_TASKS')],
        'plan.turnEnded': '#session.plan.active.seedFailed.empty',
      },
    },
    seeded: {
      description: 'Tasks are there; the window stays shut until one has started.',
      on: {
        'tool.addTasks': [...call, always('SEED_ONE_BATCH')],
        'tool.start': [...call, ...start, { target: '#session.plan.active.checklist', actions: 'startTask' }],
        'plan.turnEnded': '#session.plan.active.seedFailed.partial',
      },
    },
  },
});

const seedFailed = session.createStateConfig({
  description: 'The seed turn ended before a task had started.',
  initial: 'empty',
  tags: ['seedWindow', 'seedError'],
  states: {
    empty: {
      description: 'No tasks: a person retries with Approve or discards.',
      on: {
        'user.execute': [
          ...person,
          ...busy,
          ...refuse('template', 'TEMPLATE_INVALID'),
          ...refuse('approved', 'TEXT_CHANGED'),
          ...refuse('drawn', 'TEXT_CHANGED'),
          { target: '#session.plan.active.seeding.building', actions: 'raiseSeedTurnAgain' },
        ],
        'user.approveText': [
          ...person,
          ...busy,
          ...refuse('template', 'TEMPLATE_INVALID'),
          ...refuse('shown', 'TEXT_CHANGED'),
          {
            target: '#session.plan.active.seeding.building',
            actions: ['approve', 'announceApproved', 'raiseSeedTurnAgain'],
          },
        ],
        'user.restore': [
          ...person,
          ...busy,
          ...refuse('restorable', 'NOT_APPLICABLE'),
          ...refuse('drawn', 'TEXT_CHANGED'),
          { actions: ['restoreApproved', 'announceRestored'] },
        ],
        'tool.addTasks': [...call, always('SEED_FAILED')],
        'tool.start': [...call, always('SEED_FAILED')],
        'tool.complete': [...call, always('SEED_FAILED')],
      },
    },
    partial: {
      description: 'Tasks without a start: discard, then approve again (no repair in v1).',
      on: {
        'user.execute': [...person, ...busy, always('PARTIAL_SEED')],
        'tool.addTasks': [...call, always('PARTIAL_SEED')],
        'tool.start': [...call, always('PARTIAL_SEED')],
        'tool.complete': [...call, always('PARTIAL_SEED')],
      },
    },
  },
});

const checklist = session.createStateConfig({
  description: 'Tasks are worked, one at a time; the session plan is frozen.',
  on: {
    'user.execute': [...person, ...busy, always('NOT_APPLICABLE')],
    'user.continue': [...person, ...busy, { actions: 'raiseResume' }],
    'user.restore': [
      ...person,
      ...busy,
      ...refuse('restorable', 'NOT_APPLICABLE'),
      ...refuse('drawn', 'TEXT_CHANGED'),
      { actions: ['restoreApproved', 'announceRestored'] },
    ],
    'tool.addTasks': [...call, ...refuse('batch', 'TASKS_INVALID'), { actions: 'addTasks' }],
    'tool.start': [...call, ...refuse('start', 'NO_TASKS'), ...start, { actions: 'startTask' }],
    'tool.complete': [
      ...call,
      ...refuse('complete', 'UNKNOWN_ACTION', 'TASK_NOT_RUNNING', 'NO_SUCH_TASK'),
      {
        guard: 'finishes',
        target: '#session.plan.noPlan',
        actions: ['archiveCompleted', 'announceCompleted', 'completePlan'],
      },
      { actions: 'completeTask' },
    ],
  },
});

/** An approved plan or a checklist; a design `.md` is frozen (FROZEN). */
export const active = session.createStateConfig({
  description: 'A plan was approved, or a checklist was started; there are tasks to build or to work.',
  initial: 'checklist',
  tags: 'live',
  on: {
    'user.plan': [...design, queueWhileBusy, always('LIVE_PLAN')],
    'user.show': view,
    'user.revise': [...person, ...busy, always('NOT_APPLICABLE')],
    'tool.init': [...call, always('LIVE_PLAN')],
    'tool.document': [...call, always('FROZEN')],
  },
  states: { seeding, seedFailed, checklist },
});
