import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const program = join(root, 'dist/planchart.js');
export const launcher = join(root, 'adapters/planchart.sh');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A started program; what it has written so far is in `out` and `err`. */
export interface Started {
  child: ChildProcess;
  readonly out: string;
  readonly err: string;
  /** Waits until stderr or stdout fits; fails with both in the message. */
  until(wanted: RegExp, ms?: number): Promise<void>;
  ended: Promise<Ended>;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** A home folder, a project folder and the binary, all in one temporary folder. */
export interface World {
  folder: string;
  home: string;
  project: string;
  env: Record<string, string>;
  start(args: readonly string[], env?: Env): Started;
  run(args: readonly string[], env?: Env): Promise<Ended>;
  /** Ends what still runs and removes the folder. */
  end(): void;
}

/** This process's environment without what would choose a model, a home or a mood for the program. */
export function plainEnv(home: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !/^(OPENAI|ANTHROPIC|PLANCHART|OPENCRABS|NODE_OPTIONS|VITEST|CI$|npm_)/u.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), HOME: home };
}

export function createWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-cli-')));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  for (const path of [home, project]) mkdirSync(path);
  const env = plainEnv(home);
  const running: ChildProcess[] = [];
  const begin = (args: readonly string[], more: Env = {}): Started => {
    const started = start(process.execPath, [program, ...args], { cwd: project, env: merged(env, more) });
    running.push(started.child);
    return started;
  };
  return {
    folder,
    home,
    project,
    env,
    start: begin,
    run: (args, more) => begin(args, more).ended,
    end() {
      for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function merged(env: Record<string, string>, more: Env): Record<string, string> {
  const all = Object.entries({ ...env, ...more });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function start(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Started {
  const child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const held = { out: '', err: '' };
  const looks = new Set<() => void>();
  const tell = (): void => {
    for (const look of looks) look();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    held.out += text;
    tell();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    held.err += text;
    tell();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout: held.out, stderr: held.err });
      tell();
    });
  });
  return {
    child,
    get out() {
      return held.out;
    },
    get err() {
      return held.err;
    },
    until: (wanted, ms = 15_000) => until(held, looks, wanted, ms),
    ended,
  };
}

function until(
  held: { out: string; err: string },
  looks: Set<() => void>,
  wanted: RegExp,
  ms: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      looks.delete(look);
    };
    const look = (): void => {
      if (!wanted.test(held.out) && !wanted.test(held.err)) return;
      done();
      resolve();
    };
    const timer = setTimeout(() => {
      done();
      reject(new Error(`No ${String(wanted)} in ${ms} ms. stdout: ${held.out}\nstderr: ${held.err}`));
    }, ms);
    looks.add(look);
    look();
  });
}

/** The lines of a text that are not empty. */
export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Command lines of every process of this machine. */
export function commands(): string[] {
  if (!existsSync('/proc/self'))
    return spawnSync('ps', ['-Ao', 'args'], { encoding: 'utf8' }).stdout.split('\n');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error) return '';
      throw error;
    }
  });
}
