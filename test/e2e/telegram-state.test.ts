import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBotWatch } from '../../adapters/cli/bot-state.ts';
import { createWorld, type World } from '../cli/planchart.ts';
import { type BotApi, startBotApi } from '../support/bot-api/server.ts';
import { sit } from './person.ts';

let world: World;
let api: BotApi;
beforeEach(async () => {
  world = createWorld();
  api = await startBotApi();
});
afterEach(async () => {
  await api.close();
  world.end();
});

const env = (token: string): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: token,
  TELEGRAM_OWNER_ID: '1001',
  TELEGRAM_API_ROOT: api.apiRoot,
});

describe('D36 the status line of a terminal UI with a bot beside it', () => {
  it('says that the bot is on, and that Telegram is not reached any more', async () => {
    const person = await sit(world, ['--bot'], env(api.token));
    const rows = await person.waitFor(/Telegram: on · /u, 20_000);
    expect(rows.join('\n')).not.toMatch(/not reached/u);
    await api.close();
    await person.waitFor(/Telegram: not reached · /u, 20_000);
  }, 60_000);

  it('says that the bot has ended', async () => {
    const person = await sit(world, ['--bot'], env('1:other'));
    const rows = await person.waitFor(/Telegram: ended · /u, 20_000);
    expect(rows.join('\n')).not.toMatch(/Telegram: on/u);
  }, 60_000);
});

it('follows what the bot says, and tells of changes only', () => {
  const watch = createBotWatch();
  const states: string[] = [];
  const stop = watch.subscribe(() => states.push(watch.get()));
  expect(watch.get()).toBe('connecting');
  for (const line of [
    "Telegram can't be reached: no network. Trying again.",
    '@a_bot is ready.',
    'Group privacy is on: in groups only commands and replies reach the bot.',
    'Another program polls with the same bot token; trying again.',
    'Telegram answers again.',
    'Telegram answers again.',
  ])
    watch.heard(line);
  watch.ended();
  stop();
  watch.heard('@a_bot is ready.');
  expect(states).toEqual(['unreachable', 'connected', 'unreachable', 'connected', 'ended']);
});
