import { describe, expect, it } from 'vitest';
import type { Press } from '../../../../adapters/tui/input/keys.ts';
import {
  newsFor,
  openOverlay,
  overlayPress,
  standing,
  type Overlay,
  type OverlaySize,
} from '../../../../adapters/tui/overlay/overlay.ts';
import { quietMs } from '../../../../adapters/tui/prompt/prompt.ts';
import type { SessionView } from '../../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../../support/fake-handle.ts';

const size: OverlaySize = { now: quietMs, page: 10, total: 40, cells: 77, fits: 'fits' };
const text = (value: string): Press => ({ type: 'text', text: value });
const key = (name: Extract<Press, { type: 'key' }>['name']): Press => ({ type: 'key', name });
const review = reviewView('# Plan', 'h1');

function press(view: SessionView, keys: readonly Press[], change: Partial<OverlaySize> = {}, opened = view) {
  let overlay: Overlay = openOverlay(opened, 0);
  let intent: ReturnType<typeof overlayPress>['intent'] = null;
  for (const one of keys) ({ overlay, intent } = overlayPress(overlay, view, one, { ...size, ...change }));
  return { overlay, intent };
}

const decisions = (change: Partial<SessionView['decisions']>): SessionView['decisions'] => ({
  ...viewOf().decisions,
  ...change,
});

describe('D38 answers', () => {
  it.each<[string, readonly Press[], unknown]>([
    ['a approves', [text('a')], { type: 'approve' }],
    ['d asks once more', [text('d')], null],
    ['Esc keeps', [text('d'), key('escape'), text('d')], null],
    ['another key keeps', [text('d'), text('x'), text('d')], null],
    ['q closes', [text('q')], { type: 'close' }],
    ['Esc closes', [key('escape')], { type: 'close' }],
    [
      'r and a note ask for changes',
      [text('r'), text('keep the flag'), key('enter')],
      { type: 'revise', note: 'keep the flag' },
    ],
    ['r alone sends nothing', [text('r'), key('enter')], null],
    ['Enter approves nothing', [key('enter')], null],
    ['a note is text, not keys', [text('r'), text('a'), text('d'), text('q')], null],
    ['Esc leaves the note', [text('r'), text('x'), key('escape'), text('a')], { type: 'approve' }],
    ['Ctrl+C closes while idle', [key('ctrl-c')], { type: 'close' }],
  ])('%s', (_name, keys, wanted) => {
    expect(press(review, keys).intent).toEqual(wanted);
  });

  it('d d discards, but a held key is one press', () => {
    const asked = press(review, [text('d')]).overlay;
    const at = (now: number) => overlayPress(asked, review, text('d'), { ...size, now });
    expect(at(size.now + 50)).toEqual({ overlay: asked, intent: null });
    expect(at(size.now + quietMs).intent).toEqual({ type: 'discard' });
  });

  it.each<[string, Press]>([
    ['a line end', { type: 'paste', text: '\n' }],
    ['the key itself', { type: 'paste', text: 'a' }],
    ['three lines', { type: 'paste', text: 'line1\nline2\nline3' }],
  ])('B97 a pasted %s approves nothing', (_name, paste) => {
    expect(press(review, [paste]).intent).toBeNull();
    expect(press(review, [text('d'), paste]).intent).toBeNull();
  });

  it('B97 pastes into the note with its line ends and sends nothing', () => {
    const step = press(review, [text('r'), { type: 'paste', text: 'one\ntwo\nthree' }]);
    expect(step).toMatchObject({ intent: null, overlay: { note: { text: 'one\ntwo\nthree' } } });
  });

  it('B98 takes no answer in the first moments', () => {
    for (const one of ['a', 'd']) {
      const early = press(review, [text(one)], { now: quietMs - 1 });
      expect(early).toMatchObject({ intent: null, overlay: { mode: 'reading' } });
      expect(early.overlay.message?.text).toContain(`press ${one} again`);
    }
    const typed = press(review, [...'1 more thing a'].map(text), { now: 0 });
    expect(typed.intent).toBeNull();
  });

  it('asks to stop a running turn with Ctrl+C', () => {
    expect(press(running(review), [key('ctrl-c')]).intent).toEqual({ type: 'stop' });
  });

  it('says why Approve is off and sends nothing', () => {
    const off = reviewView('x', 'h1', {
      decisions: decisions({ approve: 'off', why: 'a turn is running', revise: true }),
    });
    const step = press(off, [text('a')]);
    expect(step.intent).toBeNull();
    expect(step.overlay.message).toEqual({ level: 'error', text: 'Approve is off: a turn is running.' });
  });

  it('B99 approves nothing in a window that is too small to read in', () => {
    const step = press(review, [text('a')], { fits: 'tooSmall' });
    expect(step.intent).toBeNull();
    expect(step.overlay.message?.text).toContain('too small');
  });

  it('offers only what the engine offers', () => {
    const none = checklistView(3, 1, { decisions: decisions({}) });
    for (const one of ['a', 'd', 'r', 't', 'u'])
      expect(press(none, [text(one)])).toMatchObject({ intent: null, overlay: { mode: 'reading' } });
  });

  it('D48 tries again, approves the changed text, or restores the approved one', () => {
    const failed = { phase: 'seedFailedEmpty', seedError: 'empty' } as const;
    const retry = reviewView('x', 'h1', { ...failed, decisions: decisions({ retry: true }) });
    expect(press(retry, [text('a')]).intent).toEqual({ type: 'approve' });
    const changed = reviewView('x', 'h1', { ...failed, decisions: decisions({ restore: true }) });
    expect(press(changed, [text('a')]).intent).toEqual({ type: 'approveText' });
    expect(press(changed, [text('t')]).intent).toEqual({ type: 'restore' });
    const drifted = checklistView(2, 1, {
      document: review.document,
      decisions: decisions({ restore: true }),
    });
    expect(press(drifted, [text('a')]).intent).toBeNull();
    expect(press(drifted, [text('t')]).intent).toEqual({ type: 'restore' });
  });
});

describe('standing', () => {
  const at = (opened: SessionView, now: SessionView) => standing(openOverlay(opened, 0), now);

  it('D44 keeps the text it showed, takes Approve away and loads the new one on u', () => {
    const changed = reviewView('# Other', 'h2');
    expect(at(review, changed)).toBe('stale');
    const tried = press(changed, [text('a')], {}, review);
    expect(tried.intent).toBeNull();
    expect(tried.overlay).toMatchObject({ revision: { text: '# Plan' }, message: { level: 'error' } });
    expect(press(changed, [text('u')], {}, review).intent).toEqual({ type: 'load', hash: 'h2' });
    expect(press(review, [text('u')]).intent).toBeNull();
  });

  it.each<[string, SessionView, 'decided' | 'gone']>([
    ['approved elsewhere', checklistView(3, 0, { document: review.document }), 'decided'],
    ['discarded elsewhere', viewOf(), 'gone'],
  ])('D47 says that it was %s and closes on any key but a paste', (_name, now, wanted) => {
    expect(at(review, now)).toBe(wanted);
    expect(press(now, [text('a')], {}, review).intent).toEqual({ type: 'close' });
    expect(press(now, [{ type: 'paste', text: 'a' }], {}, review).intent).toBeNull();
  });

  it('stays open while a turn runs on a plan whose retry is only not possible now', () => {
    const failed = reviewView('x', 'h1', {
      phase: 'seedFailedEmpty',
      seedError: 'empty',
      decisions: decisions({ retry: true }),
    });
    expect(at(failed, running({ ...failed, decisions: decisions({}) }))).toBe('current');
  });

  it('does not call a checklist stale because its text has changed', () => {
    const open = checklistView(3, 1, { document: review.document });
    expect(at(open, { ...open, document: reviewView('y', 'h9').document })).toBe('current');
  });
});

describe('reading', () => {
  it.each<[string, readonly Press[], number]>([
    ['down', [key('down')], 1],
    ['space', [text(' ')], 10],
    ['page down keeps a row', [key('pageDown')], 9],
    ['the end', [key('end')], 30],
    ['not past the end', [key('end'), key('down'), text('   ')], 30],
    ['home', [key('end'), key('home')], 0],
    ['not before the start', [key('up')], 0],
  ])('scrolls: %s', (_name, keys, top) => {
    expect(press(review, keys).overlay.top).toBe(top);
  });

  it('turns between text and checklist with Tab, and only approves the text', () => {
    const both = checklistView(3, 1, { document: review.document, decisions: decisions({ retry: true }) });
    expect(openOverlay(both, 0).tab).toBe('text');
    const turned = press(both, [key('tab')]);
    expect(turned.overlay.tab).toBe('tasks');
    expect(press(both, [key('tab'), text('a')])).toMatchObject({ intent: null, overlay: { tab: 'text' } });
    expect(press(review, [key('tab')]).overlay.tab).toBe('text');
  });
});

describe('D49, B102 what changed, and the editor', () => {
  const base = { text: '# Old', from: 'seen' } as const;

  it('c asks what to compare with, and goes back to the text', () => {
    expect(press(review, [text('c')]).intent).toEqual({ type: 'changes' });
    const shown = { ...openOverlay(review, 0), tab: 'changes' as const, base, top: 3 };
    const back = overlayPress(shown, review, text('c'), size);
    expect(back).toEqual({ overlay: { ...shown, tab: 'text', top: 0 }, intent: null });
    expect(press(checklistView(3, 0), [text('c')]).intent).toBeNull();
  });

  it.each<[string, SessionView, string | null, boolean]>([
    ['another text was seen before', review, 'h0', true],
    ['this one was seen', review, 'h1', false],
    ['none was', review, null, false],
    ['there is no text', checklistView(3, 0), 'h0', false],
  ])('says that the text has changed since it was seen: %s', (_name, view, saw, wanted) => {
    const message = openOverlay(view, 0, newsFor({ view, saw })).message?.text ?? '';
    expect(message.startsWith('Changed since you saw it')).toBe(wanted);
  });

  it('approves nothing from the comparison, which is not the text', () => {
    const shown = { ...openOverlay(review, 0), tab: 'changes' as const, base };
    const step = overlayPress(shown, review, text('a'), size);
    expect(step).toMatchObject({ intent: null, overlay: { tab: 'text', message: { level: 'info' } } });
  });

  it('says in the comparison too that the text has changed since', () => {
    const shown = { ...openOverlay(review, 0), tab: 'changes' as const, base };
    expect(standing(shown, reviewView('# New', 'h2'))).toBe('stale');
  });

  it.each<[string, SessionView, unknown]>([
    ['in review', review, { type: 'edit', top: 0 }],
    [
      'after a seed without tasks',
      reviewView('# Plan', 'h1', { phase: 'seedFailedEmpty', seedError: 'empty', decisions: decisions({}) }),
      { type: 'edit', top: 0 },
    ],
    ['not while a turn runs', running(review), null],
    ['not once it is frozen', checklistView(3, 0, { document: review.document }), null],
  ])('e opens the editor: %s', (_name, view, wanted) => {
    expect(press(view, [text('e')]).intent).toEqual(wanted);
  });

  it('says why the editor stays shut', () => {
    expect(press(running(review), [text('e')]).overlay.message?.text).toBe('Edit is off: a turn is running.');
    expect(press(review, [text('e')], { now: 0 }).intent).toBeNull();
  });

  it('scrolls with the wheel', () => {
    const down = press(review, [key('wheelDown'), key('wheelDown'), key('wheelUp')]).overlay;
    expect(down.top).toBe(3);
  });
});
