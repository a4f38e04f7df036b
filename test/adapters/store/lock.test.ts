import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMutex } from '../../../adapters/store/lock.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import { other, session, startChild, storeWithSession, tempHome } from './support.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('D7 one lock per session, between processes', () => {
  it('two processes of 100 read-modify-writes each lose none', async () => {
    const { home, store } = await storeWithSession();
    const runs = [startChild(['count', home, session, '100']), startChild(['count', home, session, '100'])];
    for (let n = 0; n < 20; n += 1) {
      await store.exclusive(session, async (tx) => {
        const { sidecar } = await tx.read();
        await tx.commit({
          sidecar: { text: String((sidecar.kind === 'text' ? Number(sidecar.text) : 0) + 1) },
        });
      });
    }
    await Promise.all(runs.map(({ ended }) => ended));
    expect(readFileSync(store.paths(session).sidecar, 'utf8')).toBe('220');
    expect(readdirSync(join(home, 'planchart/locks'))).toEqual([`${session}.db`]);
  });

  it('a killed holder frees it, a live one does not; waiting leaves the event loop free', async () => {
    const { home, store } = await storeWithSession();
    const holder = startChild(['lock', home, session]);
    await holder.saw('locked');
    const impatient = createFileStore({ home, lockWaitMs: 150 });
    const started = performance.now();
    let ticks = 0;
    const counting = setInterval(() => (ticks += 1), 1);
    await expect(impatient.exclusive(session, () => Promise.resolve())).rejects.toMatchObject({
      code: 'LOCKED',
      data: { path: join(home, `planchart/locks/${session}.db`), cause: 'it was held for 0.15 s' },
    });
    clearInterval(counting);
    expect(performance.now() - started).toBeGreaterThanOrEqual(150);
    expect(ticks).toBeGreaterThan(20);

    const waiting = store.exclusive(session, (tx) => tx.read());
    holder.child.kill('SIGKILL');
    expect((await waiting).record.id).toBe(session);
  });

  it('a view needs no lock (D8)', async () => {
    const { home, store } = await storeWithSession();
    const holder = startChild(['lock', home, session]);
    await holder.saw('locked');
    expect((await store.read(session)).record.id).toBe(session);
    expect(await store.list()).toHaveLength(1);
  });

  it('a leftover lock file of a dead process is no lock (B84)', async () => {
    const { home, store } = await storeWithSession();
    const holder = startChild(['lock', home, session]);
    await holder.saw('locked');
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(readdirSync(join(home, 'planchart/locks'))).toEqual([`${session}.db`]);
    await store.exclusive(session, (tx) => tx.commit({ sidecar: { text: '1' } }));
    expect(statSync(join(home, `planchart/locks/${session}.db`)).size).toBe(0);
    expect(statSync(join(home, `planchart/locks/${session}.db`)).mode & 0o777).toBe(0o600);
  });
});

describe('D7 callers of one process', () => {
  it('come in the order in which they asked, also over two stores', async () => {
    const mutex = createMutex();
    const path = join(tempHome(), 'locks/x.db');
    const order: number[] = [];
    let inside = 0;
    const work = (n: number) => async () => {
      inside += 1;
      expect(inside).toBe(1);
      await tick();
      order.push(n);
      inside -= 1;
    };
    const rival = createMutex();
    await Promise.all([
      ...[0, 1, 2, 3, 4].map((n) => mutex.run(path, work(n))),
      ...[10, 11].map((n) => rival.run(path, work(n))),
    ]);
    expect(order.filter((n) => n < 10)).toEqual([0, 1, 2, 3, 4]);
    expect(order.filter((n) => n >= 10)).toEqual([10, 11]);
  });

  it('of one store too: transactions and transcript batches', async () => {
    const { store } = await storeWithSession();
    const order: number[] = [];
    const turns = Array.from({ length: 40 }, (_, n) => n);
    const note = (n: number) => ({ v: 1, at: `${n}`, type: 'notice', turn: null, text: 'x' }) as const;
    await Promise.all(
      turns.flatMap((n) => [
        store.exclusive(session, () => Promise.resolve(order.push(n))),
        store.append(session, [note(n)]),
      ]),
    );
    expect(order).toEqual(turns);
    expect((await store.transcript(session)).entries.map(({ at }) => Number(at))).toEqual(turns);
  });

  it('are not held up by another session', async () => {
    const mutex = createMutex();
    const home = tempHome();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = mutex.run(join(home, `${session}.db`), () => gate);
    expect(await mutex.run(join(home, `${other}.db`), () => Promise.resolve('through'))).toBe('through');
    open();
    await first;
  });

  it('get the lock after one whose work failed, and after one who gave up waiting', async () => {
    const path = join(tempHome(), 'x.db');
    const mutex = createMutex(100);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    await expect(mutex.run(path, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    const first = mutex.run(path, () => gate);
    await expect(mutex.run(path, () => Promise.resolve())).rejects.toMatchObject({ code: 'LOCKED' });
    open();
    await first;
    expect(await mutex.run(path, () => Promise.resolve('third'))).toBe('third');
  });

  it('lock the file that is there, not the one that stayed open from last time', async () => {
    const path = join(tempHome(), 'x.db');
    const mutex = createMutex(50);
    const pass = () => mutex.run(path, () => Promise.resolve());
    for (let n = 0; n < 3; n += 1) await pass();
    rmSync(path);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const rival = createMutex().run(path, () => gate);
    await expect(pass()).rejects.toMatchObject({ code: 'LOCKED' });
    open();
    await rival;
    await pass();
  });

  it('keep few lock files open, however many sessions there are', async () => {
    const home = tempHome();
    const mutex = createMutex();
    for (let n = 0; n < 60; n += 1) await mutex.run(join(home, `${n % 20}.db`), () => Promise.resolve());
    const open = readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).startsWith(home));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(9);
  });

  it('asking again from inside ends as LOCKED, not in a standstill', async () => {
    const { home } = await storeWithSession();
    const store = createFileStore({ home, lockWaitMs: 100 });
    const inner = () => store.exclusive(session, () => Promise.resolve());
    await expect(store.exclusive(session, inner)).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('can not write after their turn', async () => {
    const { store } = await storeWithSession();
    const tx = await store.exclusive(session, (open) => Promise.resolve(open));
    await expect(tx.commit({ sidecar: { text: '{}' } })).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    await expect(tx.read()).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    expect(existsSync(store.paths(session).sidecar)).toBe(false);
  });
});

describe('a lock file that can not be one', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['some text', (path: string) => writeFileSync(path, 'no database '.repeat(100))],
  ])('%s: LOCK_FAILED with the path, the work is not run', async (_, make) => {
    const path = join(tempHome(), 'x.db');
    make(path);
    let ran = 0;
    const run = createMutex().run(path, () => Promise.resolve((ran += 1)));
    await expect(run).rejects.toMatchObject({ code: 'LOCK_FAILED', data: { path } });
    expect(ran).toBe(0);
  });

  it('opens no lock file by other means: closing it would drop the lock of this process', async () => {
    const { home, store } = await storeWithSession();
    const rival = createFileStore({ home, lockWaitMs: 50 });
    await store.exclusive(session, async () => {
      const second = rival.exclusive(session, () => Promise.resolve());
      await expect(second).rejects.toMatchObject({ code: 'LOCKED' });
      expect(await startChild(['try', home, session]).ended).toContain('Cannot lock');
    });
    expect(await startChild(['try', home, session]).ended).toBe('got it\n');
  });
});

/** What an open descriptor of this process shows; it may have been closed meanwhile. */
function targetOf(fd: string): string {
  return existsSync(`/proc/self/fd/${fd}`) ? readlinkSync(`/proc/self/fd/${fd}`) : '';
}
