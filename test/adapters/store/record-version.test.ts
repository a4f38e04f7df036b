import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import { recordVersion, upgradeRecord } from '../../../machines/index.ts';
import { failing, listing, record, session, storeWithSession, textOf } from './support.ts';

const { v: _, ...unversioned } = record(session, { cwd: '/old', yolo: true });
const old = `${JSON.stringify({ ...unversioned, later: { a: 1 } }, null, 2)}\n`;
const zero = JSON.stringify({ v: 0, ...unversioned });

/** A session whose record an earlier version wrote. */
async function withOlder(text: string) {
  const { home, store } = await storeWithSession();
  const path = join(store.paths(session).own, 'session.json');
  writeFileSync(path, text);
  return { home, store, path };
}

describe('D4 a record of an earlier version', () => {
  it.each([
    ['without a version', old],
    ['of version 0', zero],
    ['with null for a version', zero.replace('"v":0', '"v":null')],
  ])('%s: reading changes nothing', async (_name, text) => {
    const { home, store, path } = await withOlder(text);
    const before = listing(home);
    expect((await store.read(session)).record).toMatchObject({ v: recordVersion, cwd: '/old', yolo: true });
    expect((await store.list())[0]?.record).toMatchObject({ cwd: '/old' });
    expect(listing(home)).toEqual(before);
    // Nor does a transaction that does not write the record.
    await store.exclusive(session, (tx) => tx.read());
    await store.exclusive(session, (tx) => tx.commit({ sidecar: { text: '{}' } }));
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(join(path, '..'))).toEqual(['session.json']);
  });

  it.each([
    ['without a version', old],
    ['of version 0', zero],
  ])('%s: the first write keeps the old file as session.json.v0', async (_name, text) => {
    const { store, path } = await withOlder(text);
    const { record: found } = await store.read(session);
    const next = { ...found, yolo: false };
    await store.exclusive(session, (tx) => tx.commit({ record: { text: textOf(next), order: 'last' } }));
    expect(readFileSync(`${path}.v0`, 'utf8')).toBe(text);
    expect((await store.read(session)).record).toEqual(next);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ v: recordVersion });
    // The second write is an ordinary one.
    await store.exclusive(session, (tx) => tx.commit({ record: { text: textOf(next), order: 'last' } }));
    expect(readdirSync(join(path, '..')).sort()).toEqual(['session.json', 'session.json.v0']);
  });

  it('unknown fields come along (D12)', async () => {
    const { store } = await withOlder(old);
    expect((await store.read(session)).record).toMatchObject({ later: { a: 1 } });
  });

  it('a write that fails keeps the old record; the next try makes no second copy', async () => {
    const { home, store, path } = await withOlder(old);
    const change = { record: { text: textOf(record()), order: 'first' }, sidecar: { text: '{}' } } as const;
    const faulty = createFileStore({ home, ops: createFileOps(failing('rename', /plan_.*json$/, 'EIO')) });
    await expect(faulty.exclusive(session, (tx) => tx.commit(change))).rejects.toMatchObject({
      code: 'WRITE_FAILED',
    });
    expect(readFileSync(path, 'utf8')).toBe(old);
    await store.exclusive(session, (tx) => tx.commit(change));
    expect(readdirSync(join(path, '..')).sort()).toEqual(['session.json', 'session.json.v0']);
  });

  it('a copy that can not be made stops the write, before anything else', async () => {
    const { home, path, store } = await withOlder(old);
    const faulty = createFileStore({ home, ops: createFileOps(failing('link', /\.v0$/, 'EIO')) });
    const change = { record: { text: textOf(record()), order: 'last' }, sidecar: { text: '{}' } } as const;
    await expect(faulty.exclusive(session, (tx) => tx.commit(change))).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: `${path}.v0` },
    });
    expect(readFileSync(path, 'utf8')).toBe(old);
    expect(existsSync(store.paths(session).sidecar)).toBe(false);
  });

  it('an older copy of another content is not overwritten', async () => {
    const { store, path } = await withOlder(old);
    writeFileSync(`${path}.v0`, 'somebody’s');
    await store.exclusive(session, (tx) => tx.commit({ record: { text: textOf(record()), order: 'last' } }));
    expect(readFileSync(`${path}.v0`, 'utf8')).toBe('somebody’s');
    expect(readFileSync(`${path}.v0-2`, 'utf8')).toBe(old);
  });

  it.each(['-1', '0.5', '"1"', 'true', '[]'])('v: %s is no version: damaged, not older', async (v) => {
    const { store, path } = await withOlder(JSON.stringify({ ...record() }).replace('"v":1', `"v":${v}`));
    expect((await store.read(session)).record).toMatchObject({ v: recordVersion, cwd: '/project' });
    await store.exclusive(session, (tx) => tx.read());
    expect(readdirSync(join(path, '..')).sort()).toEqual([
      'session.json',
      'session.json.corrupt-1',
      'transcript.jsonl',
    ]);
  });

  it.each(['2', '1.5', '1e999'])('v: %s is newer', async (v) => {
    const { store } = await withOlder(JSON.stringify({ ...record() }).replace('"v":1', `"v":${v}`));
    await expect(store.read(session)).rejects.toMatchObject({ code: 'RECORD_NEWER' });
  });

  it('every version up to this one has its step', () => {
    for (let version = 0; version <= recordVersion; version += 1) {
      expect(upgradeRecord({ v: version, a: 1 }, version)).toEqual({ v: recordVersion, a: 1 });
    }
  });
});
