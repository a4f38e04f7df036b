import { always, inform, refuse, view } from './branches.ts';
import { session } from './setup.ts';

const chat = refuse('chat', 'NEEDS_PERSON');
const owner = refuse('stop', 'NOT_OWNER');
const settings = refuse('settings', 'NOT_OWNER', 'NEEDS_PERSON');

const queueChat = [...chat, { actions: 'enqueue', meta: { answer: { kind: 'queued' } } } as const] as const;

const idle = session.createStateConfig({
  description: 'No turn runs: plan decisions are taken now.',
  on: {
    'user.chat': [
      ...chat,
      { guard: 'armsPlan', target: 'running', actions: ['beginTurn', 'startTurn', 'raiseArm'] },
      { target: 'running', actions: ['beginTurn', 'startTurn'] },
    ],
    'user.compact': [...settings, { actions: 'raiseCompact' }],
    'user.stop': inform('NOTHING_RUNNING'),
    'user.switch': view,
    'turn.begin': { target: 'running', actions: ['beginTurn', 'startTurn'] },
    'turn.end': inform('NOTHING_RUNNING'),
    'queue.take': [{ guard: 'isFree', actions: ['raiseQueued', 'dequeue'] }, inform('NOTHING_QUEUED')],
    'queue.send': [{ guard: 'isUnsent', actions: ['raiseQueued', 'dequeue'] }, inform('NOTHING_QUEUED')],
  },
});

const running = session.createStateConfig({
  description: 'One turn runs; what is said waits, /stop and /discard cancel.',
  on: {
    'user.stop': [...owner, { target: 'stopping', actions: ['returnQueue', 'askStop', 'abortTurn'] }],
    'turn.discard': { target: 'discarding', actions: ['returnQueue', 'askDiscard', 'abortTurn'] },
    'turn.end': [
      { guard: 'endsThisTurn', target: 'idle', actions: ['settleTurn', 'endTurn', 'raiseTurnEnded'] },
      inform('NOTHING_RUNNING'),
    ],
  },
});

const stopping = session.createStateConfig({
  description: 'A stop was asked for; every call of the turn is refused until it has ended (D16).',
  on: {
    'user.stop': [...owner, inform('STOPPING')],
    'turn.discard': { target: 'discarding', actions: ['returnQueue', 'askDiscard', 'abortTurn'] },
    'turn.end': [
      { guard: 'endsThisTurn', target: 'idle', actions: ['settleTurn', 'endTurn', 'raiseTurnEnded'] },
      inform('NOTHING_RUNNING'),
    ],
  },
});

const discarding = session.createStateConfig({
  description: 'Discard was asked for; the plan goes when the turn has ended (D16).',
  on: {
    'user.stop': [...owner, inform('DISCARDING')],
    'turn.end': [
      { guard: 'endsThisTurn', target: 'idle', actions: ['settleDiscarded', 'endTurn', 'raiseClear'] },
      inform('NOTHING_RUNNING'),
    ],
  },
});

/** Decides chat, stop, the end of a turn and what is no plan command; the plan region follows by `raise`. */
export const turnRegion = session.createStateConfig({
  description: 'Whether a turn runs, and how it ends; one runs at a time.',
  initial: 'idle',
  on: {
    'user.chat': queueChat,
    'user.compact': [...settings, always('BUSY')],
    'user.switch': always('BUSY'),
    'user.policy': [...settings, { actions: 'setPolicy' }],
    'user.goal': [...settings, { actions: 'setGoal' }],
    'user.rename': [...settings, { actions: 'rename' }],
    'queue.take': always('BUSY'),
    'queue.send': [
      { guard: 'isUnsent', actions: 'adopt', meta: { answer: { kind: 'queued' } } },
      inform('NOTHING_QUEUED'),
    ],
    'queue.drop': [{ guard: 'isFree', actions: ['returnDropped', 'dequeue'] }, inform('NOTHING_QUEUED')],
    'turn.note': [{ guard: 'notesThisTurn', actions: 'noteTurn' }, inform('NOTHING_RUNNING')],
  },
  states: {
    idle,
    running: { ...running, tags: 'busy' },
    stopping: { ...stopping, tags: 'busy' },
    discarding: { ...discarding, tags: 'busy' },
  },
});
