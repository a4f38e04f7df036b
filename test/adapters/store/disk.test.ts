import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Commit, StoredSession } from '../../../machines/index.ts';
import {
  bwrapWorks,
  record,
  session,
  stamp,
  startChild,
  storeWithSession,
  tempHome,
  textOf,
} from './support.ts';

interface Told {
  error: { code: string; data: { path: string; cause: string } } | null;
  message: string;
  found: StoredSession;
}

const old: Commit = { sidecar: { text: '{"old":true}' }, document: { text: '# Old' } };
const approve: Commit = {
  record: { text: textOf(record(session, { yolo: true })), order: 'first' },
  sidecar: { text: JSON.stringify({ new: 'x'.repeat(5000) }) },
};
const discard: Commit = {
  archive: { suffix: '.discarded', stamp },
  sidecar: { remove: true },
  document: { remove: true },
};

const text = (found: StoredSession) => [
  found.sidecar.kind === 'text' ? found.sidecar.text : found.sidecar.kind,
  found.document.kind === 'text' ? found.document.text : found.document.kind,
  found.record.yolo,
];

/** One commit in a process of its own: with the mounts that cause the fault, or else with the fault injected. */
async function commitIn(
  home: string,
  change: Commit,
  mounts: readonly string[],
  fault: string,
): Promise<Told> {
  const wrap = bwrapWorks ? ['bwrap', '--bind', '/', '/', '--dev-bind', '/dev', '/dev', ...mounts] : [];
  const run = startChild(['commit', home, session, JSON.stringify(change), bwrapWorks ? '' : fault], wrap);
  return JSON.parse(await run.ended) as Told;
}

describe(`D7 real faults (${bwrapWorks ? 'bubblewrap mounts' : 'injected: no bubblewrap here'})`, () => {
  it('EROFS: a read-only session folder keeps the plan and gives the lease back', async () => {
    const { home, store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit(old));
    const { dir, sidecar } = store.paths(session);
    const told = await commitIn(home, approve, ['--ro-bind', dir, dir], 'create:plan_:EROFS');
    expect(told.error).toMatchObject({ code: 'WRITE_FAILED', data: { path: sidecar } });
    expect(told.error?.data.cause).toContain('EROFS');
    expect(told.message).toContain('Make the place writable');
    expect(text(await store.read(session))).toEqual(['{"old":true}', '# Old', false]);
  });

  it('EROFS: a plan in a read-only folder is not discarded', async () => {
    const { home, store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit(old));
    const { dir, archive } = store.paths(session);
    const told = await commitIn(home, discard, ['--ro-bind', dir, dir], 'makeFolder:archive:EROFS');
    expect(told.error).toMatchObject({ code: 'WRITE_FAILED', data: { path: archive } });
    expect(text(await store.read(session))).toEqual(['{"old":true}', '# Old', false]);
    expect(existsSync(archive)).toBe(false);
  });

  it('EROFS: without a writable lock nothing is changed, and a view still works', async () => {
    const { home, store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit(old));
    const told = await commitIn(home, approve, ['--ro-bind', home, home], 'create:plan_:EROFS');
    expect(told.error?.code).toBe(bwrapWorks ? 'LOCK_FAILED' : 'WRITE_FAILED');
    expect(told.error?.data.cause).toContain('EROFS');
    expect(text(told.found)).toEqual(['{"old":true}', '# Old', false]);
    expect(text(await store.read(session))).toEqual(['{"old":true}', '# Old', false]);
  });

  it.each([
    ['approve', approve],
    ['a new document', { document: { text: 'y'.repeat(9000) }, sidecar: { text: '{"new":true}' } }],
    ['discard', discard],
  ] as [string, Commit][])('ENOSPC: a full disk costs nothing at %s', async (_, change) => {
    const home = tempHome();
    const mounts = ['--size', String(1 << 20), '--tmpfs', home];
    const wrap = bwrapWorks ? ['bwrap', '--bind', '/', '/', '--dev-bind', '/dev', '/dev', ...mounts] : [];
    const fault = bwrapWorks ? '' : 'write:(plan_.*\\.tmp|archive.*)$:ENOSPC';
    const fill = bwrapWorks ? join(home, 'ballast') : '';
    const run = startChild(['prepared', home, session, JSON.stringify(change), fault, fill], wrap);
    const told = JSON.parse(await run.ended) as Told;
    expect(told.error?.code).toBe('WRITE_FAILED');
    expect(told.error?.data.cause).toContain('ENOSPC');
    expect(told.message).toContain(told.error?.data.path);
    expect(told.message).toContain('Free some space');
    expect(text(told.found)).toEqual(['{"old":true}', '# Old', false]);
    expect(told.found.archives).toEqual([]);
  });
});

describe('B52 a file in a folder’s place', () => {
  it('archive: the live files stay, the error says why, and a retry after mending works', async () => {
    const { store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit(old));
    const { archive } = store.paths(session);
    writeFileSync(archive, 'not a folder');
    await expect(store.exclusive(session, (tx) => tx.commit(discard))).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: archive },
      message: expect.stringContaining('A file stands where a folder is needed'),
    });
    expect(text(await store.read(session))).toEqual(['{"old":true}', '# Old', false]);
    expect(readFileSync(archive, 'utf8')).toBe('not a folder');
    rmSync(archive);
    await store.exclusive(session, (tx) => tx.commit(discard));
    expect(text(await store.read(session))).toEqual(['absent', 'absent', false]);
    expect((await store.read(session)).archives).toHaveLength(2);
  });

  it('session folder: ENOTDIR is unreadable, not absent (B82), and a write says so', async () => {
    const { store } = await storeWithSession();
    const { dir, sidecar } = store.paths(session);
    writeFileSync(dir, 'not a folder');
    const found = await store.read(session);
    expect(found.sidecar).toEqual({ kind: 'unreadable', path: sidecar, cause: 'ENOTDIR: not a directory' });
    await expect(store.exclusive(session, (tx) => tx.commit(old))).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: dir },
    });
    expect(readFileSync(dir, 'utf8')).toBe('not a folder');
  });
});
