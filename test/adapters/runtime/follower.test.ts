import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelPart, ModelPort } from '../../../adapters/ports.ts';
import { Follower, type FollowerWorld } from '../../../adapters/runtime/follower.ts';
import { RuntimeSession } from '../../../adapters/runtime/index.ts';
import type { StoredSession } from '../../../machines/index.ts';
import { until } from '../../support/harness.ts';
import { harnessWorld, newSession, person } from '../../support/harness-world.ts';
import { sessionIn, turnId } from '../../support/samples.ts';

const cancelledAt = '2026-03-01T12:00:00.000Z';
const stopping = sessionIn('noPlan', {
  turn: 'stopping',
  lease: { cancel: { then: 'stop', by: 'ann', via: 'tui', at: cancelledAt } },
});

/** A follower of files that a test sets; everything that it asks for is kept as a word. */
function follow(stored: StoredSession) {
  const files = { now: stored, read: () => Promise.resolve() };
  const clock = { ms: 0, mark: 1 as number | null };
  const asked: string[] = [];
  const world: FollowerWorld = {
    read: async () => {
      asked.push('read');
      await files.read();
      return files.now;
    },
    now: () => Date.parse(cancelledAt) + clock.ms,
    mark: () => clock.mark,
    refresh: async (occasion) => void asked.push(`refresh ${occasion}`),
    show: () => void asked.push('show'),
    abort: () => undefined,
    endOverdue: async ({ turn }) => void asked.push(`end ${turn}`),
    tell: (text) => void asked.push(text),
    signal: new AbortController().signal,
  };
  const follower = new Follower(world);
  /** What is asked for by one tick. */
  const tick = async (): Promise<string[]> => {
    await follower.tick();
    return asked.splice(0);
  };
  return { follower, files, clock, asked, tick };
}

describe('D16 a turn that was cancelled and goes on, its owner alive', () => {
  it('is left to its owner for ten seconds, and not a moment longer', async () => {
    const { clock, tick } = follow(stopping);
    for (const ms of [0, 5000, 9900, 9999]) {
      clock.ms = ms;
      expect(await tick()).toEqual(['read', 'show']);
    }
    clock.ms = 10_000;
    expect(await tick()).toContain(`end ${turnId}`);
  });

  it('is ended at once when its owner has died', async () => {
    const { tick } = follow({ ...stopping, leaseAlive: false });
    expect(await tick()).toEqual(['read', 'refresh watch']);
  });
});

describe('a tick', () => {
  it('reads once, and then nothing as long as nothing can happen without a change', async () => {
    const { follower, asked, tick } = follow(sessionIn('checklist'));
    expect(await tick()).toEqual(['read', 'show']);
    expect(await tick()).toEqual([]);
    await follower.look();
    expect(asked.splice(0)).toEqual(['read', 'show']);
    expect(await tick()).toEqual([]);
  });

  const item = { id: 'i', at: cancelledAt, process: 'other' };
  const chat = { type: 'user.chat', by: person, text: 'later', origin: 'typed' } as const;
  it.each([
    ['a turn runs, whose process can die', sessionIn('noPlan', { turn: 'running' })],
    [
      'a message waits for another process',
      sessionIn('noPlan', { record: { queue: [{ ...item, said: chat }] } }),
    ],
    ['a file can not be read', sessionIn('unreadable')],
    ['the session plan is away, perhaps for a moment', sessionIn('postInit', { document: 'missing' })],
  ])('reads every time while %s', async (_, stored) => {
    const { tick } = follow(stored);
    for (let times = 0; times < 3; times += 1) expect(await tick()).toContain('read');
  });

  it('reads again after a fault, which it tells once, until it has gone', async () => {
    const { files, tick } = follow(sessionIn('noPlan'));
    files.read = () => Promise.reject(new Error('the disk'));
    expect(await tick()).toEqual(['read', 'the disk']);
    expect(await tick()).toEqual(['read']);
    files.read = () => Promise.resolve();
    expect(await tick()).toEqual(['read', 'show']);
    expect(await tick()).toEqual([]);
  });

  it('reads again what a dispatch overtook', async () => {
    const { clock, files, tick } = follow(sessionIn('noPlan'));
    files.read = () => Promise.resolve(void (clock.mark = 2));
    expect(await tick()).toEqual(['read']);
    expect(await tick()).toEqual(['read', 'show']);
    expect(await tick()).toEqual([]);
  });

  it('reads again when a file changed while it was being read', async () => {
    const { follower, files, tick } = follow(sessionIn('noPlan'));
    files.read = async () => {
      files.read = () => Promise.resolve();
      await turnOfLoop();
      void follower.look();
    };
    expect(await tick()).toEqual(['read', 'show']);
    expect(await tick()).toEqual(['read', 'show']);
    expect(await tick()).toEqual([]);
  });
});

describe('D16 an open session', () => {
  afterEach(() => void vi.useRealTimers());

  it('notices within half a second that ten have passed, though no file changes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const clock = { ms: Date.parse(cancelledAt) };
    const ended: string[] = [];
    const { session, reads, letGo } = await openUnwatched(clock, ended);
    await session.send({ type: 'user.chat', by: person, text: 'one', origin: 'typed' });
    await session.send({ type: 'user.stop', by: person });
    expect(session.view().turn).toBe('stopping');
    const lookAt = async (ms: number) => {
      clock.ms = Date.parse(cancelledAt) + ms;
      const before = reads();
      vi.advanceTimersByTime(500);
      await until('it looks', () => reads() > before);
      await turnOfLoop();
    };
    await lookAt(9900);
    expect(ended).toEqual([]);
    await lookAt(10_000);
    expect(ended).toHaveLength(1);
    await until('the turn is over', () => session.view().turn === 'idle');
    letGo();
  });
});

/** A session whose model never answers and whose files tell of no change: it learns only by looking. */
async function openUnwatched(clock: { ms: number }, ended: string[]) {
  const home = realpathSync(mkdtempSync(`${tmpdir()}/planchart-follow-`));
  const never = Promise.withResolvers<ModelPart>();
  const model: ModelPort = {
    name: 'deaf',
    label: null,
    async *step(): AsyncGenerator<ModelPart> {
      yield await never.promise;
    },
  };
  const now = (): string => new Date(clock.ms).toISOString();
  const world = harnessWorld({ home, model, clock: { now, id: () => crypto.randomUUID() } });
  let count = 0;
  const store = {
    ...world.store,
    watch: () => undefined,
    read: async (id: string) => {
      const stored = await world.store.read(id);
      count += 1;
      return stored;
    },
  };
  const workspace = {
    ...world.workspace,
    endGroup: async (_: unknown, turn: string) => void ended.push(turn),
  };
  const session = await RuntimeSession.open(await newSession(world, home), { ...world, store, workspace });
  const letGo = (): void => never.resolve({ type: 'end', reason: 'aborted' });
  onTestFinished(async () => {
    letGo();
    await session.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return { session, reads: () => count, letGo };
}
