import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRehearsalModel } from '../../../adapters/rehearsal/index.ts';
import { openBot, owner, planned, planning, review, type TestBot } from './bot.ts';

/** Plan keyboards that the chat shows: there may be one at most (D31). */
const keyboards = (bot: TestBot): string[] =>
  bot.api
    .view(owner)
    .map(({ buttons }) => buttons.flat().join('|'))
    .filter((row) => /Approve|Discard|Retry|Continue|Keep/u.test(row));

describe('the whole job by buttons alone', () => {
  it('plans, approves, works the checklist and leaves one line of it', { timeout: 60_000 }, async () => {
    const bot = await openBot({
      model: createRehearsalModel(),
      tools: 'open',
      files: { 'src/a.ts': 'export const a = 1;\n' },
    });
    bot.say('/plan add a note about the release');
    const ready = (): boolean => bot.sessions.length > 0 && bot.view().decisions.approve === 'on';
    await bot.allowing('the plan is written', ready);
    await bot.buttons(review);
    // All of the text is there before it can be approved (D45, D46, B130), in the one message that has the buttons.
    const shown = bot.texts().find((text) => text.includes('[✅ Approve]')) ?? '';
    for (const line of bot.view().document?.text?.trim().split('\n') ?? []) expect(shown).toContain(line);
    expect(keyboards(bot)).toEqual([review.join('|')]);

    const told = await bot.press('✅ Approve');
    expect(told).toMatchObject({ alert: 'no' });
    expect(told.text).toMatch(/^Approved\./u);
    await bot.allowing(
      'the checklist is done',
      () => bot.view().turn === 'idle' && bot.view().phase === 'noPlan',
    );
    await bot.sees(/^✅ Finished[\s\S]*✅ Add a note about the release • 4\/4$/u);
    expect(keyboards(bot)).toEqual([]);
    expect(existsSync(join(bot.project, 'planchart-rehearsal/note-release/README.md'))).toBe(true);
    // One message for each turn; none of it was approved or told twice (577, 580).
    expect(bot.texts().filter((text) => /Finished \(/u.test(text))).toHaveLength(2);
    expect(bot.texts().filter((text) => /Approved by/u.test(text))).toHaveLength(1);
  });

  it('asks before it discards, and Keep keeps (D38)', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({ script: planning(() => bot) });
    const message = await planned(bot);
    expect((await bot.press('🗑 Discard')).text).toContain('Discard plan');
    await bot.buttons(['Discard plan', 'Keep']);
    expect((await bot.press('Keep')).text).toBe('Kept.');
    expect(await bot.buttons(review)).toBe(message);
    await bot.press('🗑 Discard');
    await bot.buttons(['Discard plan', 'Keep']);
    expect((await bot.press('Discard plan')).text).toMatch(/archive|copy/iu);
    expect(bot.view().phase).toBe('noPlan');
    await bot.sees(/🗑 Split the key • discarded/u);
    expect(keyboards(bot)).toEqual([]);
  });
});
