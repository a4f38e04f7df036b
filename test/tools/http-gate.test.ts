import { describe, expect, it } from 'vitest';
import type { Published } from '../../adapters/ports.ts';
import { type Harness, openHarness, policies } from '../support/harness.ts';
import { call, inOrder, reply, says } from '../support/harness-script.ts';
import { site } from './site.ts';

type Result = Extract<Published, { type: 'tool.ended' }>;
const texts = (h: Harness): string[] =>
  h.published.filter((told): told is Result => told.type === 'tool.ended').map(({ text }) => text);
const titles = (h: Harness) => h.prompts.map((prompt) => (prompt.kind === 'approval' ? prompt.title : ''));

describe('D21 http_request in a session', () => {
  it('before init a read asks once for its host, and a mutator is refused unasked', async () => {
    const one = await site((_asked, response) => void response.end('one'));
    const two = await site((_asked, response) => void response.end('two'));
    const get = (url: string) => call('http_request', { url });
    const h = await openHarness({
      script: inOrder(() => [
        reply(get(`${one.origin}/a`), get(`${one.origin}/b`), get(two.origin)),
        reply(call('http_request', { url: one.origin, method: 'POST', body: 'x' })),
        reply(call('http_request', { url: 5 })),
        says('I see.'),
      ]),
      policy: policies.session,
    });
    await h.turn(() => h.chat('make a plan'));
    expect(titles(h)).toEqual([`GET ${one.origin}/a`, `GET ${two.origin}/`]);
    expect(texts(h).slice(0, 3)).toEqual([
      expect.stringMatching(/\n\none$/),
      expect.stringMatching(/\n\none$/),
      expect.stringMatching(/\n\ntwo$/),
    ]);
    // A request that can't be read could have been a GET, so it is told what is wrong with it.
    expect(texts(h).slice(3)).toEqual([
      expect.stringMatching(/^GATE_CLOSED: /),
      expect.stringMatching(/^http_request was not run, its arguments do not fit:\n- url: /),
    ]);
    expect(one.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('while the project is open a mutator asks, whatever was said about reading', async () => {
    const { origin, seen } = await site((_asked, response) => void response.end('done'));
    const post = call('http_request', { url: origin, method: 'POST', body: 'x' });
    const h = await openHarness({
      script: inOrder(() => [reply(call('http_request', { url: origin }), post, post), says('Done.')]),
      policy: policies.session,
    });
    await h.turn(() => h.chat('send it'));
    expect(titles(h)).toEqual([`GET ${origin}/`, `POST ${origin}/`]);
    expect(seen.map(({ method, body }) => method + body)).toEqual(['GET', 'POSTx', 'POSTx']);
  });
});
