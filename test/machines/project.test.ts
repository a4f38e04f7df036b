import { describe, expect, it } from 'vitest';
import {
  applyCommit,
  type ArchiveOrder,
  derive,
  type Phase,
  projectCommit,
  recordText,
  type Said,
  settle,
  step,
  type StoredSession,
} from '../../machines/index.ts';
import { hashOf, rawTask, sessionIn, type SessionShape, stampOf, texts } from '../support/samples.ts';
import { calls, draft, people, turnEnd } from '../support/samples-said.ts';

const at = '2026-03-01T12:03:04.567Z';

function commitOf(session: StoredSession, said: Said) {
  const taken = step(derive(session).snapshot, { ...said, ...stampOf(1), at });
  return projectCommit(session, taken.snapshot, taken.archive, at);
}

const commitIn = (phase: Phase, shape: SessionShape, said: Said) => commitOf(sessionIn(phase, shape), said);
const busy: SessionShape = { turn: 'running' };

describe('D7 what a step writes', () => {
  it('nothing when nothing differs, whatever the layout of the file', () => {
    expect(commitIn('postInit', {}, people.show())).toBeNull();
    expect(commitIn('postInit', {}, people.execute(null))).toBeNull();
    expect(commitIn('checklist', {}, people.execute())).toBeNull();
  });

  it('only the record when a chat turn starts: another program’s sidecar keeps its own layout', () => {
    const commit = commitIn('checklist', {}, people.chat('hello'));
    expect(Object.keys(commit ?? {})).toEqual(['record']);
    expect(commit?.record?.order).toBe('first');
  });

  it.each([
    ['a claim of a turn comes first', 'postInit', {}, people.execute(), 'first'],
    ['the end of a turn comes last', 'checklist', busy, turnEnd(), 'last'],
    ['a setting comes last', 'noPlan', {}, people.policy('yolo'), 'last'],
    ['a cancel comes last', 'checklist', busy, people.stop(), 'last'],
  ] as const)('the record: %s', (_, phase, shape, said, order) => {
    expect(commitIn(phase, shape, said)?.record?.order).toBe(order);
  });

  it('Approve writes the lease, then the sidecar, and leaves the .md as it is', () => {
    const commit = commitIn('postInit', {}, people.execute());
    expect(Object.keys(commit ?? {})).toEqual(['record', 'sidecar', 'revision']);
    expect(commit?.sidecar).toEqual({ text: expect.stringContaining('"status": "Active"') });
  });

  it('init writes the sidecar with the scaffold as description, and the .md', () => {
    const commit = commitIn('noPlan', busy, calls.init());
    if (commit?.document === undefined || 'remove' in commit.document) throw new Error('no .md');
    expect(commit.sidecar).toEqual({ text: expect.stringContaining(JSON.stringify(commit.document.text)) });
  });

  it('a file that cannot be read is never written over', () => {
    for (const said of [people.chat('hello'), people.policy('yolo'), people.stop()]) {
      expect(commitIn('unreadable', {}, said)?.sidecar).toBeUndefined();
      expect(commitIn('unreadable', busy, said)?.sidecar).toBeUndefined();
    }
  });

  it('the record is readable JSON with a final newline, and fields of a newer program survive', () => {
    const record = { ...sessionIn('noPlan').record, later: { a: 1 } };
    const text = recordText(record);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(record);
    expect(commitOf({ ...sessionIn('noPlan'), record }, people.policy('yolo'))?.record?.text).toContain(
      '"later"',
    );
  });
});

describe('D49 revisions', () => {
  it.each([
    ['a write of the agent', 'postInit', busy, calls.document(), texts.changed],
    ['the text that a person approves', 'postInit', {}, people.execute(), texts.valid],
    [
      'a changed text that is approved',
      'seedFailedEmpty',
      { document: 'changed' },
      people.approveText(),
      texts.changed,
    ],
  ] as const)('%s is kept', (_, phase, shape, said, text) => {
    expect(commitIn(phase, shape, said)?.revision).toEqual({ text });
  });

  it('a text that is written back is kept again, though the mirror knows it', () => {
    const session = sessionIn('postInit', { document: 'missing' });
    const [taken] = settle(derive(session), stampOf(1));
    if (taken === undefined) throw new Error('nothing was found');
    expect(projectCommit(session, taken.snapshot, null, at)?.revision).toEqual({ text: texts.valid });
  });

  it.each([
    ['a turn', 'postInit', {}, people.chat('hello')],
    ['a retry', 'seedFailedEmpty', {}, people.execute()],
    ['a restore', 'checklist', { document: 'changed' }, people.restore()],
    ['/plan', 'noPlan', {}, people.plan()],
    ['a checklist', 'noPlan', busy, calls.init({ tasks: [draft('A')] })],
    ['/discard', 'postInit', {}, people.discard()],
  ] as const)('%s makes none', (_, phase, shape, said) => {
    expect(commitIn(phase, shape, said)?.revision).toBeUndefined();
  });
});

describe('D43 archive', () => {
  const remove = { remove: true };

  it.each([
    ['discarded', 'postInit', '.discarded'],
    ['discarded', 'checklist', '.discarded'],
    ['unreadable', 'unreadable', '.unreadable'],
  ] as const)('%s from %s: the bytes on disk, dated in UTC', (_, phase, suffix) => {
    const commit = commitIn(phase, {}, people.discard());
    expect(commit?.archive).toEqual({ suffix, stamp: '20260301-120304' });
    expect(commit?.sidecar).toEqual(remove);
  });

  it('both files leave when both were there', () => {
    expect(commitIn('postInit', {}, people.discard())).toMatchObject({ sidecar: remove, document: remove });
    expect(commitIn('unreadable', { document: 'valid' }, people.discard())?.document).toEqual(remove);
  });

  it('a pre-init flag leaves no copy', () => {
    expect(commitIn('preInit', {}, people.discard())).toEqual({ sidecar: remove });
  });

  it('a finished checklist is kept as it ended, not as the last file said', () => {
    const tasks = [rawTask(1, 'Skipped'), rawTask(2, 'InProgress')];
    const commit = commitIn('checklist', { ...busy, tasks }, calls.complete({ output: 'all green' }));
    expect(commit?.archive?.suffix).toBe('');
    const kept = JSON.parse(commit?.archive?.sidecar ?? '{}') as { tasks: unknown[] };
    expect(kept.tasks).toEqual([
      expect.objectContaining({ status: 'Skipped' }),
      expect.objectContaining({ status: 'Completed', notes: 'all green', completed_at: at }),
    ]);
    expect(commit).toMatchObject({ sidecar: remove, document: remove });
  });

  it('an orphaned .md goes alone', () => {
    const session = sessionIn('noPlan', { document: 'valid' });
    const [taken] = settle(derive(session), stampOf(1));
    if (taken === undefined) throw new Error('nothing was found');
    expect(projectCommit(session, taken.snapshot, taken.archive, at)).toEqual({
      archive: { suffix: '.orphan', stamp: '20260301-120304', sidecar: null },
      document: remove,
    });
  });

  it('an order without any file is none', () => {
    const session = sessionIn('noPlan');
    const order: ArchiveOrder = { type: 'files.archive', as: 'orphan', sidecar: 'none' };
    expect(projectCommit(session, derive(session).snapshot, order, at)).toBeNull();
  });
});

describe('applyCommit', () => {
  it('gives the files as they are afterwards, with fresh hashes', () => {
    const session = sessionIn('postInit', busy);
    const commit = commitOf(session, calls.document());
    if (commit === null) throw new Error('nothing to write');
    const { document, sidecar, record } = applyCommit(session, commit, hashOf);
    expect(document).toMatchObject({ kind: 'text', text: texts.changed, hash: hashOf(texts.changed) });
    expect(sidecar.kind === 'text' && sidecar.hash === hashOf(sidecar.text)).toBe(true);
    expect(record).toEqual(session.record);
  });

  it('leaves what the commit does not name', () => {
    const session = sessionIn('postInit');
    expect(applyCommit(session, {}, hashOf)).toEqual(session);
  });
});
