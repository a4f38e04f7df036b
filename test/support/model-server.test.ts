import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startModelServer } from './model-server.ts';
import type { Script } from './model-server.ts';

async function started(script: Script) {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const post = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [], stream: true }),
      ...(signal === undefined ? {} : { signal }),
    });
  return { server, post };
}

describe('the model server', () => {
  it('speaks the protocol', async () => {
    const { post, server } = await started((_, index) => ({ text: `answer ${index}`, chunk: 100 }));
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'm' };
    const answer = { ...chunk, choices: [{ index: 0, delta: { content: 'answer 0' }, finish_reason: null }] };
    const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const events = [JSON.stringify(answer), JSON.stringify(end), '[DONE]'].map((data) => `data: ${data}\n\n`);
    expect(await (await post()).text()).toBe(events.join(''));
    expect(server.requests).toEqual([{ model: 'm', messages: [], stream: true }]);
  });

  it('says at once that a script is used up, throws, or was asked for another path', async () => {
    const { post, server } = await started([]);
    const used = await post();
    expect([used.status, await used.text()]).toEqual([
      400,
      expect.stringContaining('no reply for request 1'),
    ]);
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(404);
    const broken = await started(() => {
      throw new Error('oops');
    });
    const failed = await broken.post();
    expect([failed.status, await failed.text()]).toEqual([400, expect.stringContaining('oops')]);
  });

  it('counts a client that leaves, but not its own cuts', async () => {
    const { post, server } = await started([
      { cutAfter: 0 },
      { text: 'x', cutAfter: 1 },
      { text: 'x', hang: 1 },
    ]);
    await expect(post()).rejects.toThrow('fetch failed');
    await expect(post().then((response) => response.text())).rejects.toThrow('terminated');
    expect(server.abandoned).toBe(0);
    const leave = new AbortController();
    await post(leave.signal);
    leave.abort();
    await vi.waitFor(() => expect(server.abandoned).toBe(1));
  });

  it('closes in the middle of an answer', async () => {
    const { post, server } = await started([{ text: 'x', delayMs: 60_000 }, { hang: true }]);
    const slow = post().then((response) => response.text());
    const silent = post();
    const ended = Promise.allSettled([slow, silent]);
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    await server.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // The ends of the responses are told a turn after the server's own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.abandoned).toBe(0);
  });

  it('leaves no timer behind: a process that closed it in the middle of a pause ends', async () => {
    const script = `
      import { startModelServer } from './test/support/model-server.ts';
      const server = await startModelServer([{ text: 'x', delayMs: 600_000 }]);
      const response = await fetch(server.baseUrl + '/chat/completions', { method: 'POST', body: '{}' });
      const ended = response.text().catch(() => console.log('ended'));
      await server.close();
      await ended;`;
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 15_000 });
    expect(stdout).toBe('ended\n');
  });
});
