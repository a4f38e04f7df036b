import { readFileSync } from 'node:fs';
import { Api } from 'grammy';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { markdownRich } from '../../../adapters/telegram/html/markdown.ts';
import { planInFull } from '../../../adapters/telegram/html/plan-sections.ts';
import { bold, run } from '../../../adapters/telegram/html/rich.ts';
import { createOutboxes, systemTimers, type Timers } from '../../../adapters/telegram/outbox.ts';
import { startBotApi } from '../../support/bot-api/server.ts';
import { reviewView } from '../../support/fake-handle.ts';
import { chat, edit, keyboard, landed, post } from './outbox-world.ts';

const group = -1001;
const golden = readFileSync(new URL('../../fixtures/golden-plan.md', import.meta.url), 'utf8');

/** Twenty seconds pass in one, so that spacing and waits are real and a test is not long. */
const fast: Timers = {
  now: () => systemTimers.now() * 20,
  after: (ms, run) => systemTimers.after(ms / 20, run),
};

async function started(flushMs = 5_000) {
  const server = await startBotApi();
  onTestFinished(() => server.close());
  server.addChat(chat);
  server.addChat(group, { topics: [77] });
  const ends = new AbortController();
  const { raw: calls } = new Api(server.token, { apiRoot: server.apiRoot });
  const outboxes = createOutboxes({ calls, timers: fast, signal: ends.signal, flushMs });
  const texts = (id: number): string[] => server.view(id).map(({ text }) => text);
  return { server, outboxes, ends, texts, methods: () => server.calls.map(({ method }) => method) };
}

describe('over HTTP, against the Bot API of the tests', () => {
  it('posts, edits, draws and takes off buttons, deletes, uploads', async () => {
    const { outboxes, server } = await started();
    const box = outboxes.of(group);
    const body = markdownRich('**Plan** `x<y` [site](https://a.b/)');
    expect(await box.post({ ...post(''), body, topic: 77, sound: 'off' })).toEqual(landed(1));
    expect(server.view(group, 77)[0]).toMatchObject({ text: 'Plan x<y site', notifies: 'no', topic: 77 });
    expect(server.view(group, 77)[0]?.entities.map(({ type }) => type)).toEqual([
      'bold',
      'code',
      'text_link',
    ]);
    expect(await box.markup({ message: 1, keyboard: keyboard('Approve'), keep: 'always' })).toEqual(
      landed(1),
    );
    expect(server.view(group)[0]?.buttons).toEqual([['Approve']]);
    expect(await box.edit({ ...edit(1, ''), body: run('new', bold), keyboard: keyboard('Discard') })).toEqual(
      landed(1),
    );
    expect(server.view(group)[0]).toMatchObject({ text: 'new', buttons: [['Discard']] });
    expect(await box.markup({ message: 1, keyboard: null, keep: 'always' })).toEqual(landed(1));
    expect(server.view(group)[0]).toMatchObject({ text: 'new', buttons: [] });
    const file = { ...post(''), topic: 77, name: 'plan.md', text: golden, caption: run('c', bold) };
    expect(await box.document(file)).toEqual(landed(2));
    expect(server.view(group, 77)[1]).toMatchObject({
      text: 'c',
      document: { name: 'plan.md', text: golden },
    });
    expect(await box.delete(1)).toEqual(landed(1));
    expect(await box.edit(edit(1, 'late'))).toMatchObject({ kind: 'gone', what: 'message' });
    expect(server.view(group).map(({ id }) => id)).toEqual([2]);
  });

  it('a plan of several messages can be read in full', async () => {
    const { outboxes, server, texts } = await started();
    const steps = Array.from(
      { length: 120 },
      (_, at) => `${at + 1}. Step \u2014 edit \`src/f${at}.ts\` & run <b>tests</b>`,
    );
    const text = `${golden}${steps.join('\n')}`;
    const plan = planInFull(reviewView(text, 'h1'), 'ctx: 1K/2K 50%');
    if (plan.kind !== 'messages') throw new Error(`It is ${plan.kind}`);
    expect(await outboxes.of(chat).post({ ...post(''), body: plan.body })).toMatchObject({
      kind: 'landed',
      as: 'html',
    });
    expect(texts(chat).join('\n')).toContain(text);
    const quotes = server
      .view(chat)
      .map(({ entities }) => entities.filter(({ type }) => type === 'expandable_blockquote').length);
    expect(quotes).toEqual([1, 1]);
  });

  it('a real flood wait is obeyed, and a final comes behind it', async () => {
    const { outboxes, server, texts } = await started();
    server.fault('sendMessage', { kind: 'flood', retryAfter: 10 });
    expect(await outboxes.of(chat).post(post('final'))).toEqual(landed(1));
    const [first, second] = server.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(490);
    expect(texts(chat)).toEqual(['final']);
  });

  it('the first send of a process is sent again if its answer was lost: rather twice than not at all (0060)', async () => {
    const { outboxes, server, texts } = await started();
    server.fault('sendMessage', { kind: 'dropAnswer' });
    expect(await outboxes.of(chat).post(post('final'))).toEqual(landed(2));
    expect(texts(chat)).toEqual(['final', 'final']);
  });

  it('a later one is found by an edit, whoever has written meanwhile, and is there once (0060)', async () => {
    const { outboxes, server, texts } = await started();
    const box = outboxes.of(chat);
    await box.post(post('one'));
    server.say(chat, 1, 'a person');
    for (const [text, keep] of [
      ['final', 'always'],
      ['tick', 'droppable'],
    ] as const) {
      server.fault('sendMessage', { kind: 'dropAnswer' });
      server.fault('editMessageText', { kind: 'flood', retryAfter: 1 });
      expect(await box.post({ ...post(text, keep), markup: keyboard(text) })).toMatchObject({
        kind: 'landed',
      });
    }
    expect(texts(chat)).toEqual(['one', 'a person', 'final', 'tick']);
    expect(server.view(chat).map(({ buttons, edits }) => [buttons.flat().join(), edits])).toEqual([
      ['', 0],
      ['', 0],
      ['final', 0],
      ['tick', 0],
    ]);
  });

  it('what is not found was not sent: a final is sent now, a tick is told of (0060)', async () => {
    const { outboxes, server, texts } = await started();
    const box = outboxes.of(chat);
    await box.post(post('one'));
    server.fault('sendMessage', { kind: 'drop' });
    expect(await box.post(post('final'))).toEqual(landed(2));
    server.fault('sendMessage', { kind: 'drop' });
    expect(await box.post(post('tick', 'droppable'))).toMatchObject({ kind: 'failed' });
    expect(texts(chat)).toEqual(['one', 'final']);
  });

  it('an edit whose answer was lost is sent again, and that it was done is success', async () => {
    const { outboxes, server, texts, methods } = await started();
    const box = outboxes.of(chat);
    await box.post(post('one'));
    server.fault('editMessageText', { kind: 'dropAnswer' });
    expect(await box.edit(edit(1, 'two', 'always'))).toEqual(landed(1));
    expect(methods()).toEqual(['sendMessage', 'editMessageText', 'editMessageText']);
    expect(server.calls[2]?.description).toContain('message is not modified');
    expect(texts(chat)).toEqual(['two']);
  });

  it('HTML that Telegram does not take is there as plain text, in as many parts (B111)', async () => {
    const { outboxes, server, texts } = await started();
    const fault = "Bad Request: can't parse entities: Unsupported start tag";
    server.fault('sendMessage', { kind: 'error', status: 400, description: fault });
    const body = [...run('a < b ', bold), ...run('x'.repeat(9_000))];
    expect(await outboxes.of(chat).post({ ...post(''), body })).toMatchObject({
      kind: 'landed',
      as: 'plain',
      messages: [1, 2, 3],
    });
    expect(texts(chat).join('')).toBe(`a < b ${'x'.repeat(9_000)}`);
  });

  it('says where it can not write any more', async () => {
    const { outboxes, server } = await started();
    server.deleteTopic(group, 77);
    const place = { kind: 'gone', what: 'place' };
    expect(await outboxes.of(group).post({ ...post('x'), topic: 77 })).toMatchObject(place);
    server.block(chat);
    expect(await outboxes.of(chat).post(post('x'))).toMatchObject(place);
    expect(await outboxes.of(5).post(post('x'))).toMatchObject(place);
    server.fault('sendMessage', {
      kind: 'error',
      status: 400,
      description: 'Bad Request: group chat was upgraded',
      parameters: { migrate_to_chat_id: -1009 },
    });
    expect(await outboxes.of(group).post(post('x'))).toEqual({ kind: 'moved', chat: -1009, messages: [] });
  });

  it('ends with a call in flight that has no answer', async () => {
    const { outboxes, server, ends, methods } = await started(2_000);
    server.fault('sendMessage', { kind: 'hang' });
    const left = outboxes.of(chat).post(post('x'));
    await vi.waitFor(() => expect(methods()).toEqual(['sendMessage']));
    ends.abort();
    expect(await left).toEqual({ kind: 'ended', messages: [] });
    await outboxes.ended;
  });
});
