import { describe, expect, it, onTestFinished } from 'vitest';
import type { Protocol } from '../../../adapters/llm/choice.ts';
import { startModelServer } from '../../support/model-server.ts';
import type { Reply } from '../../support/model-server/reply.ts';
import { asked, key, protocols, speaking, told } from './asking.ts';

const callWithoutName =
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}}]}\n\n' +
  'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n';

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm-1', content: [] };
const start = `data: ${JSON.stringify({ type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } })}\n\n`;

/** What only one of the two says. */
const own: Record<Protocol, [string, Reply, string][]> = {
  openai: [
    [
      '403 model_not_found',
      { status: 403, error: { message: 'No access', code: 'model_not_found' } },
      'MODEL_UNKNOWN',
    ],
    [
      '400 context_length_exceeded',
      { status: 400, error: { message: 'Too much', code: 'context_length_exceeded' } },
      'MODEL_CONTEXT',
    ],
    ['overflow in a stream', { error: { message: 'x', code: 'context_length_exceeded' } }, 'MODEL_CONTEXT'],
    ['a call without a name', { body: callWithoutName }, 'MODEL_STREAM'],
  ],
  anthropic: [
    ['404 not_found_error', { status: 404, error: 'model: m-1' }, 'MODEL_UNKNOWN'],
    ['413 request_too_large', { status: 413, error: 'Request exceeds the maximum size' }, 'MODEL_CONTEXT'],
    [
      '400 context limit',
      { status: 400, error: 'input length and `max_tokens` exceed context limit: 9 + 8 > 10' },
      'MODEL_CONTEXT',
    ],
    ['a spent balance', { status: 400, error: 'Your credit balance is too low' }, 'MODEL_FAILED'],
    ['an event of no known type', { body: 'event: x\ndata: {"type":"x"}\n\n' }, 'MODEL_STREAM'],
    ['a chunk that is not JSON after the start', { body: `${start}data: {oops\n\n` }, 'MODEL_STREAM'],
    ['an end without a stop', { body: start }, 'MODEL_STREAM'],
  ],
};

describe.each(protocols)('%s', (protocol) => {
  const opened = speaking(protocol);

  async function faultFor(reply: Reply) {
    const { model, server } = await opened(() => reply);
    const shown = told(await asked(model));
    const host = new URL(server.baseUrl).host;
    return { ...shown, fault: shown.end?.fault, host, requests: server.requests.length };
  }

  describe('D54 faults by the answer of the provider', () => {
    it.each<[string, Reply, string]>([
      ['401', { status: 401, error: 'Incorrect API key provided' }, 'MODEL_KEY'],
      ['403', { status: 403, error: 'Forbidden' }, 'MODEL_KEY'],
      [
        '400 about the key',
        { status: 400, error: 'API key not valid. Please pass a valid one.' },
        'MODEL_KEY',
      ],
      ['404', { status: 404, error: 'model "m-1" not found, try pulling it first' }, 'MODEL_UNKNOWN'],
      ['404 in plain text', { status: 404, body: '404 page not found' }, 'MODEL_UNKNOWN'],
      ['400 invalid model', { status: 400, error: 'm-1 is not a valid model ID' }, 'MODEL_UNKNOWN'],
      ['413', { status: 413, body: '' }, 'MODEL_CONTEXT'],
      [
        '400 maximum context length',
        { status: 400, error: "This model's maximum context length is 4096 tokens. You requested 5000." },
        'MODEL_CONTEXT',
      ],
      [
        '400 context size',
        { status: 400, error: 'the request exceeds the available context size, try increasing it' },
        'MODEL_CONTEXT',
      ],
      [
        '400 prompt is too long',
        { status: 400, error: 'prompt is too long: 9 tokens > 8 maximum' },
        'MODEL_CONTEXT',
      ],
      [
        '400',
        { status: 400, error: "Unsupported value: 'n' is not supported with this model" },
        'MODEL_FAILED',
      ],
      ['402', { status: 402, error: 'Insufficient credits' }, 'MODEL_FAILED'],
      ['an error in a stream', { error: 'Something else' }, 'MODEL_FAILED'],
      ['a content filter', { text: 'So', finish: 'content_filter' }, 'MODEL_FAILED'],
      ['a chunk that is not JSON', { body: 'data: {oops\n\n' }, 'MODEL_STREAM'],
      ['a chunk of another shape', { body: 'data: {"choices": 7}\n\n' }, 'MODEL_STREAM'],
      ['a web page', { body: '<html>Welcome</html>' }, 'MODEL_STREAM'],
      ['no finish reason', { text: 'So', finish: null }, 'MODEL_STREAM'],
      ['an error after text', { text: 'So', error: 'Something else' }, 'MODEL_STREAM'],
      ['an answer without an end', { text: 'x'.repeat(4_100_000), chunk: 50_000 }, 'MODEL_FAILED'],
      ...own[protocol],
    ])('%s is asked once, in one line with model and host', async (_, reply, code) => {
      const { fault, host, requests, end, retries } = await faultFor(reply);
      expect(end?.reason).toBe('failed');
      expect(fault?.code).toBe(code);
      expect(fault?.message).toContain(host);
      expect(fault?.message).toContain('"m-1"');
      expect(fault?.message).toMatch(/^[^\n\r]+\.$/);
      expect(retries).toEqual([]);
      expect(requests).toBe(1);
    });

    it.each<[string, Reply, string]>([
      ['{error: "…"}', { status: 400, body: '{"error":"out of memory"}' }, '(out of memory)'],
      ['{message}', { status: 400, body: '{"message":"out of memory"}' }, '(out of memory)'],
      ['{detail}', { status: 422, body: '{"detail":"out of memory"}' }, '(out of memory)'],
      ['[{error}]', { status: 400, body: '[{"error":{"message":"out of memory"}}]' }, '(out of memory)'],
      ['plain text', { status: 400, body: 'out of memory' }, '(out of memory)'],
      ['a web page', { status: 400, body: '<html>\n<b>no</b></html>' }, '(Bad Request)'],
    ])('quotes the words of the provider from %s', async (_, reply, words) => {
      expect((await faultFor(reply)).fault?.message).toContain(`for model "m-1" ${words}. Send again`);
    });

    it('removes control characters and cuts at 300', async () => {
      const error = `\u001b[2J\u202eone\u0000\r\ntwo\u2028three ${'é'.repeat(400)}`;
      const message = (await faultFor({ status: 400, error })).fault?.message ?? '';
      const words = /\((.*)\)/u.exec(message)?.[1] ?? '';
      expect(words).toMatch(/^\[2Jone two three é+…$/u);
      expect(words).toHaveLength(300);
    });

    it('says that a key is missing where none is set', async () => {
      const { model } = await opened([{ status: 401, error: 'Unauthorized' }], { apiKey: null });
      expect(told(await asked(model)).end?.fault?.message).toContain('none is set');
    });

    it('keeps the text of a broken answer but none of its calls', async () => {
      const calls = [{ name: 'read', input: {} }];
      const { text, calls: given, fault } = await faultFor({ text: 'So far', calls, finish: null });
      expect({ text, given, code: fault?.code }).toEqual({ text: 'So far', given: [], code: 'MODEL_STREAM' });
    });
  });

  describe('D54 faults without an answer', () => {
    it('names the host when nothing listens there', async () => {
      const server = await startModelServer([]);
      await server.close();
      const { model } = await opened([], { baseUrl: server.baseUrl });
      const { host } = new URL(server.baseUrl);
      expect(await asked(model)).toEqual([
        {
          type: 'end',
          reason: 'failed',
          fault: {
            code: 'MODEL_UNREACHABLE',
            message:
              `${host} can't be reached for model "m-1": it refused the connection (ECONNREFUSED). ` +
              'Check the base URL and that the server runs, then send again.',
          },
        },
      ]);
    });

    it.each([
      ['a host that does not exist', 'http://nowhere.invalid/v1', 'nowhere.invalid'],
      ['a port that is never used', 'http://127.0.0.1:9/v1', '127.0.0.1:9'],
      ['TLS to a plain server', 'tls', '127.0.0.1:'],
      ['no URL', 'localhost/v1', 'is not an http address'],
      ['a file URL', 'file:///tmp/v1', 'is not an http address'],
      ['a query in the URL', 'http://127.0.0.1/v1?x=hunter22', 'holds a query'],
      ['credentials in the URL', 'http://me:hunter22@127.0.0.1/v1', 'holds a user name or password'],
    ])('says that %s is unreachable', async (_, baseUrl, words) => {
      const { server } = await opened([]);
      const url = baseUrl === 'tls' ? server.baseUrl.replace('http:', 'https:') : baseUrl;
      const { model } = await opened([], { baseUrl: url });
      const { end } = told(await asked(model));
      expect(end?.fault?.code).toBe('MODEL_UNREACHABLE');
      expect(end?.fault?.message).toContain(words);
      expect(end?.fault?.message).not.toContain('hunter22');
    });

    it.each([301, 302, 307, 308])(
      'follows no %i: neither key nor conversation go elsewhere',
      async (status) => {
        const other = await startModelServer(() => ({ text: 'From elsewhere' }));
        onTestFinished(() => other.close());
        const path = protocol === 'openai' ? '/chat/completions' : '/messages';
        const location = `${other.baseUrl}${path}?key=1`;
        const { model, server } = await opened(() => ({ status, headers: { location }, body: '' }));
        const { end, text } = told(await asked(model));
        expect({ text, requests: server.requests.length, code: end?.fault?.code }).toEqual({
          text: '',
          requests: 1,
          code: 'MODEL_UNREACHABLE',
        });
        expect(end?.fault?.message).toContain(
          `it redirects to ${other.baseUrl}${path}, where nothing is sent.`,
        );
        expect(other.requests).toEqual([]);
      },
    );

    it('fails, and does not throw, on a conversation that the SDK refuses', async () => {
      const { model, server } = await opened([]);
      const { end } = told(await asked(model, { system: '', messages: [], tools: [] }));
      expect(end?.fault?.code).toBe('MODEL_FAILED');
      expect(server.requests).toEqual([]);
    });
  });

  describe('D54 secrets', () => {
    const bot = '123456:AAF-bot-token';
    const echoes: [string, Reply][] = [
      ['plain', { status: 400, error: `Wrong key ${key}, ${bot}` }],
      ['encoded', { status: 400, error: `GET /?key=${encodeURIComponent(key)}` }],
      [
        'with a control byte inside',
        { status: 400, error: `Wrong key ${key.slice(0, 6)}\u0000${key.slice(6)}` },
      ],
      ['where the words are cut', { status: 400, error: `${'x'.repeat(290)} ${key}` }],
      ['in a refusal', { status: 401, error: `Incorrect API key: ${key}` }],
      ['in a retry', { status: 429, error: `Key ${key} is over its limit` }],
      ['in a stream', { text: 'So', error: { message: `Key ${key}`, code: key } }],
      ['as plain text', { status: 500, body: `Bearer ${key}` }],
    ];
    it.each(echoes)('never shows a key that comes back %s', async (_, reply) => {
      const { model, server } = await opened(() => reply, { secrets: [bot] });
      const said = JSON.stringify(await asked(model));
      expect(server.headers[0]?.[protocol === 'openai' ? 'authorization' : 'x-api-key']).toContain(key);
      for (const part of [key, key.slice(0, 9), encodeURIComponent(key), bot])
        expect(said).not.toContain(part);
    });

    it('refuses a key that cannot be sent without quoting it', async () => {
      const { model, server } = await opened([], { apiKey: 'sk-two\nlines' });
      const { end } = told(await asked(model));
      expect(end?.fault?.code).toBe('MODEL_KEY');
      expect(end?.fault?.message).not.toMatch(/sk-two|lines/);
      expect(server.requests).toEqual([]);
    });
  });
});
