import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Published } from '../../../adapters/ports.ts';
import type { SessionView } from '../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../support/fake-handle.ts';
import { tuiPrograms, type TuiProgram, type TuiPrograms } from './tui-program.ts';

const turn = 'turn-1';
const plan = Array.from({ length: 400 }, (_, index) =>
  index === 389 ? '390. rm -rf the archive' : `plan line ${index + 1}`,
).join('\n');
const review = reviewView(plan, 'h1');
const sizes = [
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
];

let programs: TuiPrograms;
beforeAll(async () => {
  programs = await tuiPrograms();
});
afterAll(() => programs.end());

/** The overlay, open on the whole screen. */
async function opened(view: SessionView, size: { cols: number; rows: number }): Promise<TuiProgram> {
  const tui = await programs.run({ view }, size);
  await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
  tui.key('ctrlP');
  await tui.waitFor(/q close/u);
  expect(tui.buffer()).toBe('alternate');
  return tui;
}

async function closed(tui: TuiProgram): Promise<void> {
  await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
}

function times(tui: TuiProgram, text: string): number {
  return tui.history().filter((row) => row.includes(text)).length;
}

function message(text: string): Published {
  return { type: 'message.ended', turn, text };
}

describe.each(sizes)('the overlay at $cols×$rows', (size) => {
  it('B99, D46 reaches every line with keys, the keys in view all the time', async () => {
    const tui = await opened(review, size);
    expect(tui.screen()[0]).toMatch(/^Dark mode .*\[Editing\]$/u);
    expect(tui.screen()[1]).toMatch(/^lines 1–\d+ of 400/u);
    tui.key('end');
    const end = await tui.waitFor(/of 400$/mu);
    expect(end.join('\n')).toContain('plan line 400');
    for (let press = 0; !/rm -rf/u.test(tui.screen().join('\n')) && press < 20; press += 1) {
      const before = tui.screen()[1];
      tui.key('up');
      await tui.waitFor((rows) => rows[1] !== before);
    }
    expect(tui.screen().join('\n')).toMatch(/390\. rm -rf the archive/u);
    expect(tui.screen().join('\n')).toMatch(/a approve/u);
    tui.type(' ');
    tui.key('home');
    await tui.waitFor(/^lines 1–/mu);
    tui.key('pageDown');
    await tui.waitFor((rows) => !/^lines 1–/mu.test(rows.join('\n')));
  });

  it('D38, D45 approves the revision that is shown, and closes', async () => {
    const tui = await opened(review, size);
    await tui.order({
      do: 'reply',
      to: 'user.execute',
      answer: { kind: 'accepted', text: 'Approved. Building checklist…' },
    });
    await tui.press('a', () => tui.facts.length === 2);
    expect(await tui.sent('user.execute')).toMatchObject({ shown: 'h1' });
    await closed(tui);
    await tui.waitFor(/Approved\. Building/u);
  });

  it('D38 shows a refusal in place', async () => {
    const tui = await opened(review, size);
    await tui.order({
      do: 'reply',
      to: 'user.execute',
      answer: { kind: 'refused', code: 'BUSY', text: 'A turn runs.' },
    });
    await tui.press('a', /BUSY {2}A turn runs\./u);
    expect(tui.buffer()).toBe('alternate');
  });

  it('D38 asks before a discard, keeps on Esc, discards on d d', async () => {
    const tui = await opened(review, size);
    await tui.order({
      do: 'reply',
      to: 'user.discard',
      answer: { kind: 'accepted', text: 'Discarded. A copy is kept.' },
    });
    await tui.press('d', /Discard the session plan\?/u);
    tui.key('escape');
    await tui.waitFor(/Kept\./u);
    expect(tui.facts).toHaveLength(1);
    await tui.press('d', /Discard the session plan\?/u);
    // Only a press of its own counts as the second one: a held key is one press.
    const again = setInterval(() => tui.type('d'), 400);
    await tui.sent('user.discard').finally(() => clearInterval(again));
    await closed(tui);
    await tui.waitFor(/Discarded\. A copy is kept\./u);
  });

  it('D44 asks for changes with the plan in view; a pasted line end does not send', async () => {
    const tui = await opened(review, size);
    tui.type('r');
    await tui.waitFor(/Enter sends/u);
    tui.type('keep the flag');
    tui.paste('\nand a 完');
    const rows = await tui.waitFor(/and a 完/u);
    expect(rows.join('\n')).toMatch(/plan line 1/u);
    await tui.waitFor(() => tui.cursor().visible && tui.cursor().x === 2 + 8);
    expect(tui.screen()[tui.cursor().y]).toContain('and a 完');
    expect(tui.facts).toHaveLength(1);
    tui.key('enter');
    expect(await tui.sent('user.revise')).toMatchObject({ note: 'keep the flag\nand a 完', seen: 'h1' });
    await closed(tui);
  });

  it('B97 takes no paste as an answer, with or without its markers', async () => {
    const tui = await opened(review, size);
    tui.type('line1\rline2\rline3');
    tui.paste('\n');
    tui.paste('a');
    tui.key('end');
    await tui.waitFor(/of 400$/mu);
    await tui.press('d', /Discard the session plan\?/u);
    tui.paste('d');
    tui.paste('\n');
    tui.key('escape');
    await tui.waitFor(/Kept\./u);
    expect(tui.facts).toMatchObject([{ sent: { type: 'user.show' } }]);
  });

  it('D44 keeps the text it shows when the plan changes, and loads the new one on u', async () => {
    const tui = await opened(review, size);
    await tui.order({ do: 'see', view: reviewView('# New text', 'h2') });
    await tui.waitFor(/u load/u);
    expect(tui.screen().join('\n')).toMatch(/plan line 1/u);
    await tui.press('a', /text has changed/u);
    expect(tui.facts).toHaveLength(1);
    tui.type('u');
    await tui.waitFor(/# New text/u);
    await tui.press('a', () => tui.facts.length === 2);
    expect(tui.facts[1]).toMatchObject({ sent: { type: 'user.execute', shown: 'h2' } });
  });

  it('D44 loads the new text when the turn that wrote it has ended', async () => {
    const tui = await opened(running(review), size);
    await tui.order({ do: 'see', view: running(reviewView('# New text', 'h2')) });
    await tui.waitFor(/u load/u);
    await tui.order({ do: 'see', view: reviewView('# New text', 'h2') });
    const rows = await tui.waitFor(/# New text/u);
    expect(rows.join('\n')).not.toMatch(/plan line/u);
  });

  it('D47 says when it was decided elsewhere, and closes on a key', async () => {
    const tui = await opened(review, size);
    await tui.order({ do: 'see', view: checklistView(3, 0, { document: review.document }) });
    await tui.waitFor(/Decided elsewhere: Active/u);
    tui.type('a');
    await closed(tui);
    expect(tui.facts).toHaveLength(1);
  });

  it('leaves the transcript intact and prints once what came meanwhile', async () => {
    const tui = await programs.run({ view: review }, size);
    await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
    await tui.order({
      do: 'publish',
      events: Array.from({ length: 30 }, (_, index) => message(`before-${index}.`)),
    });
    await tui.waitFor(/before-29\.[\s\S]*\[Editing\]/u);
    for (const round of [1, 2]) {
      tui.key('ctrlP');
      await tui.waitFor(/q close/u);
      await tui.order({ do: 'publish', events: [message(`meanwhile-${round}.`)] });
      await tui.order({ do: 'see', view: { ...review, title: `Title ${round}` } });
      await tui.waitFor(new RegExp(`Title ${round}`, 'u'));
      tui.type('q');
      await closed(tui);
      await tui.waitFor(new RegExp(`meanwhile-${round}\\.[\\s\\S]*\\[Editing\\]`, 'u'));
    }
    for (let index = 0; index < 30; index += 1) expect(times(tui, `before-${index}.`)).toBe(1);
    expect(times(tui, 'meanwhile-1.')).toBe(1);
    expect(times(tui, 'meanwhile-2.')).toBe(1);
    expect(times(tui, '[Editing]')).toBe(1);
    expect(times(tui, 'plan line')).toBe(0);
  });

  it('follows a resize, also back on the inline screen', async () => {
    const tui = await opened(review, size);
    tui.resize(60, 16);
    await tui.waitFor((rows) => rows.length === 16 && rows[2] === '─'.repeat(60));
    expect(tui.screen().join('\n')).toMatch(/a approve/u);
    tui.type('q');
    await closed(tui);
    await tui.waitFor((rows) => rows.some((row) => row === '─'.repeat(60)));
  });
});

describe('the card and the bell', () => {
  it('D45, D50 rings once for a plan that became ready, and opens nothing by itself', async () => {
    const tui = await programs.run({}, { cols: 80, rows: 24 });
    const events: Published[] = [
      { type: 'turn.started', turn, kind: 'chat', label: null },
      { type: 'view', view: running(viewOf()) },
      { type: 'view', view: review },
      { type: 'turn.ended', turn, outcome: 'done', cause: null },
      { type: 'turn.started', turn, kind: 'chat', label: null },
      { type: 'view', view: running(review) },
      { type: 'view', view: review },
      { type: 'turn.ended', turn, outcome: 'done', cause: null },
      message('the end'),
    ];
    await tui.order({ do: 'publish', events });
    await tui.waitFor(/the end/u);
    expect(times(tui, 'Ready for your review')).toBe(1);
    expect(tui.bytes().split('\u0007')).toHaveLength(2);
    expect(tui.buffer()).toBe('normal');
  });

  it('D45 shows the text when /execute is refused for not having been shown, and the next one carries it', async () => {
    const tui = await programs.run({ view: review }, { cols: 80, rows: 24 });
    await tui.order({
      do: 'reply',
      to: 'user.execute',
      answer: { kind: 'refused', code: 'TEXT_CHANGED', text: 'Not shown.' },
    });
    tui.type('/execute\r');
    await tui.waitFor(/lines 1–\d+ of 400/u);
    expect(tui.facts[0]).toMatchObject({ sent: { type: 'user.execute', shown: null } });
    tui.type('q');
    await closed(tui);
    await tui.waitFor(/TEXT_CHANGED {2}Not shown\./u);
    await tui.order({ do: 'reply', to: 'user.execute', answer: { kind: 'accepted', text: 'Approved.' } });
    tui.type('/execute\r');
    await tui.waitFor(/Approved\./u);
    expect(tui.facts.at(-1)).toMatchObject({ sent: { type: 'user.execute', shown: 'h1' } });
  });
});
