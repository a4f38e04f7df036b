import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prompt, Published } from '../../../adapters/ports.ts';
import { checklistView, running, viewOf } from '../../support/fake-handle.ts';
import { tuiPrograms, type TuiProgram, type TuiPrograms } from './tui-program.ts';

const turn = 'turn-1';
const sizes = [
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
];

let programs: TuiPrograms;
beforeAll(async () => {
  programs = await tuiPrograms();
});
afterAll(() => programs.end());

function since(): string {
  return new Date().toISOString();
}

/** A turn with `count` messages and calls, from its beginning to its end. */
function wholeTurn(count: number): Published[] {
  const middle = Array.from({ length: count }, (_, index): Published[] => [
    { type: 'text', turn, text: `Message ` },
    { type: 'text', turn, text: `number ${index}.` },
    { type: 'message.ended', turn, text: `Message number ${index}.` },
    { type: 'tool.started', turn, call: `${index}`, name: 'bash', summary: `step-${index}` },
    { type: 'tool.ended', turn, call: `${index}`, name: 'bash', text: 'ok', failed: false },
  ]);
  return [
    { type: 'turn.started', turn, kind: 'chat', label: 'rehearsal model, fixed rules' },
    { type: 'user', turn, text: 'go', from: 'person' },
    ...middle.flat(),
    { type: 'turn.ended', turn, outcome: 'done', cause: null },
  ];
}

function times(rows: readonly string[], text: string): number {
  return rows.filter((row) => row.includes(text)).length;
}

/** The frame was drawn for this width and input: no rule is left that the terminal itself has wrapped. */
function settled(rows: readonly string[], cols: number, input: string): boolean {
  const rules = rows.filter((row) => row.startsWith('─'));
  return rules.length > 0 && rules.every((row) => row.length === cols) && rows.includes(`› ${input}`);
}

describe.each(sizes)('the inline screen at $cols×$rows', (size) => {
  it('B95 takes typed text, wide characters and all, and keeps the cursor behind them', async () => {
    const tui = await programs.run({}, size);
    tui.type('完了 ok e\u0301');
    const rows = await tui.waitFor(/› 完了 ok/u);
    await tui.waitFor(() => tui.cursor().x === 2 + 9);
    expect(rows[tui.cursor().y]).toMatch(/^› 完了 ok/u);
    tui.key('left');
    await tui.waitFor(() => tui.cursor().x === 2 + 8);
    tui.key('enter');
    expect(await tui.sent('user.chat')).toMatchObject({
      text: '完了 ok e\u0301',
      by: { surface: 'tui', owner: true },
    });
  });

  it('B97 submits fast typing and no paste, with or without its markers', async () => {
    const tui = await programs.run({}, size);
    tui.type('fast\r');
    expect(await tui.sent('user.chat')).toMatchObject({ text: 'fast' });
    tui.type('line1\rline2\rline3');
    await tui.waitFor(/line1\n.*line2\n.*line3/u);
    tui.paste('\nfour\n');
    await tui.waitFor(/four/u);
    expect(tui.facts).toHaveLength(1);
    tui.key('enter');
    await tui.fact(
      (fact) => 'sent' in fact && fact.sent.type === 'user.chat' && fact.sent.text.includes('four'),
    );
    expect(tui.facts.at(-1)).toMatchObject({ sent: { text: 'line1\nline2\nline3\nfour\n' } });
  });

  it('B97 puts a paste together that came in two chunks', async () => {
    const tui = await programs.run({}, size);
    tui.type('\u001b[200~one\ntwo\u001b[2');
    tui.type('01~ three');
    await tui.waitFor(/one\n.*two three/u);
    expect(tui.facts).toEqual([]);
  });

  it('B92 prints a long turn once, below what the shell had printed, and never wipes the scrollback', async () => {
    const tui = await programs.run({ notices: ['a notice of the config'] }, size);
    await tui.order({ do: 'see', view: running(checklistView(9, 4), { since: since() }) });
    await tui.order({ do: 'publish', events: wholeTurn(30) });
    await tui.waitFor(/step-29[\s\S]*\[Active\]/u);
    const all = tui.history();
    for (let index = 0; index < 30; index += 1) {
      expect(times(all, `Message number ${index}.`)).toBe(1);
      expect(times(all, `step-${index} `)).toBe(1);
    }
    expect(times(all, 'rehearsal model, fixed rules')).toBe(1);
    expect(times(all, 'a notice of the config')).toBe(1);
    expect(times(all, 'Dark mode')).toBe(1);
    expect(tui.bytes()).not.toContain('\u001b[3J');
    expect(tui.bytes()).not.toContain('\u001b[2J');
  });

  it('draws the newest rows of a long stream with the strip in view', async () => {
    const tui = await programs.run({}, size);
    await tui.order({ do: 'see', view: running(checklistView(7, 2), { since: since() }) });
    const text = Array.from({ length: 60 }, (_, index) => `- row ${index}\n`).join('');
    await tui.order({ do: 'publish', events: [{ type: 'text', turn, text }] });
    const rows = await tui.waitFor(/row 59[\s\S]*\[Active\]/u);
    expect(rows.join('\n')).toMatch(/2\/7/u);
    expect(rows.join('\n')).toMatch(/▸ 3 Task number 3/u);
    expect(rows.join('\n')).toMatch(/\[Active\]/u);
    expect(times(tui.history(), 'row 0')).toBe(0);
    await tui.order({ do: 'publish', events: [{ type: 'message.ended', turn, text }] });
    await tui.waitFor(() => times(tui.history(), 'row 0') === 1);
    expect(times(tui.history(), 'row 59')).toBe(1);
  });

  it('B101 makes control bytes of every content visible', async () => {
    const tui = await programs.run({}, size);
    const nasty = 'A\u001b]52;c;ZWNobyBoaQ==\u0007 \u001b[2J\u001b[H\u009b2J \u202egpj';
    const view = checklistView(2, 0, { title: nasty, goal: { user: nasty, task: null } });
    await tui.order({ do: 'see', view });
    await tui.order({
      do: 'publish',
      events: [
        { type: 'user', turn, text: nasty, from: 'person' },
        { type: 'message.ended', turn, text: nasty },
        { type: 'tool.started', turn, call: 'c', name: nasty, summary: nasty },
        { type: 'tool.ended', turn, call: 'c', name: nasty, text: nasty, failed: true },
        { type: 'notice', level: 'error', text: `${nasty} end` },
      ],
    });
    await tui.waitFor(/gpj end/u);
    const bytes = tui.bytes();
    expect(bytes).toContain('␛]52;c;');
    for (const acting of ['\u001b]52', '\u001b[2J', '\u001b[H', '\u009b', '\u202e', '\u0007']) {
      expect(bytes).not.toContain(acting);
    }
  });

  it('asks for an approval, scrolls it, and sends one answer', async () => {
    const body = Array.from({ length: 40 }, (_, index) => `+line ${index}`).join('\n');
    const prompt: Prompt = {
      id: 'p1',
      kind: 'approval',
      tool: 'edit_file',
      title: 'edit_file src/a.ts',
      body,
      folder: '/home/ada/project',
      sandbox: null,
    };
    const tui = await programs.run({}, size);
    tui.type('my draft');
    // Keys that are still on their way would meet the question instead of the input.
    await tui.waitFor(/my draft/u);
    await tui.order({ do: 'see', view: running(checklistView(7, 2), { since: since() }) });
    await tui.order({ do: 'open', prompt });
    const rows = await tui.waitFor(/Allow\? edit_file src\/a.ts/u);
    expect(rows.join('\n')).toMatch(/y once/u);
    expect(rows.join('\n')).not.toMatch(/my draft/u);
    expect(tui.cursor().visible).toBe(false);
    tui.key('end');
    await tui.waitFor(/\+line 39/u);
    await tui.press('s', /my draft/u);
    expect(tui.facts).toEqual([{ answer: { kind: 'approval', allow: 'session' }, open: true }]);
    await tui.order({ do: 'publish', events: wholeTurn(2) });
    await tui.waitFor(/step-1[\s\S]*\[Active\]/u);
    expect(tui.wipes()).toBe(0);
    expect(times(tui.history(), 'my draft')).toBe(1);
  });

  it('answers a question with what is typed, and sends no chat', async () => {
    const tui = await programs.run({}, size);
    const prompt: Prompt = {
      id: 'q',
      kind: 'question',
      question: 'Which way?',
      options: ['Design', 'Checklist'],
    };
    await tui.order({ do: 'see', view: running(viewOf(), { since: since() }) });
    await tui.order({ do: 'open', prompt });
    await tui.waitFor(/2 Checklist/u);
    tui.type('2');
    await tui.waitFor(/› 2/u);
    await tui.press('\r', (rows) => !rows.join('\n').includes('Which way?'));
    expect(tui.facts).toEqual([{ answer: { kind: 'question', text: 'Checklist' }, open: true }]);
  });

  it('D40 stops on Esc Esc and on Ctrl+C, and shows what the engine answers', async () => {
    const tui = await programs.run({}, size);
    await tui.order({
      do: 'reply',
      to: 'user.stop',
      answer: { kind: 'info', code: 'STOPPING', text: 'Already stopping.' },
    });
    await tui.order({ do: 'see', view: running(viewOf(), { since: since() }) });
    await tui.waitFor(/Esc Esc stops/u);
    tui.key('escape');
    await tui.waitFor(/Press Esc again/u);
    tui.key('escape');
    await tui.sent('user.stop');
    await tui.waitFor(/STOPPING/u);
    tui.key('ctrlC');
    await tui.fact(() => tui.facts.length === 2);
    expect(tui.facts[1]).toMatchObject({ sent: { type: 'user.stop' } });
  });

  it('keeps the transcript through a resize', async () => {
    const tui = await programs.run({}, size);
    await tui.order({ do: 'publish', events: wholeTurn(3) });
    await tui.order({ do: 'see', view: checklistView(5, 2) });
    await tui.waitFor(/2\/5/u);
    let draft = 'draft';
    tui.type(draft);
    await tui.waitFor(/› draft/u);
    for (const [cols, rows] of [
      [70, 24],
      [50, 24],
      [45, 12],
      [size.cols, size.rows],
    ] as const) {
      tui.resize(cols, rows);
      await tui.waitFor((shown) => settled(shown, cols, draft));
      // What was typed after the resize is drawn after it, so nothing of the resize is still to come.
      tui.type('x');
      draft += 'x';
      await tui.waitFor((shown) => settled(shown, cols, draft));
      expect(times(tui.history(), 'Dark mode')).toBe(1);
    }
    for (const index of [0, 1, 2]) expect(times(tui.history(), `Message number ${index}.`)).toBe(1);
  });
});

describe('a resize', () => {
  const question: Prompt = { id: 'q', kind: 'question', question: 'Which way?', options: ['Design', 'List'] };

  it.each<[string, (tui: TuiProgram) => Promise<unknown>, string]>([
    [
      'an open question',
      async (tui) => {
        await tui.order({ do: 'see', view: running(viewOf(), { since: since() }) });
        await tui.order({ do: 'open', prompt: question });
      },
      'Which way?',
    ],
    ['a list of choices', async (tui) => tui.type('/s\t'), 'read the plan'],
    [
      'a message that is being written by the model',
      async (tui) => {
        await tui.order({ do: 'see', view: running(checklistView(7, 2), { since: since() }) });
        await tui.order({ do: 'publish', events: [{ type: 'text', turn, text: 'half a message' }] });
      },
      'half a message',
    ],
  ])('keeps %s, once', async (_name, open, shown) => {
    const tui = await programs.run({}, { cols: 80, rows: 24 });
    await open(tui);
    await tui.waitFor((rows) => rows.join('\n').includes(shown));
    for (const [cols, rows] of [
      [44, 14],
      [120, 40],
      [60, 20],
    ] as const) {
      tui.resize(cols, rows);
      await tui.waitFor((now) => {
        const rules = now.filter((row) => row.startsWith('─'));
        return rules.length > 0 && rules.every((row) => row.length === cols) && times(now, shown) === 1;
      });
    }
    expect(tui.facts).toEqual([]);
  });
});

describe('redraws', () => {
  it('B93 writes little for a tick of the clock, and nothing else with it', async () => {
    const tui = await programs.run({}, { cols: 100, rows: 30 });
    await tui.order({ do: 'see', view: running(checklistView(7, 2), { since: since() }) });
    await tui.waitFor(/working [1-9]\d* s/u);
    const before = tui.bytes().length;
    const [, shown = ''] = /working (\d+) s/u.exec(tui.screen().join('\n')) ?? [];
    await tui.waitFor(new RegExp(`working ${Number(shown) + 2} s`, 'u'));
    const written = tui.bytes().slice(before);
    expect(written.length).toBeLessThan(1000);
    expect(written).not.toContain('Task number');
  });

  it.each([
    ['colours where the terminal has them', undefined, true],
    ['no colour with NO_COLOR', '1', false],
  ])('sends %s', async (_name, value, wanted) => {
    const tui = await programs.run({}, { cols: 80, rows: 24, env: { NO_COLOR: value } });
    await tui.order({ do: 'see', view: checklistView(3, 1) });
    await tui.waitFor(/1\/3/u);
    // eslint-disable-next-line no-control-regex -- SGR colours begin with ESC
    expect(/\u001b\[(?:3[0-7]|9[0-7]|38)[;m]/u.test(tui.bytes())).toBe(wanted);
    expect(tui.screen().join('\n')).toMatch(/\[Active\]/u);
  });
});
