import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelPort } from '../../../adapters/ports.ts';
import type { ChatRequest, Reply } from '../../support/model-server/reply.ts';
import { asked, hello, protocols, speaking, told } from './asking.ts';

const thoughtful: Reply = {
  reasoning: 'Look first.',
  signature: 'sig-1',
  calls: [
    { name: 'read', id: 'c1', input: { path: 'a' } },
    { name: 'read', id: 'c2', input: { path: 'b' } },
  ],
};

/** One step, and the conversation as it goes on with the results of its calls. */
async function stepped(model: ModelPort, messages: readonly ModelMessage[]) {
  const { calls, text, end } = told(await asked(model, { ...hello, messages }));
  const results = calls.map(
    ({ id, name }) => ({ role: 'tool', call: id, name, text: 'ok', failed: false }) as const,
  );
  return { end, text, messages: [...messages, { role: 'assistant', text, calls } as const, ...results] };
}

const withThoughts = ({ messages }: ChatRequest): number =>
  messages.filter((message) => message.reasoning_content !== undefined).length;

/** What servers say that want a turn's reasoning back. */
const demands = {
  openai: 'Missing `reasoning_content` field in the assistant message at message index 2',
  anthropic: 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
};

describe.each(protocols)('%s reasoning of a turn with calls', (protocol) => {
  const opened = speaking(protocol);
  const demand: Reply = { status: 400, error: demands[protocol] };

  it('0029 is left out of the history, with no harm', async () => {
    const { model, server } = await opened([thoughtful, { text: 'Done.' }]);
    const first = await stepped(model, hello.messages);
    expect(await stepped(model, first.messages)).toMatchObject({ text: 'Done.', end: { reason: 'stop' } });
    expect(JSON.stringify(server.bodies[1])).not.toMatch(/Look first|sig-1/u);
  });

  it('0029 goes along, signed, once the server asks for it, and nobody is bothered', async () => {
    const { model, server, waits } = await opened((request, index) => {
      if (index === 0) return thoughtful;
      const calls = request.messages.filter((message) => message.tool_calls !== undefined).length;
      if (withThoughts(request) < calls) return demand;
      return index === 2
        ? { ...thoughtful, calls: [{ name: 'read', id: 'c3', input: {} }] }
        : { text: 'Done.' };
    });
    const first = await stepped(model, hello.messages);
    const second = await stepped(model, first.messages);
    const third = await stepped(model, second.messages);
    expect(third).toMatchObject({ text: 'Done.', end: { reason: 'stop' } });
    expect({ requests: server.requests.length, waits }).toEqual({ requests: 4, waits: [] });
    expect(JSON.stringify(server.bodies[3]).match(/sig-1/gu)).toHaveLength(2);
  });

  it('is asked for in vain only once, and the words of the server are shown', async () => {
    const { model, server } = await opened((_, index) => (index === 0 ? thoughtful : demand));
    const first = await stepped(model, hello.messages);
    const { end } = await stepped(model, first.messages);
    expect(end?.fault?.code).toBe('MODEL_FAILED');
    expect(end?.fault?.message).toContain(demands[protocol].slice(0, 30));
    expect(server.requests).toHaveLength(3);
  });

  it('is not sent again where there is none', async () => {
    const { model, server } = await opened(() => demand);
    expect((await stepped(model, hello.messages)).end?.fault?.code).toBe('MODEL_FAILED');
    expect(server.requests).toHaveLength(1);
  });
});
