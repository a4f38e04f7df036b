import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { start, type Terminal } from '../support/terminal.ts';
import { createWorld, program, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  mkdirSync(join(world.project, '.planchart/commands'), { recursive: true });
  writeFileSync(join(world.project, '.planchart/config.toml'), 'model.nmae = 1\n');
});
afterEach(() => world.end());

const asked =
  /This folder brings along settings[\s\S]*commands, config\.toml[\s\S]*Load them\?[\s\S]*y yes {3}n no/u;
const input = /^› /mu;
const warned = /model\.nmae is no known key/u;

function sit(): Terminal {
  const options = { cols: 100, rows: 30, cwd: world.project, env: { ...world.env, NO_COLOR: '1' } };
  const terminal = start(process.execPath, [program], options);
  onTestFinished(() => terminal.kill());
  return terminal;
}

/** Presses until the screen fits: keys of the first moments are no answer (B98). */
async function press(terminal: Terminal, key: string, wanted: RegExp): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    terminal.type(key);
    try {
      return (await terminal.waitFor(wanted, 700)).join('\n');
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

function answers(): Record<string, { answer: string }> {
  const text = readFileSync(join(world.home, '.opencrabs/planchart/trust.json'), 'utf8');
  return (JSON.parse(text) as { folders: Record<string, { answer: string }> }).folders;
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type('/quit\r');
  await terminal.exit();
}

describe('D53 the question about a folder’s settings', () => {
  it.each([
    ['y', 'trusted'],
    ['n', 'refused'],
  ])(
    '%s is kept, and nobody is asked again',
    async (key, answer) => {
      const first = sit();
      await first.waitFor(asked);
      const screen = await press(first, key, input);
      expect(warned.test(screen)).toBe(answer === 'trusted');
      await leave(first);
      expect(answers()).toMatchObject({ [world.project]: { answer } });
      const second = sit();
      const again = (await second.waitFor(input)).join('\n');
      expect(again).not.toContain('Load them?');
      expect(warned.test(again)).toBe(answer === 'trusted');
      await leave(second);
    },
    60_000,
  );

  it.each([
    ['Esc', '\u001b'],
    ['Ctrl+C', '\u0003'],
  ])(
    '%s leaves without an answer and without a session',
    async (_name, key) => {
      const terminal = sit();
      await terminal.waitFor(asked);
      const ended = terminal.exit();
      await press(terminal, key, /./u);
      let code: number | null = null;
      for (let tries = 0; code === null && tries < 20; tries += 1) {
        terminal.type(key);
        code = await Promise.race([
          ended,
          terminal.waitFor(/nothing like this/u, 300).then(
            () => null,
            () => null,
          ),
        ]);
      }
      expect(code).toBe(130);
      expect(terminal.modes()).toEqual({ bracketedPaste: false, cursorKeys: false, mouse: 'off' });
      const second = sit();
      await second.waitFor(asked);
      expect((await world.run(['status'])).stdout).toMatch(/^No sessions/u);
    },
    60_000,
  );

  it('typing ahead, a paste and other keys are no answer', async () => {
    const terminal = sit();
    terminal.type('y');
    await terminal.waitFor(asked);
    terminal.paste('y');
    terminal.type('yes please');
    terminal.type('x');
    await press(terminal, 'n', input);
    expect(answers()).toMatchObject({ [world.project]: { answer: 'refused' } });
    await leave(terminal);
  }, 60_000);

  it('comes only where there is something to load', async () => {
    world.end();
    world = createWorld();
    const terminal = sit();
    expect((await terminal.waitFor(input)).join('\n')).not.toContain('Load them?');
    await leave(terminal);
  }, 60_000);
});
