import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../adapters/ports.ts';
import { estimateTokens } from '../../../machines/index.ts';
import { until } from '../../support/harness.ts';
import { call, reply, says, textsOf } from '../../support/harness-script.ts';
import type { ChatRequest, Reply } from '../../support/model-server/reply.ts';
import {
  asks,
  compact,
  blockOf,
  compacted,
  filler,
  openSmall,
  type Small,
  summaries,
  withoutTools,
} from '../../support/harness-compaction.ts';

const window = 16_000;
const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`);
const files = Object.fromEntries(names.map((name) => [name, filler(name, 8000)]));
const read = (index: number): Reply => reply(call('read_file', { path: names[index % names.length] }));
/** Reads so many files, one after another, then says so. */
const reading = (count: number) => (_: ChatRequest, index: number) =>
  index < count ? read(index) : says('Read all.');
const tooLong: Reply = {
  status: 400,
  error: { code: 'context_length_exceeded', message: 'too many tokens' },
};
const sizeOf = (request: ChatRequest): number =>
  estimateTokens(JSON.stringify([request.messages, request.tools]));
const turnsOf = (lines: readonly TranscriptEntry[]): string[] => [
  ...new Set(lines.flatMap((line) => ('turn' in line && line.turn !== null ? [line.turn] : []))),
];
const prompt = 'read every file, and say `done` at the end';
const run = ({ h }: Small) => h.turn(() => h.chat(prompt));

describe('D27 a conversation that gets too long', () => {
  it('is made shorter in the middle of a turn, which goes on', async () => {
    const small = await openSmall(window, { reply: reading(12) }, { files });
    const { h } = small;
    expect(await run(small)).toMatchObject({ outcome: 'done', cause: null });
    expect(summaries(small).length).toBeGreaterThan(1);
    expect(summaries(small).every(withoutTools)).toBe(true);
    for (const request of small.server.requests) expect(sizeOf(request)).toBeLessThan(window * 0.85);
    for (const request of asks(small)) expect(textsOf(request, 'user').at(-1)).toBe(prompt);
    expect(summaries(small)[1]?.messages.at(-1)?.content).toContain(
      'Summary of what came before:\nRequest: go on.',
    );
    const lines = await h.session.transcript();
    expect(turnsOf(lines)).toHaveLength(1);
    expect(
      lines.filter(({ type }) => type === 'tool').map((line) => 'text' in line && line.text.length > 8000),
    ).toEqual(names.map(() => true));
    expect(h.published.filter(({ type }) => type === 'message.ended')).toHaveLength(13);
  });

  it('keeps calls and results together', async () => {
    const small = await openSmall(window, { reply: reading(12) }, { files });
    await run(small);
    for (const { messages } of asks(small)) {
      const made = messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
      const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
      expect(answered).toEqual(made);
    }
  });

  it('tells surfaces how full it is, by what the provider counts', async () => {
    const usage = { prompt_tokens: 9000, completion_tokens: 50 };
    const small = await openSmall(window, { reply: () => ({ ...says('ok'), usage }) });
    await run(small);
    const figures = small.h.published.filter((told) => told.type === 'context');
    expect(figures.at(-1)).toEqual({ type: 'context', used: 9050, window });
    expect(figures.length).toBeGreaterThan(1);
  });

  it('is not tried again before there is more of it', async () => {
    const list = reply(call('ls', {}));
    const script = { reply: (_: ChatRequest, index: number) => (index < 10 ? list : says('ok')) };
    const small = await openSmall(window, script, { files });
    const { h } = small;
    const empty = sizeOf(
      (await h.turn(() => h.chat('hello')), asks(small)[0]) ?? { model: '', messages: [] },
    );
    const before = h.published.filter(({ type }) => type === 'context').length;
    // What opens a turn stays, so this is more than four fifths whatever is done.
    const size = (window * 0.84 - empty) * 4;
    expect((await h.turn(() => h.chat(filler('word', size)))).outcome).toBe('done');
    const told = h.published.filter(({ type }) => type === 'context').length - before;
    expect(told).toBeLessThan(asks(small).length + 4);
  });

  it('is estimated by what the provider counted last', async () => {
    const usage = { prompt_tokens: 14_500, completion_tokens: 50 };
    const script = {
      reply: (_: ChatRequest, index: number) => ({ ...(index === 0 ? read(0) : says('ok')), usage }),
    };
    const small = await openSmall(window, script, { files });
    await run(small);
    // Our own estimate alone is far below four fifths.
    expect(sizeOf(asks(small)[1] ?? { model: '', messages: [] })).toBeLessThan(window * 0.7);
    expect(await compacted(small.h)).not.toEqual([]);
  });
});

describe('D27 a provider that says "too long"', () => {
  it('leads to one compaction and one more try', async () => {
    const script = {
      reply: (request: ChatRequest, index: number) => (index === 3 ? tooLong : reading(4)(request, index)),
    };
    const small = await openSmall(200_000, script, { files });
    expect(await run(small)).toMatchObject({ outcome: 'done' });
    expect([summaries(small).length, (await compacted(small.h)).length]).toEqual([1, 1]);
    expect(asks(small)).toHaveLength(5);
    expect(blockOf(asks(small)[4])).not.toBe('');
  });

  it('and if it says so again the turn fails CONTEXT_FULL, once', async () => {
    const script = {
      reply: (request: ChatRequest, index: number) => (index < 3 ? reading(3)(request, index) : tooLong),
    };
    const small = await openSmall(200_000, script, { files });
    const ended = await run(small);
    expect([ended.outcome, ended.cause]).toEqual(['failed', expect.stringMatching(/^CONTEXT_FULL: /u)]);
    expect([summaries(small).length, asks(small).length]).toEqual([1, 5]);
    expect(small.h.published.filter(({ type }) => type === 'turn.ended')).toHaveLength(1);
    expect(small.h.session.view()).toMatchObject({ turn: 'idle', running: null });
  });

  it('is believed for the rest of the session', async () => {
    const limit = 9000;
    const script = {
      reply: (request: ChatRequest, index: number) =>
        sizeOf(request) > limit ? tooLong : index < 14 ? read(index) : says('Read all.'),
    };
    const small = await openSmall(200_000, script, { files });
    expect(await run(small)).toMatchObject({ outcome: 'done' });
    expect(asks(small).filter((request) => sizeOf(request) > limit)).toHaveLength(1);
  });
});

describe('D27 a summary that fails', () => {
  const broken = () => ({ status: 400, error: 'no' });

  it.each([
    ['is refused', broken],
    ['is empty', () => says(' ')],
    ['is a call', () => read(0)],
  ])('%s: old tool outputs are cut, and the turn goes on', async (_, summary) => {
    const small = await openSmall(window, { reply: reading(6), summary }, { files });
    expect(await run(small)).toMatchObject({ outcome: 'done' });
    const cuts = await compacted(small.h);
    expect(cuts.length).toBeGreaterThan(0);
    expect(cuts.every(({ how }) => 'limit' in how)).toBe(true);
    const results = textsOf(asks(small).at(-1), 'tool');
    expect(results).toHaveLength(6);
    expect(results[0]).toContain('characters were cut to make room');
    expect(small.h.notices().join('\n')).toContain('Old tool outputs are cut instead.');
  });

  it('and where that is not enough the turn fails CONTEXT_FULL, once', async () => {
    const small = await openSmall(
      window,
      { reply: () => ({ text: 'x'.repeat(30_000), chunk: 4096 }), summary: broken },
      { files },
    );
    await run(small);
    await small.h.turn(() => small.h.chat('again'));
    const before = small.server.requests.length;
    const ended = await small.h.turn(() => small.h.chat(filler('word', 30_000)));
    expect(ended.cause).toMatch(/^CONTEXT_FULL: /u);
    expect(small.server.requests.slice(before).map(withoutTools)).toEqual([true]);
    expect(small.h.published.filter(({ type }) => type === 'turn.ended')).toHaveLength(3);
    expect((await small.h.turn(() => compact(small.h))).cause).toMatch(/^CONTEXT_FULL: /u);
  });

  it('a cancel in the middle of it cancels the turn', async () => {
    const small = await openSmall(window, { reply: reading(12), summary: () => ({ hang: true }) }, { files });
    await small.h.chat(prompt);
    await until('a summary is asked for', () => summaries(small).length > 0);
    expect(await small.h.turn(() => small.h.stop())).toMatchObject({ outcome: 'cancelled' });
    expect(await compacted(small.h)).toEqual([]);
  });
});
