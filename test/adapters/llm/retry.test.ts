import { describe, expect, it } from 'vitest';
import { sleep } from '../../../adapters/llm/retry.ts';
import type { Reply } from '../../support/model-server/reply.ts';
import { asked, protocols, speaking, told } from './asking.ts';

const busy: Reply = { status: 429, error: 'slow down' };

describe.each(protocols)('%s', (protocol) => {
  const opened = speaking(protocol);

  describe('D54 retries', () => {
    it('shows each one with its wait and its cause, then goes on', async () => {
      const { model, server } = await opened([busy, { status: 503, error: 'warming up' }, { text: 'Here' }]);
      const { host } = new URL(server.baseUrl);
      expect(await asked(model)).toMatchObject([
        { type: 'retry', attempt: 1, of: 3, waitMs: 1_000, cause: `${host} answered 429 (slow down)` },
        { type: 'retry', attempt: 2, of: 3, waitMs: 2_000, cause: `${host} answered 503 (warming up)` },
        { type: 'text', text: 'Here' },
        { type: 'end', reason: 'stop' },
      ]);
      expect(server.requests[2]).toEqual(server.requests[0]);
    });

    it.each([429, 500, 502, 503, 529])(
      'gives up on %i after three, having waited 1, 2 and 4 s',
      async (status) => {
        const { model, server, waits } = await opened(() => ({ status, error: 'later' }));
        const { end, retries } = told(await asked(model));
        expect(waits).toEqual([1_000, 2_000, 4_000]);
        expect(retries.map((it) => it.waitMs)).toEqual(waits);
        expect(server.requests).toHaveLength(4);
        expect(end?.fault).toEqual({
          code: 'MODEL_BUSY',
          message:
            `${new URL(server.baseUrl).host} answered ${status} for model "m-1" after 3 retries (later). ` +
            'Wait a little and send again, or choose another with --model.',
        });
      },
    );

    it('tries again when the connection drops before the first byte', async () => {
      const { model, waits } = await opened([{ cutAfter: 0 }, { text: 'Here' }]);
      const { text, retries, end } = told(await asked(model));
      expect({ text, waits, reason: end?.reason }).toEqual({ text: 'Here', waits: [1_000], reason: 'stop' });
      expect(retries[0]?.cause).toContain('closed the connection before it answered');
    });

    it('calls a host that keeps dropping the connection unreachable', async () => {
      const { model, server } = await opened(() => ({ cutAfter: 0 }));
      expect(told(await asked(model)).end?.fault?.code).toBe('MODEL_UNREACHABLE');
      expect(server.requests).toHaveLength(4);
    });

    it('tries again on an error that opens the stream', async () => {
      const overloaded = { error: { message: 'Busy', type: 'overloaded_error' } };
      const { model } = await opened([overloaded, { error: { message: 'x', code: 502 } }, { text: 'Here' }]);
      expect(told(await asked(model))).toMatchObject({
        text: 'Here',
        retries: [{ attempt: 1 }, { attempt: 2 }],
      });
    });

    it.each<[string, Reply]>([
      ['text', { text: 'x'.repeat(64), cutAfter: 2 }],
      ['reasoning', { reasoning: 'x'.repeat(64), cutAfter: 2 }],
      ['a call', { calls: [{ name: 'read', input: { path: 'x'.repeat(64) } }], cutAfter: 2 }],
    ])('does not try again once %s has come', async (_, reply) => {
      const { model, server, waits } = await opened([{ ...reply, delayMs: 20 }, { text: 'second' }]);
      const { end, calls } = told(await asked(model));
      expect(end?.fault?.code).toBe('MODEL_STREAM');
      expect(end?.fault?.message).toContain('What is shown is incomplete; send again.');
      expect({ calls, waits, requests: server.requests.length }).toEqual({
        calls: [],
        waits: [],
        requests: 1,
      });
    });

    it.each([
      ['seconds', { 'retry-after': '7' }, 7_000],
      ['a date', { 'retry-after': 'Wed, 01 Jul 2026 10:00:09 GMT' }, 9_000],
      ['a past date', { 'retry-after': 'Wed, 01 Jul 2026 09:00:00 GMT' }, 0],
      ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
      ['nonsense', { 'retry-after': 'soon' }, 1_000],
      ['a negative number', { 'retry-after': '-5' }, 1_000],
    ])('honours Retry-After in %s', async (_, headers, waitMs) => {
      const now = (): number => Date.parse('2026-07-01T10:00:00Z');
      const { model, waits } = await opened([{ ...busy, headers }, { text: 'Here' }], { now });
      const { retries } = told(await asked(model));
      expect({ waits, shown: retries.map((it) => it.waitMs) }).toEqual({ waits: [waitMs], shown: [waitMs] });
    });

    it('leaves a wait of an hour to the person', async () => {
      const { model, server, waits } = await opened([{ ...busy, headers: { 'retry-after': '3600' } }]);
      const { end } = told(await asked(model));
      expect(end?.fault).toEqual({
        code: 'MODEL_BUSY',
        message:
          `${new URL(server.baseUrl).host} asks to wait 60 min for model "m-1" (slow down). ` +
          'Send again then, or choose another with --model.',
      });
      expect(waits).toEqual([]);
    });
  });
});

describe('sleep', () => {
  it('waits, ends early on abort, and not at all when already aborted', async () => {
    const abort = new AbortController();
    const start = performance.now();
    await sleep(30, abort.signal);
    expect(performance.now() - start).toBeGreaterThan(25);
    const long = sleep(60_000, abort.signal);
    abort.abort();
    await long;
    await sleep(60_000, abort.signal);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
