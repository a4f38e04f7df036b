import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FileHook } from '../../../adapters/store/file-ops.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import type { Commit } from '../../../machines/index.ts';
import { failing, names, record, session, storeWithSession, textOf } from './support.ts';

const stamp = '20260102-030405';
const hash = createHash('sha256').update('# Old').digest('hex');
const prefix = `opencrabs_plan_${session}-${stamp}`;
const live: Commit = { sidecar: { text: '{"old":1}' }, document: { text: '# Old' } };
const gone: Commit = { sidecar: { remove: true }, document: { remove: true } };
const lease = (order: 'first' | 'last'): Commit => ({
  record: { text: textOf(record(session, { yolo: true })), order },
});

function commit(store: SessionStore, change: Commit): Promise<void> {
  return store.exclusive(session, (tx) => tx.commit(change));
}

/** Contents of the live files and of the archive by name. `yolo` stands for the new record. */
function state(store: SessionStore) {
  const { dir, archive, sidecar, document, own } = store.paths(session);
  const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  return {
    sidecar: text(sidecar),
    document: text(document),
    record: text(join(own, 'session.json'))?.includes('"yolo":true') === true ? 'new' : 'old',
    archive: existsSync(archive)
      ? Object.fromEntries(readdirSync(archive).map((name) => [name, text(join(archive, name))]))
      : {},
    temps: existsSync(dir) ? [...names(dir), ...names(own)].filter((name) => name.endsWith('.tmp')) : [],
  };
}

/** Paths of the renames, links and removals of a commit, in order, without temporary files. */
function trace(): { hook: FileHook; seen: string[] } {
  const seen: string[] = [];
  const hook: FileHook = ({ call, path, when }) => {
    if (when !== 'after' || path.endsWith('.tmp') || !['rename', 'link', 'remove'].includes(call)) return;
    seen.push(`${call} ${/archive|revisions|session\.json|\.json$|\.md$/.exec(path)?.[0] ?? path}`);
  };
  return { hook, seen };
}

describe('D7 order of one commit', () => {
  it('record first, archive, revision, sidecar, document', async () => {
    const { hook, seen } = trace();
    const { store, faulty } = await storeWithSession(hook);
    await commit(store, live);
    await commit(faulty, {
      ...lease('first'),
      archive: { suffix: '', stamp },
      sidecar: { text: '{}' },
      document: { text: '# New' },
      revision: { text: '# New' },
    });
    expect(seen).toEqual([
      'rename session.json',
      'link archive',
      'link archive',
      'rename revisions',
      'rename revisions',
      'rename .json',
      'rename .md',
    ]);
  });

  it('D43 copies, then the sidecar (the commit), then the document, record last', async () => {
    const { hook, seen } = trace();
    const { store, faulty } = await storeWithSession(hook);
    await commit(store, live);
    await commit(faulty, { ...lease('last'), archive: { suffix: '.discarded', stamp }, ...gone });
    expect(seen).toEqual([
      'link archive',
      'link archive',
      'remove .json',
      'remove .md',
      'rename session.json',
    ]);
    expect(state(store)).toEqual({
      sidecar: null,
      document: null,
      record: 'new',
      archive: { [`${prefix}.discarded.json`]: '{"old":1}', [`${prefix}.discarded.md`]: '# Old' },
      temps: [],
    });
  });

  it('D49 keeps revisions until the plan ends', async () => {
    const { store } = await storeWithSession();
    await commit(store, { ...live, revision: { text: '# Old' } });
    const file = join(store.paths(session).own, 'revisions', `${hash}.md`);
    expect(readFileSync(file, 'utf8')).toBe('# Old');
    await commit(store, { sidecar: { text: '{}' } });
    expect(existsSync(file)).toBe(true);
    await commit(store, { archive: { suffix: '', stamp }, ...gone });
    expect(existsSync(file)).toBe(false);
  });

  it('a removal of what is not there is fine', async () => {
    const { store } = await storeWithSession();
    await commit(store, { archive: { suffix: '', stamp }, ...gone });
    expect(state(store)).toMatchObject({ sidecar: null, document: null, archive: {} });
  });
});

describe('D43 archive names', () => {
  it('the same second twice: no number, then -1, then -2, for both files alike', async () => {
    const { store } = await storeWithSession();
    for (const text of ['one', 'two', 'three']) {
      await commit(store, { sidecar: { text }, document: { text } });
      await commit(store, { archive: { suffix: '.discarded', stamp }, ...gone });
    }
    expect(state(store).archive).toEqual({
      [`${prefix}.discarded.json`]: 'one',
      [`${prefix}.discarded.md`]: 'one',
      [`${prefix}-1.discarded.json`]: 'two',
      [`${prefix}-1.discarded.md`]: 'two',
      [`${prefix}-2.discarded.json`]: 'three',
      [`${prefix}-2.discarded.md`]: 'three',
    });
    const { archives } = await store.read(session);
    expect(archives.filter((name) => name.endsWith('.md'))).toEqual([
      `${prefix}.discarded.md`,
      `${prefix}-1.discarded.md`,
      `${prefix}-2.discarded.md`,
    ]);
  });

  it('a number is free only when both names are, even if one is wanted', async () => {
    const { store } = await storeWithSession();
    await commit(store, { sidecar: { text: '{"old":1}' } });
    mkdirSync(store.paths(session).archive);
    writeFileSync(join(store.paths(session).archive, `${prefix}.md`), 'somebody else');
    await commit(store, { archive: { suffix: '', stamp }, ...gone });
    expect(state(store).archive).toEqual({
      [`${prefix}.md`]: 'somebody else',
      [`${prefix}-1.json`]: '{"old":1}',
    });
  });

  it('a name that is taken in between is left alone, and the other half goes with the next number', async () => {
    const { store, faulty } = await storeWithSession(({ call, path, when }) => {
      const taken = join(path, '..', `${prefix}.md`);
      if (call === 'link' && when === 'before' && path.endsWith(`${prefix}.json`))
        writeFileSync(taken, 'first');
    });
    await commit(store, live);
    await commit(faulty, { archive: { suffix: '', stamp }, ...gone });
    expect(state(store).archive).toEqual({
      [`${prefix}.md`]: 'first',
      [`${prefix}-1.json`]: '{"old":1}',
      [`${prefix}-1.md`]: '# Old',
    });
  });

  it('takes a text instead of the bytes, or no copy of the sidecar at all', async () => {
    const { store } = await storeWithSession();
    await commit(store, live);
    await commit(store, { archive: { suffix: '', stamp, sidecar: '{"done":1}' }, ...gone });
    await commit(store, live);
    await commit(store, {
      archive: { suffix: '.orphan', stamp, sidecar: null },
      document: { remove: true },
    });
    expect(state(store)).toMatchObject({
      sidecar: '{"old":1}',
      document: null,
      archive: {
        [`${prefix}.json`]: '{"done":1}',
        [`${prefix}.md`]: '# Old',
        [`${prefix}.orphan.md`]: '# Old',
      },
    });
  });

  it('D9 what can not be read is moved as it is: a folder, a link, a file over 10 MiB', async () => {
    const { store } = await storeWithSession();
    const { archive, dir, document, sidecar } = store.paths(session);
    const retire = () => commit(store, { archive: { suffix: '.unreadable', stamp }, ...gone });
    mkdirSync(join(sidecar, 'inside'), { recursive: true });
    symlinkSync('/etc/hostname', document);
    await retire();
    writeFileSync(sidecar, '');
    truncateSync(sidecar, 11 * 1024 * 1024);
    await retire();
    expect(readdirSync(archive).sort()).toEqual([
      `${prefix}-1.unreadable.json`,
      `${prefix}.unreadable.json`,
      `${prefix}.unreadable.md`,
    ]);
    expect(readdirSync(join(archive, `${prefix}.unreadable.json`))).toEqual(['inside']);
    expect(readdirSync(dir)).toEqual(['archive']);
  });
});

describe('D7 a write that fails leaves the old state', () => {
  const approve: Commit = { ...lease('first'), sidecar: { text: '{"new":1}' } };
  const discard: Commit = { ...lease('last'), archive: { suffix: '.discarded', stamp }, ...gone };
  const before = { sidecar: '{"old":1}', document: '# Old', record: 'old', archive: {}, temps: [] };

  it.each([
    ['the lease is put back when the sidecar can not be replaced', approve, 'rename', /plan_.*json$/],
    [
      'the lease is put back when its folder can not be synced',
      approve,
      'syncFolder',
      /sessions.[0-9a-f-]+$/,
    ],
    ['the sidecar can not be staged', approve, 'write', /plan_.*json\.\d/],
    ['the archive has no room', discard, 'write', /archive.*json/],
    ['the second copy fails', discard, 'link', /archive.*md$/],
    ['the archive can not be synced', discard, 'syncFolder', /archive$/],
    ['the sidecar can not be removed', discard, 'remove', /plan_.*json$/],
    ['the revision has no room', { ...live, revision: { text: 'x' } }, 'write', /revisions/],
  ] as [string, Commit, string, RegExp][])('%s', async (_, change, call, path) => {
    const { store, faulty } = await storeWithSession(failing(call, path, 'EIO', 1));
    await commit(store, live);
    const error: unknown = await commit(faulty, change).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'WRITE_FAILED', data: { cause: 'EIO: EIO caused by the test' } });
    expect(String(error)).toContain(store.paths(session).dir.split('/session')[0]);
    expect(state(store)).toEqual(before);
  });

  it('a file that is still being staged when another one fails leaves nothing either', async () => {
    const fails = failing('create', /session\.json/, 'ENOSPC');
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    const hook: FileHook = async (point) => {
      if (point.call === 'sync' && point.when === 'before') {
        await failed;
        await nextTurn();
      }
      if (point.call === 'create' && /session\.json/.test(point.path)) fail();
      return fails(point);
    };
    const { store, faulty } = await storeWithSession(hook);
    await commit(store, live);
    await expect(commit(faulty, { ...live, ...lease('first') })).rejects.toMatchObject({
      code: 'WRITE_FAILED',
    });
    expect(state(store)).toMatchObject({ sidecar: '{"old":1}', record: 'old', temps: [] });
    await nextTurn();
    expect(state(store).temps).toEqual([]);
  });

  it('new texts are made durable side by side, all of them before the first is visible', async () => {
    const seen: string[] = [];
    const hook: FileHook = ({ call, when }) => {
      if (call === 'sync' || (call === 'rename' && when === 'before')) seen.push(`${when} ${call}`);
    };
    const { store, faulty } = await storeWithSession(hook);
    await commit(store, live);
    await commit(faulty, { ...live, ...lease('first') });
    const three = (what: string) => [what, what, what];
    expect(seen).toEqual(['before sync', 'after sync', 'before rename'].flatMap(three));
  });

  it('a lease that can not be put back is said so', async () => {
    const fail = failing('rename', /plan_.*json$|session\.json/, 'EIO');
    const { store, faulty } = await storeWithSession((point) => {
      return state(store).record === 'new' ? fail(point) : undefined;
    });
    await commit(store, live);
    await expect(commit(faulty, approve)).rejects.toMatchObject({
      code: 'WRITE_PARTLY',
      message: expect.stringMatching(/putting .*session\.json back failed too/),
    });
  });

  it.each([
    ['the folder of the sidecar can not be synced', approve, 'syncFolder', /session$/],
    ['the document can not be replaced', { ...approve, document: { text: 'new' } }, 'rename', /md$/],
    ['the document can not be removed', discard, 'remove', /md$/],
    ['the lease can not be taken away', discard, 'rename', /session\.json$/],
  ] as [string, Commit, string, RegExp][])(
    'after the commit point it stands: %s',
    async (_, change, call, path) => {
      const { store, faulty } = await storeWithSession(failing(call, path, 'EIO'));
      await commit(store, live);
      const error: unknown = await commit(faulty, change).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'WRITE_PARTLY', cause: { cause: { code: 'EIO' } } });
      expect(String(error)).toContain('The change is saved, but not all of it');
      expect(state(store).sidecar).toBe(change === discard ? null : '{"new":1}');
      expect(Object.keys(state(store).archive)).toHaveLength(change === discard ? 2 : 0);
      expect(state(store).temps).toEqual([]);
    },
  );

  it('a newer record is never overwritten (D4)', async () => {
    const { store } = await storeWithSession();
    const path = join(store.paths(session).own, 'session.json');
    await store.exclusive(session, async (tx) => {
      writeFileSync(path, '{"v":7}');
      await expect(tx.commit(approve)).rejects.toMatchObject({ code: 'RECORD_NEWER' });
    });
    expect(readFileSync(path, 'utf8')).toBe('{"v":7}');
    expect(state(store).sidecar).toBe(null);
  });
});
