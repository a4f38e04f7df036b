import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../machines/index.ts';
import { bundleChild, type ChildProgram, type ChildRun } from '../../support/crash-process.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { inOrder, says } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChild();
});
afterAll(() => program.end());

const chat = { type: 'user.chat', by: person, origin: 'typed' } as const;
const queue = (h: Harness): string[] =>
  h.session.view().queue.map(({ text, owner, state }) => `${text}: ${owner}, ${state}`);
const returned = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'returned' ? [told.text] : []));
const said = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'user' ? [told.text] : []));
const send = (h: Harness, item: string): Promise<Answer> => h.send({ type: 'queue.send', by: person, item });
const firstItem = (h: Harness): string => h.session.view().queue[0]?.id ?? '';

interface Scene {
  h: Harness;
  /** Lets the turn that runs here end. */
  go: () => void;
}

/** A turn runs here, and a process that has died meanwhile left `texts` waiting. */
async function left(...texts: string[]): Promise<Scene> {
  const gate = Promise.withResolvers<void>();
  const held = async () => {
    await gate.promise;
    return says('One.');
  };
  const h = await openHarness({ script: inOrder(() => [held, says('Two.'), says('Three.')]) });
  await h.chat('mine');
  const other: ChildRun = program.start({ home: h.home, session: h.id });
  await other.ready();
  for (const text of texts) expect(await other.send({ ...chat, text })).toMatchObject({ kind: 'queued' });
  await until('all wait', () => h.session.view().queue.length === texts.length);
  expect(queue(h)).toEqual(texts.map((text) => `${text}: elsewhere, waiting`));
  await other.kill();
  await until('they are left', () => queue(h).every((one) => one.endsWith('elsewhere, not sent')));
  return { h, go: gate.resolve };
}

describe('D26 what a process left that has died', () => {
  it('is not sent by itself, and is run once by who sends it, as their own message', async () => {
    const { h, go } = await left('make a plan for it');
    go();
    await h.ended(1);
    expect(queue(h)).toEqual(['make a plan for it: elsewhere, not sent']);
    await h.turn(() => send(h, firstItem(h)));
    expect(said(h)).toEqual(['mine', 'make a plan for it']);
    // Its words are looked at when it is sent.
    expect(h.session.view()).toMatchObject({ phase: 'preInit', queue: [] });
  });

  it('sent while a turn runs it waits here, and the second press does nothing', async () => {
    const { h, go } = await left('theirs');
    const item = firstItem(h);
    expect(await send(h, item)).toMatchObject({ kind: 'queued' });
    expect(queue(h)).toEqual(['theirs: here, waiting']);
    expect(await send(h, item)).toMatchObject({ kind: 'info', code: 'NOTHING_QUEUED' });
    go();
    await h.ended(2);
    expect(said(h)).toEqual(['mine', 'theirs']);
  });

  it.each(['idle', 'busy'] as const)(
    'two who send it at once while %s: exactly one runs it',
    async (turn) => {
      const { h, go } = await left('theirs');
      const item = firstItem(h);
      const third = program.start({ home: h.home, session: h.id });
      await third.ready();
      if (turn === 'idle') {
        go();
        await h.ended(1);
      }
      const answers = await Promise.all([
        send(h, item),
        third.send({ type: 'queue.send', by: person, item }),
      ]);
      const codes = answers.map((answer) => ('code' in answer ? answer.code : answer.kind));
      expect(codes.toSorted()).toEqual(['NOTHING_QUEUED', turn === 'idle' ? 'accepted' : 'queued']);
      go();
      const starts = (): number => said(h).length + third.published('user').length;
      await until('it has run', () => starts() === 2 && h.session.view().turn === 'idle');
      expect(h.session.view().queue).toEqual([]);
      const lines = await h.session.transcript();
      expect(lines.filter((line) => line.type === 'user' && line.text === 'theirs')).toHaveLength(1);
    },
  );

  it('comes back to who takes it, or stops the turn', async () => {
    const { h } = await left('one', '/plan\ntwo');
    expect(await h.send({ type: 'queue.drop', item: firstItem(h) })).toMatchObject({ kind: 'accepted' });
    expect(returned(h)).toEqual(['one']);
    expect(h.notices()).toEqual([]);
    await h.stop();
    expect(returned(h)).toEqual(['one', '/plan\ntwo']);
    await until('it has ended', () => h.session.view().turn === 'idle');
    expect(queue(h)).toEqual([]);
  });

  it('also what was left in a session that is closed, at the next start', async () => {
    const { h, go } = await left('theirs');
    await h.chat('mine too');
    const closing = h.session.close();
    go();
    await closing;
    const next = await openHarness({ from: h });
    expect(queue(next)).toEqual(['theirs: elsewhere, not sent', 'mine too: elsewhere, not sent']);
    expect(said(next)).toEqual([]);
  });
});

describe('D26 a message that waits', () => {
  it('can be taken back here, and by nobody else while this process lives', async () => {
    const { h } = await left();
    const other = program.start({ home: h.home, session: h.id });
    await other.ready();
    await h.chat('wait');
    const item = firstItem(h);
    for (const type of ['queue.take', 'queue.drop'] as const) {
      const answer = await other.send({ type, item });
      expect(answer.kind === 'accepted' || answer.kind === 'queued').toBe(false);
    }
    expect(await other.send({ type: 'queue.send', by: person, item })).toMatchObject({ kind: 'info' });
    expect(queue(h)).toEqual(['wait: here, waiting']);
    await h.send({ type: 'queue.drop', item });
    expect(returned(h)).toEqual(['wait']);
    expect(queue(h)).toEqual([]);
    await h.stop();
  });
});
