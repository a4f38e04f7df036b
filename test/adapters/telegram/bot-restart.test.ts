import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/harness.ts';
import { call, inOrder, reply, says } from '../../support/harness-script.ts';
import { openBot, owner, planned, planning, review, type TestBot } from './bot.ts';

const records = (bot: TestBot): string[] => readdirSync(join(bot.home, 'planchart/telegram/chats'));

describe('D37 restart', () => {
  it(
    'what was sent while the bot was away: commands and presses change nothing, text runs',
    { timeout: 40_000 },
    async () => {
      const bot: TestBot = await openBot({
        script: planning(
          () => bot,
          () => [[]],
        ),
      });
      const message = await planned(bot);
      await bot.stop();
      const press = bot.api.press(owner, '✅ Approve', owner, message);
      bot.say('/discard');
      bot.say('and now?');
      await bot.start();
      await bot.sees(/^I was away/u);
      await bot.sees(/^Done\.$/u);
      expect(bot.api.queries.find(({ id }) => id === press)).toMatchObject({
        state: 'answered',
        alert: 'yes',
      });
      expect(bot.api.queries.find(({ id }) => id === press)?.text).toMatch(/^I was away/u);
      expect(bot.view()).toMatchObject({ phase: 'postInit' });
      // The keyboard is the same one, on the same message, and works.
      expect(await bot.buttons(review)).toBeGreaterThanOrEqual(message);
      await bot.press('🗑 Discard');
      await bot.buttons(['Discard plan', 'Keep']);
      await bot.press('Discard plan');
      expect(bot.view().phase).toBe('noPlan');
    },
  );

  it('an update is not run twice', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('First.'), says('Second.')]) });
    await until('a long poll', () => bot.api.polls.at(-1)?.status === null);
    // The poll that would confirm it fails, so the next program gets it again.
    bot.api.fault('getUpdates', { kind: 'error', status: 500, description: 'Internal' }, { times: 1000 });
    bot.say('hello');
    await bot.sees(/^First\.$/u);
    await bot.stop();
    expect(bot.api.pending).toBe(1);
    bot.api.clearFaults();
    await bot.start();
    bot.say('again');
    await bot.sees(/^Second\.$/u);
    const entries = (await bot.sessions[0]?.transcript()) ?? [];
    const said = entries.flatMap((entry) => (entry.type === 'user' ? [entry.text] : []));
    expect(said).toEqual(['hello', 'again']);
  });

  it(
    'in the middle of a turn: its message is settled, its question is dead, Continue is not needed',
    { timeout: 30_000 },
    async () => {
      const bot: TestBot = await openBot({
        tools: 'open',
        script: inOrder(() => [reply(call('write_file', { path: 'a.txt', content: 'a' })), says('never')]),
      });
      bot.say('write a.txt');
      await bot.buttons(['Allow once', 'No', 'Allow for this session']);
      // As after a crash: the records say that turn and question are open.
      const [name = ''] = records(bot);
      const read = (): string => readFileSync(join(bot.home, 'planchart/telegram/chats', name), 'utf8');
      await until('the question is on record', () => read().includes('"prompts":[{'));
      const record = read();
      expect(JSON.parse(record)).toMatchObject({ flows: [{ outcome: null }] });
      await bot.stop();
      await bot.sees(/^⏹ Cancelled \(0 tool calls/u);
      await bot.sees(/⏹ Not asked any more/u);
      // The crash itself: what was on disk then, found by the next program.
      writeFileSync(join(bot.home, 'planchart/telegram/chats', name), record);
      await bot.start();
      await bot.sees(/^⚠️ Interrupted \(0 tool calls/u);
      await bot.sees(/⚠️ Expired/u);
      const buttons = bot.api.view(owner).flatMap((message) => message.buttons.flat());
      expect(buttons).toEqual([]);
    },
  );

  it(
    'a message that a person deleted comes back with the buttons at the next change',
    { timeout: 40_000 },
    async () => {
      const bot: TestBot = await openBot({ script: planning(() => bot) });
      const message = await planned(bot);
      bot.api.remove(owner, message);
      bot.say('/show_plan');
      const next = await bot.buttons(review);
      expect(next).toBeGreaterThan(message);
      expect((await bot.press('✅ Approve', owner, next)).text).toMatch(/^Approved/u);
    },
  );

  it('a plan that ended meanwhile leaves its line, and no buttons (D17)', { timeout: 40_000 }, async () => {
    const bot: TestBot = await openBot({ script: planning(() => bot) });
    await planned(bot);
    const id = bot.sessions[0]?.id ?? '';
    await bot.stop();
    const by = { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true } as const;
    await bot.world().dispatcher.dispatch(id, { type: 'user.discard', by });
    await bot.start();
    await bot.sees(/🗑 Split the key • discarded$/u);
    await until('no buttons', () => bot.api.view(owner).every(({ buttons }) => buttons.length === 0));
    expect(bot.view().phase).toBe('noPlan');
  });

  it('keeps its records to itself', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('Hello.')]) });
    bot.say('hello');
    await bot.sees(/^Hello\.$/u);
    expect(records(bot)).toEqual(['1001_0.json']);
    await until('the poll has confirmed it', () => bot.api.pending === 0);
  });
});
