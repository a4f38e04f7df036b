import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedPeers, measurePeers } from './peers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planchart-peers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('names what is there and what is not, and measures the former', async () => {
  const [empty, bin] = [join(folder, 'empty'), join(folder, 'bin')];
  for (const one of [empty, bin]) mkdirSync(one);
  for (const name of ['codex', 'pi'])
    writeFileSync(join(bin, name), '#!/bin/sh\necho "home $HOME"; sleep 60\n');
  // One that can't be run is none.
  chmodSync(join(bin, 'codex'), 0o755);
  const path = [empty, bin].join(delimiter);
  const { found, absent } = installedPeers(path);
  expect([...found]).toEqual([['codex', join(bin, 'codex')]]);
  expect(absent).toEqual(['claude', 'pi', 'qwen', 'gemini', 'opencode']);
  const rows = await measurePeers(join(folder, 'run'), 1, path);
  expect(rows.map(({ name, goal }) => [name, goal])).toEqual([
    ['first frame, codex', null],
    ['memory, codex', null],
  ]);
  for (const { ours, floor } of rows) expect(Math.min(ours, floor ?? 0)).toBeGreaterThan(0);
});
