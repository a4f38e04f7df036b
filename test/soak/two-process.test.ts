import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleTwo, type TwoProgram, type TwoReport } from '../support/two-process.ts';

/** The short form; `npm run soak` takes 1,000 moves a list. */
const events = 60;
const first = Date.now() % 0x3fff_ffff;
console.log(`two-process: seeds from ${first}`);

let program: TwoProgram;
beforeAll(async () => {
  program = await bundleTwo();
});
afterAll(() => program.end());

async function runs(
  count: number,
  options: { lock: 'shared' | 'none'; kills: number },
): Promise<TwoReport[]> {
  const reports: TwoReport[] = [];
  for (let run = 0; run < count; run += 1) {
    reports.push(await program.run({ ...options, seed: first + run, events }));
  }
  return reports;
}

const faults = (reports: readonly TwoReport[]): string[] =>
  reports.flatMap((report) => report.faults.map(({ kind, text }) => `seed ${report.seed}: ${kind}: ${text}`));
const sum = (
  reports: readonly TwoReport[],
  name: 'events' | 'switches' | 'kills' | 'torn' | 'restored',
): number => reports.reduce((all, report) => all + report[name], 0);
const seen = (reports: readonly TwoReport[], what: 'answers' | 'phases'): string[] => [
  ...new Set(reports.flatMap((report) => [...report[what].keys()])),
];

describe('D7 two processes that work random lists on one session', () => {
  it('lose no update, and the machine alone explains every answer, commit, view and file', async () => {
    const reports = await runs(3, { lock: 'shared', kills: 0 });
    expect(faults(reports)).toEqual([]);
    // Otherwise it would have shown little: both were at it all the time, and they came far.
    expect(sum(reports, 'events')).toBeGreaterThan(3 * events);
    expect(sum(reports, 'switches')).toBeGreaterThan(30);
    expect(sum(reports, 'restored')).toBeGreaterThan(3);
    expect(seen(reports, 'phases')).toEqual(
      expect.arrayContaining(['noPlan', 'postInit', 'seeding', 'checklist']),
    );
    const answers = ['accepted', 'queued', 'look', 'refused BUSY', 'refused CANCELLED', 'refused LIVE_PLAN'];
    expect(seen(reports, 'answers')).toEqual(expect.arrayContaining(answers));
  }, 60_000);

  it('lose nothing that was saved when one of them is killed, and leave no third state', async () => {
    const reports = await runs(2, { lock: 'shared', kills: 6 });
    expect(faults(reports)).toEqual([]);
    expect(sum(reports, 'kills')).toBeGreaterThan(2);
    expect(sum(reports, 'torn')).toBeGreaterThan(0);
  }, 60_000);

  it('without a lock in common they do, and this check sees it', async () => {
    const reports = await runs(2, { lock: 'none', kills: 0 });
    expect(reports.map((report) => report.faults.length > 0)).toEqual([true, true]);
  }, 60_000);
});
