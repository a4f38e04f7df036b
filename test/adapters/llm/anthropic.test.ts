import { describe, expect, it } from 'vitest';
import { modelTools } from '../../../tools/registry.ts';
import { asked, hello, key, speaking, told } from './asking.ts';

const opened = speaking('anthropic');

describe('an Anthropic request', () => {
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
        { role: 'assistant', text: '\n', calls },
        { role: 'tool', call: 'c1', name: 'read', text: '', failed: false },
        { role: 'tool', call: 'c2', name: 'read', text: 'Not valid JSON', failed: true },
        { role: 'assistant', text: '', calls: [] },
        { role: 'user', text: 'More' },
      ],
    });
    expect(server.headers[0]).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' });
    expect(server.headers[0]).not.toHaveProperty('anthropic-beta');
    expect(server.headers[0]).not.toHaveProperty('authorization');
    expect(server.bodies[0]).toEqual({
      model: 'm-1',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Be short.' }],
      tool_choice: { type: 'auto' },
      tools: [{ name: 'read', description: 'Reads a file', input_schema: hello.tools[0]?.parameters }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Go' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'read', input: { unparsed: '{"path' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'Not valid JSON', is_error: true },
            { type: 'text', text: 'More' },
          ],
        },
      ],
    });
  });

  it('D27 offers no tools when there are none, and sends no key when there is none', async () => {
    const { model, server } = await opened([{ text: 'ok' }], { apiKey: null });
    await asked(model, { system: '', messages: [{ role: 'user', text: 'Sum up' }], tools: [] });
    expect(server.headers[0]).not.toHaveProperty('x-api-key');
    expect(server.bodies[0]).toEqual({
      model: 'm-1',
      max_tokens: 32_000,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Sum up' }] }],
    });
  });

  it.each([
    ['claude-opus-9', 32_000],
    ['claude-sonnet-4-5', 32_000],
    ['some-other-model', 32_000],
    ['claude-3-5-sonnet-latest', 8_192],
    ['claude-3-haiku-20240307', 4_096],
  ])('asks of %s no more tokens than it gives', async (name, most) => {
    const { model, server } = await opened([{ text: 'ok' }], { model: name });
    await asked(model);
    expect(server.bodies[0]).toMatchObject({ max_tokens: most });
  });

  it('asks for as many as are configured', async () => {
    const { model, server } = await opened([{ text: 'ok' }], { maxOutput: 1_000 });
    await asked(model);
    expect(server.bodies[0]).toMatchObject({ max_tokens: 1_000 });
  });

  it('every tool of ours is one that the service takes', async () => {
    const { model } = await opened([{ text: 'ok' }]);
    expect(told(await asked(model, { ...hello, tools: modelTools() }))).toMatchObject({ text: 'ok' });
  });

  it('takes up a conversation of another model, whose ids and names it would refuse', async () => {
    const { model, server } = await opened([{ text: 'ok' }]);
    const calls = ['functions.read:0', 'functions_read_0', ''].map((id) => ({
      id,
      name: 'a.read',
      input: {},
    }));
    const results = calls.map(
      ({ id, name }) => ({ role: 'tool', call: id, name, text: id, failed: false }) as const,
    );
    const messages = [...hello.messages, { role: 'assistant', text: '', calls } as const, ...results];
    expect(told(await asked(model, { ...hello, messages })).text).toBe('ok');
    const sent = server.requests[0]?.messages.filter(({ role }) => role === 'tool');
    expect(sent).toEqual([
      { role: 'tool', tool_call_id: 'functions_read_0', content: 'functions.read:0' },
      { role: 'tool', tool_call_id: 'functions_read_0_2', content: 'functions_read_0' },
      { role: 'tool', tool_call_id: '_', content: '' },
    ]);
  });
});
