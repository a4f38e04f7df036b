import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelPort, TranscriptEntry } from '../../../adapters/ports.ts';
import { withoutEchoes } from '../../../adapters/runtime/conversation.ts';
import { RuntimeSession } from '../../../adapters/runtime/index.ts';
import { Lease, recordText, type SessionRecord } from '../../../machines/index.ts';
import { bundleChild, type ChildProgram, type ChildRun } from '../../support/crash-process.ts';
import { openHarness } from '../../support/harness.ts';
import { harnessWorld, newSession, person } from '../../support/harness-world.ts';

const text = 'remember this';
/** Kills in the turn's first steps, and in the start that finds it. */
const kills = { first: 6, second: 3 };

let program: ChildProgram;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-opening-')));
beforeAll(async () => {
  program = await bundleChild();
});
afterAll(async () => {
  await program.end();
  rmSync(root, { recursive: true, force: true });
});

let asked = 0;
const silent: ModelPort = {
  name: 'silent',
  label: null,
  async *step() {
    asked += 1;
    yield { type: 'end', reason: 'stop' };
  },
};
const worldIn = (home: string) => harnessWorld({ home, model: silent });

let copies = 0;
/** A copy of a home, so that each kill starts from the same files. */
function copyOf(home: string): string {
  copies += 1;
  const copy = join(root, `copy-${copies}`);
  cpSync(home, copy, { recursive: true });
  return copy;
}

async function template(): Promise<{ home: string; session: string }> {
  const home = join(root, 'template');
  const project = join(root, 'project');
  for (const folder of [home, project]) mkdirSync(folder);
  return { home, session: await newSession(worldIn(home), project) };
}

const record = (home: string, session: string): SessionRecord =>
  JSON.parse(
    readFileSync(join(home, 'planchart/sessions', session, 'session.json'), 'utf8'),
  ) as SessionRecord;

/** How often a start shows the text, what runs, and what waits. */
async function shown(home: string, session: string): Promise<string> {
  const opened = await RuntimeSession.open(session, worldIn(home));
  const lines = (await opened.transcript()).filter((line) => line.type === 'user' && line.text === text);
  const { turn, queue } = opened.view();
  await opened.close();
  return `${lines.length} shown, ${turn}, ${queue.length} waiting`;
}

const pointsOf = ({ told }: ChildRun): string[] =>
  told.flatMap((one) => (one.type === 'point' ? [one.at] : []));
const spread = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + Math.round((index * (to - from)) / (count - 1)));

describe('D37 the message that starts a turn', () => {
  it('is in the transcript exactly once, wherever its process and the next start are killed', async () => {
    const { home, session } = await template();
    const job = {
      session,
      acts: [{ do: 'chat', text, turn: 'wait' }],
      script: [{ text: 'Noted.' }],
    } as const;
    const whole = program.start({ ...job, home: copyOf(home), then: 'end', kill: 'never' });
    await whole.ended;
    const points = pointsOf(whole);
    const from = points.findIndex((at) => at.includes('session.json')) + 1;
    const to = points.findIndex((at) => at.startsWith('after sync') && at.includes('transcript')) + 1;
    expect(from).toBeGreaterThan(0);
    expect(to).toBeGreaterThan(from + kills.first);

    const left: string[] = [];
    const found: string[] = [];
    for (const kill of spread(from, to, kills.first)) {
      const crashed = copyOf(home);
      expect(await program.start({ ...job, home: crashed, kill }).ended).toBe('SIGKILL');
      const claimed = record(crashed, session).lease?.text === text;
      if (claimed) left.push(copyOf(crashed));
      const lines = claimed ? 1 : 0;
      const starts = [await shown(crashed, session), await shown(crashed, session)];
      const once = `${lines} shown, idle, 0 waiting`;
      expect([points[kill - 1], ...starts]).toEqual([points[kill - 1], once, once]);
      expect(record(crashed, session).lease).toBe(null);
      found.push(claimed ? 'claimed' : 'nothing');
    }
    expect(new Set(found)).toEqual(new Set(['nothing', 'claimed']));

    // The first that was claimed has no line yet: the start that writes it dies, too.
    const lost = left[0] ?? '';
    const start = { session, acts: [], then: 'end' } as const;
    const looked = program.start({ ...start, home: copyOf(lost), kill: 'never' });
    await looked.ended;
    const writing = pointsOf(looked).findIndex((at) => at.includes('transcript')) + 1;
    for (const kill of spread(writing, pointsOf(looked).length, kills.second)) {
      const again = copyOf(lost);
      expect(await program.start({ ...start, home: again, kill }).ended).toBe('SIGKILL');
      expect([kill, await shown(again, session)]).toEqual([kill, '1 shown, idle, 0 waiting']);
    }
    expect(asked).toBe(0);
  }, 60_000);

  it('is kept, once, by who ends the turn of a process that hangs', async () => {
    const h = await openHarness();
    const turn = h.world.clock.id();
    const hung = h.world.store.holdTurn(h.id, turn);
    await h.world.store.exclusive(h.id, async (tx) => {
      const { record: before } = await tx.read();
      const lease = Lease.parse({ turn, kind: 'chat', by: person, since: before.used, text });
      await tx.commit({ record: { text: recordText({ ...before, lease }), order: 'first' } });
    });
    for (const kind of ['accepted', 'info'])
      expect(await h.send({ type: 'turn.end', turn, outcome: 'lost' })).toMatchObject({ kind });
    expect(await h.session.transcript()).toMatchObject([{ type: 'user', turn, text, from: 'person' }]);
    hung.release();
  });

  it('is shown once where a process that hung wakes up after another one has written it', () => {
    const line = (turn: string, said: string): TranscriptEntry => {
      return { v: 1, at: '', type: 'user', turn, text: said, from: 'person', kind: 'chat' };
    };
    const ended: TranscriptEntry = { v: 1, at: '', type: 'turn.ended', turn: 'a', outcome: 'cancelled' };
    const entries = [line('a', 'one'), line('b', 'two'), line('a', 'one'), ended, line('c', 'one')];
    expect(withoutEchoes(entries)).toEqual([entries[0], entries[1], ended, entries[4]]);
  });

  it('goes back to the person when it cannot be written', async () => {
    const hook = ({ call, path, when }: { call: string; path: string; when: string }): void => {
      if (when === 'before' && call === 'write' && path.endsWith('transcript.jsonl'))
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const h = await openHarness({ hook });
    expect(await h.turn(() => h.chat(text))).toMatchObject({ outcome: 'failed' });
    expect(h.published).toContainEqual({ type: 'returned', text });
  });
});
