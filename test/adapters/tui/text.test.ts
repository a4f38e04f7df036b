import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clip,
  clipStart,
  graphemes,
  pad,
  takeCells,
  visible,
  visibleLine,
  width,
} from '../../../adapters/tui/text.ts';

/** B95: titles that break borders where two width rules disagree. */
const wide = ['✅ 完了', '⏳ ждём', '⚠️ warn', '❤️‍🔥', '👩‍💻 dev', 'e\u0301', '한국어 계획'];

// eslint-disable-next-line no-control-regex -- control characters are what must be gone
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

describe('D39 visible', () => {
  it.each([
    ['an OSC clipboard write', 'A\u001b]52;c;ZWNobyBoaQ==\u0007', 'A␛]52;c;ZWNobyBoaQ==␇'],
    ['a cleared screen', 'x\u001b[2J\u001b[H[A]pprove', 'x␛[2J␛[H[A]pprove'],
    ['a C1 sequence', 'note \u009b2J', 'note <U+009B>2J'],
    ['a right-to-left override', 'a\u202eb', 'a<U+202E>b'],
    ['an isolate', 'a\u2066b\u2069', 'a<U+2066>b<U+2069>'],
    ['DEL', 'a\u007f', 'a␡'],
    ['a lone CR', 'safe\rrm -rf', 'safe␍rm -rf'],
    ['a hidden tag', 'a\u{e0041}b', 'a<U+E0041>b'],
    ['a hidden space', 'a\u200bb', 'a<U+200B>b'],
    ['a lone surrogate', 'a\ud800', 'a\ufffd'],
    ['a tab', 'a\tb', 'a    b'],
    ['CRLF', 'a\r\nb', 'a\nb'],
    ['a joined emoji', '👩‍💻', '👩‍💻'],
    [
      'a flag with tags',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('B101 shows %s', (_name, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves nothing that a terminal acts on, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(acting);
        expect(visibleLine(text)).not.toMatch(/[\n\t]/u);
      }),
    );
  });
});

describe('B95 width', () => {
  it.each([
    ['✅ 完了', 7],
    ['e\u0301', 1],
    ['한국어 계획', 11],
    ['👩‍💻 dev', 6],
    ['❤️‍🔥', 2],
    ['', 0],
    ['plain', 5],
  ])('%s takes %i cells', (text, cells) => {
    expect(width(text)).toBe(cells);
  });

  it.each(wide)('cuts %s between clusters and never over the edge', (title) => {
    const clusters = new Set(graphemes(title));
    for (let cells = 0; cells <= width(title) + 1; cells += 1) {
      for (const cut of [clip(title, cells), clipStart(title, cells)]) {
        expect(width(cut)).toBeLessThanOrEqual(cells);
        const kept = graphemes(cut.replace('\u2026', ''));
        expect(kept.filter((part) => !clusters.has(part))).toEqual([]);
      }
      const { head, rest } = takeCells(title, cells);
      expect(head + rest).toBe(title);
    }
  });

  it('says that something was left out', () => {
    expect(clip('abcdef', 4)).toBe('abc\u2026');
    expect(clipStart('/home/ada/project', 8)).toBe('\u2026project');
    expect(clip('abcd', 4)).toBe('abcd');
    expect(pad('完', 4)).toBe('完  ');
  });
});
