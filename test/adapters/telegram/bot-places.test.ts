import { describe, expect, it } from 'vitest';
import { until } from '../../support/harness.ts';
import { inOrder, says } from '../../support/harness-script.ts';
import { friend, openBot, owner, type TestBot } from './bot.ts';

const group = -5002;

const sent = (bot: TestBot) =>
  bot.api.calls.filter(({ method }) => method === 'sendMessage' || method === 'sendChatAction');
const threads = (bot: TestBot) =>
  sent(bot)
    .filter(({ payload }) => payload['chat_id'] === group)
    .map(({ payload }) => payload['message_thread_id']);

describe('D36 groups and topics', () => {
  it(
    'one session per topic, and every call keeps its topic (B115, 215, 247)',
    { timeout: 30_000 },
    async () => {
      const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
      bot.api.addChat(group, { topics: [77, 78] });
      bot.say('@planchart_bot first', owner, { chat: group, topic: 77 });
      await until('77 is answered', () => bot.texts(group, 77).includes('One.'));
      bot.say('@planchart_bot second', owner, { chat: group, topic: 78 });
      await until('78 is answered', () => bot.texts(group, 78).includes('Two.'));
      expect(bot.sessions.map(({ id }) => id)).toHaveLength(2);
      expect(new Set(threads(bot))).toEqual(new Set([77, 78]));
      bot.say('/status@planchart_bot', owner, { chat: group, topic: 77 });
      await until('status in 77', () => bot.texts(group, 77).some((text) => text.startsWith('No plan')));
      expect(bot.texts(group, 78)).toEqual(['Two.']);
    },
  );

  it('General is written to without a number (B114)', async () => {
    const bot = await openBot();
    bot.api.addChat(group, { topics: [77] });
    bot.api.update({
      message: {
        message_id: 900,
        date: 1,
        chat: { id: group, type: 'supergroup', title: 'G', is_forum: true },
        from: { id: owner, is_bot: false, first_name: 'O' },
        message_thread_id: 1,
        is_topic_message: true,
        text: '/status',
        entities: [{ type: 'bot_command', offset: 0, length: 7 }],
      },
    });
    await bot.sees(/^No plan/u, group);
    expect(threads(bot)).toEqual([undefined]);
  });

  it('the reply thread of an ordinary group is no topic (1708)', async () => {
    const bot = await openBot();
    bot.api.addChat(group);
    const status = { text: '/status', entities: [{ type: 'bot_command', offset: 0, length: 7 }] };
    const chat = { id: group, type: 'supergroup', title: 'G' };
    const from = { id: owner, is_bot: false, first_name: 'O' };
    bot.api.update({ message: { message_id: 900, date: 1, chat, from, message_thread_id: 55, ...status } });
    await bot.sees(/^No plan/u, group);
    expect(threads(bot)).toEqual([undefined]);
  });

  it('what is not said to the bot is not answered', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('Yes?')]) });
    bot.api.addChat(group);
    for (const text of ['make a plan', '/plan@other_bot x', '/weather', 'hello /plan'])
      bot.say(text, owner, { chat: group });
    bot.say('hello', friend, { chat: group });
    bot.say('what now, @Planchart_Bot', owner, { chat: group });
    await bot.sees(/^Yes\?$/u, group);
    expect(bot.texts(group)).toEqual(['Yes?']);
    expect(bot.view().phase).toBe('noPlan');
  });

  it('an edited message is not read again', async () => {
    const bot = await openBot();
    bot.api.update({
      edited_message: {
        message_id: 1,
        date: 1,
        edit_date: 2,
        chat: { id: owner, type: 'private', first_name: 'O' },
      },
    });
    bot.say('/status');
    await bot.sees(/^No plan/u);
    expect(bot.texts()).toHaveLength(1);
  });

  it('a group that becomes a supergroup keeps its session (B127)', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
    const next = -1_005_002;
    bot.api.addChat(group);
    bot.api.addChat(next);
    bot.say('@planchart_bot first', owner, { chat: group });
    await bot.sees(/^One\.$/u, group);
    const { session } = bot.view();
    bot.api.update({
      message: {
        message_id: 901,
        date: 1,
        chat: { id: group, type: 'group', title: 'G' },
        from: { id: owner, is_bot: false, first_name: 'O' },
        migrate_to_chat_id: next,
      },
    });
    await until('it is handled', () => bot.api.pending === 0);
    bot.say('@planchart_bot second', owner, { chat: next });
    await bot.sees(/^Two\.$/u, next);
    expect(new Set(bot.sessions.map(({ id }) => id))).toEqual(new Set([session]));
  });

  it('a deleted topic: few calls, one line, the plan stays (B117)', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
    bot.api.addChat(group, { topics: [77] });
    bot.say('@planchart_bot first', owner, { chat: group, topic: 77 });
    await until('77 is answered', () => bot.texts(group, 77).includes('One.'));
    const before = sent(bot).length;
    bot.say('@planchart_bot second', owner, { chat: group, topic: 77 });
    bot.api.deleteTopic(group, 77);
    await until('it is said', () => bot.lines.some((line) => line.includes("can't be written to")));
    await bot.settles('the turn has ended', () => true);
    expect(sent(bot).filter(({ method }) => method === 'sendMessage').length - before).toBeLessThanOrEqual(2);
  });
});
