import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import { type Actor, type Commit, derive, projectCommit, type Said, step } from '../../../machines/index.ts';
import { failing, plant, session, stamp, storeWithSession } from './support.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const commit = (store: SessionStore, change: Commit) => store.exclusive(session, (tx) => tx.commit(change));
const write = (text: string): Commit => ({
  sidecar: { text: JSON.stringify({ text }) },
  document: { text },
  revision: { text },
});

/** The revisions' texts, oldest first. */
async function kept(store: SessionStore): Promise<(string | null)[]> {
  const hashes = (await store.revisions(session)).map(({ hash }) => hash);
  return Promise.all(hashes.map((hash) => store.revision(session, hash)));
}

describe('D49 revisions', () => {
  it('are kept oldest first, each under the hash of its bytes; one that comes back is the newest again', async () => {
    const { store } = await storeWithSession();
    expect(await store.revisions(session)).toEqual([]);
    const started = Date.now();
    for (const text of ['# A', '# B ✅', '\ufeff# C\r\n']) await commit(store, write(text));
    expect(await kept(store)).toEqual(['# A', '# B ✅', '\ufeff# C\r\n']);
    const [first] = await store.revisions(session);
    expect(first?.hash).toBe(sha('# A'));
    expect(first?.hash).toBe(store.hash('# A'));
    expect(Date.parse(first?.at ?? '')).toBeGreaterThanOrEqual(started);
    expect(first?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await commit(store, write('# A'));
    expect(await kept(store)).toEqual(['# B ✅', '\ufeff# C\r\n', '# A']);
  });

  it('end with the plan', async () => {
    const { store } = await storeWithSession();
    await commit(store, write('# A'));
    await commit(store, {
      archive: { suffix: '', stamp },
      sidecar: { remove: true },
      document: { remove: true },
    });
    expect(await store.revisions(session)).toEqual([]);
    expect(await store.revision(session, sha('# A'))).toBe(null);
  });

  it('a text that was never kept is, before it is replaced', async () => {
    const { store } = await storeWithSession();
    plant(store.paths(session).dir, '{"text":"of OpenCrabs"}', '# Of OpenCrabs');
    await commit(store, write('# A'));
    expect(await kept(store)).toEqual(['# Of OpenCrabs', '# A']);
    await commit(store, write('# B'));
    expect(await kept(store)).toEqual(['# Of OpenCrabs', '# A', '# B']);
  });

  it('a commit that fails leaves none behind, and takes none away', async () => {
    const { home, store } = await storeWithSession();
    await commit(store, write('# A'));
    const ops = createFileOps(failing('rename', /plan_.*json$/, 'EIO'));
    const faulty = createFileStore({ home, ops });
    for (const text of ['# B', '# A']) {
      await expect(commit(faulty, write(text))).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      expect(await kept(store)).toEqual(['# A']);
    }
    expect(readdirSync(join(store.paths(session).own, 'revisions'))).toHaveLength(1);
  });

  it('a changed, foreign or missing file is no revision', async () => {
    const { home, store } = await storeWithSession();
    await commit(store, write('# A'));
    const folder = join(store.paths(session).own, 'revisions');
    writeFileSync(join(folder, 'notes.md'), 'x');
    writeFileSync(join(folder, `${sha('# A')}.md.1-0123456789ab.tmp`), 'x');
    expect(await kept(store)).toEqual(['# A']);
    writeFileSync(join(folder, `${sha('# A')}.md`), '# Tampered');
    expect(await store.revision(session, sha('# A'))).toBe(null);
    expect(await store.revision(session, sha('# never'))).toBe(null);
    const unlucky = createFileStore({ home, ops: createFileOps(failing('read', /revisions/, 'EIO')) });
    await expect(unlucky.revision(session, sha('# A'))).rejects.toMatchObject({ code: 'READ_FAILED' });
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    await expect(store.revisions(session)).rejects.toMatchObject({
      code: 'READ_FAILED',
      data: { path: folder },
    });
  });

  it.each(['..', `../${'a'.repeat(64)}`, 'A'.repeat(64), ''])('%j is no hash', async (hash) => {
    const { store } = await storeWithSession();
    await expect(store.revision(session, hash)).rejects.toMatchObject({ code: 'BAD_NAME' });
  });
});

describe('D49 what somebody has seen', () => {
  const me = { surface: 'tui', person: 'terminal' };
  const [a, b, c] = ['# A', '# B', '# C'].map(sha) as [string, string, string];

  it('outlives the program: the last two, for each surface and person', async () => {
    const { home, store } = await storeWithSession();
    expect(await store.seen(session, me)).toEqual([]);
    for (const hash of [a, b, b, c]) await store.saw(session, hash, me);
    await store.saw(session, a, { ...me, person: '../ 5' });
    const again = createFileStore({ home });
    expect(await again.seen(session, me)).toEqual([b, c]);
    await again.saw(session, b, me);
    expect(await store.seen(session, me)).toEqual([c, b]);
    expect(await store.seen(session, { ...me, person: '../ 5' })).toEqual([a]);
    expect(await store.seen(session, { ...me, surface: 'telegram' })).toEqual([]);
  });

  it('ends with the plan, and is no revision', async () => {
    const { store } = await storeWithSession();
    await commit(store, write('# A'));
    await store.saw(session, a, me);
    expect(await kept(store)).toEqual(['# A']);
    const end = { archive: { suffix: '', stamp }, sidecar: { remove: true }, document: { remove: true } };
    await commit(store, end as Commit);
    expect(await store.seen(session, me)).toEqual([]);
    expect(readdirSync(join(store.paths(session).own, 'revisions'))).toEqual([]);
  });

  it('a damaged note is none and is replaced; one that can\u2019t be read or written is said', async () => {
    const { home, store } = await storeWithSession();
    await store.saw(session, a, me);
    const folder = join(store.paths(session).own, 'revisions');
    for (const damage of ['{', '{"v":1,"hashes":["../x"]}', '[]']) {
      writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), damage);
      expect(await store.seen(session, me)).toEqual([]);
    }
    await store.saw(session, b, me);
    expect(await store.seen(session, me)).toEqual([b]);
    await expect(store.saw(session, '../x', me)).rejects.toMatchObject({ code: 'BAD_NAME' });
    const unread = createFileStore({ home, ops: createFileOps(failing('read', /seen-/, 'EIO')) });
    await expect(unread.seen(session, me)).rejects.toMatchObject({ code: 'READ_FAILED' });
    const full = createFileStore({ home, ops: createFileOps(failing('rename', /seen-/, 'ENOSPC')) });
    await expect(full.saw(session, a, me)).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    expect(await store.seen(session, me)).toEqual([b]);
  });
});

describe('D49 which texts the machine keeps', () => {
  const by: Actor = { entry: 'interactive', surface: 'tui', person: 'me', owner: true };
  const ids = Array.from({ length: 9 }, (_, n) => `${n}`.repeat(8) + session.slice(8));
  const stampAt = (at: string) => ({ at, ids, process: 'p' });
  const turn = ids[8] ?? '';

  /** One dispatch: what loading finds, then the event. */
  async function dispatch(store: SessionStore, at: string, said: Said | null): Promise<void> {
    await store.exclusive(session, async (tx) => {
      const commitStep = async (event: Parameters<typeof step>[1]) => {
        const stored = await tx.read();
        const next = step(derive(stored).snapshot, event);
        const change = projectCommit(stored, next.snapshot, next.archive, at);
        if (change !== null) await tx.commit(change);
      };
      const [found] = derive(await tx.read()).found;
      if (found !== undefined) await commitStep({ ...found, ...stampAt(at) });
      if (said !== null) await commitStep({ ...said, ...stampAt(at) });
    });
  }

  const ready = (problem: string) =>
    `# Plan\n\n## Context\n\n**Problem:** ${problem}\n**Target state:** b\n**Intent:** c\n\n## Implementation steps\n\n1. Do it\n`;

  it('the scaffold, the model’s texts, a person’s own edits, a restored text, and the approved one', async () => {
    const { store } = await storeWithSession();
    const { document } = store.paths(session);
    const lease = {
      turn,
      kind: 'chat',
      by,
      since: 'x',
      group: null,
      waiting: null,
      cancel: null,
      closed: null,
    };
    const stored = await store.read(session);
    const text = JSON.stringify({ ...stored.record, lease });
    const hold = store.holdTurn(session, turn);
    await commit(store, { record: { text, order: 'first' } });
    const call = { turn, child: false };
    await dispatch(store, '2026-01-01T00:00:01.000Z', {
      type: 'tool.init',
      ...call,
      title: 'Plan',
      mode: 'design',
    });
    const scaffold = (await kept(store))[0] ?? '';
    expect(scaffold).toContain('# Plan');
    const { plan } = derive(await store.read(session)).snapshot.context;
    await dispatch(store, '2026-01-01T00:00:02.000Z', {
      type: 'tool.document',
      ...call,
      text: ready('first'),
      base: sha(scaffold),
      plan: plan?.id ?? null,
    });
    expect(await kept(store)).toEqual([scaffold, ready('first')]);
    writeFileSync(document, ready('by hand'));
    await dispatch(store, '2026-01-01T00:00:03.000Z', null);
    expect(await kept(store)).toEqual([scaffold, ready('first'), ready('by hand')]);
    rmSync(document);
    rmSync(join(store.paths(session).own, 'revisions'), { recursive: true });
    await dispatch(store, '2026-01-01T00:00:04.000Z', { type: 'turn.end', turn, outcome: 'done' });
    hold.release();
    expect(await kept(store)).toEqual([ready('by hand')]);
    writeFileSync(document, ready('first'));
    await dispatch(store, '2026-01-01T00:00:05.000Z', null);
    await dispatch(store, '2026-01-01T00:00:06.000Z', { type: 'user.policy', by, yolo: false });
    expect((await kept(store)).at(-1)).toBe(ready('first'));
    rmSync(join(store.paths(session).own, 'revisions'), { recursive: true });
    const shown = sha(ready('first'));
    await dispatch(store, '2026-01-01T00:00:07.000Z', { type: 'user.execute', by, shown });
    expect(derive(await store.read(session)).snapshot.context.plan?.approval?.hash).toBe(shown);
    expect(await kept(store)).toEqual([ready('first')]);
  });
});
