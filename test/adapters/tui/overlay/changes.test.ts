import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { changeRows, type Base } from '../../../../adapters/tui/overlay/changes.ts';

const rows = (before: string, after: string, cells = 60, from: Base['from'] = 'seen'): string[] =>
  changeRows({ text: before, from }, after, cells).map(({ spans }) => lineText(spans));
const lines = (...numbers: readonly (number | string)[]): string => `${numbers.join('\n')}\n`;

describe('D49, B49 what changed', () => {
  it('marks what came and what went by a sign, and leaves out what stayed', () => {
    const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    expect(rows(before, lines(1, 2, 3, 4, 5, 'six', 'new', 7, 8, 9, 10))).toEqual([
      '2 lines added, 1 removed since the text that you saw before:',
      '  \u2026 3 unchanged lines',
      '  4',
      '  5',
      '- 6',
      '+ six',
      '+ new',
      '  7',
      '  8',
      '  \u2026 2 unchanged lines',
    ]);
  });

  it('says when nothing changed, and since when', () => {
    expect(rows('a\n', 'a\n', 60, 'kept')).toEqual([
      'Nothing changed since the text before this one.',
      '  \u2026 1 unchanged line',
    ]);
  });

  it('shows a deleted text whole', () => {
    expect(rows(lines(1, 2), '')).toEqual([
      '0 lines added, 2 removed since the text that you saw before:',
      '- 1',
      '- 2',
    ]);
  });

  it('B49 says first which steps and labels are gone', () => {
    const context = '## Context\n\n- **Problem:** p\n- **Constraints:** no downtime\n- **Intent:** i\n\n';
    const steps = '## Implementation steps\n\n1. One\n2. Two\n3. Three\n';
    const [, loss] = rows(
      context + steps,
      context.replace(/- \*\*Con.*\n/u, '') + steps.replace('3. Three\n', ''),
    );
    expect(loss).toBe('! \u22121 step, \u2212Constraints');
    expect(rows(context + steps, `${context + steps}4. Four\n`)[1]).not.toMatch(/^!/u);
  });

  it('needs no colour: the sign is on the first row of a line', () => {
    const [, , ...shown] = rows('', 'word '.repeat(20), 40);
    expect(shown.map((row) => row.slice(0, 2))).toEqual(['+ ', '  ', '  ']);
  });

  const text = fc.array(fc.constantFrom('a', '完了', '👩‍💻', '\u001b[2J', '\u202e', '\r', '\n', 'word '), {
    maxLength: 60,
  });

  it('B95, B101 fits the width and holds no control byte', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 40, max: 130 }), (before, after, cells) => {
        const all = changeRows({ text: before.join(''), from: 'seen' }, after.join(''), cells);
        for (const { spans } of all) {
          expect(lineWidth(spans)).toBeLessThanOrEqual(cells);
          expect(lineText(spans)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });
});
