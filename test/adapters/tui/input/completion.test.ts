import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createController } from '../../../../adapters/tui/controller.ts';
import { frame } from '../../../../adapters/tui/frame.ts';
import { tokenAt } from '../../../../adapters/tui/input/completion.ts';
import type { KeyName, Press } from '../../../../adapters/tui/input/keys.ts';
import { lineText } from '../../../../adapters/tui/lines.ts';
import { mainPress } from '../../../../adapters/tui/main-press.ts';
import { initialState } from '../../../../adapters/tui/state.ts';
import { createStore } from '../../../../adapters/tui/store.ts';
import { fakeHandle, viewOf } from '../../../support/fake-handle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planchart-files-'));
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  for (const name of ['README.md', 'src/app.ts', 'src/apple.ts', 'src/a b.ts', 'Notes.md', 'bad\u001b[2J']) {
    writeFileSync(join(folder, name), '');
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the session finds them in the whole tree. */
const files = [
  '.hidden/deepest.ts',
  'Notes.md',
  'README.md',
  'src/a b.ts',
  'src/app.ts',
  'src/apple.ts',
  'src/deep/Theme.ts',
  'src/deep/old theme.ts',
  'theme/x\u001b[2J.ts',
];

const own = {
  all: [
    { name: 'review', kind: 'command', description: 'Looks it over', arguments: '', path: '/r.md' } as const,
  ],
  faults: [],
};

function setUp() {
  const handle = fakeHandle({ view: viewOf({ cwd: folder }), skills: own, files });
  const store = createStore(initialState(handle.view(), [], ['written earlier']));
  const controller = createController({
    handle,
    store,
    sessions: null,
    leave: () => undefined,
    now: () => 0,
  });
  const deps = { store, controller, handle, sessions: 'fixed', home: '/home/ada', now: () => 0 } as const;
  const size = { columns: 80, rows: 24 };
  const press = (one: Press): void => mainPress(one, deps, size);
  const key = (name: KeyName): void => press({ type: 'key', name });
  const input = (): string => store.get().editor.text;
  const screen = (): string => {
    const facts = { model: 'm', folder: '~', home: '/home/ada' };
    return frame(store.get(), facts, size, 0)
      .lines.map((line) => lineText(line).trimEnd())
      .join('\n');
  };
  /** Types a text and presses Tab until the input is the wanted one, or a list is open. */
  const tab = async (typed: string, wanted: string | RegExp): Promise<void> => {
    if (typed !== '') press({ type: 'text', text: typed });
    key('tab');
    const fits = (): boolean => (typeof wanted === 'string' ? input() === wanted : wanted.test(screen()));
    await expect.poll(fits, { interval: 5 }).toBe(true);
  };
  return { handle, store, press, key, input, screen, tab };
}

describe('which word can be completed', () => {
  it.each([
    ['/pl', { kind: 'command', from: 0, typed: '/pl' }],
    ['see /pl', null],
    ['/usr/bin', null],
    ['/plan @src/a', { kind: 'file', from: 6, typed: 'src/a', quoted: 'bare' }],
    ['@"src/a b', { kind: 'file', from: 0, typed: 'src/a b', quoted: 'quoted' }],
    ['@src/a b', null],
    ['ada@example', null],
    ['one\n@', { kind: 'file', from: 4, typed: '', quoted: 'bare' }],
  ])('%j', (text, wanted) => {
    expect(tokenAt(text, text.length)).toEqual(wanted);
  });
});

describe('Tab', () => {
  it('completes a command that only one fits, the user\u2019s own too', async () => {
    const { tab, key, input } = setUp();
    await tab('/exe', '/execute ');
    key('ctrl-u');
    await tab('/rev', '/review ');
    expect(input()).toBe('/review ');
  });

  it('lists commands with what they do, turns through them, and Enter takes one without sending', async () => {
    const { tab, key, input, screen, handle } = setUp();
    await tab('/co', /\/continue {2}go on after an interruption\n {2}\/compact/u);
    expect(input()).toBe('/co');
    await tab('', '/continue ');
    expect(screen()).toMatch(/› \/continue/u);
    await tab('', '/compact ');
    await tab('', '/continue ');
    key('shiftTab');
    expect(input()).toBe('/compact ');
    key('enter');
    expect([input(), handle.sent]).toEqual(['/compact ', []]);
    expect(screen()).not.toMatch(/go on after/u);
    key('enter');
    expect(handle.sent).toMatchObject([{ type: 'user.compact' }]);
  });

  it('completes a path step by step, quotes one with a space, and goes on behind it', async () => {
    const { tab, key, input, press } = setUp();
    await tab('look at @sr', 'look at @src/');
    await tab('', /app\.ts\n {2}apple\.ts/u);
    press({ type: 'text', text: 'ap' });
    await tab('', 'look at @src/app');
    press({ type: 'text', text: 'l' });
    await tab('', 'look at @src/apple.ts ');
    key('ctrl-u');
    await tab('@"src/a ', '@"src/a b.ts" ');
    expect(input()).toBe('@"src/a b.ts" ');
  });

  it('B101 offers hidden names only after a dot, and none with control bytes', async () => {
    const { tab, screen, key } = setUp();
    await tab('@', /README\.md/u);
    expect(screen()).toMatch(/Notes\.md\n.*README\.md\n.*src\//u);
    expect(screen()).not.toMatch(/git|bad/u);
    key('escape');
    expect(screen()).not.toMatch(/README/u);
    key('backspace');
    await tab('@.g', '@.git/');
  });

  it('finds a file of the whole tree by its name, or by a part of its path', async () => {
    const { tab, key, screen } = setUp();
    await tab('see @them', /Theme\.ts {6}src\/deep\/\n {2}old theme\.ts {2}src\/deep\//u);
    expect(screen()).not.toMatch(/x\S*\.ts/u);
    await tab('', 'see @src/deep/Theme.ts ');
    await tab('', 'see @"src/deep/old theme.ts" ');
    key('ctrl-u');
    await tab('@deep/th', '@src/deep/Theme.ts ');
    key('ctrl-u');
    await tab('@deepe', /Nothing/u);
  });

  it('goes on in the folder first, with the rest of the tree in the list', async () => {
    const { tab, screen, input, press } = setUp();
    await tab('@src/ap', '@src/app');
    press({ type: 'text', text: '.' });
    await tab('', '@src/app.ts ');
    press({ type: 'text', text: 'and @READ' });
    await tab('', '@src/app.ts and @README.md ');
    expect(screen()).not.toMatch(/src\/deep/u);
    expect(input()).toMatch(/README\.md $/u);
  });

  it('ignores case where nothing else fits', async () => {
    const { tab, input } = setUp();
    await tab('@notes', '@Notes.md ');
    expect(input()).toBe('@Notes.md ');
  });

  it('says so when nothing fits, and Enter sends as ever', async () => {
    const { tab, key, handle } = setUp();
    await tab('see @nothing/at/all', /Nothing begins like that\./u);
    key('enter');
    expect(handle.sent).toMatchObject([{ type: 'user.chat', text: 'see @nothing/at/all' }]);
  });

  it('closes the list as soon as something else is typed, and does nothing beside a word', async () => {
    const { tab, press, key, screen, input } = setUp();
    await tab('/co', /\/compact/u);
    press({ type: 'text', text: 'n' });
    expect(screen()).not.toMatch(/\/compact/u);
    key('ctrl-u');
    press({ type: 'text', text: 'plain words' });
    key('tab');
    expect(input()).toBe('plain words');
  });
});

it('Up walks to what was written before the session was opened again', () => {
  const { key, input } = setUp();
  key('up');
  expect(input()).toBe('written earlier');
});
