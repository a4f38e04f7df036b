import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonEvent } from '../../adapters/cli/json-events.ts';
import type { Reply } from '../support/model-server/reply.ts';
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts';
import { start as startTerminal } from '../support/terminal.ts';
import { createWorld, type Ended, type Env, lines, program, start, type World } from './planchart.ts';

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

const model = ['--model', 'openai:test-model'];
const call = (name: string, input: object): Reply => ({ calls: [{ name, input }] });

async function serve(script: Script): Promise<{ server: ModelServer; env: Env }> {
  const server = await startModelServer(script);
  servers.push(server);
  return { server, env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-a-secret-key' } };
}

async function run(script: Script, ...args: string[]): Promise<Ended> {
  return world.run([...model, ...args], (await serve(script)).env);
}

/** Every line of stdout as an event of the schema; fails on any other line. */
const events = (stdout: string) => lines(stdout).map((line) => JsonEvent.parse(JSON.parse(line)));
const typesOf = (stdout: string): string[] => events(stdout).map(({ type }) => type);
const end = (stdout: string) => events(stdout).at(-1);
const record = (id: string): string =>
  readFileSync(join(world.home, '.opencrabs/planchart/sessions', id, 'session.json'), 'utf8');

describe('run --json', () => {
  const look = [
    { text: 'I look. ', ...call('read_file', { path: 'a.txt' }) },
    { text: 'It says one: 完了 🎉.', chunk: 1 },
  ];

  it('prints one event a line, and stderr as without it', async () => {
    writeFileSync(join(world.project, 'a.txt'), 'one\n');
    const text = await run(look, 'run', 'hello');
    const json = await run(look, '--json', 'run', 'hello');
    const id = /[0-9a-f-]{36}/gu;
    expect(json.stderr.replace(id, '')).toBe(text.stderr.replace(id, ''));
    const told = events(json.stdout);
    const [first] = told;
    expect(first).toMatchObject({
      type: 'session',
      cwd: world.project,
      model: 'openai:test-model',
      entry: 'run',
    });
    expect(told.at(-1)).toMatchObject({
      type: 'end',
      exit: 0,
      session: first?.type === 'session' && first.session,
    });
    const kinds = typesOf(json.stdout).filter((type) => !['text', 'state', 'context'].includes(type));
    expect(kinds).toEqual([
      'session',
      'turn.started',
      'user',
      'message',
      'tool.started',
      'tool.ended',
      'message',
      'turn.ended',
      'end',
    ]);
    const pieces = told.flatMap((one) => (one.type === 'text' ? [one.text] : []));
    expect(pieces.join('')).toBe('I look. It says one: 完了 🎉.');
    expect(told.flatMap((one) => (one.type === 'message' ? [one.text] : []))).toEqual([
      'I look. ',
      'It says one: 完了 🎉.',
    ]);
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'tool.ended', name: 'read_file', failed: false }),
    );
  });

  it('D39 loses no character of a text and lets no terminal act on one', async () => {
    const nasty = '\u001b]52;c;aGk=\u0007\u009b2J\u202egpj\u2028\u{e0041}\ud83c end';
    const { code, stdout } = await run([{ text: nasty }], '--json', 'run', 'hello');
    expect(code).toBe(0);
    const message = events(stdout).find(({ type }) => type === 'message');
    expect(message).toMatchObject({ text: nasty });
    // eslint-disable-next-line no-control-regex, no-misleading-character-class -- what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\u{e0041}]/u);
  });

  it('tells the checklist as it is worked', async () => {
    const tasks = [{ title: 'Look around', description: 'ls' }];
    const script = [
      call('plan', { operation: 'init', mode: 'checklist', title: 'Small thing', tasks }),
      call('plan', { operation: 'start' }),
      call('plan', { operation: 'complete', output: 'seen' }),
      { text: 'Done.' },
    ];
    const { stdout } = await run(script, '--json', '--yolo', 'run', 'do it');
    const states = events(stdout).filter((one) => one.type === 'state');
    expect(states).toContainEqual(
      expect.objectContaining({
        phase: 'checklist',
        turn: 'running',
        title: 'Small thing',
        progress: { done: 0, total: 1 },
        tasks: [{ number: 1, title: 'Look around', status: 'running' }],
      }),
    );
    expect(states.at(-1)).toMatchObject({ phase: 'noPlan', turn: 'idle' });
  });

  it.each<[code: number, why: string, args: string[], script: Script, told: object]>([
    [
      1,
      'a refused key',
      ['run', 'x'],
      [{ status: 401, error: { message: 'no' } }],
      { type: 'turn.ended', outcome: 'failed' },
    ],
    [
      3,
      'a design',
      ['--yolo', 'run', 'x'],
      [call('plan', { operation: 'init', mode: 'design', title: 'A' }), { text: 'No.' }],
      { type: 'tool.ended', code: 'UNATTENDED_DESIGN' },
    ],
    [
      4,
      'a tool that asks',
      ['run', 'x'],
      [call('write_file', { path: 'n', content: 'n' }), { text: 'No.' }],
      { type: 'tool.ended', code: 'NEEDS_PERSON' },
    ],
    [
      4,
      'a question',
      ['run', 'x'],
      [call('follow_up_question', { question: 'Which?', options: ['A', 'B'] }), { text: 'No.' }],
      { type: 'question', question: 'Which?', options: ['A', 'B'] },
    ],
    [4, 'a plan command', ['run', '/execute now'], [], { type: 'refused', code: 'NEEDS_PERSON' }],
  ])('exit %i for %s is told too', async (code, _why, args, script, told) => {
    const ended = await run(script, '--json', ...args);
    expect(ended.code).toBe(code);
    expect(events(ended.stdout)).toContainEqual(expect.objectContaining(told));
    expect(end(ended.stdout)).toMatchObject({ type: 'end', exit: code });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with 130 and the end of the turn', async (signal) => {
    const { env } = await serve([{ text: 'I think', chunk: 2, hang: 2 }]);
    const started = world.start([...model, '--json', 'run', 'hello'], env);
    await started.until(/"I th"|"th"/u);
    started.child.kill(signal);
    const { code, stdout } = await started.ended;
    expect(code).toBe(130);
    expect(events(stdout).slice(-2)).toMatchObject([
      { type: 'turn.ended', outcome: 'cancelled' },
      { type: 'end', exit: 130 },
    ]);
  });

  it('D26 says that it waits, and then goes on', async () => {
    const { env } = await serve([{ text: 'I think about it', chunk: 4, delayMs: 400 }, { text: 'second' }]);
    const first = world.start([...model, 'run', 'one'], env);
    await first.until(/I th/u);
    const id = /^Session (\S+)/mu.exec(first.err)?.[1] ?? '';
    const second = await world.run([...model, '--json', '--session', id, 'run', 'two'], env);
    expect(typesOf(second.stdout)).toContain('queued');
    expect(end(second.stdout)).toMatchObject({ type: 'end', exit: 0, session: id });
    expect((await first.ended).code).toBe(0);
  });

  it('prints nothing about wrong usage but its line on stderr', async () => {
    const { code, stdout, stderr } = await world.run(['--json', '--cwd', 'none', 'run', 'x']);
    expect({ code, stdout, told: lines(stderr).length }).toEqual({ code: 2, stdout: '', told: 1 });
  });

  it('a reader that goes away ends no work', async () => {
    const script = '"$0" "$1" --json run hello 2>err | head -1; echo "${PIPESTATUS[0]}"';
    const { stdout } = await start('bash', ['-c', script, process.execPath, program], {
      cwd: world.project,
      env: world.env,
    }).ended;
    expect(lines(stdout).at(-1)).toBe('0');
    expect(readFileSync(join(world.project, 'err'), 'utf8')).not.toMatch(/EPIPE|Error/u);
  });
});

describe('--entry', () => {
  it.each(['cron', 'a2a'] as const)(
    'D2 %s is kept with the turn and has the rights of a run',
    async (entry) => {
      const { env } = await serve([{ text: 'I think', chunk: 2, hang: 2 }]);
      const started = world.start([...model, '--entry', entry, '--json', 'run', 'hello'], env);
      await started.until(/"text":"I /u);
      const [session] = events(started.out.slice(0, started.out.indexOf('\n')));
      expect(session).toMatchObject({ type: 'session', entry });
      const id = session?.type === 'session' ? session.session : '';
      expect(JSON.parse(record(id))).toMatchObject({ lease: { by: { entry, surface: entry } } });
      started.child.kill('SIGTERM');
      await started.ended;
      const design = [call('plan', { operation: 'init', mode: 'design', title: 'A' }), { text: 'No.' }];
      const refused = await run(design, '--entry', entry, '--yolo', 'run', 'make a plan');
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/UNATTENDED_DESIGN: /u)]);
      expect((await world.run(['--entry', entry, 'run', '/discard'])).code).toBe(4);
    },
  );

  it.each([
    [['--entry', 'interactive', 'run', 'x'], /--entry "interactive" is none of run, cron, a2a/u],
    [['--entry', 'cron', 'status'], /--entry goes with run only/u],
    [['--entry', 'cron'], /--entry goes with run only/u],
  ])('%j is wrong usage', async (args, wanted) => {
    const { code, stderr } = await world.run(args);
    expect([code, lines(stderr)]).toEqual([2, [expect.stringMatching(wanted)]]);
  });
});

describe('the prompt on stdin', () => {
  const sh = (script: string) =>
    start('sh', ['-c', script, process.execPath, program], { cwd: world.project, env: world.env }).ended;
  const promptOf = ({ stdout }: Ended) => events(stdout).find(({ type }) => type === 'user');

  it.each([
    ['printf "one\\ntwo" | "$0" "$1" --json run', 'one\ntwo'],
    ['printf "one" | "$0" "$1" --json run -', 'one'],
    ['printf "one" >f; "$0" "$1" --json run - <f', 'one'],
    ['printf "other" | "$0" "$1" --json run "given"', 'given'],
  ])('%s', async (script, text) => {
    expect(promptOf(await sh(script))).toMatchObject({ text, from: 'person' });
  });

  it.each([
    ['"$0" "$1" run </dev/null', /^run needs one prompt/u],
    ['printf " \\n" | "$0" "$1" run -', /^run needs one prompt/u],
    ['yes | "$0" "$1" run -', /^The prompt on stdin is longer than 1024 kB\.$/u],
  ])('%s is wrong usage and makes nothing', async (script, wanted) => {
    const { code, stdout, stderr } = await sh(script);
    expect([code, stdout, lines(stderr)]).toEqual([2, '', [expect.stringMatching(wanted)]]);
  });

  it('D3 is refused as well when it is a plan command', async () => {
    expect((await sh('printf "/execute\\n" | "$0" "$1" run')).code).toBe(4);
  });

  it('0054 a prompt in the command line waits for no stdin that stays open', async () => {
    const child = spawn(process.execPath, [program, 'run', 'hello'], {
      cwd: world.project,
      env: world.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  });

  it('at a terminal a run without a prompt is wrong usage', async () => {
    const terminal = startTerminal(process.execPath, [program, 'run'], {
      cols: 100,
      rows: 10,
      cwd: world.project,
      env: world.env,
    });
    expect(await terminal.exit()).toBe(2);
    expect(terminal.bytes()).toMatch(/run needs one prompt/u);
  });
});
