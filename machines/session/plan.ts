import { always, busy, call, design, inform, person, queueWhileBusy, refuse, view } from './branches.ts';
import { active } from './seed.ts';
import { session } from './setup.ts';

/** No button places a session. */
const owner = refuse('person', 'NOT_OWNER', 'NEEDS_PERSON');

const init = [
  ...call,
  ...refuse(
    'init',
    'FILE_AND_TASKS',
    'IMPORT_UNREADABLE',
    'IMPORT_INVALID',
    'IMPORT_EMPTY',
    'TITLE_MISSING',
    'UNKNOWN_MODE',
    'DESIGN_WITH_TASKS',
    'CHECKLIST_WITHOUT_TASKS',
    'TASKS_INVALID',
    'UNATTENDED_DESIGN',
  ),
];

const noPlan = session.createStateConfig({
  description: 'There is no live plan; project tools run under the approval policy.',
  on: {
    'user.plan': [
      ...design,
      queueWhileBusy,
      { guard: 'hasText', target: 'editing.preInit', actions: ['arm', 'announceArmed', 'raisePlanTurn'] },
      { target: 'editing.preInit', actions: ['arm', 'announceArmed'] },
    ],
    'plan.arm': { target: 'editing.preInit', actions: ['arm', 'announceArmed'] },
    'user.show': inform('NO_PLAN'),
    'user.execute': [...person, ...busy, always('NO_PLAN')],
    'user.revise': [...person, ...busy, always('NO_PLAN')],
    'user.discard': [...person, always('NOT_APPLICABLE')],
    'user.place': [...owner, ...busy, { actions: 'place' }],
    'tool.init': [
      ...init,
      { guard: 'startsDesign', target: 'editing.postInit', actions: 'initialise' },
      { target: 'active.checklist', actions: 'initialise' },
    ],
    'tool.addTasks': [...call, always('NO_PLAN')],
    'tool.start': [...call, always('NO_PLAN')],
    'tool.complete': [...call, always('NO_PLAN')],
    'tool.document': [...call, always('GATE_CLOSED')],
    'file.orphan': { actions: ['archiveOrphan', 'dropDocument'] },
    // Files may have vanished under a turn that is being discarded: there is nothing left to clear.
    'plan.clear': {},
  },
});

const preInit = session.createStateConfig({
  description: 'Plan mode is on, `init` has not happened: explore, write nothing.',
  on: {
    'user.plan': [
      ...design,
      queueWhileBusy,
      { guard: 'hasText', actions: 'raisePlanTurn' },
      inform('ALREADY_EDITING'),
    ],
    'user.show': inform('PRE_INIT'),
    'user.execute': [...person, ...busy, always('PRE_INIT')],
    'user.revise': [...person, ...busy, always('PRE_INIT')],
    'tool.init': [
      ...init,
      { guard: 'startsDesign', target: 'postInit', actions: 'initialise' },
      { target: '#session.plan.active.checklist', actions: 'initialise' },
    ],
    'tool.addTasks': [...call, always('PRE_INIT')],
    'tool.start': [...call, always('PRE_INIT')],
    'tool.complete': [...call, always('PRE_INIT')],
    'tool.document': [...call, always('GATE_CLOSED')],
    'file.orphan': { actions: ['archiveOrphan', 'dropDocument'] },
  },
});

const postInit = session.createStateConfig({
  description: 'The agent explores and writes the session plan, nothing else, until a person approves it.',
  on: {
    'user.plan': [...design, queueWhileBusy, inform('ALREADY_EDITING')],
    'user.show': view,
    'user.execute': [
      ...person,
      ...busy,
      ...refuse('template', 'TEMPLATE_INVALID'),
      ...refuse('shown', 'TEXT_CHANGED'),
      {
        target: '#session.plan.active.seeding.building',
        actions: ['approve', 'announceApproved', 'raiseSeedTurn'],
      },
    ],
    'user.revise': [...person, queueWhileBusy, { actions: 'raiseRevision' }],
    'tool.init': [...call, always('LIVE_PLAN')],
    'tool.addTasks': [...call, always('EDITING')],
    'tool.start': [...call, always('EDITING')],
    'tool.complete': [...call, always('EDITING')],
    'tool.document': [...call, ...refuse('document', 'STALE_TEXT'), { actions: 'mirror' }],
    'file.edited': { actions: 'mirror' },
    'file.lost': { actions: ['announceRestored', 'restoreDocument'] },
  },
});

const unreadable = session.createStateConfig({
  description: 'The plan files cannot be read, and nothing is written until a person discards them.',
  on: {
    'user.plan': [...design, queueWhileBusy, always('UNREADABLE')],
    'user.show': inform('UNREADABLE'),
    'user.execute': [...person, ...busy, always('UNREADABLE')],
    'user.revise': [...person, ...busy, always('UNREADABLE')],
    'user.place': [...owner, ...busy, always('UNREADABLE')],
    'user.discard': [
      ...person,
      { guard: 'discarding', ...inform('DISCARDING') },
      { guard: 'busy', actions: 'raiseDiscard' },
      { target: 'noPlan', actions: ['archiveUnreadable', 'announceDiscarded', 'clearPlan'] },
    ],
    'plan.clear': { target: 'noPlan', actions: ['archiveUnreadable', 'announceDiscarded', 'clearPlan'] },
    'tool.init': [...call, always('UNREADABLE')],
    'tool.addTasks': [...call, always('UNREADABLE')],
    'tool.start': [...call, always('UNREADABLE')],
    'tool.complete': [...call, always('UNREADABLE')],
    'tool.document': [...call, always('GATE_CLOSED')],
  },
});

/** Decides every plan command and plan tool call; the turn region follows by `raise`. */
export const planRegion = session.createStateConfig({
  description: 'Where the plan of the session stands; decides every plan command and plan tool call.',
  initial: 'noPlan',
  on: {
    'user.discard': [
      ...person,
      { guard: 'discarding', ...inform('DISCARDING') },
      { guard: 'busy', actions: 'raiseDiscard' },
      { target: '.noPlan', actions: ['archiveDiscarded', 'announceDiscarded', 'clearPlan'] },
    ],
    'plan.clear': { target: '.noPlan', actions: ['archiveDiscarded', 'announceDiscarded', 'clearPlan'] },
    'file.finished': { target: '.noPlan', actions: ['archiveFinished', 'clearPlan'] },
    'user.place': [...owner, ...busy, always('LIVE_PLAN')],
    'user.approveText': [...person, ...busy, always('NOT_APPLICABLE')],
    'user.restore': [...person, ...busy, always('NOT_APPLICABLE')],
    'user.continue': [...person, ...busy, always('NOT_APPLICABLE')],
    'tool.unknown': [...call, always('UNKNOWN_OPERATION')],
  },
  states: {
    noPlan,
    editing: {
      description: 'A session plan is being made; nothing but its own text is written.',
      initial: 'preInit',
      tags: ['editing', 'live'],
      states: { preInit, postInit },
    },
    active,
    unreadable,
  },
});
