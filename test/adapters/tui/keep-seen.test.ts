import { describe, expect, it } from 'vitest';
import { keepSeen } from '../../../adapters/tui/keep-seen.ts';
import { initialState } from '../../../adapters/tui/state.ts';
import { createStore } from '../../../adapters/tui/store.ts';
import { fakeHandle, viewOf } from '../../support/fake-handle.ts';

const failing = async (): Promise<never> => {
  throw new Error('EIO: /home/ada');
};

function setUp(saw: readonly string[] = []) {
  const handle = fakeHandle({ view: viewOf({ plan: 'a' }), saw });
  const store = createStore(initialState(handle.view(), []));
  handle.subscribe((published) => store.dispatch({ type: 'published', published, now: 0 }));
  const show = (hash: string): void => store.dispatch({ type: 'shown', hash, text: `# ${hash}` });
  const notices = (): string[] =>
    store.get().transcript.items.flatMap((item) => (item.type === 'notice' ? item.text : []));
  return { handle, store, show, notices };
}

describe('D49 what was seen', () => {
  it('is kept in order, each text once, and all of it before the surface ends', async () => {
    const { handle, store, show } = setUp();
    const end = keepSeen(store, handle);
    for (const hash of ['h1', 'h1', 'h2', 'h1']) show(hash);
    await end();
    expect(await handle.seen({} as never)).toEqual(['h1', 'h2', 'h1']);
    show('h3');
    expect(store.get().saw).toBe('h3');
    expect(await handle.seen({} as never)).toHaveLength(3);
  });

  it('is brought back after a restart, unless something was shown meanwhile; another plan has none', async () => {
    const first = setUp(['h1', 'h2']);
    await keepSeen(first.store, first.handle)();
    expect(first.store.get().saw).toBe('h2');
    first.handle.see(viewOf({ plan: 'b' }));
    expect(first.store.get().saw).toBeNull();
    const second = setUp(['h1', 'h2']);
    const end = keepSeen(second.store, second.handle);
    second.show('h3');
    await end();
    expect(second.store.get().saw).toBe('h3');
  });

  it.each(['seen', 'saw'] as const)('a failure is told, and nothing else comes of it: %s', async (call) => {
    const { handle, store, show, notices } = setUp();
    const end = keepSeen(store, { ...handle, [call]: failing });
    show('h1');
    await end();
    expect(notices()).toEqual(['EIO: /home/ada']);
  });
});
