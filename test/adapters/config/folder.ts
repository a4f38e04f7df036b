import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder of the test, its real path. */
export function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-config-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Writes a file and the folders above it; answers its path. */
export function write(path: string, content: string | Uint8Array, mode = 0o600): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
  return path;
}
