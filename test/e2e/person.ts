import { onTestFinished } from 'vitest';
import { program, type World } from '../cli/planchart.ts';
import { start, type Terminal } from '../support/terminal.ts';

type Wanted = RegExp | ((rows: string[]) => boolean);

/** A person at an 80×24 terminal: types lines, answers questions, reads the screen. */
export interface Person extends Terminal {
  /** Types a line into the input and sends it once it stands there. */
  say(line: string): Promise<void>;
  /**
   * Presses a key until the screen fits: a key in the first moments of a dialog is no answer (B98), and how
   * long the program needs to open one is not the test's to know.
   */
  press(key: string, wanted: Wanted, ms?: number): Promise<string[]>;
  /** Waits until no turn runs; the caller has seen something of the turn before. */
  idle(): Promise<string[]>;
  /** Says Yes to every question that opens until the screen fits. */
  allow(wanted: Wanted, ms?: number): Promise<string[]>;
}

const prompt = /^\u203a /mu;
const question = /^\? Allow\? |\bAllow\?/mu;

/** Starts planchart in the world's project and waits for its input. It ends with the test. */
export async function sit(
  world: World,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Person> {
  const terminal = start(process.execPath, [program, ...args], {
    cols: 80,
    rows: 24,
    cwd: world.project,
    env: { ...unset, ...world.env, NO_COLOR: '1', ...env },
  });
  onTestFinished(() => terminal.kill());
  await terminal.waitFor(prompt);
  return {
    ...terminal,
    idle: () => terminal.waitFor((rows) => !rows.some((row) => row.startsWith('\u2026 '))),
    say: (line) => say(terminal, line),
    press: (key, wanted, ms) => press(terminal, key, wanted, ms),
    allow: (wanted, ms) => allow(terminal, wanted, ms),
  };
}

/** `start` adds to this process's environment, in which another model or home may be chosen. */
const unset = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(OPENAI|ANTHROPIC|PLANCHART|OPENCRABS|NODE_OPTIONS|VITEST)/u.test(name))
    .map((name) => [name, undefined]),
);

/** What stands in the input: the rows between the two rules at the bottom. */
function inputOf(rows: readonly string[]): string {
  const rule = (row: string): boolean => /^\u2500{20,}$/u.test(row);
  const bottom = rows.findLastIndex(rule);
  const top = rows.slice(0, Math.max(bottom, 0)).findLastIndex(rule);
  return top === -1 ? '' : rows.slice(top + 1, bottom).join('\n');
}

/** A screen that is just coming up may not listen yet; a person sees that and types again. */
async function say(terminal: Terminal, line: string): Promise<void> {
  const end = line.slice(-20).trim();
  for (let tries = 1; ; tries += 1) {
    terminal.type(line);
    try {
      await terminal.waitFor((rows) => inputOf(rows).endsWith(end), 3000);
      break;
    } catch (error) {
      if (tries === 3) throw error;
      terminal.key('ctrlU');
    }
  }
  terminal.key('enter');
}

async function press(terminal: Terminal, key: string, wanted: Wanted, ms = 15_000): Promise<string[]> {
  const deadline = Date.now() + ms;
  for (;;) {
    terminal.type(key);
    try {
      return await terminal.waitFor(wanted, 700);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function allow(terminal: Terminal, wanted: Wanted, ms = 30_000): Promise<string[]> {
  const fits = (rows: string[]): boolean =>
    typeof wanted === 'function' ? wanted(rows) : wanted.test(rows.join('\n'));
  const deadline = Date.now() + ms;
  for (;;) {
    const rows = await terminal.waitFor(
      (now) => fits(now) || question.test(now.join('\n')),
      Math.max(1, deadline - Date.now()),
    );
    if (fits(rows)) return rows;
    terminal.type('s');
    const asked = question.exec(rows.join('\n'))?.index ?? 0;
    const line = rows.join('\n').slice(asked).split('\n', 1)[0] ?? '';
    // The key may have come too early; the next round presses it again.
    await terminal.waitFor((now) => fits(now) || !now.join('\n').includes(line), 700).catch(() => rows);
  }
}
