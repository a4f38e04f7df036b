import { describe, expect, it } from 'vitest';
import { derive, desiredKeyboard, type Phase, select } from '../../machines/index.ts';
import { hashOf, planId, sessionIn, type SessionShape, texts } from '../support/samples.ts';

describe('D31 which keyboard a session asks for', () => {
  const row = (phase: Phase, shape: SessionShape = {}): string => {
    const keyboard = desiredKeyboard(select(derive(sessionIn(phase, shape)).snapshot));
    return keyboard === null ? '' : `${keyboard.phase}: ${keyboard.buttons.join(' ')}`;
  };
  const busy: SessionShape = { turn: 'running' };
  const table: readonly (readonly [Phase, SessionShape, string])[] = [
    ['noPlan', {}, ''],
    ['noPlan', busy, ''],
    ['preInit', {}, ''],
    ['preInit', busy, ''],
    ['unreadable', {}, ''],
    ['unreadable', busy, ''],
    ['postInit', {}, 'editing: approve revise discard'],
    ['postInit', { document: 'invalid' }, 'editing: approve revise discard'],
    ['postInit', busy, 'editing: discard'],
    ['postInit', { turn: 'stopping' }, 'editing: discard'],
    ['postInit', { turn: 'discarding' }, ''],
    ['seeding', {}, 'active: discard'],
    ['seedFailedEmpty', {}, 'active: retry discard'],
    ['seedFailedEmpty', { document: 'changed' }, 'active: approveText restore discard'],
    ['seedFailedEmpty', { document: 'missing' }, 'active: restore discard'],
    [
      'seedFailedEmpty',
      { document: 'changed', root: { description: '', approval: null } },
      'active: approveText discard',
    ],
    ['seedFailedEmpty', busy, 'active: discard'],
    ['seedFailedPartial', {}, 'active: discard'],
    ['seedFailedPartial', busy, 'active: discard'],
    ['checklist', {}, 'active: discard'],
    ['checklist', busy, 'active: discard'],
    ['checklist', { document: 'changed' }, 'active: discard'],
    ['checklist', { track: 'import' }, 'active: discard'],
    ['checklist', { record: { interrupted: true } }, 'active: continue discard'],
    ['seedFailedPartial', { record: { interrupted: true } }, 'active: discard'],
    ['checklist', { turn: 'discarding' }, ''],
  ];

  it.each(table)('%s %j: %s', (phase, shape, wanted) => {
    expect(row(phase, shape)).toBe(wanted);
  });

  it('names the plan, and the text only where a button depends on it (B58)', () => {
    const of = (phase: Phase, shape: SessionShape = {}) =>
      desiredKeyboard(select(derive(sessionIn(phase, shape)).snapshot));
    expect(of('postInit')).toMatchObject({ plan: planId, hash: hashOf(texts.valid) });
    expect(of('postInit', busy)).toMatchObject({ plan: planId, hash: null });
    expect(of('seedFailedEmpty', { document: 'changed' })).toMatchObject({ hash: hashOf(texts.changed) });
    expect(of('checklist')).toMatchObject({ plan: planId, hash: null });
  });
});
