import { describe, expect, it } from 'vitest';
import { planText } from '../support/harness-script.ts';
import { checklistView, reviewView, running, viewOf } from '../support/fake-handle.ts';
import { chatWorld, type PlayedChat, said, toolEnded, toolStarted } from '../adapters/telegram/chat-world.ts';
import { dropped, flood, notModified } from '../adapters/telegram/outbox-world.ts';
import { VALID } from './support.ts';

const owner = 1001;
const review = reviewView(VALID, 'hash-1', { title: 'Split the cache key', plan: 'plan-1' });
const buttons = '[✅ Approve] [✏️ Ask for changes] [🗑 Discard]';

/** A chat in whose last turn the plan became ready. */
async function inReview(world = chatWorld(), chat = world.open(owner)) {
  chat.begin('turn-1', { ...review, phase: 'preInit', document: null, plan: null, title: null });
  chat.say(toolStarted('turn-1', 'c1'), toolEnded('turn-1', 'c1'));
  await world.advance(2_000);
  chat.say(said('turn-1', 'The plan is ready.'));
  chat.end('turn-1', review);
  await world.advance(10_000);
  return { world, chat };
}

/** A turn of one tool, without an answer. */
async function turn(world: ReturnType<typeof chatWorld>, chat: PlayedChat, id: string, ms: number) {
  chat.begin(id);
  chat.say(toolStarted(id, id));
  await world.advance(ms);
  chat.say(toolEnded(id, id));
  chat.end(id);
}

const plans = (chat: PlayedChat): string[] => chat.texts().filter((text) => text.includes('## Context'));
const keyboards = (chat: PlayedChat): string[] => chat.texts().filter((text) => /\n\[/u.test(text));

describe('I. Telegram: what a chat shows, on a clock of its own', () => {
  it('B104 a flood wait over three turns: no call in it, one plan and one keyboard after it', async () => {
    const { world, chat } = await inReview();
    const from = world.calls.length;
    const start = world.timers.now();
    let told = false;
    world.answer(({ method }) => {
      if (told || method !== 'sendMessage') return null;
      told = true;
      return flood(40);
    });
    for (const id of ['turn-2', 'turn-3', 'turn-4']) await turn(world, chat, id, 10_000);
    await world.advance(60_000);
    const calls = world.calls.slice(from);
    const refused = calls.find(({ ok }) => ok === 'no')?.at ?? 0;
    expect(calls.filter(({ at }) => at > refused && at < refused + 40_000)).toEqual([]);
    expect(calls.filter(({ method }) => method === 'sendMessage').length).toBeLessThanOrEqual(4);
    expect(plans(chat)).toHaveLength(1);
    expect(keyboards(chat)).toHaveLength(1);
    expect(chat.texts().at(-1)).toContain(buttons);
    expect(world.timers.now()).toBeGreaterThan(start);
  });

  it('B105 B107 ticks inside a flood wait are dropped, and the same message goes on with the newest text', async () => {
    const world = chatWorld();
    const chat = world.open(owner);
    chat.begin('turn-1');
    chat.say(toolStarted('turn-1', 'c1', 'bash', 'npm test'));
    await world.advance(3_000);
    let told = false;
    world.answer(({ method }) => {
      if (told || method !== 'editMessageText') return null;
      told = true;
      return flood(33);
    });
    await world.advance(45_000);
    const edits = world.calls.filter(({ method }) => method === 'editMessageText');
    const refused = edits.find(({ ok }) => ok === 'no')?.at ?? 0;
    const after = world.calls.filter(({ at }) => at > refused);
    expect(after[0]?.at).toBeGreaterThanOrEqual(refused + 33_000);
    expect(String(after[0]?.payload['text'])).toMatch(/bash npm test • 1 tool call • 3\d s/u);
    expect(new Set(edits.map(({ payload }) => payload['message_id'])).size).toBe(1);
    expect(after.filter(({ method }) => method === 'sendMessage')).toEqual([]);
  });

  it('B108 "not modified" is no error: nothing in the log, and the buttons stay', async () => {
    const { world, chat } = await inReview();
    world.answer(({ method }) => (method === 'editMessageText' ? notModified() : null));
    chat.handle.see({ ...review, title: 'Another title' });
    await world.advance(5_000);
    expect(world.lines).toEqual([]);
    expect(keyboards(chat)).toHaveLength(1);
    expect(chat.record().failure).toBeNull();
  });

  it('D34 what keeps a chat waiting is on record until something lands, and nothing is said of it', async () => {
    const { world, chat } = await inReview();
    const failures: (string | undefined)[] = [];
    world.answer(({ method }) => (method === 'editMessageText' ? flood(20) : null));
    chat.handle.see({ ...review, title: 'Another title' });
    await world.advance(3_000);
    failures.push(chat.record().failure?.text);
    world.answer(() => dropped());
    await world.advance(20_000);
    failures.push(chat.record().failure?.text);
    world.answer(() => null);
    await world.advance(90_000);
    failures.push(chat.record().failure?.text);
    expect(failures).toEqual(['Telegram asks to wait 20 s', 'Network request failed!', undefined]);
    expect(chat.texts().join('\n')).toContain('Another title');
    expect(chat.texts().join('\n')).not.toContain('not delivered');
  });

  it('B58 a turn while Editing changes the buttons once at its start and once at its end', async () => {
    const { world, chat } = await inReview();
    const from = world.calls.length;
    const shown: string[] = [];
    world.answer(({ payload }) => {
      if (payload['reply_markup'] !== undefined) shown.push(JSON.stringify(payload['reply_markup']));
      return null;
    });
    chat.begin('turn-2');
    for (let step = 0; step < 7; step += 1) {
      chat.say(toolStarted('turn-2', `c${step}`), toolEnded('turn-2', `c${step}`));
      await world.advance(1_500);
    }
    expect(shown.join()).not.toContain('Approve');
    chat.say(said('turn-2', 'Looked at it.'));
    chat.end('turn-2');
    await world.advance(10_000);
    const rows = shown.filter((row, index) => row.includes('plan:') && row !== shown[index - 1]);
    expect(new Set(rows).size).toBe(2);
    expect(world.calls.length - from).toBeGreaterThan(8);
    expect(keyboards(chat)).toHaveLength(1);
    expect(chat.texts().join('\n')).toContain(buttons);
  });

  it('B125 leaving Editing shows Discard alone, and leaving the plan an explicit empty keyboard', async () => {
    const { world, chat } = await inReview();
    chat.handle.see(checklistView(2, 0, { plan: 'plan-1', title: 'Split the cache key' }));
    await world.advance(3_000);
    const markup = () =>
      world.calls.at(-1)?.payload['reply_markup'] as { inline_keyboard: { text: string }[][] };
    expect(
      markup()
        .inline_keyboard.flat()
        .map(({ text }) => text),
    ).toEqual(['🗑 Discard']);
    chat.handle.see(viewOf());
    await world.advance(5_000);
    expect(markup()).toEqual({ inline_keyboard: [] });
    expect(
      world.calls.filter(
        ({ method, payload }) => method.startsWith('edit') && payload['reply_markup'] === undefined,
      ),
    ).toEqual([]);
  });

  it('B129 a plan that waits for its approval is no work: no typing, no call, no clock', async () => {
    const { world } = await inReview();
    const from = world.calls.length;
    await world.advance(120_000);
    expect(world.calls.slice(from)).toEqual([]);
  });

  it('B129 a turn that waits for a person shows that, without typing and without a clock', async () => {
    const world = chatWorld();
    const chat = world.open(owner);
    chat.begin('turn-1');
    chat.say(toolStarted('turn-1', 'c1'));
    await world.advance(2_000);
    const waiting = { what: 'your answer', surface: 'telegram', since: '2026-01-02T12:03:00.000Z' };
    chat.handle.see(running(viewOf(), { turn: 'turn-1', surface: 'telegram', waiting }));
    await world.advance(5_000);
    const from = world.calls.length;
    await world.advance(120_000);
    expect(world.calls.slice(from)).toEqual([]);
    expect(chat.texts()[0]).toMatch(/^⏳ Waits here for your answer since 12:03 UTC/u);
  });

  it('B130 the whole text of the plan is in the chat before Approve is', async () => {
    const world = chatWorld();
    const chat = world.open(owner);
    const seen: string[] = [];
    world.answer(({ payload }) => {
      if (JSON.stringify(payload['reply_markup'] ?? '').includes('plan:ok')) seen.push(chat.texts().join());
      return null;
    });
    await inReview(world, chat);
    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) for (const line of VALID.trim().split('\n')) expect(text).toContain(line);
  });

  it('B132 nobody answers in a person’s place: a plan and a question wait', async () => {
    const { world, chat } = await inReview();
    chat.handle.open({
      id: '5cb4e468-0c3a-4854-be4c-e1af0100acf0',
      kind: 'question',
      question: 'Which key?',
      options: ['Old', 'New'],
    });
    await world.advance(60 * 60_000);
    expect(chat.handle.sent).toEqual([]);
    expect(chat.handle.answers).toEqual([]);
  });

  it('B135 ready is said once, with sound, and once more for another text', async () => {
    const { world, chat } = await inReview();
    const loud = () => chat.messages().filter(({ notifies, from }) => notifies === 'yes' && from !== owner);
    expect(loud().map(({ text }) => text)).toEqual(['The plan is ready.']);
    await world.advance(120_000);
    expect(loud()).toHaveLength(1);
    const text = planText('Split the cache key', 'Another step.');
    chat.handle.see(reviewView(text, 'hash-2', { title: 'Split the cache key', plan: 'plan-1' }));
    await world.advance(20_000);
    expect(loud()).toHaveLength(2);
    expect(loud().at(-1)?.text).toMatch(/^📋 The plan is ready for review\.[\s\S]*Another step\./u);
    await world.advance(120_000);
    expect(loud()).toHaveLength(2);
  });
});
