import { describe, expect, it } from 'vitest';
import { until } from '../../support/harness.ts';
import { call, inOrder, reply, says, textsOf } from '../../support/harness-script.ts';
import type { Script } from '../../support/model-server.ts';
import { friend, openBot, owner, planned, planning, review, type TestBot } from './bot.ts';

/** What a script answers to one request. */
function answered(script: Script, [request, index]: Parameters<Extract<Script, (...at: never) => unknown>>) {
  return typeof script === 'function' ? script(request, index) : (script[index] ?? says(''));
}

describe('D26 while a turn runs', () => {
  it(
    'presses and /stop are answered at once, Approve is refused, text waits with a mark',
    { timeout: 40_000 },
    async () => {
      const hold = Promise.withResolvers<void>();
      const script = planning(() => bot);
      const bot: TestBot = await openBot({
        script: (...at) => (at[1] < 4 ? answered(script, at) : hold.promise.then(() => says('Late.'))),
      });
      const message = await planned(bot);
      bot.say('think it over');
      await bot.buttons(['🗑 Discard']);
      const asked = Date.now();
      const button = bot.api.calls
        .flatMap(({ payload }) => JSON.stringify(payload['reply_markup'] ?? '').match(/plan:ok:[^"]+/u) ?? [])
        .at(-1);
      // B112, 571: an old screen still shows Approve.
      expect((await bot.press(button ?? '', owner, message)).text).toMatch(/^A turn is running/u);
      expect(Date.now() - asked).toBeLessThan(1_000);
      bot.say('and this too');
      await bot.sees(/^⏳ Waiting/u);
      bot.say('/execute');
      await bot.sees(/nothing was queued/u);
      bot.say('/stop');
      await bot.sees(/^⏹ Cancelled/u);
      await bot.sees(/^↩️ Not run: and this too$/u);
      hold.resolve();
      expect(bot.view()).toMatchObject({ phase: 'postInit', queue: [] });
      await bot.buttons(review);
    },
  );
});

describe('questions of a turn', () => {
  const asks = inOrder(() => [
    reply(call('follow_up_question', { question: 'Which key?', options: ['Old', 'New'] })),
    says('Thanks.'),
  ]);

  it('an option is pressed once, and its buttons are dead afterwards', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: asks });
    bot.say('ask me');
    await bot.buttons(['Old', 'New']);
    // The turn waits: no clock, no typing (D36, B129).
    await bot.sees(/^⏳ Waits here for your answer/u);
    expect((await bot.press('New')).text).toBe('✔️ P1001: New');
    await bot.sees(/^Thanks\.$/u);
    await bot.sees(/Which key\?[\s\S]*✔️ P1001: New$/u);
    expect(bot.api.view(owner).flatMap(({ buttons }) => buttons.flat())).toEqual([]);
  });

  it('a reply to it is the answer; other text waits its turn', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: asks });
    bot.say('ask me');
    const message = await bot.buttons(['Old', 'New']);
    bot.say('something else');
    await bot.sees(/^⏳ Waiting/u);
    expect(bot.view().running?.waiting).not.toBeNull();
    bot.say('Neither', owner, { replyTo: message });
    await bot.sees(/✔️ P1001: Neither$/u);
    await bot.sees(/^Thanks\.$/u);
  });

  it('a tool is allowed by the owner only (1474)', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      tools: 'open',
      script: inOrder(() => [reply(call('write_file', { path: 'a.txt', content: 'a' })), says('Written.')]),
    });
    bot.say('write it', friend, { chat: friend });
    await bot.buttons(['Allow once', 'No', 'Allow for this session'], friend);
    expect((await bot.press('Allow once', friend, undefined, friend)).text).toMatch(/^Only the owner/u);
    expect(bot.view().running?.waiting).not.toBeNull();
    expect((await bot.press('No', owner, undefined, friend)).text).toBe('✖️ Not allowed by P1001.');
    await bot.sees(/^Written\.$/u, friend);
  });
});

describe('D44 ask for changes', () => {
  it('only a reply of the owner goes to the model, once', { timeout: 40_000 }, async () => {
    const requests: string[] = [];
    const script = planning(() => bot);
    const bot: TestBot = await openBot({
      script: (request, index) => {
        requests.push(textsOf(request, 'user').at(-1) ?? '');
        return index < 4 ? answered(script, [request, index]) : says('Changed nothing.');
      },
    });
    await planned(bot);
    await bot.press('✏️ Ask for changes');
    await bot.sees(/^✏️ What should change\?/u);
    const question = bot.api.view(owner).find(({ forceReply }) => forceReply === 'yes')?.id ?? 0;
    bot.say('name the files', owner, { replyTo: question });
    await bot.sees(/^Changed nothing\.$/u);
    expect(requests.filter((text) => text.includes('name the files'))).toHaveLength(1);
    bot.say('and more', owner, { replyTo: question });
    await bot.sees(/^That question is closed: it was answered/u);
    await bot.buttons(review);
    await bot.press('✏️ Ask for changes');
    await until(
      'a new question',
      () => bot.api.view(owner).filter(({ forceReply }) => forceReply === 'yes').length === 2,
    );
    const next = bot.api.view(owner).findLast(({ forceReply }) => forceReply === 'yes')?.id ?? 0;
    bot.say('/discard');
    await bot.sees(/^✏️ This question is closed: the plan has ended\./u);
    bot.say('too late', owner, { replyTo: next });
    await bot.sees(/^That question is closed: the plan has ended/u);
    expect(requests.some((text) => text.includes('too late') || text.includes('and more'))).toBe(false);
  });
});
