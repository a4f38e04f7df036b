import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import type { Commit } from '../../../machines/index.ts';
import {
  failing,
  listing,
  plant,
  record,
  session,
  stamp,
  startChild,
  storeWithSession,
  texts,
  textOf,
  until,
} from './support.ts';

const plan = '{"status":"Active","tasks":[{"title":"a"}]}';
const gone: Commit = { sidecar: { remove: true }, document: { remove: true } };
const archive: Commit = { archive: { suffix: '', stamp }, ...gone };
const discard: Commit = { archive: { suffix: '.discarded', stamp }, ...gone };
const sha = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** A session whose plan lies in the legacy place. */
async function withLegacy(sidecar: string | null = plan, document: string | null = '# Legacy') {
  const made = await storeWithSession();
  const legacy = join(made.home, 'agents/session');
  plant(legacy, sidecar, document);
  const stem = join(legacy, `.opencrabs_plan_${session}`);
  const { dir, archive: kept } = made.store.paths(session);
  const marker = join(dir, `.opencrabs_plan_${session}.hidden`);
  return { ...made, legacy, dir, kept, marker, legacyFiles: { sidecar: `${stem}.json`, md: `${stem}.md` } };
}

const commit = (store: SessionStore, change: Commit) => store.exclusive(session, (tx) => tx.commit(change));
const dispatchRead = (store: SessionStore) => store.exclusive(session, (tx) => tx.read());

describe('D13 a view', () => {
  it('shows the legacy pair, says which files it read, and changes nothing', async () => {
    const { home, store, legacyFiles } = await withLegacy();
    const before = listing(home);
    expect(await store.read(session)).toEqual({
      record: record(),
      sidecar: { kind: 'text', path: legacyFiles.sidecar, text: plan, hash: sha(plan) },
      document: { kind: 'text', path: legacyFiles.md, text: '# Legacy', hash: sha('# Legacy') },
      leaseAlive: false,
      gone: [],
      archives: [],
    });
    expect(listing(home)).toEqual(before);
  });

  it('takes the .md from where the sidecar is, not from the resolved place', async () => {
    const { dir, store } = await withLegacy(plan, null);
    plant(dir, null, '# Of an earlier plan');
    expect(texts(await store.read(session))).toEqual([plan, 'absent']);
    plant(dir, '{"status":"Editing"}', null);
    expect(texts(await store.read(session))).toEqual(['{"status":"Editing"}', '# Of an earlier plan']);
  });

  it('ignores a .md alone, and a file where one of the legacy folders would be', async () => {
    const { home, store, legacy } = await withLegacy(null, '# Alone');
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    expect(texts(await dispatchRead(store))).toEqual(['absent', 'absent']);
    rmSync(legacy, { recursive: true });
    writeFileSync(legacy, 'no folder');
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    rmSync(join(home, 'agents'), { recursive: true });
    writeFileSync(join(home, 'agents'), 'no folder');
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
  });

  it('is told of a plan that an older program puts into the legacy place', async () => {
    const { store, legacy } = await withLegacy(null, null);
    const stop = new AbortController();
    let calls = 0;
    store.watch(session, () => (calls += 1), stop.signal);
    plant(legacy, plan, null);
    await until('the watch calls', () => calls > 0);
    expect(texts(await store.read(session))).toEqual([plan, 'absent']);
    stop.abort();
  });
});

describe('D13 the first dispatch', () => {
  it('copies both files to the resolved place and leaves the legacy copy alone', async () => {
    const { dir, store, legacy, legacyFiles } = await withLegacy();
    const before = listing(legacy);
    const found = await dispatchRead(store);
    const { sidecar, document } = store.paths(session);
    expect([found.sidecar.path, found.document.path]).toEqual([sidecar, document]);
    expect(texts(found)).toEqual([plan, '# Legacy']);
    expect(readdirSync(dir).sort()).toEqual([
      `.opencrabs_plan_${session}.json`,
      `.opencrabs_plan_${session}.md`,
    ]);
    expect(listing(legacy)).toEqual(before);
    // From now on only the resolved place counts.
    writeFileSync(legacyFiles.sidecar, '{"status":"Editing"}');
    await commit(store, { document: { text: '# New' } });
    expect(texts(await store.read(session))).toEqual([plan, '# New']);
    expect(readFileSync(legacyFiles.md, 'utf8')).toBe('# Legacy');
  });

  it('moves before it writes, even when nobody has read in the transaction', async () => {
    const { store } = await withLegacy();
    await commit(store, { sidecar: { text: '{"status":"Active","tasks":[]}' } });
    expect(texts(await store.read(session))).toEqual(['{"status":"Active","tasks":[]}', '# Legacy']);
  });

  it('keeps a .md of an earlier plan as an orphan instead of joining it to this one', async () => {
    const { dir, kept, store } = await withLegacy(plan, null);
    plant(dir, null, '# Earlier');
    expect(texts(await dispatchRead(store))).toEqual([plan, 'absent']);
    const [orphan = ''] = readdirSync(kept);
    expect(orphan).toMatch(/\.orphan\.md$/);
    expect(readFileSync(join(kept, orphan), 'utf8')).toBe('# Earlier');
  });

  it('keeps it too where the legacy plan brings a .md of its own', async () => {
    const { dir, kept, store } = await withLegacy();
    plant(dir, null, '# Earlier');
    expect(texts(await dispatchRead(store))).toEqual([plan, '# Legacy']);
    expect(readdirSync(kept)).toHaveLength(1);
  });

  it('moves bytes, also those that are no text: unreadable, never absent', async () => {
    const { store, legacyFiles } = await withLegacy();
    writeFileSync(legacyFiles.sidecar, Buffer.from([0xff, 0xfe]));
    expect(texts(await store.read(session))).toEqual(['unreadable', '# Legacy']);
    expect(texts(await dispatchRead(store))).toEqual(['unreadable', '# Legacy']);
    expect(readFileSync(store.paths(session).sidecar)).toEqual(Buffer.from([0xff, 0xfe]));
  });

  it.each([
    ['the .md', 'write', /session\/\.opencrabs_plan_.*md\.\d/],
    ['the sidecar', 'write', /session\/\.opencrabs_plan_.*json\.\d/],
    ['the folder', 'makeFolder', /\/session$/],
  ] as const)('a failure at %s says so, and the legacy pair is still what is read', async (_, call, path) => {
    const { home, store } = await withLegacy();
    const faulty = createFileStore({ home, ops: createFileOps(failing(call, path, 'ENOSPC')) });
    await expect(dispatchRead(faulty)).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    expect(texts(await store.read(session))).toEqual([plan, '# Legacy']);
    expect(texts(await dispatchRead(store))).toEqual([plan, '# Legacy']);
  });

  it('of two processes moves once, and no update is lost', async () => {
    const { home, store } = await withLegacy('5', '# Legacy');
    await Promise.all([1, 2].map(() => startChild(['count', home, session, '20']).ended));
    expect(texts(await store.read(session))).toEqual(['45', '# Legacy']);
  });
});

describe('I8, D13 a plan that is over', () => {
  it.each([
    ['archived', archive],
    ['discarded', discard],
    ['removed without a copy', gone],
  ])('%s: the legacy copy does not bring it back', async (_, change) => {
    const { home, store, marker, legacy } = await withLegacy();
    const before = listing(legacy);
    await dispatchRead(store);
    await commit(store, change);
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    expect(texts(await dispatchRead(store))).toEqual(['absent', 'absent']);
    expect(texts(await dispatchRead(createFileStore({ home })))).toEqual(['absent', 'absent']);
    expect(readFileSync(marker, 'utf8')).toBe(`${sha(plan)}\n`);
    expect(listing(legacy)).toEqual(before);
  });

  it('another process does not bring it back either', async () => {
    const { home, store } = await withLegacy();
    await commit(store, discard);
    await startChild(['alive', home, session]).ended;
    const told = await startChild(['commit', home, session, '{}']).ended;
    expect(texts((JSON.parse(told) as { found: Parameters<typeof texts>[0] }).found)).toEqual([
      'absent',
      'absent',
    ]);
  });

  it('another legacy copy is visible again, and hidden again when that plan is over', async () => {
    const { store, kept, legacyFiles } = await withLegacy();
    await commit(store, discard);
    writeFileSync(legacyFiles.sidecar, '{"status":"Editing"}');
    expect(texts(await store.read(session))).toEqual(['{"status":"Editing"}', '# Legacy']);
    await commit(store, discard);
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    expect(readdirSync(kept)).toHaveLength(4);
    // The first copy was hidden once, but the marker names only the last.
    writeFileSync(legacyFiles.sidecar, plan);
    expect(texts(await store.read(session))).toEqual([plan, '# Legacy']);
  });

  it('leaves no marker where there is no legacy copy', async () => {
    const { store, marker } = await withLegacy(null, '# Alone');
    await commit(store, { sidecar: { text: '{}' } });
    await commit(store, discard);
    expect(existsSync(marker)).toBe(false);
  });

  it('a marker without a removal says nothing while the sidecar stands', async () => {
    const { store, faulty, marker } = await withLegacy();
    await dispatchRead(store);
    writeFileSync(marker, `${sha(plan)}\n`);
    expect(texts(await faulty.read(session))).toEqual([plan, '# Legacy']);
    rmSync(store.paths(session).sidecar);
    expect(texts(await store.read(session))).toEqual(['absent', '# Legacy']);
  });

  it('the marker is written before the sidecar goes, and a marker that fails keeps the plan', async () => {
    const { home, store, marker } = await withLegacy();
    await dispatchRead(store);
    const order: string[] = [];
    const ops = createFileOps(({ call, path, when }) => {
      if (when === 'after' && ['rename', 'remove'].includes(call)) order.push(path.replace(/.*\./, ''));
    });
    const broken = createFileOps(failing('rename', /hidden$/, 'EIO'));
    await expect(commit(createFileStore({ home, ops: broken }), discard)).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: marker },
    });
    expect(texts(await store.read(session))).toEqual([plan, '# Legacy']);
    await commit(createFileStore({ home, ops }), gone);
    expect(order).toEqual(['hidden', 'json', 'md']);
  });

  it('a new plan after it is an ordinary one', async () => {
    const { store } = await withLegacy();
    await commit(store, discard);
    await commit(store, {
      sidecar: { text: '{"next":1}' },
      record: { text: textOf(record()), order: 'last' },
    });
    expect(texts(await store.read(session))).toEqual(['{"next":1}', 'absent']);
  });
});

describe('D9 a legacy plan that can not be read', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['no rights', (path: string) => (writeFileSync(path, plan), chmodSync(path, 0o000))],
    ['over 10 MiB', (path: string) => (writeFileSync(path, ''), truncateSync(path, 10 * 1024 * 1024 + 1))],
  ])('%s: unreadable, and a discard is a way out that loses nothing', async (name, make) => {
    const { store, legacy, legacyFiles } = await withLegacy(null, '# Legacy');
    make(legacyFiles.sidecar);
    // Root reads files without rights.
    const readable = name === 'no rights' && process.getuid?.() === 0;
    const wanted = readable ? [plan, '# Legacy'] : ['unreadable', '# Legacy'];
    expect(texts(await store.read(session))).toEqual(wanted);
    expect(texts(await dispatchRead(store))).toEqual(wanted);
    await commit(store, { archive: { suffix: '.unreadable', stamp }, ...gone });
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    expect(readdirSync(legacy)).toHaveLength(2);
    // Another file in its place is another copy, readable or not.
    rmSync(legacyFiles.sidecar, { recursive: true });
    writeFileSync(legacyFiles.sidecar, '');
    truncateSync(legacyFiles.sidecar, 11 * 1024 * 1024);
    expect(texts(await store.read(session))).toEqual(['unreadable', '# Legacy']);
    rmSync(legacyFiles.sidecar, { recursive: true });
    writeFileSync(legacyFiles.sidecar, '{"status":"Active"}');
    expect(texts(await store.read(session))).toEqual(['{"status":"Active"}', '# Legacy']);
  });

  it('a .md that can not be read keeps the pair where it is: never one half here and one there', async () => {
    const { dir, store, legacyFiles } = await withLegacy(plan, null);
    mkdirSync(legacyFiles.md);
    expect(texts(await dispatchRead(store))).toEqual([plan, 'unreadable']);
    expect(existsSync(dir)).toBe(false);
    await commit(store, { archive: { suffix: '.unreadable', stamp }, ...gone });
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
  });

  it('a marker that can not be read is neither an end nor none', async () => {
    const { store, marker, dir } = await withLegacy();
    mkdirSync(dir);
    mkdirSync(marker);
    const { sidecar } = await store.read(session);
    expect(sidecar).toEqual({ kind: 'unreadable', path: marker, cause: 'EISDIR: it is a folder' });
    rmSync(marker, { recursive: true });
    writeFileSync(marker, 'anything else');
    expect(texts(await store.read(session))).toEqual([plan, '# Legacy']);
  });
});
