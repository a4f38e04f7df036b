/// <reference lib="dom" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { generateCharts } from '../../../adapters/charts/generate.ts';
import { bundlePage } from '../../../adapters/charts/page/bundle.ts';
import { renderPage } from '../../../adapters/charts/page/index.ts';
import { openBrowser } from '../../support/browser.ts';

interface Options {
  hash?: string;
  url?: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
}

/** The page of the charts as a file, and a browser to look at it. */
export interface DrawnPage {
  html: string;
  /** Of the file. */
  address: string;
  /** Closed when the test ends. */
  open(options?: Options): Promise<Page>;
  close(): Promise<void>;
}

export async function drawPage(): Promise<DrawnPage> {
  const script = await bundlePage();
  const files = await generateCharts((charts) => renderPage({ charts, script }));
  const html = files.get('index.html') ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'planchart-page-'));
  const file = join(folder, 'index.html');
  writeFileSync(file, html);
  const address = pathToFileURL(file).href;
  const browser = await openBrowser();
  return {
    html,
    address,
    open: (options = {}) => openPage(browser, address, options),
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A page without a network, which has to be quiet: no message on the console, no fault, no request but its own. */
async function openPage(
  browser: Browser,
  address: string,
  { hash = '', url = `${address}${hash}`, width = 1440, colorScheme = 'light' }: Options,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    // Smooth scrolling makes every press wait for the list to come to rest.
    reducedMotion: 'reduce',
    offline: url.startsWith('file:'),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  const heard: string[] = [];
  const own = url.startsWith('file:') ? address : new URL('.', url).href;
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', ({ message }) => heard.push(message));
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(own) && !asked.startsWith('data:')) heard.push(`asks for ${asked}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(heard).toEqual([]);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      console.log(`against the policy: ${violatedDirective}`),
    );
  });
  await page.goto(url);
  return page;
}

/** States that are lit in the picture. */
export const lit = (page: Page): Promise<string[]> =>
  page
    .locator('.picture:visible .lit')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-state') ?? ''));
