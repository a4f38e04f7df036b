import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start as startTerminal } from '../support/terminal.ts';
import { createWorld, launcher, lines, program, start, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('--help and --version', () => {
  it.each([
    ['--version', `planchart ${manifest.version}\n`],
    ['--help', /^planchart: .*\n\nUsage\n[\s\S]*--yolo[\s\S]*Exit codes: 0 done/u],
    ['-h', /^planchart: /u],
  ])('%s answers on stdout, from the program and from the launcher', async (flag, wanted) => {
    const byNode = await world.run([flag]);
    const byLauncher = await start(launcher, [flag], { cwd: world.project, env: world.env }).ended;
    expect(byNode.stdout).toMatch(wanted);
    for (const { code, stdout, stderr } of [byNode, byLauncher]) {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: byNode.stdout, stderr: '' });
    }
  });

  it('loads nothing but a few kB for them', async () => {
    const coverage = mkdtempSync(join(world.folder, 'coverage-'));
    await world.run(['--version'], { NODE_V8_COVERAGE: coverage });
    const [report = ''] = readdirSync(coverage);
    const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as {
      result: { url: string }[];
    };
    const files = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    const loaded = files.map((url) => fileURLToPath(url));
    expect(loaded).toContain(program);
    expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(20_000);
  });

  it('names the Node that is too old, in one line', () => {
    const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})";
    const run = () =>
      execFileSync(process.execPath, ['--import', old, program, 'status'], {
        env: world.env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    expect(run).toThrow(
      expect.objectContaining({
        status: 2,
        stderr: 'planchart needs Node 22.13 or newer, and this is 20.1.0. Install a newer Node.\n',
      }),
    );
  });
});

const noSession = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';

describe('wrong usage: one line on stderr, exit 2, nothing made', () => {
  it.each<[name: string, args: string[], line: RegExp]>([
    ['an unknown option', ['--bogus'], /^Unknown option '--bogus'\. See planchart --help\.$/u],
    ['an unknown short option', ['-x'], /Unknown option '-x'/u],
    ['an unknown command', ['statu'], /Unknown command "statu"\. See planchart --help\./u],
    ['no prompt', ['run'], /run needs one prompt/u],
    ['a blank prompt', ['run', ' \n'], /run needs one prompt/u],
    ['two prompts', ['run', 'a', 'b'], /run needs one prompt/u],
    ['an argument of status', ['status', 'all'], /status takes no argument, but got "all"/u],
    ['an option that status has no use for', ['status', '--yolo'], /--yolo does not go with status/u],
    [
      'an option that only status has',
      ['trust', '--json'],
      /--json goes with .*status, doctor and config only/u,
    ],
    ['an option that only trust has', ['run', 'x', '--remove'], /--remove goes with trust only/u],
    ['an argument of config', ['config', 'model.name'], /config takes no argument, but got "model.name"/u],
    ['an option that config has no use for', ['config', '--yolo'], /--yolo does not go with config/u],
    ['two folders to trust', ['trust', 'a', 'b'], /trust takes one folder, but got "b" too/u],
    ['an option that trust has no use for', ['trust', '--yolo'], /--yolo does not go with trust/u],
    ['a profile that is no name', ['--profile', '../x', 'status'], /--profile "\.\.\/x" is not a name/u],
    ['a project that is no name', ['--project', 'A B', 'run', 'x'], /--project "A B" is not a name/u],
    ['an option as a value', ['--cwd', '--home', 'run', 'x'], /Option '--cwd' argument is ambiguous/u],
    ['a value for a switch', ['--yolo=1', 'run', 'x'], /'--yolo' does not take an argument/u],
    ['an empty value', ['--home=', 'run', 'x'], /--home needs a value/u],
    ['an empty model', ['--model', '', 'run', 'x'], /--model needs a value/u],
    ['a model without a name', ['--model', 'openai:', 'run', 'x'], /No model name follows "openai:"/u],
    ['a model of no known kind', ['--model', 'gpt', 'run', 'x'], /"gpt" is not a model choice/u],
    ['a folder that is missing', ['--cwd', 'none', 'run', 'x'], /--cwd "none" .*there is no such folder/u],
    ['a file as a folder', ['--cwd', 'file', 'run', 'x'], /--cwd "file" .*it is not a folder/u],
    ['a path below a file', ['--cwd', 'file/x', 'run', 'x'], /--cwd "file\/x" .*it is not a folder/u],
    ['a name too long', ['--cwd', 'a'.repeat(5000), 'run', 'x'], /--cwd "a{70,80}… .*name is too long/u],
    ['a file as the home', ['--home', 'file', 'run', 'x'], /--home ".*\/file" can't be used: it is not a/u],
    ['a file as the home of status', ['--home', 'file', 'status'], /--home ".*\/file" can't be used/u],
    [
      'a home that can not be made',
      ['--home', '/proc/none/x', 'run', 'x'],
      /--home "\/proc\/none\/x" can't/u,
    ],
    [
      'a session that is no id',
      ['--session', '../x', 'run', 'x'],
      /--session "\.\.\/x" is not a session id/u,
    ],
    [
      'a session with control bytes',
      ['--session', '\u001b[2J', 'run', 'x'],
      /"\\u001b\[2J" is not a session/u,
    ],
    ['a session and a new one', ['--session', noSession, '--new'], /Give either --session or --new/u],
    ['a session that is not there', ['--session', noSession, 'status'], /There is no session 3f2b8c1e/u],
  ])('%s', async (_name, args, wanted) => {
    writeFileSync(join(world.project, 'file'), '');
    const { code, stdout, stderr } = await world.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(lines(stderr)).toEqual([expect.stringMatching(wanted)]);
    expect(stderr.endsWith('\n')).toBe(true);
    expect(existsSync(join(world.home, '.opencrabs'))).toBe(false);
  });

  it.each([
    ['OPENCRABS_PROFILE', 'a/b', /"a\/b" is not a name/u],
    ['PLANCHART_MODEL', 'claude', /"claude" is not a model choice/u],
    ['OPENCRABS_HOME', '/dev/null', /OPENCRABS_HOME "\/dev\/null" can't be used: it is not a folder/u],
  ])('%s=%s', async (name, value, wanted) => {
    const { code, stderr } = await world.run(['run', 'x'], { [name]: value });
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([expect.stringMatching(wanted)]);
  });

  it('a session that is not there', async () => {
    const { code, stderr } = await world.run(['--session', noSession, 'run', 'x']);
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/There is no session 3f2b8c1e-.*planchart sessions/u),
    ]);
  });

  it('takes a prompt that looks like an option after --', async () => {
    const { code, stderr } = await world.run(['run', '--', '--version']);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Session /u) });
  });

  it('takes a working folder that is gone', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" run hello';
    const args = ['-c', script, process.execPath, program];
    const ended = await start('sh', args, { cwd: world.project, env: world.env }).ended;
    expect(ended.code).toBe(1);
    expect(lines(ended.stderr)).toHaveLength(1);
  });
});

describe('B100 without a terminal', () => {
  const hint =
    'planchart needs a terminal. Without one use npx planchart run "<prompt>", or npm run demo to watch the whole job.';
  const dumb =
    'planchart needs a terminal that can draw, and TERM is "dumb". Set TERM to what this terminal is, such as xterm-256color, or use npx planchart run "<prompt>".';

  it.each([[[]], [['--new']], [['--cwd', '.']]])('planchart %j says so and exits 2', async (args) => {
    const { code, stdout, stderr } = await world.run(args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${hint}\n` });
    expect(existsSync(join(world.home, '.opencrabs'))).toBe(false);
  });

  it.each([
    ['TERM=dumb', 'TERM=dumb exec "$0" "$1"', dumb],
    ['stdin is a file', 'exec "$0" "$1" </dev/null', hint],
    ['stdout is a pipe', '"$0" "$1" | cat', hint],
  ])('%s on a real terminal', async (_name, script, wanted) => {
    const terminal = startTerminal('sh', ['-c', script, process.execPath, program], {
      cols: 120,
      rows: 24,
      cwd: world.project,
      env: world.env,
    });
    await terminal.exit();
    expect(terminal.bytes().replaceAll('\r', '')).toBe(`${wanted}\n`);
  });
});
