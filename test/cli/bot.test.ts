import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newChat } from '../../adapters/telegram/chat-record.ts';
import { type BotApi, startBotApi } from '../support/bot-api/server.ts';
import { until } from '../support/harness.ts';
import { createWorld, lines, root, type World } from './planchart.ts';

const owner = 1001;
let world: World;
let api: BotApi | null = null;

afterEach(async () => {
  world.end();
  await api?.close();
  api = null;
});

async function open(): Promise<{ api: BotApi; env: Record<string, string> }> {
  world = createWorld();
  api = await startBotApi();
  api.addChat(owner);
  const env = {
    TELEGRAM_BOT_TOKEN: api.token,
    TELEGRAM_OWNER_ID: String(owner),
    TELEGRAM_API_ROOT: api.apiRoot,
  };
  return { api, env };
}

const texts = (server: BotApi): string[] => server.view(owner).map(({ text }) => text);

describe('planchart bot: what keeps it from starting is one line and an exit code', () => {
  it('no token', async () => {
    world = createWorld();
    const ended = await world.run(['bot']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(lines(ended.stderr)).toEqual([
      'There is no bot token: set TELEGRAM_BOT_TOKEN, or telegram.token in the config file.',
    ]);
  });

  it.each([
    ['TELEGRAM_OWNER_ID', 'me', /^TELEGRAM_OWNER_ID has to be a Telegram user id, a whole number\.$/u],
    ['TELEGRAM_OWNER_ID', '1 2', /^TELEGRAM_OWNER_ID has to be a Telegram user id/u],
    ['TELEGRAM_ALLOWED_IDS', '1,x', /^TELEGRAM_ALLOWED_IDS has to be an array of Telegram user ids/u],
    ['TELEGRAM_API_ROOT', 'nowhere', /is no URL\.$/u],
  ])('%s=%s', async (name, value, wanted) => {
    world = createWorld();
    const ended = await world.run(['bot'], { TELEGRAM_BOT_TOKEN: '1:x', [name]: value });
    expect(ended.code).toBe(2);
    expect(lines(ended.stderr)).toEqual([expect.stringMatching(wanted)]);
    expect(ended.stderr).not.toContain('1:x');
  });

  it('a refused token', async () => {
    const { env } = await open();
    const ended = await world.run(['bot'], { ...env, TELEGRAM_BOT_TOKEN: '1:other' });
    expect(ended.code).toBe(1);
    expect(lines(ended.stderr)).toEqual([
      'Telegram does not accept the bot token. Check TELEGRAM_BOT_TOKEN.',
    ]);
  });

  it('options that would do nothing', async () => {
    world = createWorld();
    expect(await world.run(['bot', '--yolo'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yolo does not go with bot') as string,
    });
    expect(await world.run(['status', '--bot'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--bot goes with the terminal UI only') as string,
    });
  });
});

describe('planchart bot', () => {
  it('works in its folder, logs to stderr, and ends in order (B128)', { timeout: 40_000 }, async () => {
    const { api: server, env } = await open();
    const first = world.start(['bot'], env);
    await first.until(/@planchart_bot is ready\./u);
    const before = globSync('**/*', { cwd: world.home });
    // A second program on the same home leaves at once, and touches nothing.
    const second = await world.run(['bot'], env);
    expect(second.code).toBe(1);
    expect(lines(second.stderr)).toEqual([
      'Another planchart of this home runs the bot with this token already.',
    ]);
    expect(globSync('**/*', { cwd: world.home }).filter((path) => !/logs|locks/u.test(path))).toEqual(
      before.filter((path) => !/logs|locks/u.test(path)),
    );
    server.say(owner, owner, 'hello');
    await until('an answer', () => texts(server).length > 1);
    server.say(owner, owner, '/status');
    await until('where it works', () => texts(server).some((text) => text.includes(`in ${world.project}`)));
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(server.pending).toBe(0);
    expect(first.err).not.toContain(server.token);
    expect(existsSync(join(world.home, '.opencrabs/planchart/telegram/chats/1001_0.json'))).toBe(true);
  });

  it('takes its settings from the config file as well', { timeout: 30_000 }, async () => {
    const { api: server } = await open();
    const home = join(world.home, '.opencrabs');
    mkdirSync(home, { recursive: true });
    const table = `[telegram]\ntoken = "${server.token}"\nowner_id = ${owner}\napi_root = "${server.apiRoot}"\n`;
    writeFileSync(join(home, 'planchart.toml'), table, { mode: 0o600 });
    const bot = world.start(['bot']);
    await bot.until(/is ready/u);
    server.say(owner, owner, '/help');
    await until('help', () => texts(server).some((text) => text.startsWith('planchart:')));
    bot.child.kill('SIGTERM');
    expect((await bot.ended).code).toBe(0);
  });
});

it('planchart config shows whom the bot answers and where it is, and never its token', async () => {
  world = createWorld();
  const env = {
    TELEGRAM_BOT_TOKEN: '1:very-secret',
    TELEGRAM_OWNER_ID: '1001',
    TELEGRAM_ALLOWED_IDS: '2002, 3003',
    TELEGRAM_API_ROOT: ' http://127.0.0.1:1 ',
  };
  const { code, stdout, stderr } = await world.run(['config'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = lines(stdout).map((row) => row.split(/ {2,}/u));
  expect(rows.filter(([key]) => key?.startsWith('telegram.'))).toEqual([
    ['telegram.enabled', 'false', 'default'],
    ['telegram.owner_id', '1001', 'env TELEGRAM_OWNER_ID'],
    ['telegram.allowed_ids', '[2002,3003]', 'env TELEGRAM_ALLOWED_IDS'],
    ['telegram.token', 'set', 'env TELEGRAM_BOT_TOKEN'],
    ['telegram.api_root', 'http://127.0.0.1:1', 'env TELEGRAM_API_ROOT'],
  ]);
  expect(stdout).not.toContain('very-secret');
});

it('planchart status shows what did not reach a chat (D34), and asks no server', async () => {
  world = createWorld();
  const { stderr } = await world.run(['run', 'hello']);
  const session = /^Session (\S+) in /mu.exec(stderr)?.[1] ?? '';
  const folder = join(world.home, '.opencrabs/planchart/telegram/chats');
  mkdirSync(folder, { recursive: true });
  const place = { chat: -5_001, topic: 77, kind: 'group' } as const;
  const failure = {
    at: '2026-01-02T12:03:00.000Z',
    text: 'Telegram refused: 400\nodd',
    lost: 'yes',
  } as const;
  writeFileSync(join(folder, '-5001_77.json'), JSON.stringify({ ...newChat(place, session, []), failure }));
  writeFileSync(join(folder, 'broken.json'), '{');
  const shown = await world.run(['status']);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  const said = `Telegram chat -5001, topic 77: not delivered, since ${failure.at}: Telegram refused: 400 odd`;
  expect(lines(shown.stdout)).toContain(`  chat    ${said}`);
  const json = JSON.parse((await world.run(['status', '--json'])).stdout) as { sessions: object[] };
  expect(json.sessions).toEqual([
    expect.objectContaining({ id: session, undelivered: [said.replace('400 odd', '400\nodd')] }),
  ]);
});

it('nothing but the bot loads the Telegram library', () => {
  world = createWorld();
  const chunks = globSync('dist/*.js', { cwd: root });
  const has = chunks.filter((path) => readFileSync(join(root, path), 'utf8').includes('answerCallbackQuery'));
  expect(has).toHaveLength(1);
  expect(has[0]).not.toBe('dist/planchart.js');
  const name = has[0]?.split('/').at(-1) ?? '';
  // Everybody who knows it loads it when it is needed.
  for (const path of chunks) {
    const text = readFileSync(join(root, path), 'utf8');
    expect(text).not.toMatch(new RegExp(`(?:from|import)\\s*"\\./${name}"`, 'u'));
  }
});
