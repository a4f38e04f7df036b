import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedLine } from '../../../adapters/telegram/html/plan-lines.ts';
import { planInFull, planSections } from '../../../adapters/telegram/html/plan-sections.ts';
import { entityCount, richHtml } from '../../../adapters/telegram/html/render.ts';
import { plainText, type Rich, richLength } from '../../../adapters/telegram/html/rich.ts';
import { messageLimits, split } from '../../../adapters/telegram/html/split.ts';
import { scanDocument, type SessionView } from '../../../machines/index.ts';
import { formatted } from '../../support/bot-api/text.ts';
import { checklistView, reviewView, viewOf } from '../../support/fake-handle.ts';

const golden = readFileSync(new URL('../../fixtures/golden-plan.md', import.meta.url), 'utf8');
const footer = 'ctx: 8K/200K 4%';
const sections = (view: SessionView, units = 4096) =>
  planSections(view, { footer, limits: { units, entities: 100 } });

/** The lines that stay in sight, and the folded quotes, as Telegram reads them. */
function seen(body: Rich): { lines: string[]; folded: string[] } {
  const { text, entities } = formatted(richHtml(body), 'HTML', 'text');
  const quotes = entities.filter(({ type }) => type === 'expandable_blockquote');
  const folded = quotes.map(({ offset, length }) => text.slice(offset, offset + length));
  const outside = quotes.reduceRight(
    (left, { offset, length }) => left.slice(0, offset) + left.slice(offset + length),
    text,
  );
  return { lines: outside.split('\n').filter((line) => line !== ''), folded };
}

describe('sections of a flow message (D32)', () => {
  it('while Editing: title, one line of Context, progress; the whole text folded', () => {
    const { body, shown } = sections(
      reviewView(golden, 'h1', { title: 'Gate', goal: { user: 'never', task: null } }),
    );
    expect(seen(body)).toEqual({
      lines: ['\u{1f4cb} Gate', 'Ship Track A for TUI and Telegram in v1.', '\u270d\ufe0f 3 steps', footer],
      folded: [golden.trimEnd()],
    });
    expect(shown).toBe('full');
  });

  it('says what is missing', () => {
    const view = reviewView('# Draft\n', 'h1');
    const faults = ['context.missing', 'steps.missing'].map((code) => ({
      code,
      line: 1,
      text: code,
      hint: null,
    }));
    const document = view.document === null ? null : { ...view.document, steps: 1, faults };
    expect(seen(sections({ ...view, document } as SessionView).body).lines).toEqual([
      '\u{1f4cb} Dark mode',
      '\u270d\ufe0f 1 step \u2022 2 parts missing',
      footer,
    ]);
  });

  it.each(['1) A', ' 1. A', '01. A', '1.A', '1. ', '1. **A** — a', '2. (after 1) B'])(
    'B38 %j counts as many steps as the scanner that gates and seeds',
    (line) => {
      const text = `# T\n## Implementation steps\n${line}\n`;
      const { steps } = scanDocument(text);
      const view = reviewView(text, 'h');
      const document = view.document === null ? null : { ...view.document, steps: steps.length };
      const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
      expect(seen(sections({ ...view, document }).body).lines).toContain(`\u270d\ufe0f ${count}`);
    },
  );

  it('1053 a title is cut by characters as people count them, with a mark, and not before 150', () => {
    const [line = ''] = seen(sections(reviewView('# T', 'h', { title: 'é'.repeat(150) })).body).lines;
    expect(line).not.toContain('\u2026');
    const [long = ''] = seen(sections(reviewView('# T', 'h', { title: 'ab '.repeat(100) })).body).lines;
    expect(long.length).toBeGreaterThan(140);
    expect(long).toMatch(/\w\u2026$/u);
  });

  it('a checklist: progress and goal in sight, the tasks folded', () => {
    const view = checklistView(7, 2);
    expect(seen(sections({ ...view, goal: { user: null, task: 'ready\nand green' } }).body)).toEqual({
      lines: [
        '\u{1f4cb} Dark mode',
        '2/7 \u2022 3. Task number 3',
        '\u{1f3af} Goal: ready and green',
        footer,
      ],
      folded: [
        ['\u2611 1', '\u2611 2', '\u25b6\ufe0f 3', ...[4, 5, 6, 7].map((number) => `\u2610 ${number}`)]
          .map((head) => `${head}. Task number ${head.at(-1)}`)
          .join('\n'),
        'ready\nand green',
      ],
    });
  });

  it.each<[string, SessionView, string[]]>([
    ['no plan', viewOf(), [footer]],
    ['before init', viewOf({ phase: 'preInit', badge: 'Editing' }), [footer]],
    [
      'the seed turn',
      viewOf({ phase: 'seeding', title: 'T', building: true }),
      ['\u{1f4cb} T', '\u23f3 Building checklist\u2026', footer],
    ],
    [
      'a failed seed',
      viewOf({ phase: 'seedFailedEmpty', title: 'T', seedError: 'empty', hint: 'Use /show-plan.' }),
      ['\u{1f4cb} T', '\u26a0\ufe0f Use /show_plan.', footer],
    ],
    [
      'an unreadable plan',
      viewOf({ phase: 'unreadable', unreadable: { path: 'p', cause: 'c' }, hint: 'Mend p.' }),
      ['\u26a0\ufe0f Mend p.', footer],
    ],
  ])('%s', (_, view, lines) => {
    expect(seen(sections(view).body)).toEqual({ lines, folded: [] });
  });

  it('a finished checklist until its turn settles, and the one line that stays (D17)', () => {
    const closed = {
      title: 'T',
      tasks: [
        { title: 'A', status: 'Completed' },
        { title: 'B', status: 'Skipped' },
      ],
    };
    expect(seen(sections(viewOf({ closed })).body)).toEqual({
      lines: ['\u2705 T', '2/2', footer],
      folded: ['\u2611 1. A\n\u2796 2. B \u2022 skipped'],
    });
    const left = { kind: 'closed', title: 'T', done: 1, total: 2 } as const;
    expect(plainText(closedLine({ ...left, as: 'discarded' }))).toBe(
      '\u{1f5d1} T \u2022 discarded \u2022 1/2',
    );
    expect(plainText(closedLine({ ...left, as: 'completed', done: 2 }))).toBe('\u2705 T \u2022 2/2');
  });

  it('an Active plan whose text was changed shows that and the text (D48)', () => {
    const review = reviewView(golden, 'h2');
    const document = review.document === null ? null : { ...review.document, drifted: true };
    const { body, shown } = sections({ ...checklistView(3, 1), document });
    expect(seen(body).lines).toContain(
      '\u26a0\ufe0f The session plan is not the text that was approved: /show_plan',
    );
    expect(seen(body).folded).toHaveLength(2);
    expect(shown).toBe('full');
  });

  it('where there is no room the text is cut, which is not the whole text (D45)', () => {
    const long = reviewView(`# T\n\n${'A line with `code` and **more**.\n'.repeat(200)}`, 'h1');
    for (const units of [60, 200, 1000, 4096]) {
      const { body, shown } = sections(long, units);
      expect(shown).toBe('cut');
      if (units < 200) continue;
      expect(richLength(body)).toBeLessThanOrEqual(units);
      expect(entityCount(body)).toBeLessThanOrEqual(100);
      expect(seen(body).folded[0]).toMatch(/\u2026 the rest: \/show_plan$/u);
    }
  });

  it('whatever titles and texts are, the message is whole and within its limits', () => {
    const words = fc.string({ unit: 'binary', maxLength: 300 });
    const text = fc.array(fc.oneof(words, fc.constantFrom('```\n', '`x`', '**b**', '\n', '</blockquote>')), {
      maxLength: 60,
    });
    const goal = fc.oneof(words, fc.constant('g\n'.repeat(500)));
    fc.assert(
      fc.property(words, text, goal, fc.integer({ min: 1500, max: 4096 }), (title, parts, goal, units) => {
        const view = reviewView(parts.join(''), 'h', { title });
        const phase = parts.length % 2 === 0 ? 'postInit' : 'seeding';
        const { body } = sections({ ...view, phase, goal: { user: goal, task: null } }, units);
        expect(richLength(body)).toBeLessThanOrEqual(units);
        expect(entityCount(body)).toBeLessThanOrEqual(100);
        expect(formatted(richHtml(body), 'HTML', 'text').text.trim()).toBe(plainText(body).trim());
      }),
      { numRuns: 150 },
    );
  });
});

describe('the plan in full (D46)', () => {
  const steps = (amount: number): string =>
    `# T\n\n## Implementation steps\n${Array.from({ length: amount }, (_, index) => `${index + 1}. Step ${index + 1} \u2014 edit \`src/f${index + 1}.ts\` & run <b>tests</b>\n`).join('')}`;

  it('comes in messages, each quote folded, every character there (B109, B130)', () => {
    const text = steps(120);
    const post = planInFull(reviewView(text, 'h1'), null);
    if (post.kind !== 'messages') throw new Error(`It is ${post.kind}`);
    expect(post.shown).toBe('full');
    const parts = split(post.body, messageLimits);
    expect(parts.length).toBeGreaterThan(1);
    const quotes = parts.flatMap((part) => seen(part).folded);
    expect(quotes).toHaveLength(parts.length);
    expect(quotes.join('\n')).toBe(text.trimEnd());
  });

  it('is a document when it is very long, with what matters as its caption (B111, B130)', () => {
    for (const text of [steps(400), `# T\n${'x'.repeat(200_000)}`, `# T\n${'- a\n'.repeat(300)}`]) {
      const post = planInFull(reviewView(text, 'h1', { title: '👩‍👩‍👧‍👦'.repeat(200) }), footer);
      if (post.kind !== 'document') throw new Error(`It is ${post.kind}`);
      expect(post.text).toBe(text);
      expect(richLength(post.caption)).toBeLessThanOrEqual(1024);
      expect(plainText(post.caption)).toContain(
        `The whole text is in the file: ${text.split('\n').length} lines.`,
      );
    }
  });

  it('is nothing before there is one, and the checklist once it is built', () => {
    expect(planInFull(viewOf({ phase: 'preInit' }), null)).toEqual({ kind: 'none' });
    const post = planInFull({ ...checklistView(2, 0), document: reviewView(golden, 'h').document }, null);
    if (post.kind !== 'messages') throw new Error(`It is ${post.kind}`);
    expect(post.shown).toBe('none');
    expect(seen(post.body).folded).toEqual(['\u25b6\ufe0f 1. Task number 1\n\u2610 2. Task number 2']);
  });
});
