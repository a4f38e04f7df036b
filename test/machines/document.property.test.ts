import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DocumentScan, scaffold, scanDocument } from '../../machines/document.ts';

// oxfmt-ignore
const pieces = [
  '# T', '## Context', '### Context', '## context', '## Implementation steps', '## Контекст', '# ', '##',
  '- **Problem:** x', '**Problem:**', '**Problem**: x', '* **Target state:** y', '- **Intent:** z', '**Intent：** z',
  '1. A — b. C', '2) B', ' 3. C', '1.A', '1. ', '   - Done when: d', '- [ ] box', '- bullet', '  more text',
  '```', '````', '~~~', '   ```js', '``` a`b', '<!--', '-->', '<!-- c -->', '<!-->', 'x <!-- y', '`<!--` z', '` `` <!--',
  '---', '...', '', ' ', '\t', '\u200B', '\uFEFF', '\u2028', '999999999999999999999999. big',
];
const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary' }));
const lines = fc.array(line, { maxLength: 30 });
const markdown = fc
  .tuple(lines, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF', '---\n'))
  .map(([body, end, top]) => top + body.join(end));

/** All that must not depend on ignored text; hints may name it. */
function outcome(scan: DocumentScan): unknown {
  const { title, context, steps } = scan;
  return { title, context, steps, codes: scan.faults.map((fault) => fault.code).toSorted() };
}

describe('D24 for any text', () => {
  it('D24 a scan never throws and every line is a line of the file', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary' })), (text) => {
        const scan = scanDocument(text);
        const count = Math.max(1, text.split('\n').length);
        for (const { line: at, text: sentence } of scan.faults) {
          expect(at).toBeGreaterThanOrEqual(1);
          expect(at).toBeLessThanOrEqual(count);
          expect(sentence).not.toBe('');
        }
        for (const step of scan.steps) {
          expect(step.title).not.toBe('');
          expect(Number.isFinite(step.number)).toBe(true);
          expect(text.split('\n')[step.line - 1]?.replace('\uFEFF', '')).toMatch(/^\d+\. /);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('D24 faults come in line order, and none means filled context and at least one step', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { faults, context, steps } = scanDocument(text);
        const at = faults.map((fault) => fault.line);
        expect(at).toEqual(at.toSorted((left, right) => left - right));
        if (faults.length > 0) return;
        expect(Object.values(context)).not.toContain(null);
        expect(steps.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('D24 text inside a fence never counts', () => {
    const fence = fc.constantFrom('```', '~~~', '   ````', '~~~~ md');
    fc.assert(
      fc.property(lines, fence, lines, lines, (before, open, inside, after) => {
        const close = open.replace(' md', '');
        const mark = close.trim().charAt(0);
        const content = inside.filter(
          (text) => !text.trim().startsWith(mark.repeat(3)) && !text.includes('\n'),
        );
        // The text before must not leave a fence, a comment or a front matter block open.
        const head = ['# Title', ...before.filter((text) => !/[`~]{3}|<!--|^---/.test(text))];
        const plan = (body: readonly string[]): string =>
          [...head, open, ...body, close, ...after].join('\n');
        const same = content.map(() => 'x');
        expect(outcome(scanDocument(plan(content)))).toEqual(outcome(scanDocument(plan(same))));
      }),
      { numRuns: 1000 },
    );
  });

  it('D24 text inside a comment never counts', () => {
    fc.assert(
      fc.property(lines, lines, (inside, after) => {
        const content = inside.filter((text) => !text.includes('-->') && !text.includes('\n'));
        const plan = (body: readonly string[]): string => ['<!-- note', ...body, '-->', ...after].join('\n');
        expect(outcome(scanDocument(plan(content)))).toEqual(
          outcome(scanDocument(plan(content.map(() => 'x')))),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('D23 D24 every scaffold fails validation and keeps its title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 150 }), (title) => {
        const scan = scanDocument(scaffold(title));
        expect(scan.faults).toHaveLength(4);
        expect(scaffold(title).split('\n')).toHaveLength(9);
        expect(scaffold(title).startsWith(`# ${scan.title ?? ''}`)).toBe(true);
      }),
    );
  });

  it.each([
    ['spaces in a heading', `## Context${' '.repeat(300_000)}x`],
    ['spaces in a title', `# a${' '.repeat(300_000)}b`],
    ['backtick runs', Array.from({ length: 700 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['opened comments', '<!-- '.repeat(60_000)],
    ['digits', `## Implementation steps\n${'1'.repeat(300_000)}`],
    ['stars in a label', `## Context\n${'**Problem '.repeat(30_000)}`],
    ['dots in a step', `## Implementation steps\n1. ${'. '.repeat(150_000)}`],
    ['many steps', `## Implementation steps\n${'1. A — b\n'.repeat(30_000)}`],
    ['a criterion of spaces', `## Implementation steps\n1. A\n -${' '.repeat(300_000)}x`],
  ])(
    'D24 %s are read in linear time',
    (_name, text) => {
      expect(scanDocument(text).faults.length).toBeGreaterThan(0);
    },
    3_000,
  );
});
