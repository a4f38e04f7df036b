import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { PromptAnswer } from '../../../adapters/ports.ts';
import type { Said } from '../../../machines/index.ts';
import { start, type Terminal, type TerminalOptions } from '../../support/terminal.ts';
import type { FixtureSetup, Order } from './fixture.tsx';

/** What the program reports, in order. */
export type Fact =
  | { sent: Said }
  | { answer: PromptAnswer; open: boolean }
  | { switched: string | null }
  | { ended: string };

/** The terminal UI on a real pseudo-terminal, its session scripted by the test. */
export interface TuiProgram extends Terminal {
  /** Settles when the program has carried it out; the screen follows a little later. */
  order(order: Order): Promise<void>;
  facts: Fact[];
  /** Waits for the first fact that fits. */
  fact(fits: (fact: Fact) => boolean, ms?: number): Promise<Fact>;
  sent(type: Said['type'], ms?: number): Promise<Said>;
  /**
   * Types `text` until the screen fits: a key that comes in the first moments of a dialog is not taken as
   * an answer (B98), and how long a program needs to open one is not the test's to know.
   */
  press(text: string, wanted: RegExp | ((rows: string[]) => boolean), ms?: number): Promise<string[]>;
}

export interface TuiPrograms {
  run(setup: FixtureSetup, options: TerminalOptions): Promise<TuiProgram>;
  /** The same from an interactive shell with job control, as a person starts it; `fg` continues it there. */
  shell(setup: FixtureSetup, options: TerminalOptions): Promise<TuiProgram>;
  /** Ends what was started and removes the bundle. */
  end(): Promise<void>;
}

async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, 'fixture.mjs');
  // Ink names this package for its developer tools; it is not installed.
  const stub = join(folder, 'no-devtools.js');
  writeFileSync(stub, 'export default {};\n');
  await build({
    entryPoints: [fileURLToPath(new URL('fixture.tsx', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { 'react-devtools-core': stub },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

interface Wire {
  path: string;
  connected: Promise<Socket>;
  close(): Promise<void>;
}

function listen(path: string): Promise<Wire> {
  const { promise: connected, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve);
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
    });
  return new Promise((ready) => {
    server.listen(path, () => ready({ path, connected, close }));
  });
}

function collect(socket: Socket): Pick<TuiProgram, 'facts' | 'fact' | 'sent' | 'order'> {
  const facts: Fact[] = [];
  const waiting = new Set<() => void>();
  const orders: (() => void)[] = [];
  createInterface({ input: socket }).on('line', (line) => {
    const told = JSON.parse(line) as Fact | 'obeyed';
    if (told === 'obeyed') return orders.shift()?.();
    facts.push(told);
    for (const look of waiting) look();
  });
  const order = (one: Order): Promise<void> =>
    new Promise((resolve) => {
      orders.push(resolve);
      socket.write(`${JSON.stringify(one)}\n`);
    });
  const fact = (fits: (fact: Fact) => boolean, ms = 10_000): Promise<Fact> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = facts.find((one) => fits(one));
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`No such fact in ${ms} ms: ${JSON.stringify(facts)}`));
      }, ms);
      waiting.add(look);
      look();
    });
  const sent = async (type: Said['type'], ms?: number): Promise<Said> => {
    const found = await fact((one) => 'sent' in one && one.sent.type === type, ms);
    if (!('sent' in found)) throw new Error('unreachable');
    return found.sent;
  };
  return { facts, fact, sent, order };
}

async function press(
  terminal: Terminal,
  text: string,
  wanted: RegExp | ((rows: string[]) => boolean),
  ms = 10_000,
): Promise<string[]> {
  const deadline = Date.now() + ms;
  for (;;) {
    terminal.type(text);
    try {
      return await terminal.waitFor(wanted, 700);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** One word for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Bundles the fixture once; each `run` starts it on a terminal of its own. */
export async function tuiPrograms(): Promise<TuiPrograms> {
  const folder = mkdtempSync(join(tmpdir(), 'planchart-tui-'));
  const program = await bundle(folder);
  const running: { terminal: Terminal; wire: Wire }[] = [];
  const begin = async (
    setup: FixtureSetup,
    options: TerminalOptions,
    open: (words: readonly string[]) => Terminal,
  ): Promise<TuiProgram> => {
    const wire = await listen(join(folder, `${running.length}.sock`));
    const terminal = open([process.execPath, program, wire.path, JSON.stringify(setup)]);
    running.push({ terminal, wire });
    const died = terminal.exit(30_000).then((code) => {
      throw new Error(`The program ended with ${code}: ${terminal.bytes()}`);
    });
    const socket = await Promise.race([wire.connected, died]);
    died.catch(() => undefined);
    socket.on('error', () => socket.destroy());
    await terminal.waitFor(/^\u203a /m);
    return {
      ...terminal,
      ...collect(socket),
      press: (text, wanted, ms) => press(terminal, text, wanted, ms),
    };
  };
  return {
    run: (setup, options) => begin(setup, options, ([node = '', ...words]) => start(node, words, options)),
    shell: (setup, options) =>
      begin(setup, options, (words) => {
        const env = { ...options.env, PS1: 'shell$ ', FIXTURE: words.map(quoted).join(' ') };
        const terminal = start('bash', ['--norc', '--noprofile', '-i'], { ...options, env });
        terminal.type('eval "$FIXTURE"\r');
        return terminal;
      }),
    async end() {
      for (const { terminal } of running) terminal.kill();
      await Promise.all(running.map(({ wire }) => wire.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
