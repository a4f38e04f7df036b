import { describe, expect, it } from 'vitest';
import {
  derive,
  type Phase,
  type Said,
  type SessionEvent,
  sessionMachine,
  step,
  verdict,
} from '../../machines/index.ts';
import { sessionIn, type SessionShape, stampOf, stranger } from '../support/samples.ts';
import { calls, people } from '../support/samples-said.ts';

const snapshotOf = (phase: Phase, shape: SessionShape = {}) => derive(sessionIn(phase, shape)).snapshot;
const stamped = (said: Said): SessionEvent => ({ ...said, ...stampOf(1) });

/** `verdict` rests on a method that xstate does not document: these cases pin what it needs of it. */
describe('getTransitionData', () => {
  const postInit = snapshotOf('postInit');

  it('names the one branch whose guard holds first, with its meta', () => {
    const branches = sessionMachine.getTransitionData(postInit, stamped(people.execute(null)));
    expect(branches.map((branch) => branch.meta)).toEqual([
      { answer: { kind: 'refused', code: 'TEXT_CHANGED' } },
    ]);
  });

  it('gives the very objects of the machine, a branch without meta for what is accepted', () => {
    const [branch] = sessionMachine.getTransitionData(postInit, stamped(people.execute()));
    const node = sessionMachine.root.states.plan?.states.editing?.states.postInit;
    expect(node?.transitions.get('user.execute')?.at(-1)).toBe(branch);
    expect(branch?.source).toBe(node);
    expect(branch?.meta).toBeUndefined();
  });

  it('looks at the outer states when the inner one has no handler', () => {
    const [branch] = sessionMachine.getTransitionData(postInit, stamped(people.discard()));
    expect(branch?.source.path).toEqual(['plan']);
  });

  it('gives nothing for an event that no active state handles', () => {
    const raised: SessionEvent = { type: 'plan.turnEnded', ...stampOf(1) };
    expect(sessionMachine.getTransitionData(postInit, raised)).toEqual([]);
  });

  it('changes nothing', () => {
    const before = JSON.stringify(postInit);
    sessionMachine.getTransitionData(postInit, stamped(people.execute()));
    expect(JSON.stringify(postInit)).toBe(before);
  });
});

describe('verdict', () => {
  it.each([
    ['accepted', 'postInit', {}, people.execute(), { kind: 'accepted' }],
    ['view', 'postInit', {}, people.show(), { kind: 'view' }],
    ['info', 'preInit', {}, people.show(), { kind: 'info', code: 'PRE_INIT' }],
    ['queued', 'postInit', { turn: 'running' }, people.revise(), { kind: 'queued' }],
    ['refused', 'postInit', {}, people.execute(null), { kind: 'refused', code: 'TEXT_CHANGED' }],
    [
      'refused by an outer state',
      'checklist',
      {},
      calls.unknown('x'),
      { kind: 'refused', code: 'CANCELLED' },
    ],
  ] as const)('%s', (_, phase, shape, said, expected) => {
    expect(verdict(snapshotOf(phase, shape), stamped(said))).toEqual(expected);
  });

  it('answers NOT_APPLICABLE where nobody decides, as for a raised event that comes from outside', () => {
    const forged: SessionEvent = { type: 'plan.arm', words: 'make a plan', ...stampOf(1) };
    expect(verdict(snapshotOf('checklist'), forged)).toEqual({ kind: 'refused', code: 'NOT_APPLICABLE' });
    expect(step(snapshotOf('checklist'), forged).effects).toEqual([]);
    const nothing: SessionEvent = { type: 'plan.clear', ...stampOf(1) };
    expect(verdict(snapshotOf('noPlan'), nothing)).toEqual({ kind: 'refused', code: 'NOT_APPLICABLE' });
  });

  it('D30 asks for owner, button, person, idleness and the text in this order', () => {
    const button = { plan: 'other', phase: 'editing', owns: true } as const;
    const busy = snapshotOf('postInit', { turn: 'running', document: 'invalid', root: { description: '' } });
    const idle = snapshotOf('postInit', { document: 'invalid' });
    const run = { ...stranger, owner: true, entry: 'run' } as const;
    const code = (snapshot: typeof busy, said: Said) => {
      const answer = verdict(snapshot, stamped(said));
      return 'code' in answer ? answer.code : answer.kind;
    };
    expect(code(busy, { type: 'user.execute', by: { ...run, owner: false }, button, shown: null })).toBe(
      'NOT_OWNER',
    );
    expect(code(busy, { type: 'user.execute', by: run, button, shown: null })).toBe('STALE_BUTTON');
    expect(code(busy, { type: 'user.execute', by: run, shown: null })).toBe('NEEDS_PERSON');
    expect(code(busy, people.execute(null))).toBe('BUSY');
    expect(code(idle, people.execute(null))).toBe('TEMPLATE_INVALID');
    expect(code(snapshotOf('postInit'), people.execute(null))).toBe('TEXT_CHANGED');
  });
});
