import { describe, expect, it } from 'vitest';
import { markdownRich } from '../../../adapters/telegram/html/markdown.ts';
import { bold, run } from '../../../adapters/telegram/html/rich.ts';
import {
  chat,
  edit,
  flood,
  group,
  keyboard,
  landed,
  notModified,
  outboxWorld,
  post,
  refusal,
  watch,
} from './outbox-world.ts';

describe('sends', () => {
  it('keep their order and go out one a second per chat, each chat for itself', async () => {
    const { outboxes, timers, log } = outboxWorld();
    const sent = ['a', 'b', 'c'].map((text) => watch(outboxes.of(chat).post(post(text))));
    void outboxes.of(chat + 1).post(post('other'));
    await timers.advance(5_000);
    expect(log()).toEqual([
      'sendMessage a @0',
      'sendMessage other @0',
      'sendMessage b @1000',
      'sendMessage c @2000',
    ]);
    expect(sent.map(({ value }) => value)).toEqual([landed(101), landed(103), landed(104)]);
  });

  it('in a group 20 a minute, which private chats do not have', async () => {
    const { outboxes, timers, made } = outboxWorld();
    for (let index = 0; index < 25; index += 1) {
      void outboxes.of(group).post(post(`g${index}`));
      void outboxes.of(chat).post(post(`p${index}`));
    }
    await timers.advance(59_000);
    const of = (id: number) => made.filter(({ payload }) => payload['chat_id'] === id);
    expect([of(group).length, of(chat).length]).toEqual([20, 25]);
    await timers.advance(7_000);
    expect(
      of(group)
        .map(({ at }) => at)
        .slice(19),
    ).toEqual([19_000, 60_000, 61_000, 62_000, 63_000, 64_000]);
  });

  it('30 a second in all', async () => {
    const { outboxes, timers, made } = outboxWorld();
    for (let id = 1; id <= 70; id += 1) void outboxes.of(id).post(post('x'));
    await timers.advance(3_000);
    expect([0, 1000, 2000].map((at) => made.filter((call) => call.at === at).length)).toEqual([30, 30, 10]);
  });

  it('a long text comes in parts that nothing comes between; the buttons are on the last', async () => {
    const { outboxes, timers, made } = outboxWorld();
    const body = markdownRich(`**${'word '.repeat(1500).trim()}**`);
    const long = watch(
      outboxes.of(chat).post({ ...post(''), body, sound: 'off', replyTo: 5, markup: keyboard('Go') }),
    );
    void outboxes.of(chat).post(post('after'));
    await timers.advance(3_000);
    expect(long.value).toEqual(landed(101, 102));
    expect(made.map(({ payload }) => payload['reply_markup'])).toEqual([
      undefined,
      keyboard('Go'),
      undefined,
    ]);
    expect(made[1]?.payload).toMatchObject({
      chat_id: chat,
      text: expect.stringMatching(/^<b>word [^]*<\/b>$/u) as string,
      parse_mode: 'HTML',
      disable_notification: true,
      reply_parameters: { message_id: 5, allow_sending_without_reply: true },
      link_preview_options: { is_disabled: true },
    });
    expect(made[2]?.payload).toMatchObject({ text: 'after' });
  });

  it('carry their topic, but not the number of the general one (B114, B115)', async () => {
    const { outboxes, timers, made } = outboxWorld();
    const box = outboxes.of(group);
    for (const topic of [77, 1, null]) {
      void box.post({ ...post('x'), topic });
      void box.document({ ...post('x'), topic, name: 'p.md', text: '# P', caption: run('c', bold) });
      box.typing(topic);
    }
    await timers.advance(10_000);
    const threads = (method: string) =>
      made.filter((one) => one.method === method).map(({ payload }) => payload['message_thread_id']);
    for (const method of ['sendMessage', 'sendDocument', 'sendChatAction']) {
      expect(threads(method)).toEqual([77, undefined, undefined]);
    }
    expect(made.find(({ method }) => method === 'sendDocument')?.payload).toMatchObject({
      caption: '<b>c</b>',
      parse_mode: 'HTML',
    });
  });

  it('what would show nothing is not sent', async () => {
    const { outboxes, made } = outboxWorld();
    const box = outboxes.of(chat);
    const nothing = { kind: 'refused', status: 0 };
    expect(await box.post(post(' \n\u200d'))).toMatchObject(nothing);
    expect(await box.edit(edit(1, ' '))).toMatchObject(nothing);
    expect(await box.document({ ...post(''), name: 'a', text: '', caption: [] })).toMatchObject(nothing);
    expect(made).toEqual([]);
  });
});

describe('edits', () => {
  it('one message at most once in 1.5 s, the newest content wins, and all who wait hear of it', async () => {
    const { outboxes, timers, log } = outboxWorld();
    const box = outboxes.of(chat);
    const all = [];
    for (let index = 0; index < 7; index += 1) {
      all.push(watch(box.edit(edit(1, `t${index}`))));
      await timers.advance(500);
    }
    await timers.advance(1_500);
    expect(log()).toEqual([
      'editMessageText t0 @0',
      'editMessageText t2 @1500',
      'editMessageText t5 @3000',
      'editMessageText t6 @4500',
    ]);
    expect(all.map(({ value }) => value)).toEqual(all.map(() => landed(1)));
  });

  it('of other messages, and edits behind sends that are spaced, do not wait', async () => {
    const { outboxes, timers, log } = outboxWorld();
    const box = outboxes.of(group);
    for (let index = 0; index < 3; index += 1) void box.post(post(`p${index}`));
    void box.edit(edit(1, 'one'));
    void box.edit(edit(2, 'two'));
    await timers.advance(100);
    expect(log()).toEqual(['sendMessage p0 @0', 'editMessageText one @0', 'editMessageText two @0']);
  });

  it('nothing is sent when nothing changed, in text or buttons (B108)', async () => {
    const { outboxes, timers, made } = outboxWorld();
    const box = outboxes.of(chat);
    void box.post(post('a'));
    await timers.advance(0);
    for (const given of [edit(101, 'a'), { ...edit(101, 'a'), keyboard: keyboard('Go') }]) {
      for (let times = 0; times < 2; times += 1) {
        expect(await box.edit(given)).toEqual(landed(101));
        await timers.advance(2_000);
      }
    }
    expect(await box.markup({ message: 101, keyboard: keyboard('Go'), keep: 'always' })).toEqual(landed(101));
    expect(made.map(({ method }) => method)).toEqual(['sendMessage', 'editMessageText']);
    void box.edit(edit(101, 'a'));
    await timers.advance(2_000);
    expect(made[2]?.payload['reply_markup']).toEqual({ inline_keyboard: [] });
  });

  it('"not modified" is success, and is not tried again', async () => {
    const { outboxes, answer, made } = outboxWorld();
    answer(() => notModified());
    expect(await outboxes.of(chat).edit(edit(1, 'a'))).toEqual(landed(1));
    expect(await outboxes.of(chat).edit(edit(1, 'a'))).toEqual(landed(1));
    expect(made).toHaveLength(1);
  });

  it('buttons and text of one message go out together', async () => {
    const { outboxes, timers, made } = outboxWorld();
    const box = outboxes.of(chat);
    void box.edit(edit(1, 'a'));
    await timers.advance(0);
    const text = watch(box.edit(edit(1, 'b')));
    const buttons = watch(box.markup({ message: 1, keyboard: keyboard('Go'), keep: 'always' }));
    await timers.advance(1_500);
    expect([text.value, buttons.value]).toEqual([landed(1), landed(1)]);
    void box.markup({ message: 1, keyboard: keyboard('Stop'), keep: 'always' });
    void box.edit({ ...edit(1, 'c'), keyboard: keyboard('End') });
    await timers.advance(1_500);
    expect(
      made.slice(1).map(({ method, payload }) => [method, payload['text'], payload['reply_markup']]),
    ).toEqual([
      ['editMessageText', 'b', keyboard('Go')],
      ['editMessageText', 'c', keyboard('End')],
    ]);
    void box.markup({ message: 1, keyboard: null, keep: 'always' });
    await timers.advance(1_500);
    expect(made.at(-1)).toMatchObject({
      method: 'editMessageReplyMarkup',
      payload: { reply_markup: { inline_keyboard: [] } },
    });
  });

  it('a text too long for its message is not sent, and one that Telegram finds too long is told', async () => {
    const { outboxes, answer, made, timers } = outboxWorld();
    const box = outboxes.of(chat);
    expect(await box.edit(edit(1, '<'.repeat(4097)))).toEqual({ kind: 'tooLong', messages: [] });
    expect(made).toEqual([]);
    answer(() => refusal(400, 'Bad Request: message is too long'));
    const seen = watch(box.edit(edit(1, '<'.repeat(4096))));
    await timers.advance(0);
    expect(seen.value).toEqual({ kind: 'tooLong', messages: [] });
  });
});

describe('floods', () => {
  it('during the wait there is no call to the chat, then one with the newest content (B105)', async () => {
    const { outboxes, timers, made, answer } = outboxWorld();
    const box = outboxes.of(chat);
    answer((_, index) => (index === 0 ? flood(33) : null));
    const ticks = [];
    for (let at = 0; at < 40_000; at += 1_500) {
      ticks.push(watch(box.edit(edit(1, `tick ${at}`))));
      box.typing(null);
      await timers.advance(1_500);
    }
    const edits = made.filter(({ method }) => method === 'editMessageText');
    expect(edits[0]?.payload['text']).toBe('tick 0');
    expect(edits[1]).toMatchObject({ at: 33_000, payload: { text: 'tick 33000' } });
    expect(made.filter(({ at }) => at > 0 && at < 33_000)).toEqual([]);
    expect(ticks.slice(0, 3).map(({ value }) => value)).toEqual(
      [0, 1, 2].map(() => ({ kind: 'flood', until: 1_033_000, messages: [] })),
    );
  });

  it('finals are never dropped: they go out in order with the newest content, other chats go on', async () => {
    const { outboxes, timers, log, answer } = outboxWorld();
    const box = outboxes.of(chat);
    answer(({ payload }, index) => (payload['chat_id'] === chat && index === 0 ? flood(40) : null));
    const final = watch(box.post(post('final')));
    await timers.advance(1_000);
    const settle = watch(box.edit(edit(1, 'settled', 'always')));
    void box.edit(edit(1, 'settled, newer', 'always'));
    const old = watch(box.delete(3));
    void outboxes.of(5).post(post('elsewhere'));
    await timers.advance(38_999);
    expect([final.value, settle.value, old.value]).toEqual(['open', 'open', 'open']);
    await timers.advance(2_000);
    expect(log()).toEqual([
      'sendMessage final @0',
      'sendMessage elsewhere @1000',
      'sendMessage final @40000',
      'editMessageText settled, newer @40000',
      'deleteMessage @40000',
    ]);
    expect([final.value, settle.value, old.value]).toEqual([landed(102), landed(1), landed(3)]);
  });

  it('one 429 ends no message: later edits are of the same one (B107)', async () => {
    const { outboxes, timers, made, answer } = outboxWorld();
    answer((_, index) => (index === 0 ? flood(1) : null));
    void outboxes.of(chat).edit(edit(1, 'a'));
    await timers.advance(1_000);
    const next = watch(outboxes.of(chat).edit(edit(1, 'b')));
    await timers.advance(1_500);
    expect(next.value).toEqual(landed(1));
    expect(made.map(({ payload }) => payload['message_id'])).toEqual([1, 1]);
  });

  it('typing that is flooded holds the chat back as well', async () => {
    const { outboxes, timers, log, answer } = outboxWorld();
    answer(({ method }) => (method === 'sendChatAction' ? flood(5) : null));
    outboxes.of(chat).typing(null);
    await timers.advance(0);
    void outboxes.of(chat).post(post('a'));
    await timers.advance(6_000);
    expect(log()).toEqual(['sendChatAction @0', 'sendMessage a @5000']);
  });
});
