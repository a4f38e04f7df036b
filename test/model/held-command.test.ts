import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldCommand } from './held-command.ts';
import { until } from './until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planchart-held-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ended by force after 10 s, which the test sees as a failure. */
const run = (command: string) => promisify(execFile)('bash', ['-c', command], { timeout: 10_000 });

it('runs until its mark is removed', async () => {
  const mark = join(folder, 'mark');
  const ended = run(heldCommand(`: > '${mark}-changed'`, mark));
  await until(
    () => (existsSync(mark) ? true : null),
    () => 'it has not begun',
  );
  expect(existsSync(`${mark}-changed`)).toBe(true);
  rmSync(mark);
  await expect(ended).resolves.toMatchObject({ stderr: '' });
});

it('ends by itself where nobody removes it', async () => {
  const mark = join(folder, 'mark');
  const began = Date.now();
  await expect(run(heldCommand(':', mark, 1))).resolves.toMatchObject({ stderr: '' });
  expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  expect(existsSync(mark)).toBe(true);
});
