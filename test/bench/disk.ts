import { mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `statfs` says of a file system that lives in memory. */
const memoryTypes = [0x01021994, 0x858458f6];

/** A folder of this run; `end` removes it. */
export interface BenchFolder {
  path: string;
  end(): void;
}

/** On a real disk: a file system in memory syncs for nothing, and the ratios would say nothing. */
export function createBenchFolder(): BenchFolder {
  const inMemory = memoryTypes.includes(statfsSync(tmpdir()).type);
  const parent = inMemory ? join(root, 'node_modules/.cache') : tmpdir();
  mkdirSync(parent, { recursive: true });
  const path = realpathSync(mkdtempSync(join(parent, 'planchart-bench-')));
  return { path, end: () => rmSync(path, { recursive: true, force: true }) };
}
