import { describe, expect, it } from 'vitest';
import { checklistView } from '../../support/fake-handle.ts';
import { chatWorld, type PlayedChat, said, toolEnded, toolStarted } from './chat-world.ts';
import { flood } from './outbox-world.ts';

const turn = 'turn-1';
const lasts = 30_000;
const wait = 3_000;

/** A chat works a tool every three seconds for half a minute, then answers. */
function work(chat: PlayedChat, at: number): void {
  const step = Math.floor(at / 3_000);
  if (at === 0) chat.begin(turn, checklistView(7, 2, { plan: 'p1' }));
  else if (at < lasts && at % 3_000 === 0)
    chat.say(toolEnded(turn, `c${step - 1}`), toolStarted(turn, `c${step}`));
  else if (at === lasts) {
    chat.say(toolEnded(turn, 'c9'), said(turn, 'The answer.'));
    chat.end(turn);
  }
}

describe('200 chats running turns (D34)', () => {
  it('finals are at most 10 s late, ticks are dropped, and no call is made inside a wait', async () => {
    const world = chatWorld();
    const chats = Array.from({ length: 200 }, (_, index) => world.open(1_000 + index));
    // Telegram takes 60 calls a second of this bot, and asks a chat that is over it to wait.
    const second = { at: -1, calls: 0 };
    world.answer(({ at }) => {
      const now = Math.floor(at / 1_000);
      if (second.at !== now) Object.assign(second, { at: now, calls: 0 });
      second.calls += 1;
      return second.calls <= 60 ? null : flood(wait / 1_000);
    });
    for (let at = 0; at <= lasts; at += 500) {
      for (const chat of chats) work(chat, at);
      await world.advance(500);
    }
    await world.advance(30_000);

    const { calls } = world;
    const finals = calls.filter(({ ok, payload }) => ok === 'yes' && payload['text'] === 'The answer.');
    expect(new Set(finals.map(({ chat }) => chat)).size).toBe(200);
    expect(finals).toHaveLength(200);
    expect(Math.max(...finals.map(({ at }) => at)) - lasts).toBeLessThanOrEqual(10_000);

    const floods = calls.filter(({ ok }) => ok === 'no');
    expect(floods.length).toBeGreaterThan(100);
    const inside = floods.filter(({ chat, at }) =>
      calls.some((call) => call.chat === chat && call.at > at && call.at < at + wait),
    );
    expect(inside).toEqual([]);

    // A tick that was held back is not sent later: 21 would be due to each message, and each content is sent once.
    for (const chat of chats) {
      const edits = calls.filter(
        (call) =>
          call.chat === chat.chat.place.chat && call.method === 'editMessageText' && call.ok === 'yes',
      );
      expect(edits.length).toBeLessThan(21);
      const texts = edits.map(({ payload }) => payload['text']);
      expect(new Set(texts).size).toBe(texts.length);
      expect(chat.texts().join('\n')).toMatch(/✅ Finished \(9 tool calls, 30 s\)/u);
      expect(chat.texts().join('\n')).not.toContain('⚙️');
    }
  });

  it('nothing is called in a minute in which nothing happens, whatever the chats show', async () => {
    const world = chatWorld();
    const chat = world.open(1_000);
    work(chat, 0);
    work(chat, 3_000);
    work(chat, lasts);
    await world.advance(20_000);
    const before = world.calls.length;
    expect(before).toBeGreaterThan(2);
    await world.advance(60_000);
    expect(world.calls.slice(before)).toEqual([]);
  });
});
