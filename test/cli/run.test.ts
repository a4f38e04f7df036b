import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../support/model-server/reply.ts';
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts';
import { commands, createWorld, type Ended, type Env, lines, program, type World } from './planchart.ts';

let world: World;
let servers: ModelServer[];
beforeEach(() => {
  world = createWorld();
  servers = [];
});
afterEach(async () => {
  world.end();
  await Promise.all(servers.map((server) => server.close()));
});

const key = 'sk-this-is-a-secret-key';

async function serve(script: Script): Promise<{ server: ModelServer; env: Env }> {
  const server = await startModelServer(script);
  servers.push(server);
  return { server, env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: key } };
}

const model = ['--model', 'openai:test-model'];

async function ask(script: Script, ...args: string[]): Promise<Ended> {
  const { env } = await serve(script);
  return world.run([...model, ...(args.length === 0 ? ['run', 'hello'] : args)], env);
}

const call = (name: string, input: object): Reply => ({ calls: [{ name, input }] });
const session = (stderr: string): string => /^Session (\S+) in /mu.exec(stderr)?.[1] ?? '';

describe('planchart run', () => {
  it('streams the text to stdout and the log to stderr', async () => {
    writeFileSync(join(world.project, 'a.txt'), 'one\n');
    const script = [
      { text: 'I look. ', ...call('read_file', { path: 'a.txt' }) },
      { text: 'It says one: 完了 🎉.', chunk: 1 },
    ];
    const { code, stdout, stderr } = await ask(script);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'I look. \nIt says one: 完了 🎉.\n' });
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/^Session [0-9a-f-]{36} in .*\/project$/u),
      '· read_file: a.txt',
    ]);
  });

  it('D5 says on stderr that the rehearsal model is none', async () => {
    const { code, stdout, stderr } = await world.run(['run', 'hello']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/fixed rules, not an LLM/u);
    expect(stderr).toMatch(/^Rehearsal model/mu);
  });

  it('D54 says how to choose a model when there is only a key', async () => {
    const { code, stderr } = await world.run(['run', 'hello'], { OPENAI_API_KEY: key });
    expect(code).toBe(0);
    expect(stderr).toMatch(/--model or \/model with openai:<model>/u);
    expect(stderr).not.toContain(key);
  });

  it('takes the model from PLANCHART_MODEL, and the flag before it', async () => {
    const { server, env } = await serve([{ text: 'one' }, { text: 'two' }]);
    const first = await world.run(['run', 'a'], { ...env, PLANCHART_MODEL: 'openai:from-env' });
    const second = await world.run([...model, 'run', 'a'], { ...env, PLANCHART_MODEL: 'openai:from-env' });
    expect([first.stdout, second.stdout]).toEqual(['one\n', 'two\n']);
    expect(server.requests.map((request) => request.model)).toEqual(['from-env', 'test-model']);
    expect(server.headers[0]?.authorization).toBe(`Bearer ${key}`);
  });

  it('D36 makes a new session each time, and goes on with the one that is named', async () => {
    const { server, env } = await serve(() => ({ text: 'yes' }));
    const first = await world.run([...model, 'run', 'my number is 7'], env);
    const other = await world.run([...model, 'run', 'and now?'], env);
    const id = session(first.stderr);
    const again = await world.run([...model, '--session', id, 'run', 'which number?'], env);
    expect(session(other.stderr)).not.toBe(id);
    expect(session(again.stderr)).toBe(id);
    const said = server.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user').length);
    expect(said).toEqual([1, 1, 2]);
  });

  it('D14 refuses another folder for a session', async () => {
    const first = await world.run(['run', 'hello']);
    const id = session(first.stderr);
    const { code, stderr } = await world.run(['--session', id, '--cwd', world.folder, 'run', 'hello']);
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([
      `Session ${id} works in ${world.project}. Leave --cwd out, or start a new session there.`,
    ]);
  });
});

describe('D39 control bytes', () => {
  it('of model, tool and file become visible on both streams', async () => {
    const nasty = '\u001b]52;c;aGk=\u0007\u001b[2J\u009b2J\u202egpj';
    const script = [
      { text: `A${nasty}\r\nB\tC\r`, chunk: 1, ...call(`no${nasty}such`, {}) },
      call('read_file', { path: `x${nasty}` }),
      { text: `end${nasty}`, chunk: 1 },
    ];
    const { code, stdout, stderr } = await ask(script);
    expect(code).toBe(0);
    expect(stdout).toContain('A␛]52;c;aGk=␇␛[2J<U+009B>2J<U+202E>gpj\nB\tC␍\n');
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/u);
  });
});

describe('exit 1: one clear line', () => {
  const refused = (status: number, message: string): Reply => ({ status, error: { message } });
  it.each<[name: string, script: Script, wanted: RegExp]>([
    ['a refused key', [refused(401, `bad key ${key}`)], /refused the API key for model "test-model"/u],
    ['an unknown model', [refused(404, 'no such model')], /does not know model "test-model"/u],
    ['a broken stream', [{ text: 'I was just about to say', cutAfter: 1 }], /broke off/u],
    ['no protocol', [{ body: 'hello' }], /can't be read|broke off/u],
  ])('%s', async (_name, script, wanted) => {
    const { code, stderr } = await ask(script);
    expect(code).toBe(1);
    expect(lines(stderr).slice(1)).toEqual([expect.stringMatching(wanted)]);
    expect(stderr).not.toContain(key);
  });

  it('an unreachable host', async () => {
    const { server, env } = await serve([]);
    await server.close();
    const { code, stdout, stderr } = await world.run([...model, 'run', 'hello'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(lines(stderr).slice(1)).toEqual([expect.stringMatching(/127\.0\.0\.1:\d+ can't be reached/u)]);
  });

  it('keeps what had come, on lines of its own, when the stream breaks', async () => {
    const { stdout } = await ask([{ text: 'half of', chunk: 7, cutAfter: 1 }]);
    expect(stdout).toBe('half of\n');
  });

  it('a session record of a newer version', async () => {
    const id = session((await world.run(['run', 'hello'])).stderr);
    const path = join(world.home, '.opencrabs/planchart/sessions', id, 'session.json');
    const fields = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...fields, v: 99 }));
    const { code, stderr } = await world.run(['--session', id, 'run', 'hello']);
    expect(code).toBe(1);
    expect(lines(stderr)).toEqual([expect.stringMatching(/^planchart: .*written by a newer version/u)]);
  });
});

describe('exit 3 and 4: what needs a person', () => {
  it.each([
    '/plan',
    '/plan do it',
    '/execute',
    '/discard',
    '/approve yolo',
    ' /Discard',
    '/show_plan',
    '/stop',
  ])('D3 refuses the prompt %s and makes nothing', async (prompt) => {
    const { code, stdout, stderr } = await world.run(['run', prompt]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(lines(stderr)).toEqual([expect.stringMatching(/^NEEDS_PERSON: /u)]);
    expect(existsSync(join(world.home, '.opencrabs'))).toBe(false);
  });

  it.each([[['--yolo']], [[]]])('3 for a design that the model starts: run with %j', async (more) => {
    const script = [
      call('plan', { operation: 'init', mode: 'design', title: 'A' }),
      { text: 'It needs you.' },
    ];
    const { code, stdout, stderr } = await ask(script, ...more, 'run', 'design it');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'It needs you.\n' });
    expect(stderr).toMatch(/UNATTENDED_DESIGN: /u);
    const dir = join(world.home, '.opencrabs/session');
    expect(existsSync(dir) ? readdirSync(dir) : []).toEqual([]);
  });

  it('4 for a tool that asks; with --yolo it runs', async () => {
    const script = [call('write_file', { path: 'new.txt', content: 'hi\n' }), { text: 'Done.' }];
    const asked = await ask(script);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toMatch(/NEEDS_PERSON: write_file has to be allowed/u);
    expect(existsSync(join(world.project, 'new.txt'))).toBe(false);
    const free = await ask(script, '--yolo', 'run', 'hello');
    expect(free.code).toBe(0);
    expect(readFileSync(join(world.project, 'new.txt'), 'utf8')).toBe('hi\n');
  });

  it('4 for a question, which is answered by nobody and hangs nothing', async () => {
    const { server, env } = await serve([
      call('follow_up_question', { question: 'Which way?', options: ['A', 'B'] }),
      { text: 'I leave it.' },
    ]);
    const { code, stdout } = await world.run([...model, 'run', 'hello'], env);
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'I leave it.\n' });
    expect(server.requests[1]?.messages.at(-1)?.content).toMatch(/^NEEDS_PERSON: /u);
  });

  it('0 for a checklist that is worked to its end', async () => {
    const tasks = [{ title: 'Look around', description: 'ls' }];
    const script = [
      call('plan', { operation: 'init', mode: 'checklist', title: 'Small thing', tasks }),
      call('plan', { operation: 'start' }),
      call('plan', { operation: 'complete', output: 'seen' }),
      { text: 'All done.' },
    ];
    const { code, stderr } = await ask(script, '--yolo', 'run', 'do it');
    expect(code).toBe(0);
    expect(stderr).toMatch(/all 1 tasks are resolved/u);
    expect(readdirSync(join(world.home, '.opencrabs/session/archive'))).toHaveLength(1);
  });
});

describe('exit 130', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends the turn and closes the connection',
    async (signal) => {
      const { server, env } = await serve([{ text: 'I think', chunk: 2, hang: 2 }]);
      const run = world.start([...model, 'run', 'hello'], env);
      await run.until(/I th/u);
      run.child.kill(signal);
      const { code, stdout, stderr } = await run.ended;
      expect({ code, stdout }).toEqual({ code: 130, stdout: 'I th\n' });
      expect(lines(stderr).at(-1)).toBe('Cancelled.');
      await expect.poll(() => server.abandoned).toBe(1);
      const status = await world.run(['status']);
      expect(status.stdout).not.toMatch(/turn/u);
    },
  );

  it.each(['SIGINT', 'SIGHUP'] as const)('%s ends the command that runs', async (signal) => {
    const marker = `planchart-test-${randomUUID()}`;
    const { env } = await serve([call('bash', { command: `exec -a ${marker} sleep 600` })]);
    const run = world.start([...model, '--yolo', 'run', 'hello'], env);
    await expect
      .poll(() => commands().some((args) => args.startsWith(marker)), { timeout: 10_000 })
      .toBe(true);
    run.child.kill(signal);
    expect((await run.ended).code).toBe(130);
    expect(commands().filter((args) => args.includes(marker))).toEqual([]);
  });
});

describe('D26 a session whose turn runs in another process', () => {
  it('takes the prompt when that turn has ended', async () => {
    const { env } = await serve([{ text: 'I think about it', chunk: 4, delayMs: 400 }, { text: 'second' }]);
    const first = world.start([...model, 'run', 'one'], env);
    await first.until(/I th/u);
    const second = world.start([...model, '--session', session(first.err), 'run', 'two'], env);
    await second.until(/Waiting until the turn has ended/u);
    expect(await first.ended).toMatchObject({ code: 0, stdout: 'I think about it\n' });
    expect(await second.ended).toMatchObject({ code: 0, stdout: 'second\n' });
  });

  it('SIGINT takes the waiting prompt back and leaves the turn alone', async () => {
    const { server, env } = await serve([{ text: 'I think', chunk: 2, hang: 2 }]);
    const first = world.start([...model, 'run', 'one'], env);
    await first.until(/I th/u);
    const second = world.start([...model, '--session', session(first.err), 'run', 'two'], env);
    await second.until(/Waiting until the turn has ended/u);
    second.child.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 130, stdout: '' });
    const record = join(world.home, '.opencrabs/planchart/sessions', session(first.err), 'session.json');
    expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ queue: [], lease: { cancel: null } });
    expect(server.abandoned).toBe(0);
  });
});

describe('a closed pipe', () => {
  it.each([
    ['help', [program, '--help']],
    ['status', [program, 'status']],
    ['run', [program, 'run', 'hello']],
  ])('ends no %s with an error', (_name, args) => {
    const script = '"$0" "$@" 2>err | true; echo "${PIPESTATUS[0]}"';
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, ...args], {
      cwd: world.project,
      env: world.env,
      encoding: 'utf8',
    });
    expect(stdout).toBe('0\n');
    expect(readFileSync(join(world.project, 'err'), 'utf8')).not.toMatch(/EPIPE|Error|at /u);
  });

  it('a full disk behind stdout is a failure in one line', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', '"$0" "$1" status >/dev/full', process.execPath, program],
      {
        cwd: world.project,
        env: world.env,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    expect(lines(stderr)).toEqual([expect.stringMatching(/^planchart: .*ENOSPC/u)]);
  });
});
