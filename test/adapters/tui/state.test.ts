import { describe, expect, it } from 'vitest';
import type { Published } from '../../../adapters/ports.ts';
import { initialState, reduce, type TuiState } from '../../../adapters/tui/state.ts';
import type { SessionView } from '../../../machines/index.ts';
import { reviewView, running, viewOf } from '../../support/fake-handle.ts';

const turn = 'turn-1';
const see = (view: SessionView): Published => ({ type: 'view', view });
const started: Published = { type: 'turn.started', turn, kind: 'chat', label: null };
const ended: Published = { type: 'turn.ended', turn, outcome: 'done', cause: null };

function after(events: readonly Published[], view = viewOf()): TuiState {
  return events.reduce(
    (state, published) => reduce(state, { type: 'published', published, now: 0 }),
    initialState(view, []),
  );
}

function cards(state: TuiState): number {
  return state.transcript.items.filter((item) => item.type === 'card').length;
}

describe('D45, D50 the card at turn end', () => {
  const ready = reviewView('# Plan', 'h1');

  it.each<[string, readonly Published[]]>([
    ['after the view', [started, see(running(viewOf())), see(ready), ended]],
    ['before the view', [started, see(running(viewOf())), ended, see(ready)]],
    ['of a turn in another process', [see(running(viewOf(), { surface: 'telegram' })), see(ready)]],
  ])('is printed once with one bell, at an end that comes %s', (_name, events) => {
    const state = after(events);
    expect(cards(state)).toBe(1);
    expect(state.bells).toBe(1);
  });

  it('is not said again for the same revision, and is for a new one', () => {
    const once = [started, see(running(viewOf())), see(ready), ended];
    const again = [started, see(running(ready)), see(ready), ended];
    expect(after([...once, ...again])).toMatchObject({ bells: 1 });
    expect(after([...once, ...again, started, see(reviewView('# New', 'h2')), ended])).toMatchObject({
      bells: 2,
    });
  });

  it('rings no bell for a plan that is not complete', () => {
    const decisions = { ...ready.decisions, approve: 'off' as const, why: '1 part is missing' };
    const state = after([started, see(running(viewOf())), see({ ...ready, decisions }), ended]);
    expect(cards(state)).toBe(1);
    expect(state.bells).toBe(0);
  });

  it('is not printed while the turn still runs, nor for a plan that was there at the start', () => {
    expect(cards(after([started, see(running(viewOf())), see(running(ready))]))).toBe(0);
    expect(cards(after([started, see(running(ready)), see(ready), ended], ready))).toBe(0);
  });
});

describe('D26 returned text', () => {
  const returned = (text: string): Published => ({ type: 'returned', text });

  it('goes back into the input, before what is being written', () => {
    expect(after([returned('one')]).editor.text).toBe('one');
    const writing = reduce(after([]), { type: 'edit', edit: { type: 'insert', text: 'draft' } });
    const both = reduce(writing, { type: 'published', published: returned('one'), now: 0 });
    expect(both.editor.text).toBe('one\ndraft');
  });

  it('comes back although the same words stand inside another line', () => {
    const line = reduce(after([]), { type: 'restore', text: 'typing queued A xx' });
    const both = reduce(line, { type: 'published', published: returned('queued A'), now: 0 });
    expect(both.editor.text).toBe('queued A\ntyping queued A xx');
  });

  it('is not doubled', () => {
    const line = reduce(after([]), { type: 'restore', text: '/plan add a toggle' });
    const both = reduce(line, { type: 'published', published: returned('add a toggle'), now: 0 });
    expect(both.editor.text).toBe('/plan add a toggle');
  });
});

describe('prompts and printing', () => {
  const prompt = { id: 'p', kind: 'question', question: 'Which?', options: [] } as const;

  it('closes the prompt that was answered and no other', () => {
    const open = after([{ type: 'prompt.opened', turn, prompt }]);
    const other = reduce(open, {
      type: 'published',
      published: { type: 'prompt.closed', id: 'x', reason: 'answered' },
      now: 0,
    });
    expect(other.prompt).not.toBeNull();
    const closed = reduce(open, {
      type: 'published',
      published: { type: 'prompt.closed', id: 'p', reason: 'cancelled' },
      now: 0,
    });
    expect(closed.prompt).toBeNull();
    expect(reduce(open, { type: 'published', published: ended, now: 0 }).prompt).toBeNull();
  });

  it('holds finished parts back while the overlay owns the screen', () => {
    const item = { type: 'assistant', text: 'a' } as const;
    const open = reduce(reduce(after([]), { type: 'items', items: [item] }), { type: 'overlay', to: 'open' });
    const more = reduce(open, { type: 'items', items: [item] });
    expect(more.printable).toBe(1);
    expect(more.transcript.items).toHaveLength(2);
    expect(reduce(more, { type: 'overlay', to: 'closed' }).printable).toBeNull();
  });
});

it('D27 keeps how full the last request made the window', () => {
  const state = after([
    { type: 'context', used: 1, window: 9 },
    { type: 'context', used: 2, window: 9 },
  ]);
  expect([after([]).context, state.context]).toEqual([null, { used: 2, window: 9 }]);
});
