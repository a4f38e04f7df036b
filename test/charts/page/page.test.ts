/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplayStep, writeJournal } from '../../../adapters/charts/page/replay-input.ts';
import { owner } from '../../../adapters/charts/page/session-samples.ts';
import { drawPage, type DrawnPage, lit } from './drawn-page.ts';

let drawn: DrawnPage;
let html = '';
let address = '';
beforeAll(async () => {
  drawn = await drawPage();
  ({ html, address } = drawn);
});
afterAll(() => drawn?.close());

const openPage: DrawnPage['open'] = (options) => drawn.open(options);
const chips = (page: Page): Promise<string[]> => page.locator('#now .chip').allTextContents();
const choice = (page: Page, id: string) => page.locator(`[data-id="${id}"]`);
const press = (page: Page, id: string): Promise<void> => choice(page, id).dispatchEvent('click');
const verdicts = (page: Page): Promise<string[]> => page.locator('#path .verdict').allTextContents();

describe('the page as a file', () => {
  it('is one document of less than 700 kB that names no other', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(700_000);
    expect(
      html.replace(/<script[\s\S]*?<\/script>/gu, '').match(/(?:src|href)="(?!data:)[^"]*"/gu),
    ).toBeNull();
    expect(html.match(/<\/script/gu)).toHaveLength(2);
  });

  it('plays a whole life of a plan; the chart and the words say where it is', async () => {
    const page = await openPage();
    const life: readonly [id: string, plan: string, turn: string][] = [
      ['owner.plan-words', 'editing.preInit', 'running'],
      ['agent.init-design', 'editing.postInit', 'running'],
      ['agent.write', 'editing.postInit', 'running'],
      ['turn.done', 'editing.postInit', 'idle'],
      ['owner.approve', 'active.seeding.building', 'running'],
      ['agent.add-steps', 'active.seeding.seeded', 'running'],
      ['agent.start', 'active.checklist', 'running'],
      ['agent.complete', 'active.checklist', 'running'],
      ['agent.start', 'active.checklist', 'running'],
      ['agent.complete', 'noPlan', 'running'],
      ['turn.done', 'noPlan', 'idle'],
    ];
    for (const [id, plan, turn] of life) {
      await choice(page, id).click();
      expect(await chips(page)).toEqual([`plan.${plan}`, `turn.${turn}`]);
      expect((await lit(page)).toSorted()).toEqual([`plan.${plan}`, `turn.${turn}`]);
    }
    expect(await verdicts(page)).toEqual(life.map(() => 'accepted'));
    const marks = await page.locator('.picture:visible .lit-mark text').allTextContents();
    expect(marks).toEqual(['▸ NOW', '▸ NOW']);
    const width = (of: string) =>
      page
        .locator(`.picture:visible ${of} > path`)
        .first()
        .evaluate((path) => Number.parseFloat(getComputedStyle(path).strokeWidth));
    expect(await width('.lit')).toBeGreaterThan(await width('.node[data-state]:not(.lit)'));
    await page.locator('#back').click();
    expect(await chips(page)).toEqual(['plan.noPlan', 'turn.running']);
    await page.locator('#reset').click();
    expect(await page.locator('#path .step').count()).toBe(1);
  });

  it('a refused event is grey, dashed and off, says why, and changes nothing when pressed', async () => {
    const page = await openPage();
    const approve = choice(page, 'owner.approve');
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    expect(await approve.locator('.verdict').textContent()).toBe('refused NO_PLAN');
    expect(await approve.textContent()).toContain('There is no active plan. Start one with /plan.');
    const looks = (id: string) =>
      choice(page, id).evaluate((one) => [
        getComputedStyle(one).borderTopStyle,
        getComputedStyle(one).backgroundColor,
      ]);
    const [[dashed, grey], [solid, plain]] = [await looks('owner.approve'), await looks('owner.plan')];
    expect([dashed, solid]).toEqual(['dashed', 'solid']);
    expect(grey).not.toBe(plain);
    expect(await choice(page, 'owner.plan').getAttribute('aria-disabled')).toBeNull();
    await approve.click({ force: true });
    expect(await chips(page)).toEqual(['plan.noPlan', 'turn.idle']);
    expect(await verdicts(page)).toEqual(['refused NO_PLAN']);
    expect(await page.locator('#say').textContent()).toContain('refused: There is no active plan.');
  });

  it('shares a path by its address, and the browser goes back in it', async () => {
    const page = await openPage({ hash: '#session' });
    for (const id of ['owner.plan-words', 'agent.init-design', 'turn.done']) await press(page, id);
    expect(page.url()).toBe(`${address}#session&path=owner.plan-words,agent.init-design,turn.done`);
    const [before, facts] = [await chips(page), await page.locator('#now').textContent()];
    await page.reload();
    expect(await chips(page)).toEqual(before);
    expect(await page.locator('#now').textContent()).toBe(facts);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('#path .step').length === 3);
    expect(await chips(page)).toEqual(['plan.editing.postInit', 'turn.running']);
    await page.locator('#copy').click();
    await page.waitForFunction(() => /link is/u.test(document.querySelector('#say')?.textContent ?? ''));
  });

  it('a link that leads nowhere is told in words, and is never markup', async () => {
    const page = await openPage({ hash: '#session&path=owner.plan,<img src=x onerror=alert(1)>' });
    expect(await page.locator('#problem').textContent()).toMatch(
      /^The link stops at step 2: nothing is called “.*img/u,
    );
    expect(await chips(page)).toEqual(['plan.editing.preInit', 'turn.idle']);
    expect(await page.locator('img').count()).toBe(0);
    await press(page, 'owner.discard');
    expect(await page.locator('#problem').isVisible()).toBe(false);
    await page.goto(`${address}#%E0%A4%A&&==,&path`);
    await page.waitForFunction(() =>
      /no machine/u.test(document.querySelector('#problem')?.textContent ?? ''),
    );
  });

  it('every machine is a tab that can be played', async () => {
    const page = await openPage();
    const first: Readonly<Record<string, readonly [string, string]>> = {
      session: ['owner.plan', 'plan.editing.preInit'],
      agent: ['model.started', 'streaming'],
      keyboard: ['want.review', 'none'],
      flow: ['turn.tool', 'open.live'],
    };
    const names = await page
      .locator('[role=tab]')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-machine') ?? ''));
    expect(names.toSorted()).toEqual(Object.keys(first).toSorted());
    for (const name of names) {
      await page.locator(`#tab-${name}`).click();
      expect(await page.locator('.picture:visible').getAttribute('data-machine')).toBe(name);
      const [id = '', state = ''] = first[name] ?? [];
      await press(page, id);
      expect((await chips(page))[0]).toBe(state);
      expect(await lit(page)).toContain(state);
      expect(page.url()).toContain(`#${name}&path=${id}`);
    }
    await page.locator('#tab-session').click();
    expect(await verdicts(page)).toEqual(['accepted']);
  });

  it('finds events, refusals and states', async () => {
    const page = await openPage();
    await page.keyboard.press('/');
    await page.keyboard.type('unattended_design');
    const ids = await page
      .locator('.choice')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
    expect(ids).toEqual(['run.plan']);
    await page.keyboard.press('Escape');
    await page.keyboard.type('seedWindow');
    expect(await page.locator('#events').textContent()).toBe('No event here matches.');
    const paths = page.locator('#states .state');
    expect(await paths.count()).toBe(2);
    expect(await page.locator('.picture:visible .found').count()).toBe(2);
    await page.keyboard.press('Escape');
    await page.locator('[data-kind=taken]').click();
    expect(await page.locator('.choice[aria-disabled]').count()).toBe(0);
    await page.locator('[data-kind=refused]').click();
    expect(await page.locator('.choice:not([aria-disabled])').count()).toBe(0);
    expect(await page.locator('.choice').count()).toBeGreaterThan(20);
  });

  it('tells of a state what it is, from the list and from the chart', async () => {
    const page = await openPage();
    await page.locator('.picture:visible [data-state="plan.editing.preInit"] > path').click({ force: true });
    const state = page.locator('[data-path="plan.editing.preInit"]');
    expect(await state.getAttribute('aria-pressed')).toBe('true');
    expect(await state.textContent()).toMatch(/Plan mode is on/u);
    expect(await page.locator('[data-path="plan.editing"] .tag').allTextContents()).toEqual([
      'editing',
      'live',
    ]);
    await state.click();
    expect(await state.getAttribute('aria-pressed')).toBe('false');
  });

  it('is played with the keyboard alone, with the focus in sight', async () => {
    const page = await openPage();
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        const { id, kind, count, path } = at.dataset;
        return {
          id: id ?? kind ?? count ?? path ?? at.id,
          outline: Number.parseFloat(getComputedStyle(at).outlineWidth),
        };
      });
    const seen: string[] = [];
    for (let times = 0; times < 20; times += 1) {
      await page.keyboard.press('Tab');
      const { id, outline } = await focused();
      if (id === '' || seen.includes(id)) break;
      expect(outline).toBeGreaterThanOrEqual(2);
      seen.push(id);
    }
    expect(seen).toEqual(
      expect.arrayContaining(['search', 'tab-session', 'stage', 'fit', 'owner.plan', 'copy']),
    );
    // No list takes more than one stop.
    expect(seen.length).toBeLessThan(16);
    await page.keyboard.press('/');
    await page.keyboard.type('make a plan');
    await page.keyboard.press('ArrowDown');
    expect((await focused()).id).toBe('owner.plan-words');
    const next = page.locator('.picture:visible .next');
    expect(await next.evaluateAll((all) => all.map((one) => one.getAttribute('data-state')))).toEqual([
      'plan.editing.preInit',
      'turn.running',
    ]);
    await page.keyboard.press('Enter');
    expect(await chips(page)).toEqual(['plan.editing.preInit', 'turn.running']);
    expect((await focused()).id).toBe('owner.plan-words');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    expect((await focused()).id).toBe('owner.plan-words');
    await page.locator('#tab-session').focus();
    await page.keyboard.press('ArrowRight');
    expect((await focused()).id).toBe('tab-agent');
    expect(await chips(page)).toEqual(['asking']);
  });

  it.each(['light', 'dark'] as const)(
    'has %s colours of its own, and room on a narrow screen',
    async (colorScheme) => {
      const page = await openPage({ width: 400, colorScheme, hash: '#session&path=owner.plan' });
      const brightness = await page.evaluate(() => {
        const [r = 0, g = 0, b = 0] =
          getComputedStyle(document.body).backgroundColor.match(/\d+/gu)?.map(Number) ?? [];
        return (r + g + b) / 3;
      });
      expect(brightness > 128).toBe(colorScheme === 'light');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
      for (const id of ['stage', 'events', 'path', 'states', 'now']) {
        const box = await page.locator(`#${id}`).boundingBox();
        expect(box?.width).toBeGreaterThan(300);
        expect(box?.height).toBeGreaterThan(60);
      }
    },
  );

  it('names what it has for who cannot see it', async () => {
    const page = await openPage();
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, [role=region], [role=group], [role=tablist]')]
        .filter((one) => {
          const label = one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '';
          const by = one.getAttribute('aria-labelledby');
          const labelled = by === null ? null : document.querySelector(`#${by}`);
          return (
            label === '' && labelled === null && document.querySelector(`label[for="${one.id}"]`) === null
          );
        })
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    expect(nameless).toEqual([]);
    expect(await page.locator('[role=tab][aria-selected=true]').count()).toBe(1);
    expect(await page.locator('#panel').getAttribute('aria-labelledby')).toBe('tab-session');
  });

  it('walks a journal and says where it went another way', async () => {
    const step = (number: number, said: ReplayStep['said'], verdict: ReplayStep['verdict']): ReplayStep => {
      const ids = [1, 2, 3].map((one) => `00000000-0000-4000-8000-0000000000${number}${one}`);
      return { said, at: '2026-02-01T10:00:00.000Z', ids, process: 'p', verdict };
    };
    const journal = writeJournal([
      step(1, { type: 'user.plan', by: owner }, { kind: 'accepted' }),
      step(2, { type: 'user.execute', by: owner, shown: null }, { kind: 'refused', code: 'BUSY' }),
    ]);
    const page = await openPage({ hash: `#session&journal=${journal}` });
    expect(await page.locator('#problem').textContent()).toBe(
      '1 of 2 steps went another way than in the journal. Step 2: expected refused BUSY, got refused PRE_INIT.',
    );
    expect(await page.locator('#path .deviation').count()).toBe(1);
    expect(await chips(page)).toEqual(['plan.editing.preInit', 'turn.idle']);
  });
});

it('the policy of the page lets its own script run and no other, and nothing from outside', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/u.exec(html)?.[1]?.split('; ') ?? [];
  const script = html.slice(html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>'));
  expect(policy).toEqual([
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});
