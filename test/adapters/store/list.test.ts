import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore, Surveyed } from '../../../adapters/ports.ts';
import { failing, listing, other, plant, record, session, stamp, tempHome, texts } from './support.ts';

const id = (n: number) => `${n.toString(16).padStart(8, '0')}-6a4d-4f0e-9b7a-2d5c8e1f0a63`;
const plan = '{"status":"Active","tasks":[{"title":"a"}]}';

/** A root with a profile; plan files of OpenCrabs in each of the three places: ids 1, 2 and 3. */
async function withStrangers() {
  const root = tempHome();
  const home = join(root, 'profiles/ops');
  const store = createFileStore({ home, root, fallbackCwd: '/here' });
  await store.create(record(session));
  plant(join(home, 'session'), plan, '# In the home', id(1));
  plant(join(root, 'projects/demo/session'), plan, '# In a project', id(2));
  plant(join(home, 'agents/session'), plan, '# Legacy', id(3));
  return { root, home, store };
}

describe('D4 sessions that have plan files only', () => {
  it('are listed after the others, each once, wherever the files are', async () => {
    const { home, store } = await withStrangers();
    plant(join(home, 'session'), plan, null, session);
    plant(join(home, 'session'), plan, null, id(3));
    plant(join(home, 'session'), null, '# No sidecar', id(4));
    plant(join(home, 'session'), plan, null, 'not-an-id');
    plant(join(home, 'projects/mine/session'), plan, null, id(5));
    expect(await store.list()).toEqual([
      { id: session, record: record(session) },
      ...[1, 2, 3].map((n) => ({ id: id(n), record: null })),
    ]);
  });

  it('are not listed for a legacy copy that is over', async () => {
    const { home, store } = await withStrangers();
    await store.create(record(id(3)));
    await store.exclusive(id(3), (tx) =>
      tx.commit({ archive: { suffix: '', stamp }, sidecar: { remove: true }, document: { remove: true } }),
    );
    rmSync(join(home, 'planchart/sessions', id(3)), { recursive: true });
    expect((await store.list()).map((summary) => summary.id)).toEqual([session, id(1), id(2)]);
    await expect(store.read(id(3))).rejects.toMatchObject({ code: 'NO_SESSION' });
  });

  it.each([
    ['in the home', 1, null],
    ['in a project', 2, 'demo'],
    ['legacy', 3, null],
  ] as const)('%s: a view shows them, and changes nothing', async (_, n, project) => {
    const { root, store } = await withStrangers();
    const before = listing(root);
    const found = await store.read(id(n));
    expect(texts(found)[0]).toBe(plan);
    expect(found.record).toMatchObject({ id: id(n), cwd: '/here', project, lease: null });
    expect(found.record.used).toMatch(/^20\d\d-/);
    expect(listing(root)).toEqual(before);
    await expect(store.exclusive(id(n), () => Promise.resolve())).rejects.toMatchObject({
      code: 'NO_SESSION',
    });
  });

  it.each([
    ['in the home', 1, null, '# In the home'],
    ['in a project', 2, 'demo', '# In a project'],
    ['legacy', 3, null, '# Legacy'],
  ] as const)('%s: create takes them over as they are', async (_, n, project, text) => {
    const { root, home, store } = await withStrangers();
    const plans = () => listing(root).filter((line) => line.includes('opencrabs_plan'));
    const before = plans();
    await store.create(record(id(n)));
    expect(plans()).toEqual(before);
    expect((await store.read(id(n))).record.project).toBe(project);
    const { sidecar, document } = await store.exclusive(id(n), (tx) => tx.read());
    expect(texts({ sidecar, document })).toEqual([plan, text]);
    expect(sidecar.path).toBe(createFileStore({ home, root }).paths(id(n)).sidecar);
    expect((await store.list()).find((summary) => summary.id === id(n))?.record).toMatchObject({ project });
    await expect(store.create(record(id(n)))).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
  });

  it('in several places: the plan that changed last', async () => {
    const { root, home, store } = await withStrangers();
    plant(join(root, 'projects/older/session'), '{"older":1}', null, other);
    plant(join(home, 'agents/session'), '{"legacy":1}', null, other);
    plant(join(root, 'projects/newer/session'), '{"newer":1}', null, other);
    await store.create(record(other));
    expect(texts(await store.read(other))).toEqual(['{"newer":1}', 'absent']);
  });

  it('a project that the caller names wins', async () => {
    const { root, store } = await withStrangers();
    await store.create(record(id(1), { project: 'demo' }));
    expect(store.paths(id(1)).dir).toBe(join(root, 'projects/demo/session'));
  });
});

describe('list', () => {
  it('skips what can not be listed, and says the rest', async () => {
    const { root, home } = await withStrangers();
    mkdirSync(join(root, 'projects/No Slug/session'), { recursive: true });
    writeFileSync(join(root, 'projects/file'), '');
    writeFileSync(join(home, 'planchart/sessions', id(7)), 'no folder');
    const ids = async (match: RegExp) => {
      const ops = createFileOps(failing('list', match, 'EACCES'));
      return (await createFileStore({ home, root, ops }).list()).map((summary) => summary.id);
    };
    expect(await ids(/nothing/)).toEqual([session, id(1), id(2), id(3), id(7)]);
    expect(await ids(/ops\/session$/)).toEqual([session, id(2), id(3), id(7)]);
    expect(await ids(/projects$/)).toEqual([session, id(1), id(3), id(7)]);
    expect(await ids(/demo\/session$/)).toEqual([session, id(1), id(3), id(7)]);
    expect(await ids(/agents/)).toEqual([session, id(1), id(2), id(7)]);
    expect(await ids(/sessions$/)).toEqual([id(1), id(2), id(3)]);
    expect(await ids(/./)).toEqual([]);
  });

  it('of thousands costs a fixed number of calls for each, whatever they are', async () => {
    const calls = async (sessions: number, projects: number) => {
      const root = tempHome();
      const text = readRecordText(root);
      for (let n = 0; n < sessions; n += 1) {
        const folder = join(root, 'planchart/sessions', id(n));
        mkdirSync(folder, { recursive: true });
        // One in ten is damaged, one in ten has a legacy copy, one in ten is a stranger in the legacy place.
        writeFileSync(join(folder, 'session.json'), n % 10 === 0 ? '{' : text.replace(session, id(n)));
        if (n % 10 === 1) plant(join(root, 'agents/session'), plan, '# L', id(n));
        if (n % 10 === 2) plant(join(root, 'agents/session'), plan, '# L', id(n + 0x1000000));
      }
      for (let n = 0; n < projects; n += 1) {
        plant(join(root, `projects/p${n}/session`), plan, null, id(n + 0x2000000));
      }
      let count = 0;
      const ops = createFileOps(({ when }) => void (when === 'before' && (count += 1)));
      expect(await createFileStore({ home: root, ops }).list()).toHaveLength(
        sessions + sessions / 10 + projects,
      );
      return count;
    };
    const [none, small, large] = [await calls(0, 0), await calls(100, 10), await calls(2000, 200)];
    expect(large - none).toBe(20 * (small - none));
    expect(small - none).toBeLessThan(100 * 2);
  });
});

describe('survey', () => {
  const all = async (store: SessionStore): Promise<Map<string, Surveyed>> => {
    const found = new Map<string, Surveyed>();
    for await (const one of store.survey()) found.set(one.id, one);
    return found;
  };

  it('answers for each session of the list what a view of it answers', async () => {
    const { home, root, store } = await withStrangers();
    await store.create(record(other, { project: 'demo' }));
    plant(join(root, 'projects/demo/session'), plan, '# Bound', other);
    await store.exclusive(other, (tx) =>
      tx.commit({ archive: { suffix: '.discarded', stamp }, revision: { text: 'x' } }),
    );
    await store.create(record(id(4)));
    plant(join(home, 'agents/session'), plan, '# Legacy', id(4));
    await store.create(record(id(5)));
    writeFileSync(join(store.paths(id(5)).own, 'session.json'), '{"v":9}');
    const before = listing(root);
    const found = await all(createFileStore({ home, root, fallbackCwd: '/here' }));
    const listed = (await store.list()).map((summary) => summary.id);
    expect([...found.keys()].toSorted()).toEqual(listed.toSorted());
    for (const one of found.values()) {
      if ('error' in one) continue;
      expect(one).toEqual({ id: one.id, stored: await store.read(one.id), paths: store.paths(one.id) });
    }
    expect(found.get(other)).toMatchObject({
      stored: { archives: [expect.any(String), expect.any(String)] },
    });
    expect(found.get(id(5))).toEqual({ id: id(5), error: expect.stringContaining('format 9') });
    expect(listing(root)).toEqual(before);
  });

  it('takes no file for absent because its folder can not be listed (B82)', async () => {
    const { home, root, store } = await withStrangers();
    plant(join(home, 'session'), plan, '# Here', session);
    for (const match of [/ops\/session$/, /archive$/, /agents/]) {
      const ops = createFileOps(failing('list', match, 'EACCES'));
      const one = (await all(createFileStore({ home, root, ops }))).get(session);
      expect(one).toMatchObject({ stored: { ...(await store.read(session)), archives: [] } });
    }
  });

  it('lists each folder once, however many sessions there are', async () => {
    const root = tempHome();
    const store = createFileStore({ home: root });
    for (let n = 0; n < 30; n += 1) await store.create(record(id(n)));
    plant(join(root, 'session'), plan, null, id(1));
    const lists: string[] = [];
    const ops = createFileOps(({ call, path, when }) => {
      if (call === 'list' && when === 'before') lists.push(path);
    });
    expect((await all(createFileStore({ home: root, ops }))).size).toBe(30);
    // The folders of plans are listed once more, for those that have plan files only.
    expect(
      Math.max(...Object.values(Object.groupBy(lists, (path) => path)).map((same) => same?.length ?? 0)),
    ).toBe(2);
    expect(lists.length).toBeLessThan(10);
  });
});

function readRecordText(root: string): string {
  const path = join(root, 'template.json');
  writeFileSync(path, JSON.stringify(record(session)));
  return readFileSync(path, 'utf8');
}
