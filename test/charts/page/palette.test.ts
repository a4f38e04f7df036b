import { describe, expect, it } from 'vitest';
import { outlinePairs, palettes, textPairs } from '../../../adapters/charts/page/palette.ts';
import { style } from '../../../adapters/charts/page/style.ts';

/** Relative luminance of `#rrggbb`, as WCAG has it. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s colours', (scheme) => {
  const colours = palettes[scheme];

  it.each(textPairs)('%s on %s has a contrast of 4.5', (text, ground) => {
    expect(contrast(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(outlinePairs)('%s around %s has a contrast of 3', (outline, ground) => {
    expect(contrast(colours[outline], colours[ground])).toBeGreaterThanOrEqual(3);
  });
});

it('the measure is the known one', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('the style names no colour of its own, and nothing outside of the page', () => {
  const own = style.replaceAll(/:root \{[^}]*\}/gu, '');
  expect(own).toContain('var(--lit)');
  expect(own.match(/#[0-9a-f]{3,8}\b(?![^{]*\{)/gu)).toBeNull();
  expect(style).not.toMatch(/url\(|@import|@font-face|https?:/u);
});
