import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateCharts } from '../../adapters/charts/generate.ts';
import { leavesOf, machines } from '../../adapters/charts/nodes.ts';
import { browserPath, openBrowser } from '../support/browser.ts';

const files = await generateCharts(() => '');
const mermaidScript = fileURLToPath(import.meta.resolve('mermaid')).replace(
  /mermaid\.core\.mjs$/u,
  'mermaid.min.js',
);

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1600, height: 1200 } });
});
afterAll(() => browser?.close());

/** What Mermaid's own library makes of a chart: the words in the picture, or why there is none. */
async function drawnByMermaid(chart: string): Promise<string> {
  await page.setContent('<div id="place"></div>');
  await page.addScriptTag({ path: mermaidScript });
  return page.evaluate(async (source) => {
    interface Mermaid {
      initialize(options: { startOnLoad: false }): void;
      parse(text: string): Promise<unknown>;
      render(id: string, text: string): Promise<{ svg: string }>;
    }
    const { mermaid, document } = globalThis as unknown as {
      mermaid: Mermaid;
      document: { querySelector(path: string): { innerHTML: string; textContent: string } };
    };
    mermaid.initialize({ startOnLoad: false });
    await mermaid.parse(source);
    const place = document.querySelector('#place');
    place.innerHTML = (await mermaid.render('chart', source)).svg;
    return place.textContent;
  }, chart);
}

describe.each(machines.map((machine) => [machine.name, machine] as const))('%s.mmd', (name, { root }) => {
  it('Mermaid draws it, with every state and every event', async () => {
    const chart = files.get(`${name}.mmd`) ?? '';
    const words = await drawnByMermaid(chart);
    for (const leaf of leavesOf(root)) expect(words).toContain(leaf.key);
    const events = [...chart.matchAll(/ : ([\w.]+)/gu)].map(([, event = '']) => event);
    expect(events.length).toBeGreaterThan(4);
    for (const event of events) expect(words).toContain(event);
  });
});

it('a chart that is not one fails', async () => {
  await expect(drawnByMermaid('stateDiagram-v2\n  a --> : b {')).rejects.toThrow(/Parse error/u);
});

interface Box {
  of: string;
  words: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the words of the picture are, and the frames of its innermost states. */
async function measured(
  svg: string,
): Promise<{ inStates: [words: Box, frame: Box][]; labels: Box[]; frames: Box[] }> {
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  return page.evaluate(() => {
    interface Shape {
      getBoundingClientRect(): Box;
      textContent: string;
      closest(path: string): { getAttribute(name: string): string | null } | null;
      querySelector(path: string): Shape;
      querySelectorAll(path: string): Iterable<Shape>;
    }
    const { document } = globalThis as unknown as { document: Shape };
    const boxOf = (shape: Shape): Box => {
      const { left, right, top, bottom } = shape.getBoundingClientRect();
      const of = shape.closest('[data-state]')?.getAttribute('data-state') ?? '';
      return { of, words: shape.textContent.trim(), left, right, top, bottom };
    };
    const nodes = [...document.querySelectorAll('.node[data-state]')];
    const texts = [...document.querySelectorAll('.edge > text')].filter(
      ({ textContent }) => textContent.trim() !== '',
    );
    return {
      inStates: nodes.flatMap((node) =>
        [...node.querySelectorAll('text')].map((one): [Box, Box] => [
          boxOf(one),
          boxOf(node.querySelector('path')),
        ]),
      ),
      labels: texts.map(boxOf),
      frames: nodes.map((node) => boxOf(node.querySelector('path'))),
    };
  });
}

/** By how much two boxes lie over each other; some of a line's height is air. */
const over = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;

describe.each(machines.map((machine) => [machine.name, machine] as const))('%s.svg', (name, { root }) => {
  it('can be read: words stay in their state, and labels clear of each other and of states', async () => {
    const { inStates, labels, frames } = await measured(files.get(`${name}.svg`) ?? '');
    expect(frames.map(({ of }) => of).toSorted()).toEqual(
      leavesOf(root)
        .map(({ path }) => path.join('.'))
        .toSorted(),
    );
    expect(labels.length).toBeGreaterThan(3);
    const outside = inStates.filter(([words, frame]) => words.left < frame.left || words.right > frame.right);
    expect(outside.map(([{ words }]) => words)).toEqual([]);
    const covered = labels.filter((label) =>
      [...labels, ...frames].some((other) => other !== label && over(label, other)),
    );
    expect(covered.map(({ words }) => words)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has a contrast of 4.5 at least, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setContent(files.get(`${name}.svg`) ?? '');
    const [ink = [], paper = []] = await page.evaluate(() => {
      const { document, getComputedStyle } = globalThis as unknown as {
        document: { querySelector(path: string): unknown };
        getComputedStyle: (of: unknown) => { fill: string };
      };
      const colour = (path: string) =>
        getComputedStyle(document.querySelector(path)).fill.match(/\d+/gu)?.map(Number);
      return [colour('.node text'), colour('.node > path')];
    });
    const [dark = 0, bright = 0] = [luminance(ink), luminance(paper)].toSorted((a, b) => a - b);
    expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
    expect(luminance(paper) > luminance(ink)).toBe(colorScheme === 'light');
  });
});

/** As WCAG has it. */
function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

it('a missing browser is one sentence that names the package', () => {
  expect(() => browserPath('/nowhere')).toThrow(
    'These tests need a browser, and there is none: install the Debian package chromium.',
  );
});
