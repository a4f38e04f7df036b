import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { program, type World as Folders } from '../cli/planchart.ts';
import { start, type KeyName, type Terminal } from '../support/terminal.ts';
import { until } from './until.ts';

export const columns = 120;
const rows = 40;

/** What stands in the input: the rows between the two rules at the bottom; null while something else has the keys. */
export function inputIn(screen: readonly string[]): string | null {
  const rule = (row: string): boolean => /^\u2500{20,}$/u.test(row);
  const bottom = screen.findLastIndex(rule);
  const top = screen.slice(0, Math.max(bottom, 0)).findLastIndex(rule);
  const field = top === -1 ? [] : screen.slice(top + 1, bottom);
  return field[0]?.startsWith('\u203a ') === true ? field.join('\n').slice(2) : null;
}

const invitation = 'Write a message, or /plan to design first';

const quick = 700;

/** The program in a real terminal, and the hands of a person at it. */
export class Program {
  private readonly folders: Folders;
  private readonly baseUrl: string;
  private readonly path: string;
  private running: Terminal | null = null;

  /** `path`: the one folder where the program finds other programs. */
  constructor(folders: Folders, baseUrl: string, path: string) {
    this.folders = folders;
    this.baseUrl = baseUrl;
    this.path = path;
  }

  get terminal(): Terminal {
    if (this.running === null) throw new Error('the program was not started');
    return this.running;
  }

  /** Kills what runs, without a word, and starts again. */
  async start(session: string | null): Promise<void> {
    await this.end();
    const { project, env } = this.folders;
    const args = ['--model', 'openai:test', ...(session === null ? [] : ['--session', session])];
    const unset = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
    this.running = start(process.execPath, [program, ...args], {
      cols: columns,
      rows,
      cwd: project,
      env: { ...unset, ...env, PATH: this.path, NO_COLOR: '1', OPENAI_BASE_URL: this.baseUrl },
    });
    await this.running.waitFor((screen) => inputIn(screen) !== null);
  }

  async end(): Promise<void> {
    const { running } = this;
    this.running = null;
    if (running === null) return;
    running.kill();
    await running.exit();
  }

  /** The id of the one session of this home. */
  session(): string {
    const folder = join(this.folders.home, '.opencrabs/planchart/sessions');
    const [id, ...more] = readdirSync(folder);
    if (id === undefined || more.length > 0) throw new Error(`not one session in ${folder}`);
    return id;
  }

  /** Types a line into the empty input and sends it once it stands there. */
  async say(line: string): Promise<void> {
    await this.empty();
    this.terminal.type(line);
    await this.terminal.waitFor((screen) => inputIn(screen) === line);
    const before = this.terminal.history().join('\n');
    this.terminal.key('enter');
    // What is refused is back in the input at once, with the reason above it.
    await this.terminal.waitFor(
      (screen) => inputIn(screen) !== line || this.terminal.history().join('\n') !== before,
    );
  }

  /** Takes out of the input what came back into it. */
  async empty(): Promise<void> {
    const isEmpty = (screen: readonly string[]): boolean => inputIn(screen) === invitation;
    for (let tries = 0; tries < 20 && !isEmpty(this.terminal.screen()); tries += 1) {
      for (const name of ['ctrlE', 'ctrlU', 'backspace'] as const) this.terminal.key(name);
      await this.terminal.waitFor(isEmpty, 150).catch(() => null);
    }
    await this.terminal.waitFor(isEmpty);
  }

  key(name: KeyName): void {
    this.terminal.key(name);
  }

  /** Presses a key until the screen fits: in the first moments of a question a key is no answer (B98). */
  async press(key: string, fits: () => boolean, ms = 10_000): Promise<void> {
    const end = Date.now() + ms;
    for (;;) {
      this.terminal.type(key);
      try {
        await until(
          () => (fits() ? true : null),
          () => this.told(`pressed ${JSON.stringify(key)}`),
          quick,
        );
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Opens the plan on its own screen. */
  async openPlan(): Promise<void> {
    this.key('ctrlP');
    await this.planIsOpen();
  }

  async planIsOpen(): Promise<void> {
    const { terminal } = this;
    await terminal.waitFor(
      (screen) => terminal.buffer() === 'alternate' && /\bq close\b/u.test(screen.join('\n')),
    );
  }

  async closePlan(): Promise<void> {
    const { terminal } = this;
    terminal.type('q');
    await terminal.waitFor((screen) => terminal.buffer() === 'normal' && inputIn(screen) !== null);
  }

  get isPlanOpen(): boolean {
    return this.terminal.buffer() === 'alternate';
  }

  told(what: string): string {
    return [`${what}; the screen is`, ...this.terminal.screen().map((row) => `  |${row}`)].join('\n');
  }
}
