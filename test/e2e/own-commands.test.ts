import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive, serverFile } from '../adapters/mcp/servers.ts';
import { markdown, writeTree } from '../adapters/skills/places.ts';
import { createWorld, type World } from '../cli/planchart.ts';
import { until } from '../support/harness.ts';
import { textsOf } from '../support/harness-script.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { call, gate, script } from './model.ts';
import { sit } from './person.ts';

let world: World;
let server: ModelServer;
let own: string;
beforeEach(() => {
  world = createWorld();
  own = join(world.home, '.opencrabs');
  mkdirSync(own);
});
afterEach(async () => {
  await server.close();
  world.end();
});

const openai = (): { OPENAI_BASE_URL: string } => ({ OPENAI_BASE_URL: server.baseUrl });

it('D25 a command of the user is listed, runs as typed, waits while busy, and arms nothing', async () => {
  writeTree(join(own, 'planchart'), {
    'commands/review.md': markdown('Look for mistakes', 'Make a plan about $1.', 'arguments: <file>\n'),
    'skills/pdf/SKILL.md': markdown('Reads PDF files', 'Use pdftotext.'),
    'commands/bad.md': '---\nname: bad\n---\nx\n',
  });
  const first = gate();
  server = await startModelServer(
    script([async () => (await first.open, { text: 'First answer.' }), { text: 'Second answer.' }]),
  );
  const person = await sit(world, ['--model', 'openai:test'], openai());
  await person.waitFor(/bad\.md:1:/u);

  await person.say('/help');
  const help = (await person.waitFor(/\/pdf {2}Reads PDF files/u)).join('\n');
  expect(help).toContain('/review <file>  Look for mistakes');

  await person.say('/nothing here');
  await person.waitFor(/Unknown command \/nothing\./u);
  expect(server.requests).toHaveLength(0);

  await person.say('/review a.ts');
  await person.waitFor(/the text of[^]*\/commands\/review\.md\s+was\s+sent/u);
  await person.say('/review b.ts');
  await person.waitFor(/\/review b\.ts/u);
  first.go();
  await person.waitFor(/Second answer\./u);
  const rows = await person.waitFor((shown) => !shown.some((row) => /working \d+ s/u.test(row)));
  expect(rows.join('\n')).not.toContain('[Editing');
  expect(textsOf(server.requests[1], 'user').map((text) => text.split('\n').at(-1))).toEqual([
    'Make a plan about a.ts.',
    'Make a plan about b.ts.',
  ]);
  person.kill();

  const again = await sit(world, ['--model', 'openai:test'], openai());
  const replayed = (await again.waitFor(/Second answer\./u)).join('\n');
  expect(replayed).toContain('› /review b.ts');
  expect(replayed).toMatch(/the text of[^]*\/commands\/review\.md\s+was\s+sent/u);
});

it('D21 a tool of an MCP server asks as itself, and the server ends with the program', async () => {
  const log = join(world.folder, 'db.log');
  const args = JSON.stringify([serverFile, log, 'works']);
  const toml = `[mcp.servers.db]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n`;
  writeFileSync(join(own, 'planchart.toml'), toml, { mode: 0o600 });
  server = await startModelServer(script([call('mcp__db__wipe', { key: 'todos' }), { text: 'Wiped.' }]));
  const person = await sit(world, ['--model', 'openai:test'], openai());
  await person.say('clean up');
  const rows = await person.waitFor(/Allow\?/u);
  expect(rows.join('\n')).toContain('db: wipe');
  expect(rows.join('\n')).toContain('"key": "todos"');
  await person.allow(/Wiped\./u);
  const said = readFileSync(log, 'utf8');
  expect(said).toContain('wipe todos');
  const pid = Number(/^started (\d+)$/mu.exec(said)?.[1]);
  expect(isAlive(pid)).toBe(true);
  await person.idle();
  await person.say('/quit');
  expect(await person.exit()).toBe(0);
  await until('the server is gone', () => !isAlive(pid));
});
