import { describe, expect, it } from 'vitest';
import { createController } from '../../../../adapters/tui/controller.ts';
import { act, type ActDeps } from '../../../../adapters/tui/overlay/act.ts';
import { initialState } from '../../../../adapters/tui/state.ts';
import { createStore } from '../../../../adapters/tui/store.ts';
import { fakeHandle, viewOf, type FakeOptions } from '../../../support/fake-handle.ts';

function setUp(options: FakeOptions = {}) {
  const handle = fakeHandle(options);
  const store = createStore(initialState(handle.view(), []));
  handle.subscribe((published) => store.dispatch({ type: 'published', published, now: 0 }));
  const controller = createController({
    handle,
    store,
    sessions: null,
    leave: () => undefined,
    now: () => 0,
  });
  const edits: number[] = [];
  const edit = (top: number): { close: true } => {
    edits.push(top);
    return { close: true };
  };
  const deps: ActDeps = { store, controller, handle, edit };
  return { deps, handle, store, edits };
}

describe('D49 what a text is compared with', () => {
  const compare = async (seen: readonly string[], kept: readonly string[], saw: readonly string[] = []) => {
    const { deps, store } = setUp({ saw, kept: kept.map((hash) => ({ hash, text: `kept ${hash}` })) });
    for (const hash of seen) store.dispatch({ type: 'shown', hash, text: `seen ${hash}` });
    return act({ type: 'changes' }, 'h3', deps);
  };

  it.each([
    ['the one seen before', ['h1', 'h2', 'h3'], ['h1', 'h2', 'h3'], { text: 'seen h2', from: 'seen' }],
    ['the one seen last', ['h1'], ['h1', 'h2', 'h3'], { text: 'seen h1', from: 'seen' }],
    ['the one kept before', ['h3'], ['h1', 'h2', 'h3'], { text: 'kept h2', from: 'kept' }],
  ])('%s', async (_name, seen, kept, base) => {
    expect(await compare(seen, kept)).toEqual({ close: false, message: null, base });
  });

  it.each([
    ['the one seen before a restart', ['h1', 'h3'], { text: 'kept h1', from: 'seen' }],
    ['the one kept before, when the one seen is not kept', ['h0', 'h3'], { text: 'kept h2', from: 'kept' }],
  ])('%s', async (_name, saw, base) => {
    expect(await compare(['h3'], ['h1', 'h2', 'h3'], saw)).toEqual({ close: false, message: null, base });
  });

  it('says so when there is none', async () => {
    expect(await compare(['h3'], ['h3'])).toMatchObject({
      message: { text: expect.stringContaining('first text') },
    });
  });

  it('says why when it can\u2019t be read', async () => {
    const { deps } = setUp();
    const handle = { ...deps.handle, revisions: () => Promise.reject(new Error('EIO: /home/ada')) };
    expect(await act({ type: 'changes' }, 'h3', { ...deps, handle })).toEqual({
      close: false,
      message: { level: 'error', text: 'EIO: /home/ada' },
    });
  });

  it('nothing of another plan', () => {
    const { store, handle } = setUp({ view: viewOf({ plan: 'a' }) });
    store.dispatch({ type: 'shown', hash: 'h1', text: '# One' });
    handle.see(viewOf({ plan: 'a' }));
    expect(store.get().seen).toHaveLength(1);
    handle.see(viewOf({ plan: 'b' }));
    expect(store.get().seen).toEqual([]);
  });
});

it('asks for the editor where the reader stands, and sends nothing', async () => {
  const { deps, edits, handle } = setUp();
  expect(await act({ type: 'edit', top: 7 }, 'h1', deps)).toEqual({ close: true });
  expect([edits, handle.sent]).toEqual([[7], []]);
});
