import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { visibleLine } from '../text.ts';

/** A program to start, with its whole environment. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/** How long a server has to end by itself when its input closes, and then after TERM, in ms. */
const politeMs = 500;
const graceMs = 2000;
/** Kept of what the server writes to stderr, in characters. */
const lastWordsLimit = 2000;

/**
 * Messages over the pipes of a process that leads a group of its own, so that whatever it starts ends with it. The
 * kit's own transport ends the one process only, and a server often runs behind a launcher such as `npx`.
 */
export class GroupTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  private readonly launch: Launch;
  private readonly buffer = new ReadBuffer();
  private readonly gone = Promise.withResolvers<void>();
  /** The program goes without waiting for anything: so do its servers. */
  private readonly atExit = (): void => this.signal('SIGKILL');
  private child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  private ending: string | null = null;
  private words = '';

  constructor(launch: Launch) {
    this.launch = launch;
  }

  /** How the process ended and the last that it said; null while it runs. */
  get ended(): string | null {
    const last = visibleLine(this.words.trimEnd().split('\n').at(-1) ?? '').slice(0, 200);
    return this.ending === null || last === '' ? this.ending : `${this.ending}: ${last}`;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.launch;
    const child = spawn(command, [...args], { cwd, env: { ...env }, detached: true, stdio: 'pipe' });
    this.child = child;
    process.on('exit', this.atExit);
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.words = (this.words + text).slice(-lastWordsLimit);
    });
    // A server that is gone can't be written to; its end says so already.
    child.stdin.on('error', () => undefined);
    child.on('exit', (code, signal) => {
      this.ending = code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
      // Its own children would keep the pipes open.
      this.signal('SIGKILL');
    });
    child.on('close', () => this.over());
    return new Promise((resolve, reject) => {
      child.on('spawn', resolve);
      child.on('error', (error) => {
        this.ending ??= error.message;
        this.over();
        reject(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      if (child === null) return reject(new Error('the server is not started'));
      child.stdin.write(serializeMessage(message), (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    if (this.child === null) return;
    this.child.stdin.end();
    if (await this.isGone(politeMs)) return;
    this.signal('SIGTERM');
    if (await this.isGone(graceMs)) return;
    this.signal('SIGKILL');
    await this.gone.promise;
  }

  private over(): void {
    process.off('exit', this.atExit);
    this.gone.resolve();
    this.onclose?.();
  }

  private async isGone(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const found = await Promise.race([this.gone.promise.then(() => true), late]);
    clearTimeout(timer);
    return found;
  }

  private read(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
      for (let next = this.next(); next !== null; next = this.next()) this.onmessage?.(next);
    } catch (error) {
      // A message without an end: nothing that follows can be read.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.signal('SIGKILL');
    }
  }

  /** A line that is no message is left out: some servers print there. */
  private next(): JSONRPCMessage | null {
    for (;;) {
      try {
        return this.buffer.readMessage();
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  private signal(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // Nobody is left, or who is left is not ours to end.
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    }
  }
}
