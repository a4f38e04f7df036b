import { describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../support/model-server/reply.ts';
import { asked, hello, protocols, speaking, told } from './asking.ts';

describe.each(protocols)('%s', (protocol) => {
  const opened = speaking(protocol);

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
      expect(shown.end).toMatchObject({ type: 'end', reason: 'calls' });
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
      expect(told(await asked(model, { ...hello, messages })).calls.map(({ id }) => id)).toEqual([
        'call_1_2',
      ]);
    });

    it('waits for the first byte as long as it takes', async () => {
      const gate = Promise.withResolvers<Reply>();
      const { model, server } = await opened(() => gate.promise);
      const seen: string[] = [];
      const asking = asked(model).then((parts) => seen.push(...parts.map(({ type }) => type)));
      await vi.waitFor(() => expect(server.requests).toHaveLength(1));
      expect(seen).toEqual([]);
      gate.resolve({ text: 'late' });
      await asking;
      expect(seen).toEqual(['text', 'end']);
    });

    it('takes a large answer whole, and in one event', async () => {
      const text = 'é'.repeat(1_000_000);
      const input = { path: 'p'.repeat(1_000_000) };
      const { model } = await opened([{ text, calls: [{ name: 'read', input }], chunk: 2_000_000 }]);
      const shown = told(await asked(model));
      expect([shown.text === text, shown.calls[0]?.input, shown.end?.reason]).toEqual([true, input, 'calls']);
    });

    it.each([
      ['nothing at all', {}, 'stop'],
      ['a finish word of its own', { text: 'a', finish: 'eos' }, 'stop'],
      ['stop beside a call', { calls: [{ name: 'read', input: {} }], finish: 'stop' }, 'calls'],
      ['a text cut by length', { text: 'a', finish: 'length' }, 'length'],
      ['a call cut by length', { calls: [{ name: 'read', raw: '{"pa' }], finish: 'length' }, 'length'],
    ] as const)('with %s ends as it should', async (_, reply, reason) => {
      const { model } = await opened([reply]);
      expect(told(await asked(model)).end).toMatchObject({ type: 'end', reason });
    });

    it('D39 leaves the terminal alone: neither the SDK nor a failure prints anything', async () => {
      const printed = [
        vi.spyOn(console, 'error'),
        vi.spyOn(console, 'warn'),
        vi.spyOn(process, 'emitWarning'),
      ];
      const { model } = await opened([{ status: 400, error: 'no' }, { body: 'data: {x\n\n' }]);
      await asked(model);
      await asked(model);
      expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
      expect(globalThis.AI_SDK_LOG_WARNINGS).toBe(false);
    });
  });
});
