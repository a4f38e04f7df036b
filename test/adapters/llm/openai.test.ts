import { describe, expect, it } from 'vitest';
import { asked, hello, key, opened } from './asking.ts';

describe('an OpenAI request', () => {
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

  it.each([
    [null, undefined],
    [1_000, 1_000],
  ])('names the longest answer only where it is configured: %j', async (maxOutput, most) => {
    const { model, server } = await opened([{ text: 'ok' }], { maxOutput });
    await asked(model);
    expect(server.requests[0]?.['max_tokens']).toBe(most);
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
});
