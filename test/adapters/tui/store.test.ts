import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Published } from '../../../adapters/ports.ts';
import { initialState } from '../../../adapters/tui/state.ts';
import { createStore } from '../../../adapters/tui/store.ts';
import { viewOf } from '../../support/fake-handle.ts';

const turn = 'turn-1';
const piece = (text: string): Published => ({ type: 'text', turn, text });

function watched() {
  const store = createStore(initialState(viewOf(), []));
  const seen: string[] = [];
  store.subscribe(() => void seen.push(store.get().transcript.text));
  const tell = (published: Published): void => store.dispatch({ type: 'published', published, now: 0 });
  return { store, seen, tell };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a message that comes in pieces', () => {
  it('is drawn some times a second, however many pieces there are, and whole in the end', () => {
    const { store, seen, tell } = watched();
    for (let n = 1; n <= 1000; n += 1) {
      tell(piece('word '));
      expect(store.get().transcript.text).toHaveLength(n * 5);
      // A thousand pieces in one second.
      vi.advanceTimersByTime(1);
    }
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.length).toBeLessThanOrEqual(21);
    vi.runAllTimers();
    expect(seen.at(-1)).toHaveLength(5000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is drawn at once with its first piece, and later ones not later than anything else', () => {
    const { seen, tell } = watched();
    tell(piece('one'));
    expect(seen).toEqual(['one']);
    tell(piece(' two'));
    expect(seen).toHaveLength(1);
    tell({ type: 'notice', level: 'info', text: 'told' });
    expect(seen).toEqual(['one', 'one two']);
    tell(piece(' three'));
    tell({ type: 'message.ended', turn, text: 'one two three' });
    expect(seen).toEqual(['one', 'one two', '']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins again with the text after the reasoning, and with the next message', () => {
    const { seen, tell } = watched();
    tell({ type: 'reasoning', turn, text: 'hm' });
    tell({ type: 'reasoning', turn, text: ' hm' });
    tell(piece('one'));
    expect(seen).toEqual(['', 'one']);
    tell({ type: 'message.ended', turn, text: 'one' });
    tell(piece('two'));
    expect(seen.slice(2)).toEqual(['', 'two']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('anything else', () => {
  it('is drawn at once, until a watcher leaves', () => {
    const { store, tell } = watched();
    const listener = vi.fn();
    const leave = store.subscribe(listener);
    store.dispatch({ type: 'edit', edit: { type: 'insert', text: 'a' } });
    expect(listener).toHaveBeenCalledTimes(1);
    leave();
    tell({ type: 'notice', level: 'info', text: 'told' });
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
