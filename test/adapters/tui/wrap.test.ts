import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipLine, lineText, lineWidth, span, spread, wrapLine } from '../../../adapters/tui/lines.ts';
import { width } from '../../../adapters/tui/text.ts';
import { wrapRows } from '../../../adapters/tui/wrap.ts';

const words = fc
  .array(fc.constantFrom('a', 'plan', 'implementation', '完了', '👩‍💻', '한국어', ' ', '  ', 'e\u0301'))
  .map((parts) => parts.join(''));

function rows(text: string, cells: number): string[] {
  return wrapRows(text, cells).map((row) => text.slice(row.start, row.end));
}

describe('wrapRows', () => {
  it.each([
    ['after a space', 'one two three', 8, ['one two ', 'three']],
    ['inside a word that is too long', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['between wide characters', '完了完了完', 4, ['完了', '完了', '完']],
    ['at line ends', 'a\n\nb', 10, ['a', '', 'b']],
    ['not at all', '', 10, ['']],
    ['when the last cell is half a character', 'abc完', 4, ['abc', '完']],
    ['more than once after a soft break', 'a bbbbbbbb', 4, ['a ', 'bbbb', 'bbbb']],
  ])('breaks %s', (_name, text, cells, wanted) => {
    expect(rows(text, cells)).toEqual(wanted);
  });

  it('loses no character and never exceeds the width', () => {
    fc.assert(
      fc.property(fc.array(words), fc.integer({ min: 2, max: 30 }), (lines, cells) => {
        const text = lines.join('\n');
        const wrapped = wrapRows(text, cells);
        const joined = wrapped.map((row, index) => {
          const next = wrapped[index + 1];
          return text.slice(row.start, next?.start ?? row.end);
        });
        expect(joined.join('')).toBe(text);
        for (const row of rows(text, cells)) expect(width(row)).toBeLessThanOrEqual(cells);
      }),
    );
  });
});

describe('styled lines', () => {
  it('wraps across styles and indents what continues', () => {
    const line = [span('one ', { bold: true }), span('two three'), span(' four')];
    const wrapped = wrapLine(line, 8, [span('  ')]).map((row) => lineText(row).trimEnd());
    expect(wrapped).toEqual(['one two', '  three', '  four']);
  });

  it('keeps every visible character inside the width', () => {
    fc.assert(
      fc.property(fc.array(words), fc.integer({ min: 6, max: 30 }), (parts, cells) => {
        const line = parts.map((text) => span(text));
        const wrapped = wrapLine(line, cells);
        for (const row of wrapped) expect(lineWidth(row)).toBeLessThanOrEqual(cells);
        const bare = (text: string): string => text.replace(/ /gu, '');
        expect(bare(wrapped.map(lineText).join(''))).toBe(bare(parts.join('')));
      }),
    );
  });

  it('cuts with an ellipsis only when something is left out', () => {
    const line = [span('abc'), span('完了')];
    expect(lineText(clipLine(line, 7))).toBe('abc完了');
    expect(lineText(clipLine(line, 6))).toBe('abc完\u2026');
    expect(lineText(clipLine(line, 3))).toBe('ab\u2026');
  });

  it('puts the right part at the edge and gives it up when there is no room', () => {
    expect(lineText(spread([span('left')], [span('right')], 12))).toBe('left   right');
    expect(lineText(spread([span('left')], [span('right')], 10))).toBe('left');
  });
});
