import { describe, expect, it, vi } from 'vitest';
import { sleep } from '../../../adapters/llm/retry.ts';
import type { ModelPart } from '../../../adapters/ports.ts';
import type { Reply } from '../../support/model-server/reply.ts';
import { asked, hello, protocols, speaking } from './asking.ts';

const aborted = { type: 'end', reason: 'aborted' };

describe.each(protocols)('%s', (protocol) => {
  const opened = speaking(protocol);

  describe('abort', () => {
    it.each<[string, Reply, ModelPart['type']]>([
      ['in the middle of a text', { text: 'x'.repeat(4_000), chunk: 1, delayMs: 5 }, 'text'],
      ['while the stream stands still', { text: 'x', hang: 1 }, 'text'],
      ['during the wait before a retry', { status: 429, headers: { 'retry-after': '60' } }, 'retry'],
    ])('%s ends within 200 ms', async (_, reply, cue) => {
      const { model, server } = await opened(() => reply, { sleep });
      const abort = new AbortController();
      const parts: ModelPart[] = [];
      let at = 0;
      for await (const part of model.step(hello, abort.signal)) {
        parts.push(part);
        if (part.type !== cue || at !== 0) continue;
        at = performance.now();
        // Out of turn, so that the abort finds the step waiting.
        setImmediate(() => abort.abort());
      }
      expect(performance.now() - at).toBeLessThan(200);
      expect(parts.at(-1)).toEqual(aborted);
      expect(parts.filter((part) => part.type === 'end')).toHaveLength(1);
      expect(server.requests).toHaveLength(1);
      // A wait between two requests holds no connection.
      const left = cue === 'text' ? 1 : 0;
      await vi.waitFor(() => expect(server.abandoned).toBe(left));
    });

    it('ends a request that is never answered, and the server sees it leave', async () => {
      const { model, server } = await opened([{ hang: true }]);
      const abort = new AbortController();
      const parts = asked(model, hello, abort.signal);
      await vi.waitFor(() => expect(server.requests).toHaveLength(1));
      const at = performance.now();
      abort.abort();
      expect(await parts).toEqual([aborted]);
      expect(performance.now() - at).toBeLessThan(200);
      await vi.waitFor(() => expect(server.abandoned).toBe(1));
    });

    it('asks nothing when it came first', async () => {
      const { model, server } = await opened([{ text: 'x' }]);
      expect(await asked(model, hello, AbortSignal.abort())).toEqual([aborted]);
      expect(server.requests).toEqual([]);
    });

    it('drops the calls of an answer that was not whole', async () => {
      const reply = { text: 'x', calls: [{ name: 'read', input: { path: 'y'.repeat(64) } }], hang: 4 };
      const { model } = await opened([reply]);
      const abort = new AbortController();
      const parts: ModelPart[] = [];
      for await (const part of model.step(hello, abort.signal)) {
        parts.push(part);
        if (part.type === 'text') abort.abort();
      }
      expect(parts).toEqual([{ type: 'text', text: 'x' }, aborted]);
    });
  });

  describe('a step that is left early', () => {
    it('closes its connection', async () => {
      const { model, server } = await opened([{ text: 'x', hang: 1 }]);
      for await (const part of model.step(hello, new AbortController().signal)) {
        if (part.type === 'text') break;
      }
      await vi.waitFor(() => expect(server.abandoned).toBe(1));
    });
  });
});
