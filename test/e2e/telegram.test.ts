import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { type BotApi, startBotApi } from '../support/bot-api/server.ts';
import { until } from '../support/harness.ts';
import { sit } from './person.ts';

const owner = 1001;
const me = 777_000_001;
let world: World;
let api: BotApi;

beforeEach(async () => {
  world = createWorld();
  api = await startBotApi();
  api.addChat(owner);
});
afterEach(async () => {
  world.end();
  await api.close();
});

const env = (): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: api.token,
  TELEGRAM_OWNER_ID: String(owner),
  TELEGRAM_API_ROOT: api.apiRoot,
});
const texts = (): string[] =>
  api
    .view(owner)
    .filter(({ from }) => from === me)
    .map(({ text, buttons }) => (buttons.length === 0 ? text : `${text}\n[${buttons.flat().join('] [')}]`));
const sees = (wanted: RegExp): Promise<void> =>
  until(
    () => `${String(wanted)}:\n${texts().join('\n--\n')}`,
    () => texts().some((text) => wanted.test(text)),
    20_000,
  );

describe('planchart --bot', () => {
  it(
    'runs both surfaces: the chat works, the screen stays its own, and both end together',
    { timeout: 40_000 },
    async () => {
      const person = await sit(world, ['--bot', '--new'], env());
      await person.waitFor(/The Telegram bot runs beside this session/u);
      await person.waitFor(/Telegram: on/u);
      api.say(owner, owner, '/status');
      await sees(/^No plan[\s\S]*Session .* model rehearsal/u);
      // What the bot says of itself belongs into the log.
      expect(person.screen().join('\n')).not.toMatch(/privacy|is ready/u);
      await person.say('/help');
      await person.waitFor(/\/discard/u);
      await person.press('\u0003', (rows) => rows.some((row) => /leave|again/iu.test(row)));
      person.key('ctrlC');
      expect(await person.exit()).toBe(0);
      expect(api.polls.at(-1)?.status).toBe(200);
      expect(existsSync(join(world.home, '.opencrabs/planchart/telegram/chats/1001_0.json'))).toBe(true);
    },
  );
});
