import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { undeliveredTo } from '../../adapters/cli/status.ts';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import { openBot, owner, planned, planning, review, type TestBot } from '../adapters/telegram/bot.ts';
import { modelOf, until } from '../support/harness.ts';
import { inOrder, planText, says, systemOf, textsOf } from '../support/harness-script.ts';
import { harnessWorld, person } from '../support/harness-world.ts';
import type { ChatRequest } from '../support/model-server/reply.ts';
import { startModelServer } from '../support/model-server.ts';
import { codeOf } from './support.ts';

const group = -1_005_001;

/** A planning script that keeps what it was asked. */
function asking(bot: () => TestBot): { script: ReturnType<typeof planning>; requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  const plain = planning(bot, () => [[]]);
  const script: ReturnType<typeof planning> = (request, index) => {
    requests.push(request);
    return typeof plain === 'function' ? plain(request, index) : says('');
  };
  return { script, requests };
}

describe('I. Telegram: the bot over its local server', () => {
  it('B54 B61 B32 the button and /execute start the same seed turn, and say what approving does not grant', async () => {
    const seeds: object[] = [];
    const press = async (bot: TestBot) => (await bot.press('✅ Approve')).text;
    const type = async (bot: TestBot) => bot.say('/execute');
    const told: unknown[] = [];
    for (const approve of [press, type]) {
      const { script, requests } = asking(() => bot);
      const bot: TestBot = await openBot({ script });
      await planned(bot);
      told.push(await approve(bot));
      await bot.settles('the seed turn has ended', () => bot.view().phase === 'seedFailedEmpty');
      // The older message says how it went, although the short seed turn has none of its own.
      await bot.sees(/📋 Split the key\n⚠️ /u);
      expect(bot.texts().join()).not.toContain('Building');
      const id = bot.sessions[0]?.id ?? '';
      const plain = (text: string): string => text.replaceAll(bot.home, '<home>').replaceAll(id, '<id>');
      const seed = requests.at(-1);
      seeds.push({ text: plain(textsOf(seed, 'user').at(-1) ?? ''), tools: seed?.tools });
      // B32: every turn from here has the reminder as well.
      expect(systemOf(requests[2])).toMatch(/session plan/iu);
      const said = (await bot.sessions[0]?.transcript())?.filter((entry) => entry.type === 'user') ?? [];
      expect(said.at(-1)).toMatchObject({ from: 'harness', kind: 'seed' });
    }
    expect(seeds[0]).toMatchObject({ text: expect.stringContaining('The person approved') as string });
    expect(seeds[1]).toEqual(seeds[0]);
    expect(told[0]).toContain('does not change tool permissions');
  });

  it('B43 a button of another text approves nothing, and the new text is shown with its own', async () => {
    const bot: TestBot = await openBot({ script: planning(() => bot) });
    const message = await planned(bot);
    const data = /plan:ok:[^"]+/u.exec(
      JSON.stringify(bot.api.calls.map(({ payload }) => payload['reply_markup'])),
    )?.[0];
    const text = planText('Split the key', 'Split it.', 'Move the readers.', 'Rest a while.');
    writeFileSync(bot.sessions[0]?.paths.document ?? '', text);
    const told = await bot.press(data ?? '', owner, message);
    expect(told).toMatchObject({ alert: 'yes' });
    expect(bot.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    await bot.sees(/3\. Rest a while\.[\s\S]*\[✅ Approve\]/u);
    // Until the button is drawn anew too, it is one of the old text; a person presses again.
    await until('it is approved', async () => {
      const fresh = await bot.buttons(review);
      const { text: answer } = await bot.press('✅ Approve', owner, fresh);
      return answer?.startsWith('Approved') === true;
    });
  });

  it('B113 a press that is too old to be answered is carried out once, and is one line', async () => {
    const bot: TestBot = await openBot({
      script: planning(
        () => bot,
        () => [[]],
      ),
    });
    const message = await planned(bot);
    const description = 'Bad Request: query is too old and response timeout expired or query ID is invalid';
    bot.api.fault('answerCallbackQuery', { kind: 'error', status: 400, description });
    bot.api.press(owner, '✅ Approve', owner, message);
    await bot.settles('it was approved', () => bot.view().phase === 'seedFailedEmpty');
    expect(bot.lines.filter((line) => line.startsWith('A press could not be answered'))).toHaveLength(1);
    const entries = (await bot.sessions[0]?.transcript()) ?? [];
    expect(entries.filter((entry) => entry.type === 'user' && entry.kind === 'seed')).toHaveLength(1);
    await bot.buttons(['🔁 Retry', '🗑 Discard']);
    expect((await bot.press('🗑 Discard')).text).toContain('Discard plan');
  });

  it('B115 a topic keeps its session over a restart, and every call its topic', async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
    bot.api.addChat(group, { topics: [77, 78] });
    bot.say('@planchart_bot first', owner, { chat: group, topic: 77 });
    await until('77 is answered', () => bot.texts(group, 77).includes('One.'));
    const { session } = bot.view();
    await bot.stop();
    await bot.start();
    bot.say('@planchart_bot second', owner, { chat: group, topic: 77 });
    await until('77 is answered again', () => bot.texts(group, 77).includes('Two.'));
    expect(bot.view().session).toBe(session);
    const calls = bot.api.calls.filter(
      ({ payload, method }) => payload['chat_id'] === group && method.startsWith('send'),
    );
    expect(new Set(calls.map(({ payload }) => payload['message_thread_id']))).toEqual(new Set([77]));
  });

  it('B124 B133 approved on both surfaces at once: one wins, and an old button tells the true state', async () => {
    const bot: TestBot = await openBot({
      script: planning(
        () => bot,
        () => [[]],
      ),
    });
    const message = await planned(bot);
    const server = await startModelServer(inOrder(() => [says('No tasks.')]));
    const there = await RuntimeSession.open(
      bot.sessions[0]?.id ?? '',
      harnessWorld({ home: bot.home, model: modelOf(server.baseUrl) }),
    );
    const data = /plan:ok:[^"]+/u.exec(
      JSON.stringify(bot.api.calls.map(({ payload }) => payload['reply_markup'])),
    )?.[0];
    const shown = there.view().document?.hash ?? null;
    const [press, answer] = await Promise.all([
      bot.press('✅ Approve', owner, message),
      there.send({ type: 'user.execute', by: person, shown }),
    ]);
    const won = [press.text?.startsWith('Approved') === true, codeOf(answer) === 'accepted'];
    expect(won.filter(Boolean)).toHaveLength(1);
    await until('the seed has ended on both', () =>
      [bot.view(), there.view()].every(({ phase, turn }) => phase === 'seedFailedEmpty' && turn === 'idle'),
    );
    expect((await bot.press(data ?? '', owner, message)).text).toMatch(/^Already approved, now: Active/u);
    const entries = (await there.transcript()).filter(
      (entry) => entry.type === 'user' && entry.kind === 'seed',
    );
    expect(entries).toHaveLength(1);
    await there.close();
    await server.close();
  });

  it('B127 a group that moved while nobody was told: what had to arrive is sent where it is now', async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('One.'), says('Two.')]) });
    const next = -1_002_471;
    bot.api.addChat(group);
    bot.api.addChat(next);
    bot.say('@planchart_bot first', owner, { chat: group });
    await bot.sees(/^One\.$/u, group);
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    const parameters = { migrate_to_chat_id: next };
    bot.api.fault('sendMessage', { kind: 'error', status: 400, description, parameters }, { chat: group });
    bot.say('@planchart_bot second', owner, { chat: group });
    await bot.sees(/^Two\.$/u, next);
    bot.say('/status@planchart_bot', owner, { chat: next });
    await bot.sees(/^No plan/u, next);
    expect(new Set(bot.sessions.map(({ id }) => id)).size).toBe(1);
  });

  it('D34 what was lost is told by the next message, and until then in planchart status', async () => {
    const bot: TestBot = await openBot({ script: inOrder(() => [says('Lost.'), says('Here.')]) });
    bot.say('/status');
    await bot.sees(/^No plan/u);
    bot.api.fault('sendMessage', { kind: 'error', status: 400, description: 'Bad Request: odd' });
    bot.say('hello');
    await until('it was refused', () => bot.lines.some((line) => line.includes('400 Bad Request: odd')));
    const known = async (): Promise<string> =>
      (await undeliveredTo(bot.home)).get(bot.view().session)?.join('\n') ?? '';
    expect(await known()).toMatch(/^Telegram chat 1001: not delivered, since \S+: Telegram refused: 400/u);
    bot.say('again');
    await bot.sees(/^Here\.\s+⚠️ Something was not delivered at \d\d:\d\d UTC: Telegram refused: 400/u);
    await until('it is told', async () => (await known()) === '');
    expect(bot.view().phase).toBe('noPlan');
  });

  it('D25 what a reply quotes arms nothing, and what can not be read is said', async () => {
    const bot: TestBot = await openBot({
      script: inOrder(() => [says('Shall I make a plan?'), says('Fine.')]),
    });
    bot.say('hello');
    await bot.sees(/^Shall I make a plan\?$/u);
    const asked = bot.api.view(owner).find(({ text }) => text.startsWith('Shall I'))?.id ?? 0;
    bot.say('no, go on', owner, { replyTo: asked });
    await bot.sees(/^Fine\.$/u);
    expect(bot.view().phase).toBe('noPlan');
    // B122: a command in a caption is none, and silence would look like work.
    bot.api.update({
      message: {
        message_id: 900,
        date: 1,
        chat: { id: owner, type: 'private', first_name: 'O' },
        from: { id: owner, is_bot: false, first_name: 'O' },
        photo: [],
        caption: '/plan x',
        caption_entities: [{ type: 'bot_command', offset: 0, length: 5 }],
      },
    });
    await bot.sees(/^I read text only/u);
    expect(bot.view().phase).toBe('noPlan');
  });
});
