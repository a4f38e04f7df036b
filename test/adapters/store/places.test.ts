import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlaces } from '../../../adapters/store/places.ts';
import { StoreError, createFileStore } from '../../../adapters/store/index.ts';
import { listing, record, session, tempHome, turn } from './support.ts';

const bad = [
  '../../x',
  '../../../../tmp/pwn',
  'a/b',
  '..',
  '',
  'CON',
  'x\u0000y',
  'a'.repeat(300),
  'caf\u00e9',
  'cafe\u0301',
  session.toUpperCase(),
  `${session}\n`,
  `${session}/..`,
  session.replaceAll('-', ''),
];

describe('D4 layout', () => {
  it('names the files as the seeds do', () => {
    const home = realpathSync(tempHome());
    const places = createPlaces({ home });
    expect(places.paths(session, null)).toEqual({
      dir: `${home}/session`,
      sidecar: `${home}/session/.opencrabs_plan_${session}.json`,
      document: `${home}/session/.opencrabs_plan_${session}.md`,
      archive: `${home}/session/archive`,
      own: `${home}/planchart/sessions/${session}`,
    });
    expect(places.record(session)).toBe(`${home}/planchart/sessions/${session}/session.json`);
    expect(places.transcript(session)).toBe(`${home}/planchart/sessions/${session}/transcript.jsonl`);
    const hash = 'ab'.repeat(32);
    expect(places.revision(session, hash)).toBe(`${home}/planchart/sessions/${session}/revisions/${hash}.md`);
    expect(places.sessionLock(session)).toBe(`${home}/planchart/locks/${session}.db`);
    expect(places.turnLock(turn)).toBe(`${home}/planchart/locks/turn-${turn}.db`);
    expect(places.agentTranscript(session, `${turn}-12`)).toBe(
      `${home}/planchart/sessions/${session}/agents/${turn}-12.jsonl`,
    );
  });

  it('follows links in every parent, also of a home that does not exist yet (D21)', () => {
    const base = realpathSync(tempHome());
    mkdirSync(join(base, 'disk'));
    symlinkSync(join(base, 'disk'), join(base, 'link'));
    const places = createPlaces({ home: join(base, 'link', 'home') });
    expect(places.paths(session, null).dir).toBe(`${base}/disk/home/session`);
    expect(places.record(session)).toBe(`${base}/disk/home/planchart/sessions/${session}/session.json`);
  });

  it('puts a project’s plans below the root home, everything else of the session below the profile’s', () => {
    const root = realpathSync(tempHome());
    const home = join(root, 'profiles/ops');
    const places = createPlaces({ home, root });
    expect(places.paths(session, 'demo')).toEqual({
      dir: `${root}/projects/demo/session`,
      sidecar: `${root}/projects/demo/session/.opencrabs_plan_${session}.json`,
      document: `${root}/projects/demo/session/.opencrabs_plan_${session}.md`,
      archive: `${root}/projects/demo/session/archive`,
      own: `${home}/planchart/sessions/${session}`,
    });
    expect(places.paths(session, null).dir).toBe(`${home}/session`);
    expect(places.legacy(session).sidecar).toBe(`${home}/agents/session/.opencrabs_plan_${session}.json`);
    expect(places.turnLock(turn)).toBe(`${home}/planchart/locks/turn-${turn}.db`);
    // One plan may be open in two profiles, so they share its lock (D7).
    expect(places.sessionLock(session)).toBe(`${root}/planchart/locks/${session}.db`);
    expect(createPlaces({ home: join(root, 'profiles/dev'), root }).sessionLock(session)).toBe(
      places.sessionLock(session),
    );
  });
});

describe('B09 one check of names', () => {
  it.each(bad.map((id) => [JSON.stringify(id).slice(0, 40), id] as const))('refuses %s', async (_, id) => {
    const home = tempHome();
    const store = createFileStore({ home });
    const calls = [
      async () => store.paths(id),
      () => store.exclusive(id, () => Promise.resolve()),
      () => store.read(id),
      () => store.create({ ...record(), id }),
      () => store.append(id, [{ v: 1, at: '', type: 'notice', turn: null, text: 'x' }]),
      () => store.transcript(id),
      async () => store.holdTurn(id, turn),
      async () => store.holdTurn(session, id),
      async () => store.watch(id, () => undefined, AbortSignal.abort()),
    ];
    for (const call of calls) {
      const error = await call().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ code: 'BAD_NAME' });
      // Named, but shown rather than printed, and not at any length.
      expect(String(error)).toContain(JSON.stringify(id).slice(0, 60));
      expect([...String(error)].every((character) => character >= ' ')).toBe(true);
      expect(String(error).length).toBeLessThan(300);
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it('refuses a stamp or a hash that would climb', async () => {
    const home = tempHome();
    const store = createFileStore({ home });
    await store.create(record());
    const before = listing(join(home, 'planchart/sessions'));
    const commit = (change: Parameters<Parameters<Parameters<typeof store.exclusive>[1]>[0]['commit']>[0]) =>
      store.exclusive(session, (tx) => tx.commit(change));
    await expect(commit({ archive: { suffix: '', stamp: '../../x' } })).rejects.toThrow('"../../x"');
    await expect(store.revision(session, '../x')).rejects.toThrow('"../x"');
    for (const agent of ['../x', turn, `${turn}-0`, `${turn}-1/x`, `${'-'.repeat(36)}-1`]) {
      const line = { v: 1, at: '', type: 'notice', turn: null, text: 'x' } as const;
      await expect(store.append(session, [line], agent)).rejects.toThrow(JSON.stringify(agent));
    }
    expect(listing(join(home, 'planchart/sessions'))).toEqual(before);
  });

  it('does not take a folder with an odd name for a session', async () => {
    const home = tempHome();
    const store = createFileStore({ home });
    await store.create(record());
    mkdirSync(join(home, 'planchart/sessions/notes'));
    writeFileSync(join(home, 'planchart/sessions/file'), '');
    expect((await store.list()).map(({ id }) => id)).toEqual([session]);
  });
});
