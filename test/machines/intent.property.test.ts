import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { families, type Family, triggers } from '../../machines/intent/families.ts';
import { planWords, toolFamilies } from '../../machines/intent.ts';

const found = (text: string): Family[] => [
  ...(planWords(text) === null ? [] : (['plan'] as const)),
  ...toolFamilies(text),
];
const trigger = fc.constantFrom(
  ...families.flatMap((family) => triggers[family].map((words) => [family, words] as const)),
);
const letters = 'aZ9_éёжßİ中あ한עبहा\u0301\u20e3\u{1d54f}‿';
const letter = fc.constantFrom(...letters).filter((one) => /[\p{L}\p{M}\p{N}\p{Pc}]/u.test(one));
/** Whatever is no part of a word, and neither a command nor a quote at the start of a line. */
const gap = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  '.',
  ',',
  '?',
  '(',
  '"',
  '«',
  '—',
  '…',
  '🙂',
  '\u00a0',
  '\u200b',
);

describe('D25 any text', () => {
  it('never throws, and what it finds is in the text, as typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        const words = planWords(text);
        expect(words === null || text.includes(words)).toBe(true);
        expect(new Set(found(text)).size).toBe(found(text).length);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a trigger between any two gaps, in any case', () => {
    fc.assert(
      fc.property(trigger, gap, gap, fc.boolean(), ([family, words], before, after, isLoud) => {
        expect(found(`${before}${isLoud ? words.toUpperCase() : words}${after}`)).toContain(family);
      }),
    );
  });

  it('finds no single word beside a letter, digit, mark or connector of any script', () => {
    const single = ['planning', 'find', 'grep', 'locate', 'google'];
    fc.assert(
      fc.property(fc.constantFrom(...single), letter, fc.boolean(), (word, beside, isBefore) => {
        expect(found(isBefore ? `${beside}${word}` : `${word}${beside}`)).toEqual([]);
      }),
    );
  });

  it('finds nothing in a command or in a quoted line', () => {
    fc.assert(
      fc.property(trigger, fc.string(), ([, words], rest) => {
        const line = rest.replaceAll('\n', ' ');
        expect(found(`  /${line} ${words}`)).toEqual([]);
        expect(found(`> ${line} ${words}`)).toEqual([]);
      }),
    );
  });
});

describe('D25 a megabyte', () => {
  const size = 1_000_000;
  const long = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));

  it.each([
    ['triggers that almost end', long('make a pla')],
    ['white space', `${long(' ')}x planning`],
    ['quoted lines', long('> planning\n')],
    ['lines', long('\n')],
    ['letters beside triggers', long('planningé')],
    ['one word', long('a')],
  ])('of %s is read in linear time', (_, text) => {
    const started = performance.now();
    found(text);
    found(text + text);
    // Quadratic work on so much would take minutes.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
