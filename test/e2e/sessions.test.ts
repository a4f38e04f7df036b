import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, root, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Person, sit } from './person.ts';

let world: World;
let server: ModelServer | null;
beforeEach(() => {
  world = createWorld();
  server = null;
});
afterEach(async () => {
  world.end();
  await server?.close();
});

interface Listed {
  id: string;
  name: string | null;
  cwd: string;
}

async function listed(): Promise<Listed[]> {
  const { stdout } = await world.run(['sessions', '--json']);
  return (JSON.parse(stdout) as { sessions: Listed[] }).sessions;
}

/** The id that the screen names when it is left. */
async function left(person: Person): Promise<string> {
  await person.say('/quit');
  expect(await person.exit()).toBe(0);
  return /Resume with: planchart --session (\S+)/u.exec(person.bytes())?.[1] ?? '';
}

it('every command of docs/sessions.md goes where it says', async () => {
  const elsewhere = join(world.folder, 'elsewhere');
  mkdirSync(elsewhere);
  await world.run(['--cwd', elsewhere, 'run', 'the other folder']);
  const [other] = await listed();
  const person = await sit(world, ['--yolo']);
  await person.waitFor(/yolo/u);
  const done: string[] = [];
  const say = async (command: string, typed: string, wanted: RegExp): Promise<void> => {
    done.push(command);
    await person.say(typed);
    await person.waitFor(wanted, 15_000);
  };
  await say('/rename', '/rename', /no name yet/u);
  await say('/rename <name>', '/rename The first', /is called: The first/u);
  await say('/continue', '/continue', /NOT_APPLICABLE/u);
  await say('/new', '/new', /asks before acting[\s\S]*project/u);
  await say('/sessions', '/sessions', /Sessions \d\/3[\s\S]*The first/u);
  await person.press('\u001b', /\u203a Write a message/u);
  await say('/session <id>', `/session ${other?.id.slice(0, 13)}`, /the other folder[\s\S]*elsewhere/u);
  await person.say('/sessions');
  await person.waitFor(/the other folder \(here\)/u);
  await person.press('\u001b[B', /^\u203a The first/mu);
  await person.press('\r', /yolo[\s\S]*project/u);
  const page = readFileSync(join(root, 'docs/sessions.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(\/[^`]*)` \|/gmu)].map(([, command]) => command);
  expect(new Set(named)).toEqual(new Set(done));
  const sessions = await listed();
  expect(sessions.find(({ id }) => id === other?.id)?.cwd).toBe(elsewhere);
  expect(await left(person)).toBe(sessions.find(({ name }) => name === 'The first')?.id);
}, 120_000);

it('is refused BUSY while a turn runs, and allowed once it was stopped', async () => {
  server = await startModelServer([{ text: 'I think', chunk: 2, hang: 2 }]);
  const env = { OPENAI_BASE_URL: server.baseUrl };
  const person = await sit(world, ['--model', 'openai:m'], env);
  await person.say('hello');
  await person.waitFor(/I th/u);
  await person.say('/new');
  await person.waitFor(/BUSY/u);
  await person.press('\u0003', /Stopped/u);
  await person.say('/new');
  await person.waitFor(() => person.history().filter((row) => /^planchart \d/u.test(row)).length === 2);
  const id = await left(person);
  expect(await listed()).toHaveLength(2);
  expect((await listed()).find((one) => one.id === id)?.name).toBe(null);
}, 60_000);

it('0055 what can not be opened leads back, with the reason', async () => {
  await world.run(['run', 'gone']);
  const [gone] = await listed();
  const person = await sit(world, ['--new']);
  await person.say('/rename Stays');
  await person.waitFor(/is called: Stays/u);
  await person.say('/sessions');
  await person.waitFor(/gone/u);
  rmSync(join(world.home, '.opencrabs/planchart/sessions', gone?.id ?? 'none'), { recursive: true });
  await person.press('\u001b[B', /^\u203a gone/mu);
  await person.press('\r', /There is no session/u);
  expect(await left(person)).toBe((await listed()).find(({ name }) => name === 'Stays')?.id);
}, 60_000);
