import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  doctorExit,
  homeCheck,
  journalCheck,
  modelCheck,
  projectCheck,
  sandboxCheck,
  settingsCheck,
  spaceCheck,
  terminalCheck,
} from '../../adapters/cli/doctor.ts';
import { probeSandbox } from '../../adapters/workspace/sandbox.ts';
import { createWorld, lines, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

const path = { PATH: process.env['PATH'] ?? '' };
const found = await probeSandbox('bwrap', path);

interface Report {
  v: number;
  usable: boolean;
  checks: { name: string; level: string; text: string; todo?: string }[];
}

describe('planchart doctor', () => {
  it('names each part in a line, says what to do, and changes nothing', async () => {
    const { code, stdout, stderr } = await world.run(['doctor']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = lines(stdout).filter((line) => !line.startsWith(' '));
    expect(said.map((line) => line.slice(0, 15).trim().split(/ +/u))).toEqual([
      ['ok', 'version'],
      [found.works ? 'ok' : 'warn', 'sandbox'],
      ['warn', 'model'],
      ['ok', 'home'],
      ['ok', 'space'],
      ['warn', 'terminal'],
      ['ok', 'settings'],
      ['ok', 'project'],
      ['ok', 'journal'],
    ]);
    expect(stdout).toContain('Use planchart run "<prompt>" here.');
    expect(existsSync(join(world.home, '.opencrabs'))).toBe(false);
  });

  it('does the same for scripts, and shows no key', async () => {
    const env = { OPENAI_API_KEY: 'sk-very-secret', OPENAI_BASE_URL: 'http://me:pass@127.0.0.1:9/v1' };
    const { code, stdout } = await world.run(['doctor', '--json', '--model', 'openai:m'], env);
    const report = JSON.parse(stdout) as Report;
    expect({ code, v: report.v, usable: report.usable }).toEqual({ code: 0, v: 1, usable: true });
    expect(report.checks.find(({ name }) => name === 'model')).toEqual({
      name: 'model',
      level: 'ok',
      text: 'openai:m at 127.0.0.1:9, a key is set; not asked, as doctor stays offline',
    });
    expect(stdout).not.toMatch(/sk-very-secret|pass/u);
  });

  it('exits 1 when something fails', async () => {
    writeFileSync(join(world.project, 'file'), '');
    const { code, stdout } = await world.run(['--home', 'file', 'doctor', '--json']);
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Report;
    expect(report.usable).toBe(false);
    expect(report.checks.find(({ name }) => name === 'home')).toMatchObject({
      level: 'fail',
      text: expect.stringMatching(/\/file: it is not a folder$/u) as string,
    });
  });

  it('says which sandbox holds, as found by running it', async () => {
    const { stdout } = await world.run(['doctor'], { PATH: '/no-such-folder' });
    expect(stdout).toMatch(/^warn sandbox {3}no sandbox \(bwrap is not installed\): only listed read-only/mu);
    expect(stdout).toContain('Install bubblewrap');
  });

  it.each([
    [['doctor', 'x'], 'doctor takes no argument, but got "x".'],
    [['doctor', '--yolo'], '--yolo does not go with doctor. See planchart --help.'],
  ])('%j is wrong usage', async (args, line) => {
    const { code, stderr } = await world.run(args);
    expect({ code, lines: lines(stderr) }).toEqual({ code: 2, lines: [line] });
  });
});

describe('one check at a time', () => {
  it('sandbox', async () => {
    const x64 = { arch: 'x64', network: 'none' } as const;
    expect(await sandboxCheck('no-such-program', path, x64)).toMatchObject({ level: 'warn' });
    if (!found.works) return;
    expect(await sandboxCheck('bwrap', path, x64)).toMatchObject({ level: 'ok' });
    expect(await sandboxCheck('bwrap', path, { arch: 'riscv64', network: 'none' })).toMatchObject({
      level: 'warn',
    });
  });

  const none = { baseUrl: null, apiKey: null };
  it.each([
    ['rehearsal', 'warn', 'rehearsal', none, null],
    ['a key but no model', 'warn', 'rehearsal', none, 'OPENAI_API_KEY is set, but no model is chosen.'],
    ['no key', 'fail', 'openai', none, null],
    [
      'a server of one’s own without a key',
      'ok',
      'openai',
      { baseUrl: 'http://localhost:8080/v1', apiKey: null },
      null,
    ],
    ['an address that is none', 'fail', 'openai', { baseUrl: 'localhost:8080', apiKey: 'k' }, null],
    ['a key', 'ok', 'anthropic', { baseUrl: null, apiKey: 'k' }, null],
  ] as const)('model: %s', (_name, level, kind, server, hint) => {
    const model = kind === 'rehearsal' ? ({ kind } as const) : { kind, model: 'm' };
    const check = modelCheck({ model, servers: { openai: server, anthropic: server }, hint });
    expect(check).toMatchObject({ level, ...(hint === null ? {} : { todo: hint }) });
    expect(check.todo === undefined).toBe(level === 'ok');
  });

  it('home', () => {
    const home = join(world.folder, 'oc');
    expect(homeCheck(join(home, 'deep'))).toMatchObject({
      level: 'ok',
      text: expect.stringContaining('first start') as string,
    });
    mkdirSync(join(home, 'planchart'), { recursive: true, mode: 0o700 });
    expect(homeCheck(home)).toEqual({ name: 'home', level: 'ok', text: `${home}, writable` });
    writeFileSync(join(home, 'planchart.toml'), '');
    chmodSync(join(home, 'planchart.toml'), 0o644);
    expect(homeCheck(home)).toMatchObject({ level: 'warn', todo: `chmod go= ${home}/planchart.toml` });
    expect(homeCheck('/proc/1/nothing')).toMatchObject({ level: 'fail' });
    expect(homeCheck('/proc/1')).toMatchObject({ level: 'fail' });
  });

  it('journal', () => {
    const home = join(world.folder, 'oc');
    const own = join(home, 'planchart', 'sessions', 'one');
    expect(journalCheck(home)).toMatchObject({ level: 'ok' });
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'journal.jsonl'), '');
    expect(journalCheck(home)).toMatchObject({ level: 'ok' });
    mkdirSync(join(home, 'planchart', 'sessions', 'two', 'journal.jsonl'), { recursive: true });
    expect(journalCheck(home)).toMatchObject({
      level: 'warn',
      text: expect.stringContaining('sessions/two/journal.jsonl') as string,
    });
    writeFileSync(join(world.folder, 'file'), '');
    expect(journalCheck(join(world.folder, 'file'))).toMatchObject({ level: 'ok' });
  });

  it.each([
    [0, 'fail'],
    [50, 'warn'],
    [5000, 'ok'],
  ])('space: %s MB', (free, level) => {
    expect(spaceCheck('/', () => free * 1024 * 1024)).toMatchObject([{ level, text: `${free} MB free` }]);
  });

  const tty = { isTTY: true, columns: 80, rows: 24, getColorDepth: (): number => 8 };
  it.each([
    ['good', tty, { TERM: 'xterm', LANG: 'en_US.UTF-8' }, 'ok', 'xterm, 80×24, 256 colours, Unicode'],
    ['dumb', tty, { TERM: 'dumb', LANG: 'C.UTF-8' }, 'warn', 'this is no terminal'],
    ['a pipe', { ...tty, isTTY: false }, { TERM: 'xterm' }, 'warn', 'this is no terminal'],
    [
      'small',
      { ...tty, columns: 30 },
      { TERM: 'xterm', LANG: 'C.UTF-8' },
      'warn',
      'xterm, 30×24, 256 colours',
    ],
    [
      'not UTF-8',
      tty,
      { TERM: 'xterm', LC_ALL: 'C', LANG: 'C.UTF-8' },
      'warn',
      'xterm, 80×24, 256 colours, the locale is not UTF-8',
    ],
    [
      'no colours',
      { ...tty, getColorDepth: (): number => 1 },
      { TERM: 'xterm', LANG: 'C.UTF-8' },
      'ok',
      'xterm, 80×24, no colours, Unicode',
    ],
  ] as const)('terminal: %s', (_name, stdout, env, level, text) => {
    expect(terminalCheck({ stdin: stdout, stdout: { ...stdout } }, env)).toMatchObject({
      level,
      text,
    });
  });

  it.each([
    [null, 'unasked', 'ok'],
    ['/p/.planchart', 'unasked', 'warn'],
    ['/p/.planchart', 'refused', 'warn'],
    ['/p/.planchart', 'trusted', 'ok'],
  ] as const)('project: %s, %s', (brings, trust, level) => {
    expect(projectCheck({ path: '/p', brings, trust })).toMatchObject({ level });
  });

  it('settings', () => {
    expect(settingsCheck({ warnings: [] })).toMatchObject({ level: 'ok' });
    expect(settingsCheck({ warnings: ['f:1: unknown key'] })).toMatchObject({
      level: 'warn',
      text: 'f:1: unknown key',
    });
  });

  it('the exit code', () => {
    const check = { name: 'home', text: '' } as const;
    expect(doctorExit([{ ...check, level: 'warn' }])).toBe(0);
    expect(
      doctorExit([
        { ...check, level: 'warn' },
        { ...check, level: 'fail' },
      ]),
    ).toBe(1);
  });
});
