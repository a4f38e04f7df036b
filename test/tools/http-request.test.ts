import { describe, expect, it } from 'vitest';
import { createHttp } from '../../adapters/workspace/http.ts';
import { gateTable } from '../../machines/index.ts';
import { site } from './site.ts';
import { toolNamed, world } from './world.ts';

const tool = toolNamed('http_request');

describe('http_request', () => {
  it('reads a text with what matters of its headers', async () => {
    const { origin, seen } = await site((_asked, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.setHeader('set-cookie', 'a=b');
      response.setHeader('x-other', 'c');
      response.end('Grüße\n');
    });
    const { call } = world();
    expect(
      await call('http_request', { url: `${origin}/a?b=c#d`, headers: { Accept: 'text/plain' } }),
    ).toEqual({
      text: `HTTP 200 from ${origin}/a?b=c\ncontent-type: text/plain; charset=utf-8\n\nGrüße\n`,
    });
    await call('http_request', { url: origin });
    expect(seen.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/a?b=c'],
      ['GET', '/'],
    ]);
    expect(seen[0]?.headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'planchart' });
    expect(seen[1]?.headers).not.toHaveProperty('cookie');
  });

  it('sends a body, and says that a failure failed', async () => {
    const { origin, seen } = await site(({ body }, response) => {
      response
        .writeHead(422, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ got: body }));
    });
    const asked = {
      url: origin,
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    };
    expect(await world().call('http_request', asked)).toEqual({
      text: `HTTP 422 from ${origin}/\ncontent-type: application/problem+json\n\n{"got":"{\\"a\\":1}"}`,
      failed: true,
    });
    expect(seen).toMatchObject([{ method: 'POST', body: '{"a":1}' }]);
  });

  it('HEAD has no text, and what is not text is left out', async () => {
    const { origin } = await site(({ url }, response) => {
      response.setHeader(
        'content-type',
        url === '/image' ? 'image/png' : url === '/octets' ? 'application/octet-stream' : 'text/html',
      );
      response.end(Buffer.from([1, 0, 2]));
    });
    const text = async (input: object) =>
      (await world().call('http_request', { url: origin, ...input })).text;
    expect(await text({ method: 'HEAD' })).toBe(`HTTP 200 from ${origin}/\ncontent-type: text/html`);
    for (const path of ['/image', '/octets', '/']) {
      expect(await text({ url: origin + path })).toMatch(/\n\n\[The answer is not text and is left out\.\]$/);
    }
  });

  it('cuts a long answer and does not wait for the rest', async () => {
    const { origin } = await site((_asked, response) => {
      response.write('x'.repeat(2000));
    });
    const { call } = world({}, { http: createHttp({ limitBytes: 1000 }) });
    const { text } = await call('http_request', { url: origin });
    expect(text).toBe(
      `HTTP 200 from ${origin}/\n\n${'x'.repeat(1000)}\n[The answer was longer; the rest is left out.]`,
    );
  });

  it('follows a redirect on the same host, and only reports any other', async () => {
    const other = await site((_asked, response) => void response.end('other'));
    const { origin, seen } = await site(({ url }, response) => {
      const to = { '/near': '/there', '/loop': '/loop', '/far': `${other.origin}/x` }[url];
      if (to === undefined) response.end('there');
      else response.writeHead(302, { location: to }).end();
    });
    const text = async (input: Record<string, unknown>) => (await world().call('http_request', input)).text;
    expect(await text({ url: `${origin}/near` })).toBe(`HTTP 200 from ${origin}/there\n\nthere`);
    expect(await text({ url: `${origin}/far` })).toBe(
      `HTTP 302 from ${origin}/far\nlocation: ${other.origin}/x\nIt leads to ${other.origin}/x. ` +
        'That is another host and was not followed; make a request of its own if it is needed.',
    );
    expect(await text({ url: `${origin}/near`, method: 'POST' })).toContain(
      `It leads to ${origin}/there. It was not followed; make a request of its own if it is needed.`,
    );
    expect(other.seen).toEqual([]);
    const before = seen.length;
    expect(await text({ url: `${origin}/loop` })).toContain('HTTP 302');
    expect(seen.length - before).toBe(6);
  });

  it('says why there is no answer, and whether something may have happened', async () => {
    const silent = await site(() => undefined);
    const cut = await site((_asked, response) => void response.destroy());
    const { call } = world({}, { http: createHttp({ timeoutMs: 200 }) });
    const text = async (input: object) => (await call('http_request', { ...input })).text;
    expect(await text({ url: silent.origin })).toBe(
      `No answer from ${silent.host}: nothing complete within 0.2 s.`,
    );
    expect(await text({ url: silent.origin, method: 'DELETE' })).toMatch(
      /The request may have been carried out\.$/,
    );
    expect(await text({ url: cut.origin, method: 'DELETE' })).toMatch(
      /The request may have been carried out\.$/,
    );
    expect(await text({ url: 'http://127.0.0.1:1/', method: 'POST' })).toMatch(
      /^No answer from 127\.0\.0\.1:1: .*\.$/,
    );
    expect(await text({ url: 'http://nowhere.invalid/', method: 'POST' })).toMatch(
      /^No answer from nowhere\.invalid: nowhere\.invalid: .*\((ENOTFOUND|EAI_AGAIN)\)\.$/,
    );
  });

  it('ends with the turn', async () => {
    const turn = new AbortController();
    const { origin } = await site(() => turn.abort());
    expect(await world({}, { signal: turn.signal }).call('http_request', { url: origin })).toEqual({
      text: `No answer from ${new URL(origin).host}: the turn was cancelled.`,
      failed: true,
    });
  });

  it.each([
    [{ url: 'file:///etc/passwd' }, 'is no http or https address'],
    [{ url: 'example.com' }, 'is no http or https address'],
    [{ url: 'http://me:hidden@127.0.0.1/' }, 'use an Authorization header'],
    [{ headers: { Cookie: 'hidden' } }, "the header Cookie can't be set"],
    [{ headers: { 'Proxy-Authorization': 'hidden' } }, "can't be set"],
    [{ headers: { 'a b': 'hidden' } }, '"a b" is no header name'],
    [{ headers: { a: 'hidden\r\nb: c' } }, "holds characters that can't be sent"],
    [{ body: 'x' }, 'GET has no body'],
    [{ method: 'HEAD', body: 'x' }, 'HEAD has no body'],
    [{ method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) }, 'longer than 1 MiB'],
  ])('sends nothing: %j', async (input, reason) => {
    const { origin, seen } = await site((_asked, response) => void response.end());
    const { call, preview } = world();
    const asked = { url: origin, ...input };
    const result = await call('http_request', asked);
    expect(result).toEqual({ text: expect.stringContaining(reason) as string, failed: true });
    expect(result.text).toMatch(/^Nothing was sent: /);
    expect((await preview('http_request', asked)).body).toContain(reason);
    expect(result.text).not.toContain('hidden');
    expect(seen).toEqual([]);
  });
});

describe('D21 who is asked about a request', () => {
  it.each([
    ['GET', 'read'],
    ['HEAD', 'read'],
    [undefined, 'read'],
    ['POST', 'networkWrite'],
    ['PUT', 'networkWrite'],
    ['PATCH', 'networkWrite'],
    ['DELETE', 'networkWrite'],
    ['OPTIONS', 'networkWrite'],
  ] as const)('%s is %s, and always asked about', (method, kind) => {
    const input = { url: 'http://h.test/', method };
    expect([tool.classOf?.(input), tool.asks(input)]).toEqual([kind, true]);
    expect(gateTable[kind].preInit).toBe(kind === 'read' ? 'allow' : 'deny');
  });

  it('a Yes for the session covers one host, and reading is not writing', () => {
    const key = (url: string, method?: string) => tool.key?.({ url, method });
    expect(key('https://h.test/a?b')).toBe(key('https://h.test/c', 'HEAD'));
    const others = ['http://h.test/', 'https://h.test:8443/', 'https://x.h.test/'].map((url) => key(url));
    others.push(key('https://h.test/', 'POST'), key('https://h.test/', 'DELETE'));
    expect(new Set([key('https://h.test/'), ...others]).size).toBe(6);
    expect(key('https://h.test@evil.test/')).toBe(key('https://evil.test/'));
  });

  it('the person sees everything but keys; a log sees no query', async () => {
    const input = {
      url: 'https://me:hidden@h.test/a?key=hidden#x',
      method: 'POST',
      headers: { Authorization: 'Bearer hidden', 'X-Api-Key': 'hidden', Accept: 'text/html' },
      body: 'the body',
    };
    expect(tool.summary(input)).toBe('POST https://h.test/a?…');
    const { title, body } = await world().preview('http_request', { ...input, url: 'https://h.test/a?b=c' });
    expect(title).toBe('POST https://h.test/a?b=c');
    expect(body).toBe(
      'Authorization: (hidden, 13 characters)\nX-Api-Key: (hidden, 6 characters)\nAccept: text/html\n\nthe body',
    );
  });
});
