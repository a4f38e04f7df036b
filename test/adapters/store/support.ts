import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { FileHook } from '../../../adapters/store/file-ops.ts';
import { createFileOps, systemError } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import { SessionRecord, type StoredSession } from '../../../machines/index.ts';

export const session = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';
export const other = 'aaaaaaaa-6a4d-4f0e-9b7a-2d5c8e1f0a63';
export const turn = '11111111-2222-4333-8444-555555555555';
export const stamp = '20260102-030405';
export const at = '2026-01-02T03:04:05Z';

const homes: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'planchart-store-'));
  homes.push(home);
  return home;
}

export function record(id: string = session, more: Partial<SessionRecord> = {}): SessionRecord {
  return SessionRecord.parse({ v: 1, id, cwd: '/project', created: at, used: at, ...more });
}

export const textOf = (value: SessionRecord): string => JSON.stringify(value);

/** Plan files as another program writes them: no lock, no record. null: no such file. */
export function plant(folder: string, sidecar: string | null, document: string | null, id = session): void {
  mkdirSync(folder, { recursive: true });
  const stem = join(folder, `.opencrabs_plan_${id}`);
  if (sidecar !== null) writeFileSync(`${stem}.json`, sidecar);
  if (document !== null) writeFileSync(`${stem}.md`, document);
}

/** Texts of sidecar and `.md`; where there is none, why in a word. */
export function texts({ sidecar, document }: Pick<StoredSession, 'sidecar' | 'document'>): string[] {
  return [sidecar, document].map((file) => (file.kind === 'text' ? file.text : file.kind));
}

/** A home with one session and, if wanted, plan files written by plain calls. */
export async function storeWithSession(
  hook?: FileHook,
): Promise<{ home: string; store: SessionStore; faulty: SessionStore }> {
  const home = tempHome();
  const store = createFileStore({ home });
  await store.create(record());
  return { home, store, faulty: createFileStore({ home, ops: createFileOps(hook) }) };
}

/** Every path below a folder with kind, size, time and content: two equal lists mean that nothing changed. */
export function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = statSync(join(folder, name));
      const content = stat.isFile() ? readFileSync(join(folder, name), 'utf8') : '';
      return `${name} ${stat.mode.toString(8)} ${stat.mtimeMs} ${content}`;
    });
}

/** Names only; lock files are left out, since they come with the first lock and stay. */
export function names(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('planchart/locks'))
    .sort();
}

/** Fails the calls that match, as the system would. */
export function failing(match: string, path: RegExp, code: string, times = Infinity): FileHook {
  let left = times;
  return ({ call, path: at, when }) => {
    if (when !== 'before' || call !== match || !path.test(at) || left <= 0) return;
    left -= 1;
    throw systemError(code, `${code} caused by the test`);
  };
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const childFile = fileURLToPath(new URL('child.ts', import.meta.url));

/** Starts a real process on the store; `wrap` runs it inside another program (bwrap). */
export function startChild(args: readonly string[], wrap: readonly string[] = []): ChildRun {
  const [command, ...rest] = [...wrap, process.execPath, '--no-warnings', childFile, ...args];
  const child = spawn(command ?? '', rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 || child.killed) resolve(output);
      else reject(new Error(`child ended with ${code}: ${errors}${output}`));
    });
  });
  // A test that only kills its child never looks at this.
  ended.catch(() => undefined);
  return {
    child,
    ended,
    saw: (line) => until(`child prints ${line}: ${errors}`, () => output.includes(line)),
  };
}

export interface ChildRun {
  child: ChildProcess;
  /** Standard output, when it has ended by itself or by our kill. */
  ended: Promise<string>;
  saw(line: string): Promise<void>;
}

/** Whether bubblewrap can mount here; without it the faults are injected at FileOps instead. */
export const bwrapWorks =
  spawnSync('bwrap', ['--bind', '/', '/', '--tmpfs', '/mnt', 'true'], { stdio: 'ignore' }).status === 0;
