import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Published } from '../../adapters/ports.ts';
import type { Answer, Said, SessionView } from '../../machines/index.ts';
import type { ChildOrder, ChildTold } from './crash-protocol.ts';
import { until } from './harness.ts';
import { promptFolder } from './harness-world.ts';

/** The child program as one file: reading a hundred sources costs more than most of what it does. */
export interface ChildProgram {
  start(order: Partial<ChildOrder> & Pick<ChildOrder, 'home' | 'session'>): ChildRun;
  /** Ends what still runs and removes the file. */
  end(): Promise<void>;
}

export interface ChildRun {
  pid: number;
  told: ChildTold[];
  view(): SessionView | undefined;
  published<T extends Published['type']>(type: T): Extract<Published, { type: T }>[];
  answers(): Answer[];
  ready(): Promise<void>;
  /** Sends an event; its answer comes with `told`. */
  send(said: Said): Promise<Answer>;
  /** Lets the model answer. */
  go(): void;
  kill(): Promise<void>;
  /** The signal that ended it, null when it ended by itself; throws when it failed. */
  ended: Promise<NodeJS.Signals | null>;
}

/** Bundles a program into one file that runs anywhere. */
export async function bundle(source: URL, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
}

export async function bundleChild(): Promise<ChildProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'planchart-child-'));
  const program = join(folder, 'child.mjs');
  await bundle(new URL('crash-child.ts', import.meta.url), program);
  const children: ChildProcess[] = [];
  return {
    start: (order) => {
      const rest = {
        prompts: promptFolder,
        script: [],
        acts: [],
        then: 'serve',
        kill: null,
        answer: 'yes',
      } as const;
      const argv = ['--no-warnings', program, JSON.stringify({ ...rest, ...order } satisfies ChildOrder)];
      const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'pipe'] });
      children.push(child);
      return follow(child);
    },
    end: async () => {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function follow(child: ChildProcess): ChildRun {
  const told: ChildTold[] = [];
  let rest = '';
  let errors = '';
  child.stdout?.on('data', (data: Buffer) => {
    const lines = `${rest}${data.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) told.push(JSON.parse(line) as ChildTold);
  });
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal !== null) resolve(signal);
      else reject(new Error(`the child ended with ${code}: ${errors}`));
    });
  });
  // A test that only kills its child never looks at this.
  ended.catch(() => undefined);
  const answers = (): Answer[] => told.flatMap((one) => (one.type === 'answer' ? [one.answer] : []));
  return {
    pid: child.pid ?? 0,
    told,
    ended,
    answers,
    view: () => told.findLast((one) => one.type === 'view')?.view,
    published: (type) =>
      told.flatMap((one) => (one.type === 'told' && isOf(one.told, type) ? [one.told] : [])),
    ready: () =>
      until(
        () => `the child is ready: ${errors}`,
        () => told.some(({ type }) => type === 'ready'),
      ),
    go: () => void child.stdin?.write('go\n'),
    send: async (said) => {
      const before = answers().length;
      child.stdin?.write(`${JSON.stringify(said)}\n`);
      await until(`the child answers ${said.type}`, () => answers().length > before);
      return answers()[before] ?? { kind: 'view', text: '' };
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isOf = <T extends Published['type']>(
  published: Published,
  type: T,
): published is Extract<Published, { type: T }> => published.type === type;
