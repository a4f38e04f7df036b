import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Desk, openDesk, resultIn } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const ask = (content: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${desk.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }),
    ...(signal === undefined ? {} : { signal }),
  });

it('holds a request until it is answered', async () => {
  const response = ask('hello');
  const request = await desk.asked();
  expect(request.messages[0]?.content).toBe('hello');
  expect(resultIn(request)).toBeNull();
  expect(desk.open).toBe(true);
  desk.answer({ text: 'Hi.', calls: [{ name: 'ls', args: { path: '.' } }] });
  const text = await (await response).text();
  expect(text).toContain('"Hi."');
  expect(text).toContain('"name":"ls"');
  expect(() => desk.answer({ text: 'again' })).toThrow(/nobody waits/u);
});

it('tells several sessions apart, and fails a request without a second try', async () => {
  const [one, two] = [ask('one'), ask('two')];
  const second = await desk.held(({ messages }) => messages[0]?.content === 'two');
  const first = await desk.held();
  first.answer({ error: 'No more.' });
  second.answer({ text: 'Two.' });
  expect((await one).status).toBe(400);
  expect(await (await two).text()).toContain('Two.');
});

it('takes a request off the desk that the program has left', async () => {
  const stop = new AbortController();
  const left = ask('left', stop.signal).catch(() => 'aborted');
  const held = await desk.held();
  stop.abort();
  expect(await left).toBe('aborted');
  await expect.poll(() => held.open).toBe(false);
  expect(desk.open).toBe(false);
  await expect(desk.asked(() => true, 50)).rejects.toThrow(/not asked within 50 ms/u);
});
