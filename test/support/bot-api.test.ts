import { Api, Bot, GrammyError, InputFile } from 'grammy';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBotApi } from './bot-api/server.ts';

const owner = 42;
const group = -1001;

async function started() {
  const server = await startBotApi();
  onTestFinished(() => server.close());
  server.addChat(owner);
  server.addChat(group, { topics: [77, 78] });
  const api = new Api(server.token, { apiRoot: server.apiRoot });
  return { server, api };
}

const refused = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: unknown) =>
      error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error),
  );

// grammY's own type of a signal is that of another package.
type Signal = NonNullable<Parameters<Api['getMe']>[0]>;

const html = { parse_mode: 'HTML' } as const;

describe('polling', () => {
  it('a bot hears what is said, in its topic, and answers there', async () => {
    const { server } = await started();
    const bot = new Bot(server.token, { client: { apiRoot: server.apiRoot } });
    bot.on('message', (ctx) =>
      ctx.reply(`heard ${ctx.msg.text}`, { message_thread_id: ctx.msg.message_thread_id ?? 0 }),
    );
    const running = bot.start({ allowed_updates: ['message'] });
    server.say(group, owner, '/plan@planchart_bot now', { topic: 77 });
    await vi.waitFor(() => expect(server.view(group, 77)).toHaveLength(2));
    expect(server.view(group, 77)[0]?.entities).toEqual([{ type: 'bot_command', offset: 0, length: 19 }]);
    expect(server.view(group, 77)[1]).toMatchObject({ text: 'heard /plan@planchart_bot now', topic: 77 });
    await bot.stop();
    await running;
    expect(server.pending).toBe(0);
  });

  it('an update that was not confirmed comes again, one of a kind not asked for never', async () => {
    const { server, api } = await started();
    await api.getUpdates({ allowed_updates: ['message'] });
    server.say(owner, owner, 'one');
    const [first] = await api.getUpdates();
    expect(await api.getUpdates()).toEqual([first]);
    expect(await api.getUpdates({ offset: (first?.update_id ?? 0) + 1 })).toEqual([]);
    server.update({ callback_query: {} });
    expect(server.pending).toBe(0);
  });

  it('a second poll ends the first one with 409', async () => {
    const { server, api } = await started();
    const first = refused(api.getUpdates({ timeout: 50 }));
    await vi.waitFor(() => expect(server.polls).toHaveLength(1));
    const second = api.getUpdates({ timeout: 50 });
    expect(await first).toContain('409 Conflict: terminated by other getUpdates request');
    server.say(owner, owner, 'hello');
    expect(await second).toHaveLength(1);
  });

  it('a poll that the client left gives nothing away', async () => {
    const { server, api } = await started();
    const leave = new AbortController();
    const left = refused(api.getUpdates({ timeout: 50 }, leave.signal as Signal));
    await vi.waitFor(() => expect(server.polls).toHaveLength(1));
    leave.abort();
    expect(await left).not.toBe('accepted');
    server.say(owner, owner, 'hello');
    expect(await api.getUpdates({ timeout: 50 })).toHaveLength(1);
    expect(await api.deleteWebhook({ drop_pending_updates: true })).toBe(true);
    expect((await api.getWebhookInfo()).pending_update_count).toBe(0);
  });
});

describe('HTML is read as strictly as by Telegram', () => {
  it.each([
    ['<x>a</x>', 'Unsupported start tag "x" at byte offset 0'],
    ['ж<b>a', `Can't find end tag corresponding to start tag "b"`],
    ['ж</b>', 'Unexpected end tag at byte offset 2'],
    ['<b><i>a</b></i>', 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['a <b', 'Unclosed start tag at byte offset 2'],
    ['<a href="x>a</a>', 'Unclosed start tag at byte offset 0'],
    ['<b><!-- -->', 'Unsupported start tag "!--" at byte offset 3'],
  ])('%s', async (text, fault) => {
    const { api, server } = await started();
    expect(await refused(api.sendMessage(owner, text, html))).toContain(
      `400 Bad Request: can't parse entities: ${fault}`,
    );
    expect(server.view(owner)).toEqual([]);
  });

  it('offsets are UTF-16 units, the ends are cut, and code takes no other style', async () => {
    const { api, server } = await started();
    const text =
      '\n 😀<b>b &lt;&amp;&#x41; <code>c</code></b>\n<blockquote expandable>q<pre><code class="language-ts">p\tp</code></pre></blockquote> \n';
    await api.sendMessage(owner, text, html);
    expect(server.view(owner)[0]).toMatchObject({
      text: '😀b <&A c\nqp p',
      entities: [
        { type: 'code', offset: 8, length: 1 },
        { type: 'expandable_blockquote', offset: 10, length: 4 },
        { type: 'pre', offset: 11, length: 3, language: 'ts' },
      ],
    });
  });

  it('the limits count what is left after parsing', async () => {
    const { api } = await started();
    expect(await refused(api.sendMessage(owner, `<b>${'&lt;'.repeat(4096)}</b>`, html))).toBe('accepted');
    expect(await refused(api.sendMessage(owner, '😀'.repeat(2049)))).toBe(
      '400 Bad Request: message is too long',
    );
    expect(await refused(api.sendMessage(owner, '<b> </b>', html))).toContain('must be non-empty');
  });
});

describe('messages', () => {
  const keyboard = (data: string) => ({ inline_keyboard: [[{ text: 'Go', callback_data: data }]] });

  it('an edit needs a change, replaces the buttons, and needs the message to be there', async () => {
    const { api, server } = await started();
    const { message_id: id } = await api.sendMessage(owner, 'one', { reply_markup: keyboard('x') });
    const same = api.editMessageText(owner, id, '<i></i>one', { ...html, reply_markup: keyboard('x') });
    expect(await refused(same)).toContain('400 Bad Request: message is not modified');
    expect(server.view(owner)[0]?.buttons).toEqual([['Go']]);
    await api.editMessageText(owner, id, 'two');
    expect(server.view(owner)[0]).toMatchObject({ text: 'two', buttons: [], edits: 1 });
    expect(
      await refused(api.editMessageReplyMarkup(owner, id, { reply_markup: { inline_keyboard: [] } })),
    ).toContain('message is not modified');
    const theirs = server.say(owner, owner, 'mine');
    expect(await refused(api.editMessageText(owner, theirs, 'x'))).toContain("message can't be edited");
    server.remove(owner, id);
    expect(await refused(api.editMessageText(owner, id, 'x'))).toContain('message to edit not found');
    expect(await refused(api.deleteMessage(owner, id))).toContain('message to delete not found');
    server.fix(owner, theirs);
    expect(await refused(api.deleteMessage(owner, theirs))).toContain("message can't be deleted");
  });

  it('button data has 64 bytes, not characters (B121)', async () => {
    const { api } = await started();
    expect(await refused(api.sendMessage(owner, 'a', { reply_markup: keyboard('ж'.repeat(32)) }))).toBe(
      'accepted',
    );
    expect(await refused(api.sendMessage(owner, 'a', { reply_markup: keyboard('ж'.repeat(33)) }))).toContain(
      'BUTTON_DATA_INVALID',
    );
  });

  it('topics, unknown chats and people who blocked the bot', async () => {
    const { api, server } = await started();
    expect(await refused(api.sendMessage(group, 'a', { message_thread_id: 77 }))).toBe('accepted');
    for (const topic of [1, 79]) {
      expect(await refused(api.sendMessage(group, 'a', { message_thread_id: topic }))).toBe(
        '400 Bad Request: message thread not found',
      );
    }
    server.deleteTopic(group, 77);
    expect(await refused(api.sendMessage(group, 'a', { message_thread_id: 77 }))).toContain(
      'thread not found',
    );
    expect(await refused(api.sendMessage(5, 'a'))).toBe('400 Bad Request: chat not found');
    server.block(owner);
    expect(await refused(api.sendMessage(owner, 'a'))).toBe('403 Forbidden: bot was blocked by the user');
    const stranger = new Api('1:wrong', { apiRoot: server.apiRoot });
    expect(await refused(stranger.getMe())).toBe('401 Unauthorized');
  });

  it('takes a document as it is uploaded, and typing with its topic', async () => {
    const { api, server } = await started();
    const file = new InputFile(Buffer.from('# Plan\nж\n'), 'plan.md');
    await api.sendDocument(group, file, { message_thread_id: 78, caption: '<b>The</b> plan', ...html });
    expect(server.view(group, 78)).toMatchObject([
      { text: 'The plan', entities: [{ type: 'bold' }], document: { name: 'plan.md', text: '# Plan\nж\n' } },
    ]);
    await api.sendChatAction(group, 'typing', { message_thread_id: 78 });
    expect(server.typing).toEqual([{ chat: group, topic: 78, action: 'typing' }]);
  });

  it('keeps commands by scope, and takes no name with a dash (D51)', async () => {
    const { api } = await started();
    const commands = [{ command: 'show_plan', description: 'The plan' }];
    await api.setMyCommands(commands, { scope: { type: 'all_private_chats' } });
    expect(await api.getMyCommands({ scope: { type: 'all_private_chats' } })).toEqual(commands);
    expect(await api.getMyCommands()).toEqual([]);
    const dashed = api.setMyCommands([{ command: 'show-plan', description: 'x' }]);
    expect(await refused(dashed)).toContain('BOT_COMMAND_INVALID');
    expect(await api.getChat(group)).toMatchObject({ type: 'supergroup', is_forum: true });
  });
});

describe('presses', () => {
  it('are found by label, answered once, and get too old', async () => {
    const { api, server } = await started();
    const reply_markup = { inline_keyboard: [[{ text: 'Approve', callback_data: 'plan:ok' }]] };
    await api.sendMessage(owner, 'older', { reply_markup });
    const { message_id: newest } = await api.sendMessage(owner, 'newer', { reply_markup });
    const press = server.press(owner, 'Approve', owner);
    const [update] = await api.getUpdates();
    expect(update?.callback_query).toMatchObject({
      id: press,
      data: 'plan:ok',
      from: { id: owner },
      message: { message_id: newest, chat: { id: owner } },
    });
    await api.answerCallbackQuery(press, { text: 'ok' });
    expect(server.queries).toMatchObject([{ state: 'answered', text: 'ok' }]);
    expect(await refused(api.answerCallbackQuery(press))).toContain('query is too old');
    const old = server.press(owner, 'plan:no', owner, newest);
    server.expireQueries();
    expect(await refused(api.answerCallbackQuery(old))).toContain('query is too old');
    expect(() => server.press(owner, 'Nothing', owner)).toThrow('has a button "Nothing"');
  });
});

describe('faults', () => {
  it('come for the method, the chat and the number of calls they are scripted for', async () => {
    const { api, server } = await started();
    server.fault('sendMessage', { kind: 'flood', retryAfter: 7 }, { times: 2, chat: owner });
    expect(await refused(api.sendMessage(group, 'a'))).toBe('accepted');
    const flood = await api.sendMessage(owner, 'a').catch((error: unknown) => error);
    expect(flood).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
    expect(await refused(api.sendMessage(owner, 'a'))).toContain('429');
    expect(await refused(api.sendMessage(owner, 'a'))).toBe('accepted');
    server.fault('*', {
      kind: 'error',
      status: 400,
      description: 'moved',
      parameters: { migrate_to_chat_id: -5 },
    });
    expect(await api.getMe().catch((error: unknown) => error)).toMatchObject({
      parameters: { migrate_to_chat_id: -5 },
    });
    expect(server.calls.map(({ method, status }) => `${method} ${status}`).slice(-3)).toEqual([
      'sendMessage 429',
      'sendMessage 200',
      'getMe 400',
    ]);
  });

  it('drop the socket before or after the work, or answer late or never', async () => {
    const { api, server } = await started();
    server.fault('sendMessage', { kind: 'drop' });
    expect(await refused(api.sendMessage(owner, 'lost'))).toContain('HttpError');
    server.fault('sendMessage', { kind: 'dropAnswer' });
    expect(await refused(api.sendMessage(owner, 'there'))).toContain('HttpError');
    server.fault('sendMessage', { kind: 'slow', ms: 20 });
    expect(await refused(api.sendMessage(owner, 'late'))).toBe('accepted');
    server.fault('sendMessage', { kind: 'hang' });
    const leave = new AbortController();
    const hung = refused(api.sendMessage(owner, 'never', {}, leave.signal as Signal));
    await vi.waitFor(() => expect(server.calls).toHaveLength(4));
    leave.abort();
    expect(await hung).not.toBe('accepted');
    expect(server.view(owner).map(({ text }) => text)).toEqual(['there', 'late']);
    expect(server.calls.map(({ status }) => status)).toEqual([null, null, 200, null]);
  });
});
