import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, lines, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

const idOf = (stderr: string): string => /^Session (\S+) in /mu.exec(stderr)?.[1] ?? '';
const newSession = async (prompt: string, ...args: string[]): Promise<string> =>
  idOf((await world.run([...args, 'run', prompt])).stderr);
const recordOf = (id: string): string =>
  join(world.home, '.opencrabs/planchart/sessions', id, 'session.json');
const fields = (id: string) => JSON.parse(readFileSync(recordOf(id), 'utf8')) as Record<string, unknown>;

interface Listed {
  v: number;
  sessions: { id: string; name: string | null; used: string; error?: string }[];
}

async function listed(): Promise<Listed> {
  return JSON.parse((await world.run(['sessions', '--json'])).stdout) as Listed;
}

describe('planchart sessions', () => {
  it('lists name, folder, state and last use, the newest first', async () => {
    const one = await newSession('Make the\n cache   faster');
    const two = await newSession('hello', '--yolo', '--cwd', world.folder);
    const { code, stdout } = await world.run(['sessions']);
    expect(code).toBe(0);
    const used = expect.stringMatching(/^ {2}used {4}\d{4}-\d\d-\d\d \d\d:\d\d$/u);
    expect(lines(stdout)).toEqual([
      `${two}  No plan, yolo`,
      '  name    hello',
      `  folder  ${world.folder}`,
      used,
      `${one}  No plan`,
      '  name    Make the cache faster',
      `  folder  ${world.project}`,
      used,
    ]);
    await world.run(['--session', one, 'run', 'again']);
    expect((await listed()).sessions.map(({ id }) => id)).toEqual([one, two]);
  });

  it('--json says the same for scripts, and what can not be read', async () => {
    const one = await newSession('hello');
    const two = await newSession('bye');
    writeFileSync(recordOf(two), JSON.stringify({ ...fields(two), v: 99 }));
    expect(await listed()).toEqual({
      v: 1,
      home: join(world.home, '.opencrabs'),
      sessions: [
        {
          id: one,
          name: 'hello',
          cwd: world.project,
          project: null,
          phase: 'noPlan',
          turn: 'idle',
          interrupted: false,
          progress: { done: 0, total: 0 },
          used: expect.stringMatching(/^\d{4}-.*Z$/u),
        },
        { id: two, error: expect.stringMatching(/newer version/u) },
      ],
    });
    expect((await world.run(['sessions'])).stdout).toMatch(new RegExp(`${two}\\n {2}cannot be read`, 'u'));
  });

  it('says that there is none, and makes nothing', async () => {
    const { code, stdout } = await world.run(['sessions']);
    expect([code, stdout]).toEqual([0, `No sessions in ${join(world.home, '.opencrabs')}.\n`]);
  });
});

describe('planchart sessions rename', () => {
  it('0052 gives a name that the next message keeps', async () => {
    const id = await newSession('hello');
    const before = fields(id);
    const { code, stdout } = await world.run(['sessions', 'rename', id, 'The', ' cache\u001b[2J\nkey']);
    expect([code, stdout]).toEqual([0, 'This session is called: The cache␛[2J key\n']);
    expect(fields(id)).toEqual({ ...before, name: 'The cache\u001b[2J key' });
    await world.run(['--session', id, 'run', 'another message']);
    const { sessions } = await listed();
    expect(sessions.map(({ name }) => name)).toEqual(['The cache\u001b[2J key']);
  });

  const nobody = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';
  it.each<[string[], RegExp]>([
    [['sessions', 'rename'], /^sessions rename needs a session and a name/u],
    [['sessions', 'rename', nobody], /^sessions rename needs a session and a name/u],
    [['sessions', 'rename', nobody, ' '], /^sessions rename needs a session and a name/u],
    [['sessions', 'rename', '../x', 'a'], /^"\.\.\/x" is not a session id/u],
    [
      ['sessions', 'rename', nobody, 'a'],
      new RegExp(`^There is no session ${nobody}\\. planchart sessions`, 'u'),
    ],
    [['sessions', 'rename', nobody, 'a', '--json'], /--json goes with run, sessions, status/u],
    [['sessions', 'rename', nobody, 'a', '--new'], /--new does not go with sessions rename/u],
    [['sessions', 'all'], /^sessions takes no argument, but got "all"/u],
    [['sessions', '--yolo'], /^--yolo does not go with sessions/u],
  ])('%j is wrong usage', async (args, wanted) => {
    const { code, stdout, stderr } = await world.run(args);
    expect([code, stdout, lines(stderr)]).toEqual([2, '', [expect.stringMatching(wanted)]]);
  });

  it('a record of a newer version stays as it is', async () => {
    const id = await newSession('hello');
    writeFileSync(recordOf(id), JSON.stringify({ ...fields(id), v: 99 }));
    const { code, stderr } = await world.run(['sessions', 'rename', id, 'a']);
    expect(code).not.toBe(0);
    expect(lines(stderr)).toHaveLength(1);
    expect(fields(id)).toMatchObject({ v: 99, name: 'hello' });
  });
});
