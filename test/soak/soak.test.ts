import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TwoReport } from '../support/two-process.ts';
import { partNames, readOptions } from './options.ts';
import { crashSummary, exitCodeOf, summaryLine, twoSummary } from './summary.ts';

const program = fileURLToPath(new URL('soak.ts', import.meta.url));
const soak = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

describe('npm run soak', () => {
  it('runs the parts that are named, and prints what they came to', () => {
    const { status, stdout } = soak('--minutes', '0', '--events', '20', '--seed', '7', 'kill');
    expect(stdout).toMatch(/^seed 7, 20 moves a list, 0 minutes\n {2}seed 7: \d+ events, /u);
    expect(stdout).toMatch(/^kill: good: seeds 1, events \d+, .*kills \d+, .*third states 0, lost 0, /mu);
    expect(status).toBe(0);
  }, 60_000);

  it('ends with 1 where something is lost, and keeps the log', () => {
    const { status, stdout } = soak('--minutes', '0', '--events', '40', '--unlocked', 'two');
    const log = /\(log: (.*\.jsonl)\)/u.exec(stdout)?.[1] ?? '';
    expect(log).not.toBe('');
    rmSync(log);
    expect(stdout).toMatch(/^two: BROKEN: /mu);
    expect(status).toBe(1);
  }, 60_000);

  it('ends with 2 where it does not understand, and says how to call it', () => {
    const { status, stderr } = soak('speed');
    expect(stderr).toContain('There is no part "speed".');
    expect(stderr).toContain('npm run soak');
    expect(status).toBe(2);
  });
});

describe('the command line', () => {
  it.each([
    [['speed'], 'There is no part "speed".'],
    [['--minutes', 'some'], '--minutes takes a number.'],
    [['--seed', '1.5'], '--seed and --events take whole numbers.'],
    [['--events', '0'], '--seed and --events take whole numbers.'],
    [['--lost'], "Unknown option '--lost'"],
  ])('%s is refused', (args, words) => {
    expect(readOptions(args)).toMatchObject({ cause: expect.stringContaining(words) });
  });

  it('names parts, time, seed and length; without them everything, for ten minutes', () => {
    const given = ['--minutes', '0.5', '--seed', '3', '--events', '9', '--unlocked', 'kill', 'two'];
    expect(readOptions(given)).toEqual({
      parts: ['kill', 'two'],
      minutes: 0.5,
      seed: 3,
      events: 9,
      lock: 'none',
    });
    expect(readOptions([])).toMatchObject({ parts: partNames, minutes: 10, events: 1000, lock: 'shared' });
    expect(readOptions(['--help'])).toBe('help');
  });
});

describe('a summary', () => {
  const crash = { points: 1200, killed: 1200, found: ['noPlan', 'preInit'], faults: [] as string[] };

  it('counts third states and losses of the crash part', () => {
    const faults = [
      'point 1, before write: it showed noPlan, a restart finds preInit',
      'point 2, before write: lost: ["# Plan"]',
      'point 3, before write: the turn still counts as running',
    ];
    const broken = crashSummary({ ...crash, faults }, 61_000);
    expect(summaryLine(broken)).toBe(
      'crash: BROKEN: kills 1,200, file changes 1,200, states 2, third states 1, lost 1, other faults 1; all of them, 61 s',
    );
    expect(exitCodeOf([crashSummary(crash, 0)])).toBe(0);
    expect(exitCodeOf([crashSummary(crash, 0), broken])).toBe(1);
  });

  it('says what the time did not suffice for', () => {
    expect(summaryLine(crashSummary({ ...crash, killed: 200 }, 0))).toContain(
      '1,000 were left out, the time was over',
    );
  });

  it('sums up the runs of two processes', () => {
    const counts = {
      events: 1000,
      commits: 500,
      switches: 90,
      acknowledged: 480,
      kills: 3,
      torn: 2,
      restored: 0,
    };
    const seen = { answers: new Map(), phases: new Map(), ends: [], faults: [], log: null };
    const run: TwoReport = { seed: 7, ...counts, ...seen };
    const lost: TwoReport = { ...run, seed: 8, log: '/tmp/log', faults: [{ kind: 'lost', text: 'A1 #3' }] };
    const summary = twoSummary('kill', [run, lost], 2000);
    expect(summaryLine(summary)).toBe(
      'kill: BROKEN: seeds 2, events 2,000, commits 1,000, switches 180, acknowledged 960, kills 6, in a commit 4, third states 0, lost 1, other faults 0; seeds 7 to 8, 2 s',
    );
    expect(summary.faults).toEqual(['seed 8: lost: A1 #3 (log: /tmp/log)']);
    expect(exitCodeOf([twoSummary('two', [run], 0), summary])).toBe(1);
  });
});
