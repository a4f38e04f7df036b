import { describe, expect, it } from 'vitest';
import { until } from '../../support/harness.ts';
import { inOrder, says } from '../../support/harness-script.ts';
import { newSession } from '../../support/harness-world.ts';
import { openBot, owner, planned, planning, review, type TestBot } from './bot.ts';

const group = -5_003;

/** What the chat says to a command, once it says it. */
async function told(bot: TestBot, text: string, wanted: RegExp, chat = owner): Promise<string> {
  bot.say(text, owner, { chat });
  await bot.sees(wanted, chat);
  return bot.texts(chat).findLast((one) => wanted.test(one)) ?? '';
}

/** The number of a session in a list. */
const numberIn = (list: string, id: string): string =>
  new RegExp(`^(\\d+)\\. ${id.slice(0, 8)}`, 'mu').exec(list)?.[1] ?? '';

describe('/sessions (D36)', () => {
  it('goes to one by its number; one of the terminal only in the owner’s private chat', async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
    bot.api.addChat(group);
    const there = await newSession(bot.world(), bot.project);
    bot.say('hello');
    await bot.sees(/^One\.$/u);
    const list = await told(bot, '/sessions', /^1\. [\s\S]*Go to one with/u);
    const mine = /^(\d+)\. .*\(this chat\)$/mu.exec(list)?.[1] ?? '';
    expect([mine, numberIn(list, there)].toSorted()).toEqual(['1', '2']);
    // A group must not read what began in the terminal.
    await told(bot, '/status@planchart_bot', /^No plan/u, group);
    const inGroup = await told(bot, '/sessions@planchart_bot', /^1\. [\s\S]*Go to one with/u, group);
    expect(numberIn(inGroup, there)).toBe('');
    await told(bot, `/sessions@planchart_bot ${there}`, /^There is no such session here/u, group);
    await told(bot, '/sessions 9', /^There is no such session here/u);
    await told(bot, `/sessions ${mine}`, /^This chat has that session already/u);
    await told(bot, `/sessions ${numberIn(list, there)}`, /^Session .* in /u);
    bot.say('hello again');
    await bot.sees(/^Two\.$/u);
    expect(bot.sessions.find(({ id }) => id === there)?.view().session).toBe(there);
  });
});

describe('one session in two chats (D36)', () => {
  it('a turn is shown where it was started, and the plan with its buttons in both', async () => {
    const bot: TestBot = await openBot({
      script: planning(
        () => bot,
        () => [[]],
      ),
    });
    bot.api.addChat(group);
    bot.say('/status');
    await bot.sees(/^No plan/u);
    const { session } = bot.view();
    await told(bot, '/status@planchart_bot', /^No plan/u, group);
    await told(bot, `/sessions@planchart_bot ${session}`, /^Session .* in /u, group);
    const message = await planned(bot);
    await bot.buttons(review, group);
    const flows = (chat: number) => bot.texts(chat).filter((text) => /^(?:⚙️|✅ Finished)/u.test(text));
    expect([flows(owner).length, flows(group).length]).toEqual([1, 0]);
    expect(bot.texts(group).at(-1)).toMatch(
      /^📋 The plan is ready for review\.[\s\S]*2\. Move the readers\./u,
    );
    // Decided in the group: the private chat says so, and both show what is true.
    expect((await bot.press('✅ Approve', owner, undefined, group)).text).toMatch(/^Approved/u);
    await bot.sees(/^✅ Approved on Telegram, \d\d:\d\d UTC\.$/u);
    await until('both show the retry', () =>
      [owner, group].every((chat) => bot.texts(chat).some((text) => text.endsWith('[🔁 Retry] [🗑 Discard]'))),
    );
    const rows = [owner, group].map((chat) => bot.texts(chat).filter((text) => /\n\[/u.test(text)).length);
    expect(rows).toEqual([1, 1]);
    expect(
      bot.api
        .view(owner)
        .find(({ id }) => id === message)
        ?.buttons.flat(),
    ).toContain('🔁 Retry');
  });
});
