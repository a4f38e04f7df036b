import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { StoreError, createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import type { Commit } from '../../../machines/index.ts';
import {
  failing,
  listing,
  names,
  other,
  plant,
  record,
  session,
  stamp,
  startChild,
  tempHome,
  texts,
  textOf,
  until,
} from './support.ts';

const gone: Commit = { sidecar: { remove: true }, document: { remove: true } };
const live: Commit = { sidecar: { text: '{"a":1}' }, document: { text: '# A' } };

/** A root home with a profile, and a session of the profile that is bound to a project. */
async function bound(project: string | null = 'demo') {
  const root = tempHome();
  const home = join(root, 'profiles/ops');
  const store = createFileStore({ home, root });
  await store.create(record(session, { project }));
  return { root, home, store, dir: join(root, `projects/${project}/session`) };
}

const commit = (store: SessionStore, change: Commit) => store.exclusive(session, (tx) => tx.commit(change));
const bind = (store: SessionStore, project: unknown) =>
  commit(store, {
    record: { text: JSON.stringify({ ...record(), project }), order: 'last' },
  });

describe('D4 a session bound to a project', () => {
  it('has all its plan files in the project’s folder below the root home', async () => {
    const { root, home, store, dir } = await bound();
    await commit(store, live);
    expect(texts(await store.read(session))).toEqual(['{"a":1}', '# A']);
    expect(names(join(root, 'projects'))).toEqual([
      'demo',
      'demo/session',
      `demo/session/.opencrabs_plan_${session}.json`,
      `demo/session/.opencrabs_plan_${session}.md`,
    ]);
    await commit(store, { archive: { suffix: '.discarded', stamp }, ...gone });
    expect(readdirSync(join(dir, 'archive')).sort()).toEqual([
      `opencrabs_plan_${session}-${stamp}.discarded.json`,
      `opencrabs_plan_${session}-${stamp}.discarded.md`,
    ]);
    await commit(store, live);
    await commit(store, { archive: { suffix: '.discarded', stamp }, ...gone });
    expect((await store.read(session)).archives).toHaveLength(4);
    expect(existsSync(join(home, 'session'))).toBe(false);
    expect(readdirSync(home)).toEqual(['planchart']);
  });

  it('has its leftovers swept there', async () => {
    const { store, dir } = await bound();
    await commit(store, live);
    const left = join(dir, `.opencrabs_plan_${session}.hidden.1-0123456789ab.tmp`);
    writeFileSync(left, '');
    await createFileStore({
      home: join(dir, '../../../profiles/ops'),
      root: join(dir, '../../..'),
    }).exclusive(session, () => Promise.resolve());
    expect(existsSync(left)).toBe(false);
  });

  it('moves a legacy plan of the profile’s home there, and hides it from there', async () => {
    const { home, store, dir } = await bound();
    plant(join(home, 'agents/session'), '{"legacy":1}', '# Legacy');
    const { sidecar } = await store.exclusive(session, (tx) => tx.read());
    expect(sidecar.path).toBe(join(dir, `.opencrabs_plan_${session}.json`));
    await commit(store, gone);
    expect(readdirSync(dir)).toEqual([`.opencrabs_plan_${session}.hidden`]);
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
  });

  it('has paths at once in a store that has read nothing, whatever state its record is in', async () => {
    const { root, home, dir } = await bound();
    const fresh = () => createFileStore({ home, root }).paths(session).dir;
    expect(fresh()).toBe(dir);
    const path = join(home, `planchart/sessions/${session}/session.json`);
    for (const [text, wanted] of [
      ['{"v":9,"project":"later"}', join(root, 'projects/later/session')],
      ['{"project":"demo","queue":7}', dir],
      ['{"project":"../../x"}', join(home, 'session')],
      ['{"project":7}', join(home, 'session')],
      ['cut sho', join(home, 'session')],
    ] as const) {
      writeFileSync(path, text);
      expect(fresh()).toBe(wanted);
    }
    // Nothing is remembered of a session that nobody has made yet.
    const early = createFileStore({ home, root });
    expect(early.paths(other).dir).toBe(join(home, 'session'));
    await createFileStore({ home, root }).create(record(other, { project: 'demo' }));
    expect(early.paths(other).dir).toBe(dir);
  });

  it('without a root the projects are the home’s own', async () => {
    const home = tempHome();
    const store = createFileStore({ home });
    await store.create(record(session, { project: 'a.b-c_1' }));
    expect(store.paths(session).dir).toBe(join(home, 'projects/a.b-c_1/session'));
  });

  it('can be bound while it has no plan; other stores and processes see it at their next look', async () => {
    const { root, home, store, dir } = await bound(null);
    const second = createFileStore({ home, root });
    expect(second.paths(session).dir).toBe(join(home, 'session'));
    await bind(store, 'demo');
    const demo = join(root, 'projects/demo/session');
    expect(store.paths(session).dir).toBe(demo);
    expect((await second.read(session)).record.project).toBe('demo');
    expect(second.paths(session).dir).toBe(demo);
    await commit(second, live);
    expect(readdirSync(demo)).toHaveLength(2);
    expect(existsSync(dir.replace('null', 'none'))).toBe(false);
  });

  it('a damaged record loses no binding: the plan files say where they are', async () => {
    const { home, store, dir } = await bound();
    await commit(store, live);
    const path = join(home, `planchart/sessions/${session}/session.json`);
    for (const text of [
      '{"v":1,"proj',
      '{"v":1,"project":"../x"}',
      textOf(record(other, { project: 'no' })),
    ]) {
      writeFileSync(path, text);
      expect((await store.read(session)).record.project).toBe('demo');
      expect(texts(await store.read(session))).toEqual(['{"a":1}', '# A']);
      expect(store.paths(session).dir).toBe(dir);
    }
    const found = await store.exclusive(session, (tx) => tx.read());
    expect(texts(found)).toEqual(['{"a":1}', '# A']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ project: 'demo' });
  });
});

describe('D14 the binding of a session with a plan', () => {
  it.each([
    ['a sidecar and a .md', (dir: string) => plant(dir, '{}', '# A')],
    ['a sidecar', (dir: string) => plant(dir, '{}', null)],
    ['a .md', (dir: string) => plant(dir, null, '# A')],
  ])('%s: it does not change, and nothing else does', async (_, make) => {
    const { root, store, dir } = await bound();
    make(dir);
    const before = listing(join(root, 'projects'));
    for (const project of ['else', null]) {
      await expect(bind(store, project)).rejects.toMatchObject({
        code: 'BOUND',
        message: expect.stringContaining('Finish or discard the plan first'),
      });
    }
    expect(listing(join(root, 'projects'))).toEqual(before);
    expect(store.paths(session).dir).toBe(dir);
    expect((await store.read(session)).record.project).toBe('demo');
    await bind(store, 'demo');
  });

  it('a visible legacy plan that can not be moved counts', async () => {
    const { home, store } = await bound();
    mkdirSync(join(home, `agents/session/.opencrabs_plan_${session}.json`), { recursive: true });
    await expect(bind(store, null)).rejects.toMatchObject({ code: 'BOUND' });
  });

  it('never changes in the commit that writes the plan: both halves in one folder', async () => {
    const { root, store } = await bound();
    const text = textOf(record(session, { project: 'else' }));
    const change: Commit = { ...live, record: { text, order: 'first' } };
    await expect(commit(store, change)).rejects.toMatchObject({ code: 'BOUND' });
    expect(existsSync(join(root, 'projects'))).toBe(false);
  });

  it('a legacy plan that is over stays over in the new place', async () => {
    const { root, home, store } = await bound();
    plant(join(home, 'agents/session'), '{"legacy":1}', '# Legacy');
    await commit(store, gone);
    await bind(store, 'else');
    expect(texts(await store.read(session))).toEqual(['absent', 'absent']);
    expect(readdirSync(join(root, 'projects/else/session'))).toEqual([`.opencrabs_plan_${session}.hidden`]);
  });

  it('a record that can not be written leaves the old binding', async () => {
    const { root, home, store, dir } = await bound();
    const faulty = createFileStore({
      home,
      root,
      ops: createFileOps(failing('rename', /session\.json$/, 'EIO')),
    });
    await expect(bind(faulty, 'else')).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    expect(faulty.paths(session).dir).toBe(dir);
    expect(store.paths(session).dir).toBe(dir);
  });

  it('is followed by a watch', async () => {
    const { root, home, store } = await bound();
    const stop = new AbortController();
    let calls = 0;
    store.watch(session, () => (calls += 1), stop.signal);
    const next = async (act: () => unknown) => {
      const before = calls;
      await act();
      await until('one more call', () => calls > before);
    };
    await next(() => bind(createFileStore({ home, root }), 'else'));
    await next(() => plant(join(root, 'projects/else/session'), '{}', null));
    const all = calls;
    plant(join(root, 'projects/demo/session'), '{}', null);
    await next(() => plant(join(root, 'projects/else/session'), '{"b":1}', null));
    expect(calls).toBe(all + 1);
    stop.abort();
  });

  it('two profiles that opened one plan of a project lose no update', async () => {
    const root = tempHome();
    const homes = ['ops', 'dev'].map((name) => join(root, 'profiles', name));
    plant(join(root, 'projects/demo/session'), '0', null);
    for (const home of homes) await createFileStore({ home, root }).create(record());
    await Promise.all(homes.map((home) => startChild(['count', home, session, '60', root]).ended));
    expect(readFileSync(join(root, `projects/demo/session/.opencrabs_plan_${session}.json`), 'utf8')).toBe(
      '120',
    );
  });
});

describe('project names', () => {
  it.each(['a', '0', '_', '-', 'a.b', 'a..b', 'x'.repeat(64), 'my-project_2.0'])('takes %s', async (slug) => {
    const root = tempHome();
    const store = createFileStore({ home: root });
    await store.create(record(session, { project: slug }));
    await commit(store, live);
    expect(readdirSync(join(root, 'projects'))).toEqual([slug]);
  });

  it.each([
    '',
    '.',
    '..',
    '.hidden',
    '../x',
    '../../../../tmp/pwn',
    'a/b',
    'a\\b',
    '/etc',
    'A',
    'é',
    'a b',
    'a\n',
    'a\u0000b',
    'x'.repeat(65),
    '%2e%2e',
  ])('refuses %j, in a new session and in a commit, and leaves no trace', async (slug) => {
    const { root, store } = await bound(null);
    const before = listing(root);
    const refused = async (work: Promise<unknown>) => {
      const error: unknown = await work.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ code: 'BAD_NAME', message: expect.stringContaining('project name') });
      expect([...String(error)].every((character) => character >= ' ')).toBe(true);
    };
    await refused(store.create({ ...record(other), project: slug }));
    await store.exclusive(session, () => Promise.resolve());
    await refused(bind(store, slug));
    expect(listing(root).filter((line) => !line.includes('locks'))).toEqual(
      before.filter((line) => !line.includes('locks')),
    );
  });

  it.each([[7], [{}], [['demo']], [true]])('refuses %j, which is no name at all', async (project) => {
    const { store } = await bound(null);
    await expect(bind(store, project)).rejects.toMatchObject({ code: 'BAD_NAME' });
  });

  it('a link in a project’s place is followed, as in every parent: paths are the real ones', async () => {
    const root = tempHome();
    mkdirSync(join(root, 'disk'));
    mkdirSync(join(root, 'projects'));
    symlinkSync(join(root, 'disk'), join(root, 'projects/demo'));
    const store = createFileStore({ home: root });
    await store.create(record(session, { project: 'demo' }));
    expect(store.paths(session).dir).toBe(join(root, 'disk/session'));
  });
});
