import { describe, expect, it, vi } from 'vitest';
import { asked, hello, key, opened, told } from './asking.ts';

describe('an answer', () => {
  it('streams reasoning and text in pieces and ends with stop and the usage', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 5 };
    const { model } = await opened([{ reasoning: 'Thinking…', text: 'Grüße, 世界 👩‍👩‍👧!', chunk: 3, usage }]);
    const parts = await asked(model);
    expect(parts.filter((part) => part.type === 'text').length).toBeGreaterThan(3);
    expect(told(parts)).toMatchObject({
      reasoning: 'Thinking…',
      text: 'Grüße, 世界 👩‍👩‍👧!',
      calls: [],
      retries: [],
    });
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop', usage: { input: 12, output: 5 } });
  });

  it('yields the first text before the answer is complete', async () => {
    const { model } = await opened([{ text: 'early', hang: 1 }]);
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const part of model.step(hello, abort.signal)) {
      seen.push(part.type);
      if (part.type === 'text') abort.abort();
    }
    expect(seen).toEqual(['text', 'end']);
  });

  it('gives two calls of one response in order, their arguments put together', async () => {
    const calls = [
      { name: 'read', id: 'a', input: { path: '文档/plan 🙂.md' } },
      { name: 'read', id: 'b', input: { path: 'src/index.ts' } },
    ];
    const { model } = await opened([{ text: 'Two files.', calls, chunk: 4 }]);
    const shown = told(await asked(model));
    expect(shown.calls).toEqual(calls);
    expect(shown.end).toEqual({ type: 'end', reason: 'calls' });
  });

  it.each([
    ['cut short', '{"path": "a'],
    ['prose', 'the file a.md'],
    ['a forged prototype', '{"__proto__": {"admin": true}}'],
  ])('hands arguments that are %s back as raw text', async (_, raw) => {
    const { model } = await opened([
      {
        calls: [
          { name: 'read', raw },
          { name: 'nobody', raw },
        ],
      },
    ]);
    const shown = told(await asked(model));
    expect(shown.calls).toEqual([
      { id: 'call_1', name: 'read', input: null, invalid: raw },
      { id: 'call_2', name: 'nobody', input: null, invalid: raw },
    ]);
    expect(shown.end?.reason).toBe('calls');
  });

  it('passes calls of unknown tools and of wrong shape on, since the gate answers them', async () => {
    const calls = [
      { name: 'nobody', input: { a: 1 } },
      { name: 'read', input: { wrong: true } },
      { name: 'read', raw: '' },
    ];
    const { model } = await opened([{ calls }]);
    expect(told(await asked(model)).calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'nobody', input: { a: 1 } },
      { name: 'read', input: { wrong: true } },
      { name: 'read', input: {} },
    ]);
  });

  it('gives a call a new id when the conversation has it already', async () => {
    const { model } = await opened([{ calls: [{ name: 'read', input: {} }] }]);
    const call = { id: 'call_1', name: 'read', input: {} };
    const result = { role: 'tool', call: 'call_1', name: 'read', text: 'ok', failed: false } as const;
    const messages = [...hello.messages, { role: 'assistant', text: '', calls: [call] } as const, result];
    expect(told(await asked(model, { ...hello, messages })).calls.map(({ id }) => id)).toEqual(['call_1_2']);
  });

  it.each([
    ['nothing at all', {}, 'stop'],
    ['a finish word of its own', { text: 'a', finish: 'eos' }, 'stop'],
    ['stop beside a call', { calls: [{ name: 'read', input: {} }], finish: 'stop' }, 'calls'],
    ['a text cut by length', { text: 'a', finish: 'length' }, 'length'],
    ['a call cut by length', { calls: [{ name: 'read', raw: '{"pa' }], finish: 'length' }, 'length'],
  ] as const)('with %s ends as it should', async (_, reply, reason) => {
    const { model } = await opened([reply]);
    expect(told(await asked(model)).end).toEqual({ type: 'end', reason });
  });

  it('D39 leaves the terminal alone: neither the SDK nor a failure prints anything', async () => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(process, 'emitWarning')];
    const { model } = await opened([{ status: 400, error: 'no' }, { body: 'data: {x\n\n' }]);
    await asked(model);
    await asked(model);
    expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
    expect(globalThis.AI_SDK_LOG_WARNINGS).toBe(false);
  });
});

describe('a request', () => {
  it('carries model, key, system, conversation and tools, and asks for a stream', async () => {
    const { model, server } = await opened([{ text: 'ok' }]);
    const calls = [
      { id: 'c1', name: 'read', input: { path: 'a' } },
      { id: 'c2', name: 'read', input: null, invalid: '{"path' },
    ];
    await asked(model, {
      ...hello,
      messages: [
        { role: 'user', text: 'Go' },
        { role: 'assistant', text: 'Reading.', calls },
        { role: 'tool', call: 'c1', name: 'read', text: 'content', failed: false },
        { role: 'tool', call: 'c2', name: 'read', text: 'Not valid JSON', failed: true },
        { role: 'assistant', text: '', calls: [] },
        { role: 'user', text: 'More' },
      ],
    });
    expect(server.headers[0]?.authorization).toBe(`Bearer ${key}`);
    expect(server.requests[0]).toMatchObject({
      model: 'm-1',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(server.requests[0]?.tools).toEqual([{ type: 'function', function: hello.tools[0] }]);
    expect(server.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"unparsed":"{\\"path"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'content' },
      { role: 'tool', tool_call_id: 'c2', content: 'Not valid JSON' },
      { role: 'user', content: 'More' },
    ]);
  });

  it.each([null, ''])(
    'D27 offers no tools when there are none, and sends no key when it is %j',
    async (apiKey) => {
      const { model, server } = await opened([{ text: 'ok' }], { apiKey });
      await asked(model, { system: '', messages: [{ role: 'user', text: 'Sum up' }], tools: [] });
      expect(server.headers[0]).not.toHaveProperty('authorization');
      expect(server.requests[0]).not.toHaveProperty('tools');
      expect(server.requests[0]?.messages).toEqual([{ role: 'user', content: 'Sum up' }]);
    },
  );

  it('accepts a base URL that ends in a slash', async () => {
    const { server } = await opened([]);
    const { model } = await opened([], { baseUrl: `${server.baseUrl}/` });
    await asked(model);
    expect(server.requests).toHaveLength(1);
  });
});
