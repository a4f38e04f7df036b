import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import { at, record, session, startChild, storeWithSession, textOf, turn } from './support.ts';

/** Writes a lease of the turn into the record, as a claim does. */
async function lease(store: SessionStore, id: string = turn): Promise<void> {
  const by = { entry: 'interactive', surface: 'tui', person: 'me', owner: true } as const;
  const held = {
    turn: id,
    kind: 'chat',
    by,
    since: at,
    group: null,
    waiting: null,
    cancel: null,
    closed: null,
  } as const;
  const text = textOf(record(session, { lease: held }));
  await store.exclusive(session, (tx) => tx.commit({ record: { text, order: 'first' } }));
}

const alive = async (store: SessionStore) => (await store.read(session)).leaseAlive;
const file = (home: string, id = turn) => join(home, `planchart/locks/turn-${id}.db`);

describe('D16 the lock of a running turn', () => {
  it('is seen by its own process, by another store, and by another process, until it is released', async () => {
    const { home, store } = await storeWithSession();
    await lease(store);
    expect(await alive(store)).toBe(false);
    const hold = store.holdTurn(session, turn);
    expect(await alive(store)).toBe(true);
    expect(await alive(createFileStore({ home }))).toBe(true);
    expect(await startChild(['alive', home, session]).ended).toBe('alive true\n');
    // Looking does not steal it.
    expect(await alive(store)).toBe(true);
    hold.release();
    expect(await alive(store)).toBe(false);
    expect(existsSync(file(home))).toBe(false);
    expect(await startChild(['alive', home, session]).ended).toBe('alive false\n');
    hold.release();
  });

  it('a killed owner is noticed at once, and its leftover file is no sign of life', async () => {
    const { home, store } = await storeWithSession();
    await lease(store);
    const owner = startChild(['turn', home, session, turn]);
    await owner.saw('held');
    expect(await alive(store)).toBe(true);
    owner.child.kill('SIGKILL');
    await owner.ended;
    expect(existsSync(file(home))).toBe(true);
    expect(await alive(store)).toBe(false);
  });

  it('is not lost to the garbage collector when nobody keeps the hold', async () => {
    const { home, store } = await storeWithSession();
    await lease(store);
    store.holdTurn(session, turn);
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    for (let n = 0; n < 3; n += 1) {
      Reflect.apply(collect as () => void, null, []);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Asked by a store that has not taken it: the one that has does not look at the file.
    expect(await alive(createFileStore({ home }))).toBe(true);
  });

  it('belongs to one process only', async () => {
    const { home, store } = await storeWithSession();
    const hold = store.holdTurn(session, turn);
    expect(() => createFileStore({ home }).holdTurn(session, turn)).toThrow('another process runs this turn');
    hold.release();
    createFileStore({ home }).holdTurn(session, turn).release();
  });

  it.each(['', '../../../x', 'no uuid'])(
    'a lease with the odd turn id %j is dead, not an error',
    async (id) => {
      const { store } = await storeWithSession();
      await lease(store, id);
      expect(await alive(store)).toBe(false);
    },
  );

  it('the first transaction of a process sweeps old dead files, never live or young ones', async () => {
    const { home, store } = await storeWithSession();
    const [dead, young] = [turn.replace(/^1/, '2'), turn.replace(/^1/, '3')];
    const hold = store.holdTurn(session, turn);
    for (const id of [dead, young]) writeFileSync(file(home, id), '');
    for (const id of [dead, turn]) utimesSync(file(home, id), 1, 1);
    await createFileStore({ home }).exclusive(session, () => Promise.resolve());
    const left = readdirSync(join(home, 'planchart/locks')).filter((name) => name.startsWith('turn-'));
    expect(left.sort()).toEqual([`turn-${turn}.db`, `turn-${young}.db`].sort());
    hold.release();
  });
});
