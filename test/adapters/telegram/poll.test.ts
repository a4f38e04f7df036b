import { Api } from 'grammy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Poll, PollError, type Taken } from '../../../adapters/telegram/poll.ts';
import { type BotApi, startBotApi } from '../../support/bot-api/server.ts';

const owner = 1001;

/** A poll of a local server; its clock stands unless a test moves it. */
async function open(api?: BotApi): Promise<{
  api: BotApi;
  lines: string[];
  clock: { now: number };
  take: () => Promise<Taken[]>;
  poll: Poll;
}> {
  const server = api ?? (await startBotApi());
  const lines: string[] = [];
  const clock = { now: 0 };
  const ending = new AbortController();
  const poll = new Poll({
    api: new Api(server.token, { apiRoot: server.apiRoot }),
    line: (text) => lines.push(text),
    now: () => clock.now,
    retryMs: 1,
    ready: () => undefined,
    handled: async () => undefined,
  });
  onTestFinished(async () => {
    ending.abort();
    if (api === undefined) await server.close();
  });
  return { api: server, lines, clock, take: () => poll.take(ending.signal), poll };
}

const texts = (taken: readonly Taken[]) => taken.map(({ update, age }) => [update.message?.text, age]);
const conflict = {
  kind: 'error',
  status: 409,
  description: 'Conflict: terminated by other getUpdates request',
} as const;

describe('D37 what was waiting is old', () => {
  it('at the first poll, and what comes later is not', async () => {
    const { api, take } = await open();
    api.addChat(owner);
    api.say(owner, owner, 'before');
    expect(texts(await take())).toEqual([['before', 'old']]);
    const next = take();
    api.say(owner, owner, 'after');
    expect(texts(await next)).toEqual([['after', 'fresh']]);
  });

  it('also when more is waiting than one answer holds', async () => {
    const { api, take } = await open();
    api.addChat(owner);
    for (let index = 0; index < 150; index += 1) api.say(owner, owner, `m${index}`);
    const [first, second] = [await take(), await take()];
    expect([first.length, second.length]).toEqual([100, 50]);
    expect([...first, ...second].every(({ age }) => age === 'old')).toBe(true);
  });

  it('after a silence of a minute', async () => {
    const { api, clock, lines, take } = await open();
    api.addChat(owner);
    await take();
    api.fault('getUpdates', { kind: 'error', status: 502, description: 'Bad Gateway' }, { times: 1 });
    api.say(owner, owner, 'meanwhile');
    clock.now = 61_000;
    expect(texts(await take())).toEqual([['meanwhile', 'old']]);
    expect(lines).toEqual([expect.stringContaining("can't be reached"), 'Telegram answers again.']);
  });

  it('an update that was not confirmed comes again', async () => {
    const first = await open();
    first.api.addChat(owner);
    first.api.say(owner, owner, 'one');
    await first.take();
    const second = await open(first.api);
    expect(texts(await second.take())).toEqual([['one', 'old']]);
    await second.poll.confirm();
    expect(first.api.pending).toBe(0);
  });
});

describe('B128 another poller', () => {
  it('five conflicts, then it goes on: one line', async () => {
    const { api, lines, take } = await open();
    api.addChat(owner);
    api.fault('getUpdates', conflict, { times: 5 });
    api.say(owner, owner, 'hello');
    expect(texts(await take())).toEqual([['hello', 'old']]);
    expect(lines).toEqual(['Another program polls with the same bot token; trying again.']);
  });

  it('a newcomer leaves, who has been there longer stays', async () => {
    const newcomer = await open();
    newcomer.api.fault('getUpdates', conflict, { times: 6 });
    const left = await newcomer.take().catch((error: unknown) => error);
    expect(left).toBeInstanceOf(PollError);
    expect(left).toMatchObject({ code: 'CONFLICT' });
    const settled = await open();
    settled.api.addChat(owner);
    await settled.take();
    settled.clock.now = 61_000;
    settled.api.fault('getUpdates', conflict, { times: 8 });
    const next = settled.take();
    settled.api.say(owner, owner, 'still here');
    expect(texts(await next)).toEqual([['still here', 'old']]);
  });

  it('two of them: the older one is told, and the newer one leaves', async () => {
    const older = await open();
    older.api.addChat(owner);
    await older.take();
    older.clock.now = 61_000;
    const heard = (async () => {
      for (;;) {
        const taken = texts(await older.take());
        if (taken.length > 0) return taken;
      }
    })();
    const newer = await open(older.api);
    // Each poll ends the other's; the older one does not give up.
    const left = await (async () => {
      try {
        for (;;) await newer.take();
      } catch (error) {
        return error;
      }
    })();
    expect(left).toMatchObject({ code: 'CONFLICT' });
    older.api.say(owner, owner, 'hello');
    expect((await heard).map(([text]) => text)).toEqual(['hello']);
  });

  it('a token that is not taken any more ends it', async () => {
    const { api, take } = await open();
    api.fault('getUpdates', { kind: 'error', status: 401, description: 'Unauthorized' });
    await expect(take()).rejects.toMatchObject({ code: 'REFUSED' });
  });
});
