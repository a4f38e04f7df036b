import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineText, lineWidth } from '../../adapters/tui/lines.ts';
import { stripLines } from '../../adapters/tui/chrome/strip.ts';
import { graphemes } from '../../adapters/tui/text.ts';
import { tuiPrograms, type TuiProgram, type TuiPrograms } from '../adapters/tui/tui-program.ts';
import { checklistView, reviewView, running } from '../support/fake-handle.ts';

const size = { cols: 80, rows: 24 };
const plan = Array.from({ length: 400 }, (_, index) => `plan line ${index + 1}`).join('\n');
const review = reviewView(plan, 'h1');

let programs: TuiPrograms;
beforeAll(async () => {
  programs = await tuiPrograms();
});
afterAll(() => programs.end());

const since = (): string => new Date().toISOString();

/** What was sent that decides about the plan. */
function decisions(tui: TuiProgram): string[] {
  const sent = tui.facts.flatMap((fact) => ('sent' in fact ? [fact.sent.type] : []));
  return sent.filter((type) => /execute|approveText|discard|revise|restore/u.test(type));
}

describe('H. terminal', () => {
  it('B92 what the shell has printed is still there after a long plan was open and a clock ran', async () => {
    const env = {
      PROMPT_COMMAND: 'unset PROMPT_COMMAND; for n in $(seq 100); do echo "shell line $n."; done',
    };
    const tui = await programs.shell({ view: running(review, { since: since() }) }, { ...size, env });
    await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
    tui.key('ctrlP');
    await tui.waitFor(/of 400/u);
    for (let tick = 0; tick < 20; tick += 1) {
      await tui.order({
        do: 'see',
        view: running({ ...review, title: `Title ${tick}` }, { since: since() }),
      });
      await tui.waitFor(new RegExp(`Title ${tick} `, 'u'));
    }
    tui.type('q');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    expect(tui.bytes()).not.toContain('\u001b[3J');
    const rows = tui.history();
    for (let line = 1; line <= 100; line += 1) {
      expect(rows.filter((row) => row === `shell line ${line}.`)).toHaveLength(1);
    }
  });

  it('B93 an open plan draws nothing while a clock runs behind it', async () => {
    const tui = await programs.run({ view: running(review, { since: since() }) }, size);
    await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
    await tui.waitFor(/working \d+ s/u);
    tui.key('ctrlP');
    await tui.waitFor(/of 400/u);
    const from = Date.now();
    const before = tui.bytes().length;
    // Three ticks of the clock: nothing tells of them, and that is the point.
    await expect.poll(() => Date.now() - from, { timeout: 5000 }).toBeGreaterThan(3200);
    const written = tui.bytes().length - before;
    expect(written).toBeLessThan(600);
    tui.key('end');
    const rows = await tui.waitFor(/of 400$/mu);
    expect(rows).toHaveLength(size.rows);
    expect(rows[0]).toMatch(/^Dark mode/u);
    expect(tui.wipes()).toBe(0);
  });

  it.each(['✅ 完了', '⏳ ждём', '⚠️ warn', '❤️‍🔥', '👩‍💻 dev', 'e\u0301', '한국어 계획'])(
    'B95 %s is cut to the width, between characters, never in one',
    (piece) => {
      const whole = new Set(graphemes(`${piece} `.repeat(2)));
      for (let cells = 40; cells <= 60; cells += 1) {
        const view = checklistView(3, 1, { title: `${piece} `.repeat(30) });
        const lines = stripLines(view, cells, 5);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(cells);
        const [title = ''] = lineText(lines[0] ?? []).split('…');
        for (const part of graphemes(title)) expect(whole).toContain(part);
      }
    },
  );

  it('B98 what is still being typed when the plan opens is no answer, and a note is text', async () => {
    const tui = await programs.run({ view: review }, size);
    await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
    // One chunk: what comes later, when the plan is open already, is no text any more.
    tui.type('\u00101 amore adding\r');
    await tui.waitFor(/of 400/u);
    await tui.sent('user.chat');
    expect(decisions(tui)).toEqual([]);
    tui.key('escape');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    await tui.press('\u0010', /q close/u);
    tui.type('r');
    await tui.waitFor(/Enter sends/u);
    tui.type('a d 1 more thing');
    await tui.waitFor(/a d 1 more thing/u);
    tui.key('enter');
    expect(await tui.sent('user.revise')).toMatchObject({ note: 'a d 1 more thing' });
    expect(decisions(tui)).toEqual(['user.revise']);
  });
});
