import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Published } from '../../adapters/ports.ts';
import { bundleChild, type ChildProgram, type ChildRun } from '../support/crash-process.ts';
import type { ChildReply } from '../support/crash-protocol.ts';
import { type Harness, openHarness, until } from '../support/harness.ts';
import { plan, planText } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChild();
});
afterAll(() => program.end());

const text = planText('Split the key', 'Split it.', 'Move the readers.');
const hold: ChildReply = { hold: true, text: 'Done.' };

/** A clock that runs ahead by what a test says, in ms. */
function clockAhead() {
  const ahead = { ms: 0 };
  const now = (): string => new Date(Date.now() + ahead.ms).toISOString();
  return { ahead, clock: { now, id: () => crypto.randomUUID() } };
}

/** A runtime here, and another one in a process of its own, whose turn has made a session plan and goes on. */
async function planning(from?: Harness): Promise<{ h: Harness; other: ChildRun; ahead: { ms: number } }> {
  const { ahead, clock } = clockAhead();
  const h = await openHarness({ clock, ...(from === undefined ? {} : { from }) });
  const path = h.session.paths.document;
  const other = program.start({
    home: h.home,
    session: h.id,
    script: [
      { calls: [plan('init', { mode: 'design', title: 'Split' })] },
      { calls: [{ name: 'write_file', input: { path, content: text } }] },
      hold,
    ],
    acts: [{ do: 'chat', text: 'make a plan', turn: 'none' }],
  });
  await until('the plan shows here', () => h.session.view().document?.text === text, 15_000);
  return { h, other, ahead };
}

const told = <T extends Published['type']>(h: Harness, type: T) =>
  h.published.filter((published): published is Extract<Published, { type: T }> => published.type === type);
const turnOf = (h: Harness): string => h.session.view().running?.turn ?? '';
const ms = async (work: () => Promise<void>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

describe('D7 what one process or an editor does to the plan shows in every process', () => {
  it('within half a second', async () => {
    const { h, other } = await planning();
    const times: number[] = [];
    for (const edit of ['one', 'two', 'three']) {
      const edited = `${text}<!-- ${edit} -->\n`;
      writeFileSync(h.session.paths.document, edited);
      const shown = [() => h.session.view().document?.text, () => other.view()?.document?.text];
      times.push(await ms(() => until(`${edit} shows`, () => shown.every((now) => now() === edited))));
    }
    // The middle one of three: one slow moment of a busy machine does not count.
    expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(500);
    expect((await h.world.store.revisions(h.id)).length).toBeGreaterThan(3);
  });
});

describe('D15 a process dies while others show its turn', () => {
  it('all of them notice within 2 s, one of them settles it, and nobody takes a plan for approved', async () => {
    const { h, other } = await planning();
    const second = await openHarness({ from: h });
    await until('it shows in the second, too', () => second.session.view().turn === 'running');
    await other.kill();
    const idle = (one: Harness) => until('the turn is over', () => one.session.view().turn === 'idle', 4000);
    const waited = await ms(() => Promise.all([idle(h), idle(second)]).then(() => undefined));
    expect(waited).toBeLessThan(2000);
    const lost = 'The last turn was interrupted: its program ended.';
    expect([...h.notices(), ...second.notices()].filter((notice) => notice === lost)).toHaveLength(1);
    for (const { session } of [h, second]) {
      expect(session.view()).toMatchObject({
        phase: 'postInit',
        running: null,
        decisions: { approve: 'on' },
      });
    }
  });
});

describe('D16 the process of a turn hangs', () => {
  it('/stop waits for it for 10 s, then the session is free; what it does later is not taken', async () => {
    const { h, other, ahead } = await planning();
    const turn = turnOf(h);
    process.kill(other.pid, 'SIGSTOP');
    expect(await h.stop()).toMatchObject({ kind: 'accepted' });
    ahead.ms = 9000;
    // It is alive: whatever happens here, its turn is not taken over before the time.
    for (const goal of ['one', 'two', 'three']) {
      await h.send({ type: 'user.goal', by: person, text: goal });
      expect(h.session.view()).toMatchObject({ turn: 'stopping', running: { turn } });
    }
    expect(await h.execute()).toMatchObject({ kind: 'refused', code: 'BUSY' });
    ahead.ms = 10_001;
    await until('the turn is over', () => h.session.view().turn === 'idle');
    expect((await h.turn(() => h.chat('go on'))).outcome).toBe('failed');

    process.kill(other.pid, 'SIGCONT');
    await until('it sees that its turn is over', () => other.published('turn.ended').length > 0);
    expect(other.published('turn.ended')).toMatchObject([{ turn, outcome: 'cancelled' }]);
    const lock = join(h.home, 'planchart/locks', `turn-${turn}.db`);
    await until('it lets go of the lock of its turn', () => !existsSync(lock));
    const late = { turn, child: false, base: null, plan: null } as const;
    expect(await other.send({ type: 'tool.document', ...late, text: 'late' })).toMatchObject({
      code: 'CANCELLED',
    });
    expect(h.document()).toBe(text);
    expect(h.session.view().turn).toBe('idle');
  });

  it('/discard takes the plan after 10 s, and keeps a copy', async () => {
    const { h, other, ahead } = await planning();
    process.kill(other.pid, 'SIGSTOP');
    expect((await h.discard()).text).toContain('discarding follows');
    expect(existsSync(h.session.paths.sidecar)).toBe(true);
    ahead.ms = 10_001;
    await until('the plan is gone', () => h.session.view().phase === 'noPlan');
    expect(h.session.view().turn).toBe('idle');
    expect((await h.world.store.read(h.id)).archives).toHaveLength(2);
    process.kill(other.pid, 'SIGCONT');
    await until('it is gone there, too', () => other.view()?.phase === 'noPlan');
    expect(existsSync(h.session.paths.document)).toBe(false);
  });
});

describe('D16 the process of a turn dies after a cancel, before it could carry it out', () => {
  it('/discard is carried out by whoever shows the turn', async () => {
    const { h, other } = await planning();
    process.kill(other.pid, 'SIGSTOP');
    await h.discard();
    expect(h.session.view()).toMatchObject({ phase: 'postInit', turn: 'discarding' });
    await other.kill();
    const waited = await ms(() => until('the plan is gone', () => h.session.view().phase === 'noPlan', 4000));
    expect(waited).toBeLessThan(2000);
    expect(h.session.view().turn).toBe('idle');
    expect((await h.world.store.read(h.id)).archives).toHaveLength(2);
  });

  it('or by the next start', async () => {
    const { h, other } = await planning();
    process.kill(other.pid, 'SIGSTOP');
    await h.discard();
    await h.session.close();
    await other.kill();
    const next = await openHarness({ from: h });
    expect(next.session.view()).toMatchObject({ phase: 'noPlan', turn: 'idle' });
    expect((await next.world.store.read(h.id)).archives).toHaveLength(2);
  });
});

describe('D26 what waits in a process that dies', () => {
  it('stays in view, is run by nobody, and goes out by one act of a person here', async () => {
    const { h, other } = await planning();
    const chat = { type: 'user.chat', by: person, origin: 'typed' } as const;
    expect(await other.send({ ...chat, text: 'theirs' })).toMatchObject({ kind: 'queued' });
    expect(await h.chat('mine')).toMatchObject({ kind: 'queued' });
    const owners = (): string[] => h.session.view().queue.map(({ text, owner }) => `${text} ${owner}`);
    await until('both show', () => h.session.view().queue.length === 2);
    expect(owners()).toEqual(['theirs elsewhere', 'mine here']);
    await other.kill();
    await until('mine has run', () => told(h, 'turn.ended').length > 0);
    expect(told(h, 'turn.started')).toHaveLength(1);
    // Another act and its turn: the item of the dead one is still not touched.
    await h.turn(() => h.chat('another'));
    expect(owners()).toEqual(['theirs elsewhere']);
    expect(told(h, 'returned')).toEqual([]);

    const item = h.session.view().queue[0]?.id ?? '';
    await h.turn(() => h.send({ type: 'queue.take', item }));
    expect(told(h, 'user').map(({ text }) => text)).toEqual(['mine', 'another', 'theirs']);
    expect(owners()).toEqual([]);
  });

  it('or is dropped; the next start shows it just so', async () => {
    const { h, other } = await planning();
    const chat = { type: 'user.chat', by: person, origin: 'typed' } as const;
    await other.send({ ...chat, text: 'theirs' });
    await until('it shows', () => h.session.view().queue.length === 1);
    await h.session.close();
    await other.kill();
    const next = await openHarness({ from: h });
    expect(next.session.view()).toMatchObject({
      turn: 'idle',
      queue: [{ text: 'theirs', owner: 'elsewhere' }],
    });
    const item = next.session.view().queue[0]?.id ?? '';
    expect(await next.send({ type: 'queue.drop', item })).toMatchObject({ kind: 'accepted' });
    expect(next.session.view().queue).toEqual([]);
    expect(told(next, 'turn.started')).toEqual([]);
  });
});
