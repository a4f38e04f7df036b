import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashEverywhere } from '../../support/crash.ts';
import { bundleChild, type ChildProgram } from '../../support/crash-process.ts';

/** Of several hundred points; `npm run soak` takes all of them. */
const kills = 36;

describe('B72, B78 a process that is killed at any file change', () => {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await bundleChild();
  });
  afterAll(() => program.end());

  it('leaves the old state or the new one, never a third, and loses nothing', async () => {
    const report = await crashEverywhere(program, kills);
    console.log(`killed at ${report.killed} of ${report.points} file changes`);
    expect(report.faults).toEqual([]);
    expect(report.killed).toBe(kills);
    expect(report.points).toBeGreaterThan(200);
    // Kills that all fell into one state would show little.
    expect(report.found.length).toBeGreaterThan(6);
  }, 60_000);
});
