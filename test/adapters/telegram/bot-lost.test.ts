import { describe, expect, it } from 'vitest';
import { until } from '../../support/harness.ts';
import { call, inOrder, reply, says, textsOf } from '../../support/harness-script.ts';
import { openBot, owner, planned, planning, type TestBot } from './bot.ts';

const lost = { kind: 'dropAnswer' } as const;

describe('a send whose answer was lost (0060)', () => {
  it('the flow message and a question are in the chat once and end', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      tools: 'open',
      script: inOrder(() => [
        says('Hello.'),
        reply(call('write_file', { path: 'a.txt', content: 'a' })),
        says('Written.'),
      ]),
    });
    bot.say('hello');
    await bot.sees(/^Hello\.$/u);
    bot.api.fault('sendMessage', lost, { times: 2 });
    bot.say('write a.txt');
    await bot.buttons(['Allow once', 'No', 'Allow for this session']);
    await bot.press('Allow once');
    await bot.sees(/^Written\.$/u);
    await bot.sees(/^✅ Finished \(1 tool call/u);
    await bot.sees(/✅ Allowed once by/u);
    const texts = bot.texts();
    expect(texts.filter((text) => /^(?:⚙️|⏳|✅ Finished)/u.test(text))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('🔐'))).toHaveLength(1);
    expect(texts.filter((text) => text === 'Written.')).toHaveLength(1);
  });

  it('an orphan that a reply points at stops saying that a turn runs', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      tools: 'open',
      script: inOrder(() => [reply(call('write_file', { path: 'a.txt', content: 'a' })), says('Written.')]),
    });
    // The first send of a program: nothing tells where to look for it.
    bot.api.fault('sendMessage', lost);
    bot.say('write a.txt');
    const live = (): number[] =>
      bot.api.view(owner).flatMap(({ id, text }) => (/^(?:⚙️|⏳ Waits)/u.test(text) ? [id] : []));
    await bot.buttons(['Allow once', 'No', 'Allow for this session']);
    await until('it is there twice', () => live().length === 2);
    const [orphan = 0, known = 0] = live();
    for (const replyTo of [known, orphan]) bot.say('what is this?', owner, { replyTo });
    await bot.sees(/^⤵️ An old copy/u);
    expect(live()).toHaveLength(1);
    await bot.press('Allow once');
    await bot.sees(/^Written\.$/u);
    await until('no turn runs', () => live().length === 0);
    const told = bot.api.calls.filter(({ payload }) => String(payload['text']).includes('An old copy'));
    expect(told.map(({ payload }) => payload['message_id'])).toEqual([orphan]);
    expect(bot.api.view(owner).find(({ id }) => id === orphan)?.text).toMatch(/^⤵️/u);
  });

  it("a reply to the copy of the agent's question is its answer (D47)", { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      script: inOrder(() => [
        reply(call('follow_up_question', { question: 'Which colour?', options: [] })),
        says('Painted.'),
      ]),
    });
    bot.api.fault('sendMessage', lost, { times: 2 });
    bot.say('paint it');
    const copies = (): number[] =>
      bot.api.view(owner).flatMap(({ id, text }) => (text.startsWith('❓ Which colour?') ? [id] : []));
    await until('the question is asked again', () => copies().length === 2);
    bot.say('blue', owner, { replyTo: copies()[0] ?? 0 });
    await bot.sees(/^Painted\.$/u);
    await bot.sees(/✔️ P1001: blue/u);
    expect(bot.texts().some((text) => text.startsWith('⏳ Waiting'))).toBe(false);
  });

  it('a reply to the copy of a question is a note, once (D44)', { timeout: 40_000 }, async () => {
    const requests: string[] = [];
    const script = planning(() => bot);
    const bot: TestBot = await openBot({
      script: (request, index) => {
        requests.push(textsOf(request, 'user').at(-1) ?? '');
        if (index >= 4) return says('Changed nothing.');
        return typeof script === 'function' ? script(request, index) : says('');
      },
    });
    await planned(bot);
    await bot.sees(/^The plan is ready\.$/u);
    await bot.settles('nothing is sent any more', () => true);
    const questions = (): number[] =>
      bot.api.view(owner).flatMap(({ id, forceReply }) => (forceReply === 'yes' ? [id] : []));
    bot.api.fault('sendMessage', lost);
    await bot.press('✏️ Ask for changes');
    await until('the question is asked again', () => questions().length === 2);
    bot.say('name the files', owner, { replyTo: questions()[0] ?? 0 });
    await bot.sees(/^Changed nothing\.$/u);
    for (const question of questions()) bot.say('and more', owner, { replyTo: question });
    await until(
      'two refusals',
      () => bot.texts().filter((text) => text.startsWith('That question is closed: it was')).length === 2,
    );
    expect(requests.filter((text) => text.includes('name the files'))).toHaveLength(1);
    expect(requests.some((text) => text.includes('and more'))).toBe(false);
  });
});
