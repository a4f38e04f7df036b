import { describe, expect, it } from 'vitest';
import { createController, type Leaving } from '../../../../adapters/tui/controller.ts';
import { frame } from '../../../../adapters/tui/frame.ts';
import type { KeyName, Press } from '../../../../adapters/tui/input/keys.ts';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { mainPress } from '../../../../adapters/tui/main-press.ts';
import { choiceOf, type Choice } from '../../../../adapters/tui/picker/picker.ts';
import { initialState } from '../../../../adapters/tui/state.ts';
import { createStore } from '../../../../adapters/tui/store.ts';
import type { SessionView } from '../../../../machines/index.ts';
import { checklistView, fakeHandle, running, viewOf } from '../../../support/fake-handle.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const key = (name: KeyName): Press => ({ type: 'key', name });
const one = (id: string, name: string | null, used: string): Choice => ({
  id,
  name,
  cwd: `/home/ada/code/${id}`,
  state: 'Active 2/5',
  used,
});
const here = one(viewOf().session, 'This one', '2026-03-01T11:59:30Z');
const cache = one('cache', 'Split the cache key', '2026-03-01T11:55:00Z');
const unnamed = one('unnamed', null, '2026-02-27T12:00:00Z');
const broken: Choice = { id: 'broken', error: 'cannot be read: EIO' };

async function opened(view: SessionView, choices: readonly Choice[], size = { columns: 80, rows: 24 }) {
  const handle = fakeHandle({ view });
  handle.reply(({ type }) => ({ kind: type === 'user.switch' ? 'view' : 'accepted', text: '' }));
  const store = createStore(initialState(view, []));
  handle.subscribe((published) => store.dispatch({ type: 'published', published, now }));
  const left: Leaving[] = [];
  const controller = createController({
    handle,
    store,
    sessions: () => Promise.resolve(choices),
    leave: (leaving) => void left.push(leaving),
    now: () => now,
  });
  await controller.submit('/sessions');
  const deps = {
    store,
    controller,
    handle,
    sessions: 'switchable' as const,
    home: '/home/ada',
    now: () => now,
  };
  const press = (...names: readonly KeyName[]): void => {
    for (const name of names) mainPress(key(name), deps, size);
  };
  const facts = { model: 'rehearsal', folder: '~', home: '/home/ada' };
  const drawn = () => frame(store.get(), facts, size, now).lines;
  const screen = (): string => drawn().map(lineText).join('\n');
  return { handle, store, left, press, screen, drawn, controller, deps };
}

describe('/sessions', () => {
  it('shows name, folder, state and last use, and where one is', async () => {
    const { screen } = await opened(viewOf(), [here, cache, unnamed, broken]);
    expect(screen()).toMatch(/Sessions 2\/4/u);
    expect(screen()).toMatch(/^ {2}This one \(here\) +now$/mu);
    expect(screen()).toMatch(/^› Split the cache key +5 minutes ago$/mu);
    expect(screen()).toMatch(/Active 2\/5 · ~\/code\/cache/u);
    expect(screen()).toMatch(/session unnamed +2 days ago/u);
    expect(screen()).toMatch(/broken\n {2}cannot be read: EIO/u);
  });

  it.each<[keys: KeyName[], left: Leaving[]]>([
    [['enter'], [{ reason: 'switch', session: 'cache' }]],
    [['down', 'enter'], [{ reason: 'switch', session: 'unnamed' }]],
    [['end', 'up', 'enter'], [{ reason: 'switch', session: 'unnamed' }]],
    [['up', 'up', 'enter'], []],
    [['escape'], []],
  ])('%j', async (keys, wanted) => {
    const { press, left, store } = await opened(viewOf(), [here, cache, unnamed, broken]);
    press(...keys);
    await expect.poll(() => left).toEqual(wanted);
    expect(store.get().picker === null).toBe(wanted.length === 0);
  });

  it('says in place why a session can not be opened', async () => {
    const { press, left, screen, handle } = await opened(viewOf(), [here, broken]);
    press('enter');
    expect(screen()).toMatch(/cannot be read: EIO[\s\S]*cannot be read: EIO/u);
    expect([left, handle.sent]).toEqual([[], []]);
  });

  it('D26 says in place that a turn runs, and stays', async () => {
    const { press, left, screen, handle } = await opened(running(viewOf()), [here, cache]);
    handle.reply(() => ({ kind: 'refused', code: 'BUSY', text: 'A turn runs.' }));
    press('enter');
    await expect.poll(screen).toMatch(/BUSY A turn runs\./u);
    expect(left).toEqual([]);
    press('escape');
    expect(handle.sent.map(({ type }) => type)).toEqual(['user.switch']);
  });

  it('stops a turn by Ctrl+C, and makes way for a question', async () => {
    const { press, handle, store } = await opened(running(viewOf()), [here, cache]);
    press('ctrl-c');
    expect(handle.sent.map(({ type }) => type)).toEqual(['user.stop']);
    handle.open({ id: 'p', kind: 'question', question: 'Which?', options: [] });
    expect(store.get().picker).toBe(null);
  });

  it('typed and pasted text chooses nothing', async () => {
    const { store, left, deps } = await opened(viewOf(), [here, cache]);
    mainPress({ type: 'paste', text: 'x\r' }, deps, { columns: 80, rows: 24 });
    mainPress({ type: 'text', text: 'x' }, deps, { columns: 80, rows: 24 });
    expect([store.get().editor.text, left]).toEqual(['', []]);
  });

  it.each([
    [{ columns: 40, rows: 12 }, viewOf()],
    [{ columns: 40, rows: 12 }, running(checklistView(30, 2))],
    [{ columns: 20, rows: 8 }, viewOf()],
  ])('fits %j, the marked session in view wherever it is', async (size, view) => {
    const many = Array.from({ length: 50 }, (_, index) =>
      one(
        `${index}`,
        `完了 number ${index} \u001b[2J of a long name that never ends`,
        '2026-03-01T11:00:00Z',
      ),
    );
    const { press, drawn, screen } = await opened(view, [here, ...many], size);
    for (let step = 0; step < 60; step += 1) {
      const lines = drawn();
      expect(lines.length).toBeLessThan(size.rows);
      expect(lines.every((line) => lineWidth(line) <= size.columns)).toBe(true);
      expect(screen()).toMatch(/^› /mu);
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(screen()).not.toMatch(/\u001b/u);
      press('down');
    }
    expect(screen()).toMatch(/› 完了 (?:number 49|\S*…)/u);
  });

  it('an outside failure is a notice', async () => {
    const { store, controller } = await opened(viewOf(), [here]);
    expect(store.get().picker).not.toBe(null);
    const failing = createController({
      handle: fakeHandle(),
      store,
      sessions: () => Promise.reject(new Error('EIO: /home')),
      leave: () => undefined,
      now: () => now,
    });
    await failing.submit('/sessions');
    expect(store.get().transcript.items).toMatchObject([
      { type: 'notice', level: 'error', text: 'EIO: /home' },
    ]);
    await controller.submit('/rename');
    expect(store.get().transcript.items.at(-1)).toMatchObject({
      text: expect.stringMatching(/no name yet.*\/rename/u),
    });
  });
});

describe('/new and /session <id>', () => {
  it('leave only when the engine lets them', async () => {
    const { controller, handle, left } = await opened(viewOf(), [here, cache]);
    handle.reply(() => ({ kind: 'refused', code: 'BUSY', text: 'A turn runs.' }));
    await controller.submit('/new');
    await controller.submit('/session cache');
    expect(left).toEqual([]);
    handle.reply(() => ({ kind: 'view', text: '' }));
    await controller.submit('/session cache');
    await controller.submit('/new');
    expect(left).toEqual([
      { reason: 'switch', session: 'cache' },
      { reason: 'switch', session: null },
    ]);
  });

  it.each<[string, string]>([
    ['nothing', 'There is no session nothing, or there are several. /sessions lists them.'],
    ['broken', 'cannot be read: EIO'],
    [viewOf().session, 'This is that session.'],
  ])('%s goes nowhere and says why', async (given, text) => {
    const { controller, left, store, handle } = await opened(viewOf(), [here, cache, broken]);
    await controller.submit(`/session ${given}`);
    expect(store.get().transcript.items).toMatchObject([{ type: 'notice', text }]);
    expect([left, handle.sent]).toEqual([[], []]);
  });

  it('takes a beginning that only one id has', () => {
    const choices = ['1234', '1299', '1'].map((id): Choice => ({ id, error: '' }));
    expect(choiceOf(choices, '123')?.id).toBe('1234');
    expect(choiceOf(choices, '12')).toBe(null);
    expect(choiceOf(choices, '1')?.id).toBe('1');
  });
});
