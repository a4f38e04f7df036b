import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionStore } from '../../../adapters/ports.ts';
import { other, record, session, startChild, storeWithSession, textOf, until } from './support.ts';

/** Counts calls; `next` acts and waits for one more. */
function watching(store: SessionStore, id: string = session) {
  const stop = new AbortController();
  let calls = 0;
  store.watch(id, () => (calls += 1), stop.signal);
  return {
    stop,
    calls: () => calls,
    next: async (what: string, act: () => unknown) => {
      const before = calls;
      await act();
      await until(what, () => calls > before);
    },
  };
}

describe('watch', () => {
  it('sees each kind of change of the session, also before the folder of plans exists', async () => {
    const { home, store } = await storeWithSession();
    const { dir, document, sidecar } = store.paths(session);
    const watch = watching(store);
    const commit = (
      change: Parameters<Parameters<Parameters<SessionStore['exclusive']>[1]>[0]['commit']>[0],
    ) => store.exclusive(session, (tx) => tx.commit(change));
    await watch.next('first plan, new folder', () => commit({ sidecar: { text: '1' } }));
    await watch.next('sidecar replaced', () => commit({ sidecar: { text: '2' } }));
    await watch.next('record', () => commit({ record: { text: textOf(record()), order: 'last' } }));
    await watch.next('an editor saves by rename', () => {
      writeFileSync(`${document}~`, 'x');
      renameSync(`${document}~`, document);
    });
    await watch.next('an editor writes in place', () => writeFileSync(document, 'y'));
    await watch.next('another process', () => startChild(['count', home, session, '1']).ended);
    await watch.next('removal', () => rmSync(sidecar));
    await watch.next('the whole folder goes', () => rmSync(dir, { recursive: true }));
    mkdirSync(dir);
    await watch.next('and comes back', () => writeFileSync(sidecar, '3'));
    expect(watch.calls()).toBeGreaterThanOrEqual(9);
    watch.stop.abort();
  });

  it('a burst is few calls, and a neighbour’s file none', async () => {
    const { store } = await storeWithSession();
    const { dir, document, sidecar } = store.paths(session);
    mkdirSync(dir);
    const watch = watching(store);
    const neighbour = watching(store, other);
    await watch.next('burst', () => {
      for (let n = 0; n < 20; n += 1) {
        writeFileSync(sidecar, `${n}`);
        writeFileSync(document, `${n}`);
      }
    });
    const after = watch.calls();
    expect(after).toBeLessThan(4);
    // Both hear of it at the same moment, and the neighbour waits out its debounce last.
    await neighbour.next('neighbour', () => writeFileSync(store.paths(other).sidecar, 'x'));
    expect(watch.calls()).toBe(after);
    watch.stop.abort();
    neighbour.stop.abort();
  });

  it('ends with the signal, its poll too', async () => {
    const { store } = await storeWithSession();
    const { dir, own, sidecar } = store.paths(session);
    const ended = watching(store);
    const going = watching(store);
    const never = new AbortController();
    never.abort();
    store.watch(session, () => expect.unreachable('called after the end'), never.signal);
    ended.stop.abort();
    // Only a poll sees a folder that came later, and the older watch would poll first.
    await going.next('poll', () => {
      mkdirSync(dir);
      writeFileSync(sidecar, '1');
    });
    await going.next('event', () => writeFileSync(join(own, 'session.json'), textOf(record())));
    expect(ended.calls()).toBe(0);
    going.stop.abort();
  });
});
