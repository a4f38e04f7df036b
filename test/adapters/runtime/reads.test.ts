import type { ServerResponse } from 'node:http';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codes, results } from '../../cases/support.ts';
import { type Harness, openHarness, policies, type Policy, until } from '../../support/harness.ts';
import { call, inOrder, reply, says } from '../../support/harness-script.ts';
import { site } from '../../tools/site.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' };
const read = (path: string) => call('read_file', { path });
const get = (url: string) => call('http_request', { url });

async function opened(replies: (h: Harness) => ReturnType<Parameters<typeof inOrder>[0]>, policy?: Policy) {
  const h: Harness = await openHarness({
    files,
    script: inOrder(() => replies(h)),
    ...(policy === undefined ? {} : { policy }),
  });
  return h;
}

/** Starts and ends of tools and prompts, as surfaces saw them. */
const seen = (h: Harness): string[] =>
  h.published.flatMap((told) => {
    if (told.type === 'tool.started') return [`start ${told.summary}`];
    if (told.type === 'tool.ended') return [`end ${told.text.split('\n', 1)[0]}`];
    return told.type === 'prompt.opened' ? ['prompt'] : [];
  });

describe('neighbouring reads of one response', () => {
  it('run side by side, and their results come back in order', async () => {
    const held: ServerResponse[] = [];
    const { origin, seen: asked } = await site(({ url }, response) => {
      if (url === '/first') return void response.end('first');
      held.push(response);
      // None of the three is answered before the last one was asked for; then the last is the first.
      if (held.length === 3) for (const one of held.toReversed()) one.end(`answer ${held.indexOf(one)}`);
    });
    const h = await opened(
      () => [
        reply(get(`${origin}/first`)),
        reply(get(`${origin}/0`), get(`${origin}/1`), get(`${origin}/2`)),
        says('Done.'),
      ],
      policies.session,
    );
    await h.turn(() => h.chat('look'));
    expect(asked.map(({ url }) => url).toSorted()).toEqual(['/0', '/1', '/2', '/first']);
    expect(h.prompts).toHaveLength(1);
    const bodies = results(h)
      .slice(1)
      .map(({ text }) => /answer \d/u.exec(text)?.[0]);
    expect(bodies).toHaveLength(3);
    expect(
      results(h)
        .slice(1)
        .map(({ call: id }) => id),
    ).toEqual(h.published.flatMap((told) => (told.type === 'tool.started' ? [told.call] : [])).slice(1));
  });

  it('one that asks ends the group: a single prompt, in its place, and the rest after it', async () => {
    const h = await opened((at) => [
      reply(
        read('a.txt'),
        read(join(at.home, 'planchart/sessions')),
        read('b.txt'),
        read('../outside.txt'),
        read('c.txt'),
        read('nothing.txt'),
      ),
      says('Done.'),
    ]);
    writeFileSync(join(dirname(h.project), 'outside.txt'), 'out\n');
    await h.turn(() => h.chat('look'));
    expect(seen(h)).toEqual([
      'start a.txt',
      'start b.txt',
      'end 1\tone',
      expect.stringMatching(/^end GATE_CLOSED: /),
      'end 1\ttwo',
      'prompt',
      'start ../outside.txt',
      'end 1\tout',
      'start c.txt',
      'start nothing.txt',
      'end 1\tthree',
      expect.stringMatching(/^end Could not read /),
    ]);
  });

  it('what stands between them is waited for: each group sees what was done before it', async () => {
    const write = (content: string) => call('write_file', { path: 'a.txt', content });
    const h = await opened(() => [
      reply(read('a.txt'), read('b.txt'), write('new\n'), read('a.txt'), read('b.txt'), write('last\n')),
      says('Done.'),
    ]);
    await h.turn(() => h.chat('work'));
    expect(
      results(h).map(({ name, text }) => `${name} ${text.split('\n', 1)[0]?.split('\t')[1] ?? ''}`),
    ).toEqual([
      'read_file one',
      'read_file two',
      'write_file ',
      'read_file new',
      'read_file two',
      'write_file ',
    ]);
  });

  it('D16 a cancel ends those that run, and what comes after them is not run', async () => {
    const { origin, seen: asked } = await site(({ url }, response) => {
      if (url === '/first') response.end('first');
    });
    const h = await opened(
      () => [
        reply(get(`${origin}/first`)),
        reply(get(`${origin}/0`), get(`${origin}/1`), call('bash', { command: 'touch late' })),
      ],
      policies.session,
    );
    await h.chat('look');
    await until('both are asked for', () => asked.length === 3);
    await h.stop();
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled' });
    expect(
      results(h)
        .slice(1)
        .map(({ failed, text }) => [failed, text.split(':', 1)[0]]),
    ).toEqual([
      [true, expect.stringContaining('No answer from')],
      [true, expect.stringContaining('No answer from')],
      [true, 'Not run'],
    ]);
    expect(h.prompts).toHaveLength(1);
  });

  it('malformed and unknown calls are no neighbours, and stop none', async () => {
    const h = await opened(() => [
      reply(
        read('a.txt'),
        call('read_file', {}),
        read('b.txt'),
        call('readfile', { path: 'a.txt' }),
        read('c.txt'),
      ),
      says('Done.'),
    ]);
    await h.turn(() => h.chat('look'));
    expect(codes(h)).toEqual([
      'ok',
      expect.stringContaining('arguments do not fit'),
      'ok',
      expect.stringContaining('There is no tool readfile'),
      'ok',
    ]);
  });
});

it('a person finds files of the whole tree, but none that is ignored or of the home', async () => {
  const tree = { '.gitignore': 'dist/\n', 'dist/out.js': '', 'src/deep/app.ts': '', 'node_modules/x.js': '' };
  const h = await openHarness({ files: tree, script: inOrder(() => []) });
  mkdirSync(join(h.project, '.git'));
  expect(await h.session.files()).toEqual(['.gitignore', 'src/deep/app.ts']);
  rmSync(h.project, { recursive: true });
  expect(await h.session.files()).toEqual([]);
});
