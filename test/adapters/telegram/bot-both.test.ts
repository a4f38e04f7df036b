import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RuntimeSession } from '../../../adapters/runtime/index.ts';
import { modelOf } from '../../support/harness.ts';
import { call, inOrder, reply, says } from '../../support/harness-script.ts';
import { harnessWorld, person } from '../../support/harness-world.ts';
import { startModelServer } from '../../support/model-server.ts';
import { openBot, owner, planned, planning, review, type TestBot } from './bot.ts';

/** The session of the chat, opened as the terminal of another process does. */
async function terminal(bot: TestBot, ...texts: string[]) {
  const server = await startModelServer(inOrder(() => texts.map(says)));
  const world = harnessWorld({ home: bot.home, model: modelOf(server.baseUrl) });
  const session = await RuntimeSession.open(bot.sessions[0]?.id ?? '', world);
  const close = async () => {
    await session.close();
    await server.close();
  };
  return { session, close };
}

describe('both surfaces in step (D47, B124, B133)', () => {
  it(
    'approved in the terminal: the buttons go, and the chat says who decided',
    { timeout: 40_000 },
    async () => {
      const bot: TestBot = await openBot({ script: planning(() => bot) });
      const message = await planned(bot);
      const there = await terminal(bot, 'I forgot the tasks.');
      const shown = there.session.view().document?.hash ?? null;
      expect(await there.session.send({ type: 'user.execute', by: person, shown })).toMatchObject({
        kind: 'accepted',
      });
      await bot.sees(/^✅ Approved in the terminal, \d\d:\d\d UTC\.$/u);
      await there.session.idle();
      // The seed of the other process failed: its retry is offered here as well.
      expect(await bot.buttons(['🔁 Retry', '🗑 Discard'])).toBe(message);
      await there.close();
    },
  );

  it('discarded in the terminal: no buttons, one line', { timeout: 40_000 }, async () => {
    const bot: TestBot = await openBot({ script: planning(() => bot) });
    await planned(bot);
    const there = await terminal(bot);
    await there.session.send({ type: 'user.discard', by: person });
    await bot.sees(/^🗑 Discarded elsewhere/u);
    await bot.sees(/🗑 Split the key • discarded$/u);
    expect(bot.api.view(owner).flatMap(({ buttons }) => buttons.flat())).toEqual([]);
    await there.close();
  });

  it(
    'a plan that became ready elsewhere is said once, with text and buttons (D50, B135)',
    { timeout: 40_000 },
    async () => {
      const bot: TestBot = await openBot({ script: planning(() => bot) });
      await planned(bot);
      await bot.stop();
      // Meanwhile the text changes.
      const there = await terminal(bot, 'Nothing.');
      const path = there.session.paths.document;
      const text = `${there.session.view().document?.text ?? ''}3. Rest a while.\n`;
      writeFileSync(path, text);
      await bot.start();
      await bot.sees(/^📋 The plan is ready for review\.[\s\S]*3\. Rest a while\.[\s\S]*\[✅ Approve\]/u);
      await bot.buttons(review);
      expect(bot.texts().filter((one) => one.includes('ready for review.\n'))).toHaveLength(1);
      expect(bot.texts().filter((one) => one.includes('[✅ Approve]'))).toHaveLength(1);
      await there.close();
    },
  );

  it('D36 a question of the chat is not the terminal’s to answer, and /stop there ends it', async () => {
    const bot: TestBot = await openBot({
      tools: 'open',
      script: inOrder(() => [reply(call('write_file', { path: 'a.txt', content: 'a' })), says('never')]),
    });
    bot.say('write a.txt');
    await bot.buttons(['Allow once', 'No', 'Allow for this session']);
    const there = await terminal(bot);
    expect(there.session.view().running?.waiting).toMatchObject({ surface: 'telegram' });
    const busy = await there.session.send({ type: 'user.execute', by: person, shown: null });
    expect(busy.text).toMatch(/telegram/iu);
    await there.session.send({ type: 'user.stop', by: person });
    await bot.sees(/⏹ Not asked any more/u);
    await bot.sees(/^⏹ Cancelled/u);
    expect(bot.api.view(owner).flatMap(({ buttons }) => buttons.flat())).toEqual([]);
    await there.close();
  });
});
