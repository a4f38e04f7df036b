import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeSandbox } from '../../adapters/workspace/sandbox.ts';
import { isAlive, serverFile } from '../adapters/mcp/servers.ts';
import { markdown } from '../adapters/skills/places.ts';
import { systemOf, textsOf } from '../support/harness-script.ts';
import { until } from '../support/harness.ts';
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts';
import { createWorld, root, type World } from './planchart.ts';

const found = await probeSandbox('bwrap', { PATH: process.env['PATH'] ?? '' });

let world: World;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await server?.close();
  world.end();
});

const own = (path: string): string => join(world.home, '.opencrabs', path);
const project = (path: string): string => join(world.project, '.planchart', path);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}

/** `planchart run` against a scripted model. */
async function run(prompt: string, script: Script, env = {}, more: readonly string[] = []) {
  await server?.close();
  server = await startModelServer(script);
  return world.run(['run', prompt, '--model', 'openai:test', ...more], {
    OPENAI_BASE_URL: server.baseUrl,
    ...env,
  });
}

/** What stands in the fences of a page, in order. */
const fences = (page: string): { kind: string; text: string }[] =>
  [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gmu)].map(
    ([, kind = '', text = '']) => ({ kind, text }),
  );

describe('docs/skills.md', () => {
  const [command, shell, skill] = fences('skills.md');

  it('its files load, and its command runs', async () => {
    write(own('planchart/commands/review.md'), command?.text ?? '');
    write(own('planchart/skills/changelog/SKILL.md'), skill?.text ?? '');
    const [, prompt = ''] = /^npx planchart run '([^']+)'$/u.exec(shell?.text.trim() ?? '') ?? [];
    expect(prompt).toMatch(/^\/review /u);
    const { code, stderr, stdout } = await run(prompt, [{ text: 'Nothing is wrong.' }]);
    expect([code, stdout]).toEqual([0, 'Nothing is wrong.\n']);
    expect(stderr).not.toContain('.md:');
    const [user = ''] = textsOf(server.requests[0], 'user');
    expect(user).toContain(
      '\nRead src/app.ts and look for missing checks. Name each mistake with its line.\n',
    );
    expect(user).toContain('\nWhat I wrote: src/app.ts "missing checks"');
    expect(systemOf(server.requests[0])).toContain(
      `- changelog (${own('planchart/skills/changelog/SKILL.md')}): How we write the changelog;`,
    );
  });
});

describe('skills and commands', () => {
  it('D53 a project brings its own once it is trusted', async () => {
    write(project('commands/deploy.md'), markdown('Deploys', 'Deploy to $1.'));
    await run('/deploy test', [{ text: 'What?' }]);
    expect(textsOf(server.requests[0], 'user')).toEqual(['/deploy test']);
    expect((await world.run(['trust'])).code).toBe(0);
    const { stderr } = await run('/deploy test', [{ text: 'Done.' }]);
    expect(textsOf(server.requests[0], 'user')[0]).toMatch(/\n\nDeploy to test\.$/u);
    expect(stderr).not.toContain('no command');
  });

  it('a file that is skipped is said, and the others work', async () => {
    write(own('planchart/commands/bad.md'), '---\nname: bad\n---\nx\n');
    write(own('planchart/commands/stop.md'), markdown('Mine', 'x'));
    write(own('planchart/commands/good.md'), markdown('Good', 'Be good.'));
    const { code, stderr } = await run('/good', [{ text: 'Yes.' }]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${own('planchart/commands/bad.md')}:1: front matter "description" has to be`);
    expect(stderr).toContain(`${own('planchart/commands/stop.md')}:1: /stop is a command of planchart`);
    expect(textsOf(server.requests[0], 'user')[0]).toContain('Be good.');
  });

  it('D3 a plan command stays one for a person, whatever file there is', async () => {
    write(own('planchart/commands/execute.md'), markdown('Mine', 'x'));
    expect((await run('/execute', [])).code).toBe(4);
  });
});

/** A call of a session in yolo, with this PATH, in a folder that is trusted. */
async function acts(name: string, input: Record<string, unknown>, path = world.env['PATH']) {
  await world.run(['trust']);
  const { stderr } = await run('go', [{ calls: [{ name, input }] }, { text: 'Done.' }], { PATH: path }, [
    '--yolo',
  ]);
  return { stderr, told: textsOf(server.requests[1], 'tool')[0] ?? '' };
}

/** A PATH with bash and without bubblewrap. */
function withoutSandbox(): string {
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  const found = (world.env['PATH'] ?? '').split(':').find((at) => existsSync(join(at, 'bash'))) ?? '';
  symlinkSync(join(found, 'bash'), join(bin, 'bash'));
  return bin;
}

const asks = async (folder = world.project): Promise<boolean> => {
  const { stderr } = await world.run(['--cwd', folder, 'run', 'hello']);
  return stderr.includes(`${folder}/.planchart is not loaded`);
};

describe('D21 what an agent does to the settings of a trusted folder', () => {
  beforeEach(() => write(project('config.toml'), 'model.nmae = 1\n'));

  it('a tool does not write them, a command of the sandbox neither, and they stay trusted', async () => {
    const refused = await acts('write_file', { path: '.planchart/config.toml', content: 'x' });
    expect(refused.told).toMatch(/^GATE_CLOSED: .*only a person writes there/u);
    const command = found.works ? 'echo x >> .planchart/config.toml' : 'cat .planchart/config.toml';
    const { told, stderr } = await acts('bash', { command });
    expect(told).toContain(found.works ? 'Read-only file system' : 'model.nmae');
    expect(readFileSync(project('config.toml'), 'utf8')).toBe('model.nmae = 1\n');
    expect(stderr).not.toContain('changed during this call');
    expect(await asks()).toBe(false);
  });

  it('what a command without a sandbox writes is said, and not loaded', async () => {
    const command = 'echo "[mcp.servers.x]" >> .planchart/config.toml';
    const { told, stderr } = await acts('bash', { command }, withoutSandbox());
    const said = `${world.project}/.planchart changed during this call`;
    expect([told.includes(said), stderr.includes(said)]).toEqual([true, true]);
    expect(stderr).toContain('nmae is no known key');
    expect((await world.run(['run', 'hello'])).stderr).not.toContain('nmae');
    expect(await asks()).toBe(true);
  });

  it.each([
    ['puts another folder in its place', 'cd .. && mv project old && mkdir -p project/.planchart'],
    ['writes in another one', 'echo x >> ../other/.planchart/config.toml', 'other'],
    ['makes them where there were none', 'mkdir ../bare/.planchart', 'bare'],
  ])('nor what a command of the sandbox does: it %s', async (_name, command, folder = 'project') => {
    const at = join(world.folder, folder);
    write(join(world.folder, 'other/.planchart/config.toml'), '');
    mkdirSync(join(world.folder, 'bare'));
    await world.run(['trust', at]);
    expect((await acts('bash', { command })).stderr).toContain(`${at}/.planchart changed during this call`);
    expect(await asks(at)).toBe(true);
  });

  it('nor what the tool of a server does, unless it is said to read only', async () => {
    symlinkSync(configured(own('planchart.toml'), 'db', '["lookup"]'), project('log'));
    expect((await acts('mcp__db__lookup', {})).told).toBe('lookup answers nothing');
    expect((await acts('mcp__db__wipe', {})).told).toMatch(
      /^wipe answers nothing\n\[.*changed during this call/u,
    );
    expect(await asks()).toBe(true);
  });

  it('nor what a tool writes where they lead', async () => {
    write(join(world.project, 'conf/commands/go.md'), markdown('Goes', 'Go.'));
    symlinkSync('../conf/commands', project('commands'));
    const { told } = await acts('write_file', { path: 'conf/commands/go.md', content: 'Other.' });
    expect(told).toContain('changed during this call');
    expect(await asks()).toBe(true);
  });
});

/** `planchart.toml` with the server of the tests under this name. */
function configured(path: string, name: string, readOnly: string): string {
  const log = join(world.folder, `${name}.log`);
  const args = [serverFile, log, 'works'].map((word) => JSON.stringify(word)).join(', ');
  write(
    path,
    `[mcp.servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${args}]\nenv = { DB_USER = "reader" }\nread_only = ${readOnly}\n`,
  );
  return log;
}

const lookUp = (name: string): Script => [
  { calls: [{ name: `mcp__${name}__lookup`, input: { key: 'k' } }] },
  { text: 'Seen.' },
];

describe('docs/mcp.md', () => {
  it('its settings are taken, and its command shows them', async () => {
    const [toml, shell] = fences('mcp.md');
    write(own('planchart.toml'), toml?.text ?? '');
    const [, ...args] = shell?.text.trim().split(' ').slice(1) ?? [];
    const { code, stdout, stderr } = await world.run(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^mcp\.servers\.db\.read_only +\["lookup"\]/mu);
    expect(stdout).toMatch(/^mcp\.servers\.db\.env +set/mu);
  });
});

describe('MCP servers', () => {
  it('run with the program: a listed tool answers, the others need a person, no key gets there', async () => {
    const log = configured(own('planchart.toml'), 'db', '["lookup", "env"]');
    const script: Script = [
      {
        calls: [
          { name: 'mcp__db__lookup', input: { key: 'k' } },
          { name: 'mcp__db__env', input: {} },
        ],
      },
      { calls: [{ name: 'mcp__db__wipe', input: {} }] },
      { text: 'Seen.' },
    ];
    const keys = {
      OPENAI_API_KEY: 'sk-very-secret',
      TELEGRAM_BOT_TOKEN: '1:secret',
      MY_COPY: 'sk-very-secret',
    };
    const { code, stderr } = await run('look at the database', script, keys);
    const [answer, env = '{}', refused] = textsOf(server.requests[2], 'tool');
    expect(answer).toBe('lookup answers k');
    expect(env).not.toContain('secret');
    expect(JSON.parse(env)).toMatchObject({ DB_USER: 'reader', cwd: world.project });
    expect(refused).toMatch(/^NEEDS_PERSON: /u);
    expect([code, stderr.includes('mcp__db__wipe has to be allowed')]).toEqual([4, true]);
    const [, pid] = /^started (\d+)$/mu.exec(readFileSync(log, 'utf8')) ?? [];
    await until('the server is gone', () => !isAlive(Number(pid)));
  });

  it('D53 of a project start once it is trusted, and its own list opens nothing', async () => {
    const log = configured(project('config.toml'), 'theirs', '["lookup"]');
    await run('look', lookUp('theirs'));
    expect(existsSync(log)).toBe(false);
    expect(textsOf(server.requests[1], 'tool')[0]).toContain('There is no tool mcp__theirs__lookup');
    await world.run(['trust']);
    const { stderr } = await run('look', lookUp('theirs'));
    expect(existsSync(log)).toBe(true);
    expect(textsOf(server.requests[1], 'tool')[0]).toMatch(/^NEEDS_PERSON: /u);
    expect(stderr).toContain("read_only is not a project's to set");
  });

  it('one that does not start is one line, and the turn goes on', async () => {
    write(own('planchart.toml'), '[mcp.servers.gone]\ncommand = "no-such-program"\n');
    const { code, stdout, stderr } = await run('hello', [{ text: 'Hello.' }]);
    expect([code, stdout]).toEqual([0, 'Hello.\n']);
    expect(stderr.match(/The MCP server gone did not start/gu)).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('end when %s ends the program', async (signal) => {
    const log = configured(own('planchart.toml'), 'db', '["slow"]');
    server = await startModelServer([{ calls: [{ name: 'mcp__db__slow', input: {} }] }]);
    const started = world.start(['run', 'wait', '--model', 'openai:test'], {
      OPENAI_BASE_URL: server.baseUrl,
    });
    await started.until(/mcp__db__slow/u);
    const said = (): string => readFileSync(log, 'utf8');
    await until('the call runs', () => said().includes('slow began'));
    started.child.kill(signal);
    expect((await started.ended).code).toBe(130);
    const [, pid] = /^started (\d+)$/mu.exec(said()) ?? [];
    await until('the server is gone', () => !isAlive(Number(pid)));
    expect(said()).toContain('slow cancelled');
  });
});

describe('the bundle', () => {
  const dist = join(root, 'dist');
  const text = (name: string): string => readFileSync(join(dist, name), 'utf8');
  const links = (name: string, form: RegExp): string[] =>
    [...text(name).matchAll(form)].map(([, found = '']) => found);

  /** Chunks that are loaded with this one, whatever happens. */
  function loadedWith(name: string, known = new Set<string>()): Set<string> {
    if (known.has(name)) return known;
    known.add(name);
    for (const next of links(name, /(?:from|import)"\.\/([^"]+\.js)"/gu)) loadedWith(next, known);
    return known;
  }

  it('loads the MCP kit only for a server', () => {
    const kit = readdirSync(dist).filter(
      (name) => name.endsWith('.js') && text(name).includes('notifications/cancelled'),
    );
    expect(kit.length).toBeGreaterThan(0);
    const starts = links('planchart.js', /import\("\.\/([^"]+\.js)"\)/gu);
    expect(starts.length).toBeGreaterThan(0);
    // What a first frame needs: the start, and the terminal UI that it loads.
    const screens = starts.flatMap((name) => [...loadedWith(name)]);
    const lazy = screens.flatMap((name) => links(name, /import\("\.\/([^"]+\.js)"\)/gu));
    const ui = lazy.filter((name) =>
      [...loadedWith(name)].some((one) => text(one).includes('Write a message, or /plan')),
    );
    expect(ui.length).toBeGreaterThan(0);
    const first = new Set(['planchart.js', ...starts, ...ui].flatMap((name) => [...loadedWith(name)]));
    expect(first.size).toBeGreaterThan(3);
    expect(kit.filter((name) => first.has(name))).toEqual([]);
  });
});
