import { describe, expect, it } from 'vitest';
import { actor, createController, type Leaving } from '../../../adapters/tui/controller.ts';
import type { KeyName, Press } from '../../../adapters/tui/input/keys.ts';
import { mainPress } from '../../../adapters/tui/main-press.ts';
import { act } from '../../../adapters/tui/overlay/act.ts';
import { initialState } from '../../../adapters/tui/state.ts';
import { createStore } from '../../../adapters/tui/store.ts';
import type { Answer, Said, SessionView } from '../../../machines/index.ts';
import { fakeHandle, running, viewOf } from '../../support/fake-handle.ts';

function setUp(view: SessionView = viewOf()) {
  const handle = fakeHandle({ view });
  const store = createStore(initialState(view, []));
  handle.subscribe((published) => store.dispatch({ type: 'published', published, now: 0 }));
  const left: Leaving[] = [];
  const clock = { now: 0 };
  const controller = createController({
    handle,
    store,
    sessions: null,
    leave: (leaving) => void left.push(leaving),
    now: () => clock.now,
  });
  const edit = (): { close: true } => ({ close: true });
  const deps = {
    store,
    controller,
    handle,
    edit,
    sessions: 'fixed' as const,
    home: '/home/ada',
    now: () => clock.now,
  };
  const press = (...presses: readonly Press[]): void => {
    for (const one of presses) mainPress(one, deps, { columns: 80, rows: 24 });
  };
  const notices = (): string[] =>
    store
      .get()
      .transcript.items.map((item) =>
        item.type === 'notice' ? `${item.level} ${item.code ?? '-'} ${item.text}` : item.type,
      );
  return { handle, store, controller, left, clock, deps, press, notices };
}

const key = (name: KeyName): Press => ({ type: 'key', name });
const text = (value: string): Press => ({ type: 'text', text: value });
const by = actor;
const busy: Answer = { kind: 'refused', code: 'BUSY', text: 'A turn runs.' };

describe('what a line sends', () => {
  it.each<[string, Said]>([
    ['hello', { type: 'user.chat', by, text: 'hello', origin: 'typed' }],
    ['/plan', { type: 'user.plan', by }],
    ['/plan add it', { type: 'user.plan', by, text: 'add it' }],
    ['/show_plan', { type: 'user.show', by }],
    ['/execute', { type: 'user.execute', by, shown: null }],
    ['/discard', { type: 'user.discard', by }],
    ['/stop', { type: 'user.stop', by }],
    ['/continue', { type: 'user.continue', by }],
    ['/compact', { type: 'user.compact', by }],
    ['/approve yolo', { type: 'user.policy', by, yolo: true }],
    ['/approve ask', { type: 'user.policy', by, yolo: false }],
    ['/goal ship', { type: 'user.goal', by, text: 'ship' }],
    ['/goal clear', { type: 'user.goal', by, text: null }],
  ])('%s', async (line, said) => {
    const { controller, handle } = setUp();
    await controller.submit(line);
    expect(handle.sent).toEqual([said]);
  });

  it.each(['/approve', '/goal', '/model', '/help', '/nothing', '/discard it'])(
    '%s is answered here',
    async (line) => {
      const { controller, handle, notices } = setUp();
      await controller.submit(line);
      expect(handle.sent).toEqual([]);
      expect(notices()).toHaveLength(1);
    },
  );

  it('D2 shows the policy with how plans are approved', async () => {
    const { controller, notices } = setUp(viewOf({ policy: 'yolo' }));
    await controller.submit('/approve');
    expect(notices()[0]).toMatch(/yolo.*\/execute/u);
  });

  it('shows both goals', async () => {
    const { controller, notices } = setUp(viewOf({ goal: { user: 'Ship', task: 'Task 1' } }));
    await controller.submit('/goal');
    expect(notices()[0]).toContain('Ship');
    expect(notices()[0]).toContain('Task 1');
  });
});

describe('/model', () => {
  it('alone names the model in use and how to choose', async () => {
    const { controller, handle, notices } = setUp();
    await controller.submit('/model');
    expect(notices()[0]).toMatch(
      /^info - Model: rehearsal model\. .*openai:<model>.*anthropic:<model>.*rehearsal/u,
    );
    expect(handle.models).toEqual([]);
  });

  it.each([
    [null, 'info - The next turn asks openai:x.'],
    [busy, 'error BUSY A turn runs.'],
    [{ kind: 'wrong', text: 'That is no model.' }, 'error - That is no model. The model stays rehearsal.'],
    [new Error('EIO'), 'error - EIO'],
  ] as const)('with a name: %j', async (reply, wanted) => {
    const { controller, handle, notices } = setUp();
    handle.modelReply = reply;
    await controller.submit('/model openai:x');
    expect({ notices: notices(), models: handle.models, sent: handle.sent }).toEqual({
      notices: [wanted],
      models: ['openai:x'],
      sent: [],
    });
  });
});

describe('what an answer does', () => {
  it.each<[Answer, string]>([
    [busy, 'error BUSY A turn runs.'],
    [{ kind: 'info', code: 'DISCARDING', text: 'Already.' }, 'info DISCARDING Already.'],
    [{ kind: 'queued', text: 'Waits.' }, 'wait - Waits.'],
    [{ kind: 'accepted', text: 'Discarded, copy in x.' }, 'info - Discarded, copy in x.'],
  ])('prints %j', async (answer, wanted) => {
    const { controller, handle, notices } = setUp();
    handle.reply(() => answer);
    await controller.submit('/discard');
    expect(notices()).toEqual([wanted]);
  });

  it('says nothing when a message is taken, and gives it back when it is not', async () => {
    const { controller, handle, notices, store } = setUp();
    handle.reply(() => ({ kind: 'accepted', text: 'Started.' }));
    await controller.submit('hello');
    expect(notices()).toEqual([]);
    expect(store.get().editor.text).toBe('');
    handle.reply(() => ({ kind: 'info', code: 'ALREADY_EDITING', text: 'Plan mode is on.' }));
    await controller.submit('/plan add it');
    expect(store.get().editor.text).toBe('/plan add it');
  });

  it('turns an outside failure into a notice and keeps the text', async () => {
    const { controller, handle, notices, store } = setUp();
    handle.reply(() => new Error('EROFS: /home/ada/plan.json'));
    await controller.submit('hello');
    expect(notices()).toEqual(['error - EROFS: /home/ada/plan.json']);
    expect(store.get().editor.text).toBe('hello');
  });

  it('opens the plan when there is something to see, else says why not', async () => {
    const { controller, handle, store, notices } = setUp();
    handle.reply(() => ({ kind: 'info', code: 'NO_PLAN', text: 'There is no active plan.' }));
    await controller.submit('/show-plan');
    expect(store.get().overlay).toBe('closed');
    expect(notices()).toEqual(['info NO_PLAN There is no active plan.']);
    handle.reply(() => ({ kind: 'view', text: '' }));
    await controller.submit('/show-plan');
    expect(store.get().overlay).toBe('open');
  });

  it('D45 sends the revision that was shown, and shows the text when another one is refused', async () => {
    const { controller, handle, store } = setUp();
    store.dispatch({ type: 'shown', hash: 'h1', text: '# One' });
    handle.reply(() => ({ kind: 'refused', code: 'TEXT_CHANGED', text: 'Changed.' }));
    await controller.submit('/execute');
    expect(handle.sent).toEqual([{ type: 'user.execute', by, shown: 'h1' }]);
    expect(store.get().overlay).toBe('open');
  });
});

describe('D40 stopping and leaving', () => {
  it('stops on Esc Esc within three seconds, and not on Esc once', () => {
    const { press, handle, clock, store } = setUp(running(viewOf()));
    press(key('escape'));
    expect(handle.sent).toEqual([]);
    expect(store.get().armed?.text).toContain('Esc again');
    clock.now = 3000;
    press(key('escape'));
    expect(handle.sent).toEqual([]);
    clock.now = 5999;
    press(key('escape'));
    expect(handle.sent).toEqual([{ type: 'user.stop', by }]);
  });

  it('stops on Ctrl+C once while busy, also when the text is not empty', () => {
    const { press, handle, left } = setUp(running(viewOf()));
    press(text('draft'), key('ctrl-c'));
    expect(handle.sent).toEqual([{ type: 'user.stop', by }]);
    expect(left).toEqual([]);
  });

  it('asks before it leaves while idle', () => {
    const { press, left, clock, store } = setUp();
    press(key('ctrl-c'));
    expect(left).toEqual([]);
    expect(store.get().armed?.text).toContain('again to leave');
    clock.now = 3001;
    press(key('ctrl-c'));
    expect(left).toEqual([]);
    press(key('ctrl-c'));
    expect(left).toEqual([{ reason: 'left' }]);
  });

  it('leaves at once on /quit, but asks while a turn runs', async () => {
    const idle = setUp();
    await idle.controller.submit('/quit');
    expect(idle.left).toHaveLength(1);
    const active = setUp(running(viewOf()));
    await active.controller.submit('/quit');
    expect(active.left).toHaveLength(0);
    await active.controller.submit('/quit');
    expect(active.left).toHaveLength(1);
  });
});

describe('keys on the inline screen', () => {
  const approval = {
    id: 'p',
    kind: 'approval',
    tool: 'bash',
    title: 'bash',
    body: 'ls',
    folder: '/p',
    sandbox: null,
  } as const;

  it('submits on Enter and not on a paste', () => {
    const { press, handle, store } = setUp();
    press({ type: 'paste', text: 'one\ntwo\n' });
    expect(handle.sent).toEqual([]);
    expect(store.get().editor.text).toBe('one\ntwo\n');
    press(key('enter'));
    expect(handle.sent).toMatchObject([{ type: 'user.chat', text: 'one\ntwo\n' }]);
    expect(store.get().editor.text).toBe('');
  });

  it('begins a new line after a backslash', () => {
    const { press, handle, store } = setUp();
    press(text('one\\'), key('enter'), text('two'));
    expect(store.get().editor.text).toBe('one\ntwo');
    expect(handle.sent).toEqual([]);
  });

  it('answers the open question and keeps the draft', () => {
    const { press, handle, store, clock } = setUp(running(viewOf()));
    press(text('draft'));
    handle.open(approval);
    clock.now = 1000;
    press(text('y'));
    expect(handle.answers).toEqual([{ prompt: 'p', answer: { kind: 'approval', allow: 'once' } }]);
    expect(store.get()).toMatchObject({ prompt: null, editor: { text: 'draft' } });
  });

  it('says that a question is no longer open', () => {
    const { press, store, clock, notices } = setUp(running(viewOf()));
    store.dispatch({
      type: 'published',
      published: { type: 'prompt.opened', turn: 't', prompt: approval },
      now: 0,
    });
    clock.now = 1000;
    press(text('y'));
    expect(notices()).toEqual(['info - That question is no longer open.']);
  });

  it('stops the turn from inside a question', () => {
    const { press, handle } = setUp(running(viewOf()));
    handle.open(approval);
    press(key('ctrl-c'));
    expect(handle.sent).toEqual([{ type: 'user.stop', by }]);
  });
});

describe('what the overlay sends', () => {
  it.each([
    [{ type: 'approve' }, { type: 'user.execute', by, shown: 'h1' }],
    [{ type: 'approveText' }, { type: 'user.approveText', by, shown: 'h1' }],
    [{ type: 'restore' }, { type: 'user.restore', by }],
    [{ type: 'discard' }, { type: 'user.discard', by }],
    [
      { type: 'revise', note: 'n' },
      { type: 'user.revise', by, note: 'n', seen: 'h1' },
    ],
    [{ type: 'stop' }, { type: 'user.stop', by }],
  ] as const)('%j', async (intent, said) => {
    const { deps, handle } = setUp();
    await act(intent, 'h1', deps);
    expect(handle.sent).toEqual([said]);
  });

  it('D38 stays open on a refusal and shows it in place', async () => {
    const { deps, handle, notices } = setUp();
    handle.reply(() => busy);
    const outcome = await act({ type: 'approve' }, 'h1', deps);
    expect(outcome).toEqual({ close: false, message: { level: 'error', text: 'BUSY  A turn runs.' } });
    expect(notices()).toEqual([]);
  });

  it('closes on an accepted answer and prints it', async () => {
    const { deps, handle, notices } = setUp();
    handle.reply(() => ({ kind: 'accepted', text: 'Discarded. A copy is kept.' }));
    expect(await act({ type: 'discard' }, 'h1', deps)).toEqual({ close: true });
    expect(notices()).toEqual(['info - Discarded. A copy is kept.']);
  });

  it('goes on reading after a stop or a restore', async () => {
    const { deps } = setUp();
    expect(await act({ type: 'stop' }, 'h1', deps)).toMatchObject({ close: false });
    expect(await act({ type: 'restore' }, 'h1', deps)).toMatchObject({ close: false });
  });
});

describe('D26 keys for what waits, at an empty input', () => {
  const waiting = { surface: 'tui', kind: 'user.chat', owner: 'here', state: 'waiting' } as const;
  const left = { ...waiting, owner: 'elsewhere', state: 'not sent' } as const;
  const queue = [
    { ...left, id: 'old', text: 'old' },
    { ...waiting, id: 'first', text: 'first' },
    { ...waiting, id: 'last', text: 'last' },
  ];

  it.each<[KeyName, Said]>([
    ['ctrl-s', { type: 'queue.send', by, item: 'old' }],
    ['ctrl-x', { type: 'queue.drop', item: 'old' }],
    ['up', { type: 'queue.drop', item: 'last' }],
  ])('%s', (name, said) => {
    const { press, handle } = setUp(running(viewOf({ queue })));
    // Pressed twice before the answer is there, it still is one act.
    press(key(name), key(name));
    expect(handle.sent).toEqual([said]);
  });

  it('belong to the text once there is one', () => {
    const { press, handle, store } = setUp(viewOf({ queue }));
    press(text('a'), key('ctrl-s'), key('ctrl-x'), key('up'));
    expect(handle.sent).toEqual([]);
    expect(store.get().editor.text).toBe('a');
  });

  it('without such a message Up walks through what was written, and the others do nothing', () => {
    const { press, handle, store } = setUp(viewOf({ queue: [{ ...waiting, ...left, id: 'x', text: 'x' }] }));
    press(text('one'), key('enter'), key('up'));
    expect(store.get().editor.text).toBe('one');
    const empty = setUp(viewOf({ queue: [{ ...waiting, id: 'x', text: 'x' }] }));
    empty.press(key('ctrl-s'), key('ctrl-x'));
    expect([handle.sent.map(({ type }) => type), empty.handle.sent]).toEqual([['user.chat'], []]);
  });

  it('what comes back is the draft again, and a refusal is shown', async () => {
    const { press, handle, store, notices } = setUp(viewOf({ queue }));
    handle.reply(() => ({ kind: 'info', code: 'NOTHING_QUEUED', text: 'It was sent.' }));
    press(key('ctrl-s'));
    await expect.poll(notices).toEqual(['info NOTHING_QUEUED It was sent.']);
    handle.publish({ type: 'returned', text: 'last' });
    expect(store.get().editor).toMatchObject({ text: 'last', cursor: 4 });
    press(key('up'));
    expect(handle.sent).toHaveLength(1);
  });
});
