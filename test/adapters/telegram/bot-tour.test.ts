import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desiredKeyboard } from '../../../machines/index.ts';
import { createRehearsalModel } from '../../../adapters/rehearsal/index.ts';
import { planMarkup } from '../../../adapters/telegram/keyboard-markup.ts';
import type { Fault } from '../../support/bot-api/faults.ts';
import { until } from '../../support/harness.ts';
import { openBot, owner, review, type TestBot } from './bot.ts';

const planRow = /Approve|Discard|Retry|Restore|Continue|Keep/u;

const keyboards = (bot: TestBot): string[] =>
  bot.api
    .view(owner)
    .map(({ buttons }) => buttons.flat().join('|'))
    .filter((row) => planRow.test(row));

/** The product of session and chat (D31): what the model asks for is what people see, on one message and no other. */
async function inStep(bot: TestBot, where: string): Promise<void> {
  const shown = (): string[] => keyboards(bot);
  const wanted = (): string[] => {
    const keyboard = desiredKeyboard(bot.view());
    const row = planMarkup(keyboard).inline_keyboard.flat();
    return row.length === 0 ? [] : [row.map(({ text }) => text).join('|')];
  };
  // No turn is left open in the chat, and one message at most shows the plan.
  const live = (): string[] => bot.texts().filter((text) => /^(?:⚙️|⏳ Waits)/u.test(text));
  const plans = (): string[] => bot.texts().filter((text) => /^(?:✍️ |⏳ Building|\d+\/\d+)/mu.test(text));
  await until(
    () =>
      `${where}: shown ${JSON.stringify(shown())}, wanted ${JSON.stringify(wanted())}, ` +
      `${live().length} live, ${plans().length} plans\n${bot.texts().join('\n--\n')}`,
    () =>
      bot.view().turn === 'idle' &&
      JSON.stringify(shown()) === JSON.stringify(wanted()) &&
      live().length === 0 &&
      plans().length <= 1,
    30_000,
  );
}

const open = () =>
  openBot({
    model: createRehearsalModel(),
    files: { 'src/a.ts': 'export const a = 1;\n', 'README.md': '# A\n' },
  });

/** Everything a person can do from the chat with one plan, and then with another one. */
async function tour(bot: TestBot, after: (where: string) => Promise<void>): Promise<void> {
  bot.say('/plan add a note about the release');
  await bot.buttons(review);
  await after('planned');
  await bot.press('✏️ Ask for changes');
  await until('asked', () => bot.api.view(owner).some(({ forceReply }) => forceReply === 'yes'));
  const question = bot.api.view(owner).findLast(({ forceReply }) => forceReply === 'yes')?.id ?? 0;
  const before = bot.view().document?.hash;
  bot.say('name the readers too', owner, { replyTo: question });
  await until('changed', () => bot.view().turn === 'idle' && bot.view().document?.hash !== before, 30_000);
  await after('changed');
  await bot.stop();
  await bot.start();
  await after('restarted');
  bot.say('/show_plan');
  await until(
    'shown',
    () =>
      bot.texts().filter((text) => text.includes('shown further down')).length > 0 || bot.texts().length > 0,
  );
  await after('shown');
  appendFileSync(bot.view().document?.path ?? '', '\nA line from an editor.\n');
  await until(
    'the edit is seen',
    () => bot.view().document?.text?.includes('from an editor') === true,
    20_000,
  );
  await after('edited outside');
  bot.say('/execute');
  await until(
    'it is approved or shown',
    () =>
      bot.view().phase !== 'postInit' || bot.texts().some((text) => /not the one that was shown/u.test(text)),
    30_000,
  );
  if (bot.view().phase === 'postInit') await bot.press('✅ Approve');
  await until('done', () => bot.view().phase === 'noPlan' && bot.view().turn === 'idle', 40_000);
  await after('worked');
  bot.say('/plan add a second note');
  await bot.buttons(review);
  await after('planned again');
  // A press whose edit Telegram lost has done nothing; a person presses again.
  await until(
    'asked before discarding',
    async () => {
      const rows = keyboards(bot).join();
      if (rows === 'Discard plan|Keep') return true;
      if (rows.includes('🗑 Discard')) await bot.press('🗑 Discard');
      return false;
    },
    30_000,
  );
  await bot.press('Discard plan');
  await until('discarded', () => bot.view().phase === 'noPlan');
  await after('discarded');
}

describe('the tour of the chat', () => {
  it(
    'the chat shows what the model says when Telegram fails now and then',
    { timeout: 240_000 },
    async () => {
      const bot = await open();
      const faults: readonly Fault[] = [
        { kind: 'flood', retryAfter: 1 },
        { kind: 'error', status: 502, description: 'Bad Gateway' },
        { kind: 'drop' },
        { kind: 'slow', ms: 300 },
      ];
      const methods = ['editMessageText', 'sendMessage', 'editMessageReplyMarkup', 'deleteMessage'];
      let step = 0;
      await tour(bot, async (where) => {
        await inStep(bot, where);
        bot.api.clearFaults();
        // Each method meets another fault with each step.
        for (const [index, method] of methods.entries()) {
          const fault = faults[(step + index) % faults.length];
          if (fault !== undefined) bot.api.fault(method, fault);
        }
        step += 1;
      });
      expect(step).toBe(8);
    },
  );
});
