import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serveLive } from '../../../adapters/charts/live/server.ts';
import type { LiveState } from '../../../adapters/charts/page/live-state.ts';
import { drawPage, type DrawnPage, lit } from './drawn-page.ts';

let drawn: DrawnPage;
beforeAll(async () => {
  drawn = await drawPage();
});
afterAll(() => drawn?.close());

describe('?live', () => {
  const state = (value: string, code: string | null = null): LiveState => ({
    machine: 'session',
    session: '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63',
    value: [value, 'turn.idle'],
    since: new Date(Date.now() - 65_000).toISOString(),
    lastEvents: [
      {
        at: '2026-02-01T10:00:00.000Z',
        event: 'user.execute',
        by: 'owner tui',
        verdict: code === null ? { kind: 'accepted', code } : { kind: 'refused', code },
        from: ['plan.noPlan', 'turn.idle'],
        to: [value, 'turn.idle'],
      },
    ],
    seed: null,
    keyboard: { value: 'owned', since: null, facts: ['buttons: approve'] },
  });

  it('follows a session, and nothing can be pressed', async () => {
    let now = state('plan.noPlan', 'NO_PLAN');
    const server = await serveLive({ page: drawn.html, look: () => Promise.resolve(now), everyMs: 20 });
    onTestFinished(() => server.close());
    const page = await drawn.open({ url: `${server.url}?live` });
    await page.locator('#now .chip').first().waitFor();
    expect(await lit(page)).toEqual(expect.arrayContaining(['plan.noPlan', 'turn.idle']));
    expect(await page.locator('#events').textContent()).toMatch(
      /10:00:00 user\.execute \(owner tui\) refused NO_PLAN/u,
    );
    expect(await page.locator('#now .hint').textContent()).toMatch(/for 1 min\.$/u);
    now = state('plan.editing.postInit');
    await page.locator('.picture:visible .lit[data-state="plan.editing.postInit"]').waitFor();
    expect(await page.locator('.choice, #path, #reset').count()).toBe(0);
    const hint = page.locator('#now .hint');
    await page.locator('#tab-keyboard').click();
    expect(await lit(page)).toEqual(['owned']);
    expect(await hint.textContent()).toMatch(/^The chat of session /u);
    await page.locator('#tab-agent').click();
    expect(await lit(page)).toEqual([]);
    expect(await hint.textContent()).toMatch(/^Only the session and its keyboard are followed/u);
  });

  it('tells an event that is not found from none at all', async () => {
    let now = state('plan.noPlan');
    const server = await serveLive({ page: drawn.html, look: () => Promise.resolve(now), everyMs: 20 });
    onTestFinished(() => server.close());
    const page = await drawn.open({ url: `${server.url}?live` });
    await page.locator('#events .happened').waitFor();
    await page.locator('#search').fill('zebra');
    await page.getByText('No event here matches.').waitFor();
    now = { ...now, lastEvents: [], keyboard: null };
    await page.getByText('Nothing has happened yet.').waitFor();
    await page.locator('#tab-keyboard').click();
    expect(await page.locator('#now .hint').textContent()).toMatch(/ is in no chat\.$/u);
  });
});
