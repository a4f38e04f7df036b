import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start as startTerminal } from '../support/terminal.ts';
import { eventRows } from './headless-page.ts';
import { createWorld, program, root, start, type World } from './planchart.ts';

const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

/** Lines of a page's shell blocks, and the exit code that a comment behind a line names. */
function commandsOf(name: string): [line: string, code: number][] {
  const blocks = [...page(name).matchAll(/^```sh\n([^]*?)^```$/gmu)].flatMap(([, body = '']) =>
    body.split('\n'),
  );
  return blocks
    .filter((line) => line !== '')
    .map((line) => [line.replace(/\s+#.*$/u, ''), Number(/# (\d+)$/u.exec(line)?.[1] ?? 0)]);
}

/** What `npx` does in a clone. */
const npx = 'npx() { shift; "$NODE" "$PROGRAM" "$@"; }\n';

let world: World;
let env: Record<string, string>;
beforeAll(async () => {
  world = createWorld();
  const { stderr } = await world.run(['run', 'hello']);
  writeFileSync(join(world.project, 'request.txt'), 'say hello\n');
  const id = /^Session (\S+)/mu.exec(stderr)?.[1] ?? '';
  env = { ...world.env, NODE: process.execPath, PROGRAM: program, ID: id };
});
afterAll(() => world.end());

describe.each(['sessions.md', 'headless.md'])('every command of docs/%s', (name) => {
  const all = commandsOf(name);
  const plain = all.filter(([line]) => /\b(?:run|sessions)\b/u.test(line));
  const screens = all.filter((one) => !plain.includes(one)).map(([line]) => line);

  it('is found', () => {
    expect(plain.length).toBeGreaterThan(3);
    expect(all.every(([line]) => line.includes('npx planchart'))).toBe(true);
  });

  it.each(plain)('%s exits %i', async (line, code) => {
    const ended = await start('sh', ['-c', npx + line], { cwd: world.project, env }).ended;
    expect([ended.code, ended.stderr]).toEqual([code, expect.not.stringMatching(/crash|TypeError/u)]);
  });

  it.runIf(screens.length > 0).each(screens)('%s opens the terminal UI', async (line) => {
    const options = { cols: 80, rows: 24, cwd: world.project, env };
    const terminal = startTerminal('sh', ['-c', npx + line], options);
    await terminal.waitFor(/^\u203a /mu);
    terminal.type('/quit\r');
    expect(await terminal.exit()).toBe(0);
  });
});

it('docs/headless.md shows the schema of the events', () => {
  const rows = eventRows();
  expect(rows.length).toBeGreaterThan(15);
  const table = page('headless.md')
    .split('| type | fields | what it says |\n|---|---|---|\n')[1]
    ?.split('\n\n')[0];
  expect(table?.split('\n')).toEqual(rows);
});

it('docs/headless.md names the exit codes of --help', async () => {
  const { stdout } = await world.run(['--help']);
  const help = [...(/^Exit codes: (.*)$/mu.exec(stdout)?.[1] ?? '').matchAll(/(\d+) /gu)].map(
    ([, code]) => code,
  );
  const codes = [...page('headless.md').matchAll(/^\| (\d+) \| /gmu)].map(([, code]) => code);
  expect(help.length).toBe(6);
  expect(codes).toEqual(help);
});
