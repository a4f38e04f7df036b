import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStatus, statusText } from '../../adapters/cli/status.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { createBenchFolder, root } from './disk.ts';
import { measureDispatch } from './dispatch.ts';
import { fillHome } from './home.ts';

const bench = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'test/bench/bench.ts'), ...args], { encoding: 'utf8' });

describe('npm run bench', () => {
  it('prints one table for the parts that are named', () => {
    const { status, stdout } = bench('--quick', 'verdict');
    expect(stdout).toMatch(/^Node \S+, \d+ cores, load/u);
    expect(stdout).toMatch(/^verdict +\d+\.\d+ µs +\d+\.\d+ µs +\d+\.\d+× +≤ 5 µs +(met|missed)$/mu);
    expect(status).toBe(0);
  });

  it('names a part that it does not know, and how to call it', () => {
    const { status, stderr } = bench('speed');
    expect(status).toBe(2);
    expect(stderr).toContain('There is no part "speed".');
    expect(stderr).toContain('npm run bench');
  });
});

it('counts for a dispatch the files that it really wrote', async () => {
  const folder = createBenchFolder();
  try {
    const rows = await measureDispatch(folder.path, 1, 10);
    const noteOf = (name: string) => rows.find((row) => row.name === name)?.note;
    expect(noteOf('dispatch tool.start')).toMatch(/same 2 file\(s\), \d\.\d kB; 9 pairs/u);
    expect(noteOf('dispatch user.policy')).toMatch(/same 1 file\(s\), 0\.\d kB; 10 pairs/u);
  } finally {
    folder.end();
  }
});

it('fills a home with sessions that load, of every kind', async () => {
  const folder = createBenchFolder();
  try {
    const ids = fillHome(folder.path, { sessions: 10 });
    const store = createFileStore({ home: folder.path });
    const text = statusText(folder.path, await readStatus(store, null));
    for (const id of ids) expect(text).toContain(id);
    expect(text).not.toContain('cannot be read');
    expect(text.match(/4\/10/gu)).toHaveLength(3);
  } finally {
    folder.end();
  }
});
