import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeCallback } from '../../../machines/index.ts';
import { hashes, until } from '../../support/harness.ts';
import { inOrder, says } from '../../support/harness-script.ts';
import { friend, nobody, openBot, owner, planned, planning, type TestBot } from './bot.ts';

const group = -5001;

const anonymous = { id: 1_087_968_824, is_bot: true, first_name: 'Group' };

/** The files of the home once the bot has written down what it shows. */
async function still(home: string): Promise<Record<string, string>> {
  let seen = hashes(home);
  let same = 0;
  await until('nothing is written', () => {
    const now = hashes(home);
    same = JSON.stringify(now) === JSON.stringify(seen) ? same + 1 : 0;
    seen = now;
    return same > 100;
  });
  return seen;
}

describe('D29 who may do what (B119, B120, 1474)', () => {
  it('a press of anybody but the owner changes nothing and strips nothing', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: planning(() => bot) });
    const message = await planned(bot);
    const before = await still(bot.home);
    const button = bot.api.view(owner).find(({ id }) => id === message)?.buttons;
    for (const from of [friend, nobody, anonymous]) {
      for (const label of ['✅ Approve', '🗑 Discard', '✏️ Ask for changes']) {
        const id = bot.api.press(owner, label, from, message);
        const query = () => bot.api.queries.find((one) => one.id === id);
        await until('answered', () => query()?.state === 'answered');
        expect(query()).toMatchObject({ alert: 'yes' });
        expect(query()?.text).toMatch(/^Only the owner/u);
      }
    }
    expect(bot.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    expect(bot.api.view(owner).find(({ id }) => id === message)?.buttons).toEqual(button);
    const after = hashes(bot.home);
    // Only the note of which update was begun last.
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed.map((path) => path.split('/').at(-1))).toEqual(['bot.json']);
  });

  it(
    'typed commands of a friend are refused, a friend may chat, and /help tells of privacy (B123)',
    { timeout: 30_000 },
    async () => {
      const bot: TestBot = await openBot({ script: inOrder(() => [says('Hello.'), says('A plan? Yes.')]) });
      bot.say('hello', friend, { chat: friend });
      await bot.sees(/^Hello\.$/u, friend);
      for (const typed of [
        '/plan x',
        '/execute',
        '/discard',
        '/approve yolo',
        '/sessions',
        '/new',
        '/continue',
      ]) {
        const count = bot.texts(friend).length;
        bot.say(typed, friend, { chat: friend });
        await until(typed, () => bot.texts(friend).length > count);
        expect(bot.texts(friend).at(-1)).toMatch(/^Only the owner/u);
      }
      // Plan words of somebody else arm nothing (D29).
      bot.say('make a plan for the release', friend, { chat: friend });
      await bot.sees(/^A plan\? Yes\.$/u, friend);
      expect(bot.view()).toMatchObject({ phase: 'noPlan' });
      bot.say('/status', friend, { chat: friend });
      await bot.sees(/^No plan/u, friend);
      bot.say('/help', friend, { chat: friend });
      await bot.sees(/privacy is on/u, friend);
      expect(bot.lines.some((line) => line.startsWith('Group privacy is on'))).toBe(true);
    },
  );

  it('somebody unknown gets one line with their id, in private only', async () => {
    const bot = await openBot();
    bot.api.addChat(group);
    bot.say('/plan x', nobody, { chat: group });
    bot.say('hello', nobody, { chat: nobody });
    bot.say('/execute', nobody, { chat: nobody });
    await until('one line', () => bot.texts(nobody).length > 0);
    bot.say('/status');
    await bot.sees(/^No plan/u);
    expect(bot.texts(nobody)).toEqual([
      "I don't know you. Your Telegram id is 3003: the owner lets you in with TELEGRAM_ALLOWED_IDS=3003.",
    ]);
    expect(bot.texts(group)).toEqual([]);
  });

  it('without an owner nobody is answered, and the log says so', async () => {
    const bot = await openBot({ owner: null });
    bot.say('/plan x', owner);
    bot.say('hello', friend, { chat: friend });
    await until('the log names who wrote', () =>
      bot.lines.some((line) => line.includes('TELEGRAM_OWNER_ID=1001')),
    );
    await until('both are handled', () => bot.api.pending === 0);
    expect(bot.lines.some((line) => line.startsWith('No owner is set'))).toBe(true);
    expect([...bot.texts(owner), ...bot.texts(friend)]).toEqual([]);
  });

  it('anonymous admins and channels are never the owner', async () => {
    const bot = await openBot();
    bot.api.addChat(group);
    bot.api.update({
      message: {
        message_id: 90,
        date: 1,
        chat: { id: group, type: 'supergroup', title: 'G' },
        from: { id: owner, is_bot: false, first_name: 'Owner' },
        sender_chat: { id: group, type: 'supergroup', title: 'G' },
        text: '/plan x',
        entities: [{ type: 'bot_command', offset: 0, length: 5 }],
      },
    });
    await until('it is handled', () => bot.api.pending === 0);
    expect(bot.texts(group)).toEqual([]);
    expect(bot.sessions).toEqual([]);
  });
});

describe('D30 presses', () => {
  it('two fast presses of Approve act once (B59)', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      script: planning(
        () => bot,
        () => [[]],
      ),
    });
    const message = await planned(bot);
    const ids = [0, 1].map(() => bot.api.press(owner, '✅ Approve', owner, message));
    const answers = () => bot.api.queries.filter(({ id }) => ids.includes(id));
    await until('both are answered', () => answers().every(({ state }) => state === 'answered'));
    // B59: the second one is told the true state, and nothing was done twice.
    const told = answers().map(({ alert, text }) => `${alert} ${text?.split(/[,.:]/u)[0]}`);
    expect(told.toSorted()).toEqual(['no Already approved', 'no Approved']);
    await bot.settles('the seed turn has ended', () => bot.view().phase === 'seedFailedEmpty');
    const transcript = readFileSync(`${bot.sessions[0]?.paths.own}/transcript.jsonl`, 'utf8');
    expect(transcript.match(/"kind":"seed"/gu)).toHaveLength(1);
    // D31: the failed seed offers the retry.
    await bot.buttons(['🔁 Retry', '🗑 Discard']);
  });

  it(
    'a button of another plan, of nonsense, and of another program is stale',
    { timeout: 30_000 },
    async () => {
      const bot: TestBot = await openBot({ script: planning(() => bot) });
      const message = await planned(bot);
      const other = encodeCallback('ok', { plan: 'another', phase: 'editing', hash: null });
      for (const data of [other, 'plan:ok', 'plan:ok:1', 'anything', 'approve:y:ffff', 'ask:0:ffff'])
        expect((await bot.press(data, owner, message)).text).toMatch(
          /belongs to an earlier|not open any more/u,
        );
      expect((await bot.press(other, owner, message)).text).toMatch(
        /^This button belongs to an earlier plan/u,
      );
      expect(bot.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    },
  );
});
