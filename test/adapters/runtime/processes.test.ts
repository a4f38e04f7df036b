import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGroupAlive } from '../../../adapters/workspace/group.ts';
import { endMarked } from '../../../adapters/workspace/strays.ts';
import { bundleChild, type ChildProgram, type ChildRun } from '../../support/crash-process.ts';
import type { ChildReply } from '../../support/crash-protocol.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { plan, tasks } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const sleep: ChildReply = {
  calls: [{ name: 'bash', input: { command: 'echo $$ > leader; sleep 300 & echo $! > child; wait' } }],
};
const holding: ChildReply[] = [{ hold: true, text: 'One.' }];
const checklist: ChildReply[] = [
  { calls: [plan('init', { mode: 'checklist', title: 'Two files', ...tasks('A', 'B') }), plan('start')] },
];

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChild();
});
afterAll(() => program.end());

/** A session with a runtime here, and another one in a process of its own that runs a turn. */
async function two(
  script: readonly ChildReply[],
  answer: 'yes' | 'nothing' = 'yes',
): Promise<{ h: Harness; other: ChildRun }> {
  const h = await openHarness();
  const other = program.start({
    home: h.home,
    session: h.id,
    script,
    answer,
    acts: [{ do: 'chat', text: 'work', turn: 'none' }],
  });
  await until('the other runs a turn', () => other.view()?.turn === 'running', 15_000);
  await until(
    () => `it shows here: ${JSON.stringify([h.notices(), h.session.view(), other.told.slice(-6)])}`,
    () => h.session.view().turn === 'running',
  );
  return { h, other };
}

const ms = async (work: () => Promise<void>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};
const lease = async (h: Harness) => (await h.world.store.read(h.id)).record.lease;
const returned = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'returned' ? [told.text] : []));

describe('D15, D16 the process of a turn dies', () => {
  it('another one notices, kills the command that it left running, and offers to go on', async () => {
    const { h, other } = await two([...checklist, sleep]);
    await until('the lease names the command', async () => (await lease(h))?.group !== null);
    const group = (await lease(h))?.group?.pid ?? 0;
    const turn = (await lease(h))?.turn ?? '';
    await until('the command runs', () => existsSync(join(h.project, 'child')));
    expect(isGroupAlive(group)).toBe(true);
    await other.kill();
    // Without a sandbox the shell is a child of nobody's: it goes on until somebody ends it.
    const waited = await ms(() => until('it is settled', () => h.session.view().turn === 'idle', 4000));
    expect(waited).toBeLessThan(2000);
    expect(isGroupAlive(group)).toBe(false);
    expect(await endMarked(`${turn}/`)).toBe(0);
    expect(h.notices()).toContain('The last turn was interrupted: its program ended.');
    expect(h.session.view()).toMatchObject({
      phase: 'checklist',
      interrupted: true,
      decisions: { resume: true },
    });
    const last = (await h.session.transcript()).at(-1);
    expect(last).toMatchObject({
      type: 'tool',
      name: 'bash',
      text: expect.stringMatching(/^Interrupted/u) as string,
    });
  });

  it('and the next start does the same when nobody was there', async () => {
    const { h, other } = await two([sleep]);
    await until('the lease names the command', async () => (await lease(h))?.group !== null);
    const group = (await lease(h))?.group?.pid ?? 0;
    await h.session.close();
    await other.kill();
    const next = await openHarness({ from: h });
    expect(next.session.view()).toMatchObject({ turn: 'idle', running: null });
    expect(isGroupAlive(group)).toBe(false);
    expect(await next.chat('hello')).toMatchObject({ kind: 'accepted' });
  });
});

describe('D7, D16 two processes on one session', () => {
  it('a live owner is never taken over, and /stop from the other process ends its turn', async () => {
    const { h, other } = await two(holding);
    const before = await lease(h);
    // More than one look of the poll, and a dispatch that would commit whatever loading finds.
    await h.send({ type: 'user.goal', by: person, text: 'a goal' });
    await until('the other shows the goal', () => other.view()?.goal.user === 'a goal');
    await h.send({ type: 'user.goal', by: person, text: null });
    await until('and that it is gone', () => other.view()?.goal.user === null);
    expect(await lease(h)).toEqual(before);
    expect(await h.chat('two')).toMatchObject({ kind: 'queued' });
    expect(await h.execute()).toMatchObject({ kind: 'refused', code: 'BUSY' });

    expect(await h.stop()).toMatchObject({ kind: 'accepted' });
    const waited = await ms(() => until('the turn ended', () => h.session.view().turn === 'idle', 4000));
    expect(waited).toBeLessThan(1500);
    expect(other.published('turn.ended')).toMatchObject([{ outcome: 'cancelled' }]);
    expect(returned(h)).toEqual(['two']);
  });

  it('each shows what the other changes, within half a second', async () => {
    const { h, other } = await two(holding);
    const here: number[] = [];
    const there: number[] = [];
    for (const text of ['one', 'two', 'three']) {
      await h.send({ type: 'user.goal', by: person, text });
      there.push(
        await ms(() => until(`the other shows ${text}`, () => other.view()?.goal.user === text, 3000)),
      );
      const answer = await other.send({ type: 'user.goal', by: person, text: `${text} back` });
      expect(answer.kind).toBe('accepted');
      here.push(
        await ms(() =>
          until(`${text} shows here`, () => h.session.view().goal.user === `${text} back`, 3000),
        ),
      );
    }
    // The middle one of three: one slow moment of a busy machine does not count.
    expect(
      [here, there].map((times) => times.toSorted((a, b) => a - b)[1] ?? 0).every((time) => time < 500),
    ).toBe(true);
    other.go();
    await until('the end of the turn shows', () => h.session.view().turn === 'idle');
  });

  it('what waits here runs here when the turn of the other process has ended', async () => {
    const { h, other } = await two(holding);
    await h.chat('mine');
    await until('the other shows it', () => other.view()?.queue[0]?.text === 'mine');
    other.go();
    await until('my turn has run', () => h.published.some(({ type }) => type === 'turn.ended'));
    expect(h.server.requests).toHaveLength(1);
    expect(other.published('turn.started')).toHaveLength(1);
    expect(h.session.view().queue).toEqual([]);
  });

  it('what waits here comes back here when the other process stops', async () => {
    const { h, other } = await two(holding);
    await h.chat('mine');
    await other.send({ type: 'user.stop', by: person });
    await until(
      () => `it comes back: ${JSON.stringify([h.notices(), h.session.view(), other.told.slice(-6)])}`,
      () => returned(h).length > 0,
    );
    await until('the turn has ended', () => h.session.view().turn === 'idle');
    expect(returned(h)).toEqual(['mine']);
    expect(h.server.requests).toHaveLength(0);
    expect(other.published('returned')).toEqual([]);
  });

  it('/discard from here closes the prompt that is open there, and the plan goes', async () => {
    const init = { calls: [{ name: 'write_file', input: { path: 'a', content: 'a' } }] };
    const { h, other } = await two([init], 'nothing');
    await until('it waits', () => h.session.view().running?.waiting?.what === 'your answer about write_file');
    const turn = h.session.view().running?.turn ?? '';
    const checklistHere = { title: 'T', mode: 'checklist', tasks: [{ title: 'A', description: 'a' }] };
    await other.send({ type: 'tool.init', turn, child: false, ...checklistHere });
    await until('the checklist shows', () => h.session.view().phase === 'checklist');
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    await until('it is gone', () => h.session.view().phase === 'noPlan' && h.session.view().turn === 'idle');
    expect(other.published('prompt.closed')).toMatchObject([{ reason: 'cancelled' }]);
    expect(existsSync(join(h.project, 'a'))).toBe(false);
    expect((await h.world.store.read(h.id)).archives).toHaveLength(1);
  });

  it('B84 two who act at once: exactly one wins, and the other is told', async () => {
    const { h, other } = await two(holding);
    other.go();
    await until('idle here', () => h.session.view().turn === 'idle');
    const [a, b] = await Promise.all([
      h.chat('mine'),
      other.send({ type: 'user.chat', by: person, text: 'theirs', origin: 'typed' }),
    ]);
    expect([a.kind, b.kind].toSorted()).toEqual(['accepted', 'queued']);
  });
});
