import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real folder of the running test, by its resolved path; gone when the test ends. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** Looks again until something holds; fails with what it saw last when it does not within the time. */
export async function eventually<T>(look: () => T, holds: (seen: T) => boolean, limitMs = 5000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const seen = look();
    if (holds(seen)) return seen;
    if (Date.now() > end) throw new Error(`not so after ${limitMs} ms: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const never = new AbortController().signal;

/** Changes with any name, byte, mode or time below the folder. */
export const photograph = (path: string): string =>
  createHash('sha256')
    .update(execFileSync('tar', ['-cf', '-', '--sort=name', '.'], { cwd: path }))
    .digest('hex');

/** A repository with one commit of everything in the folder, tagged `v1`. */
export function commitAll(cwd: string): void {
  const git = (...line: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...line], { cwd, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('tag', 'v1');
}
