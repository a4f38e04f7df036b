import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelPart, ModelPort } from '../../../adapters/ports.ts';
import { type Harness, openHarness, policies, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import type { Reply } from '../../support/model-server/reply.ts';

const returned = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'returned' ? [told.text] : []));
const results = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'tool.ended' ? [told.text] : []));
const phases = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'view' ? [`${told.view.phase}/${told.view.turn}`] : []));

/** A turn that waits for the model until `letGo`, and what follows. */
async function busy(...after: Reply[]): Promise<{ h: Harness; letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const h = await openHarness({ script: inOrder(() => [promise.then(() => says('One.')), ...after]) });
  await h.chat('first');
  return { h, letGo: resolve };
}

describe('D26 what is said while a turn runs', () => {
  it('waits, runs as its own turn, and arms only when its turn has come', async () => {
    const { h, letGo } = await busy(says('Two.'), says('Three.'));
    expect(await h.chat('make a plan')).toMatchObject({ kind: 'queued' });
    expect(await h.chat('and then?')).toMatchObject({ kind: 'queued' });
    expect(h.session.view()).toMatchObject({
      phase: 'noPlan',
      queue: [{ text: 'make a plan' }, { text: 'and then?' }],
    });
    letGo();
    await h.ended(3);
    expect(h.server.requests.map((request) => textsOf(request, 'user').at(-1)?.split('\n', 1)[0])).toEqual([
      'first',
      'make a plan',
      'and then?',
    ]);
    expect(textsOf(h.server.requests[1], 'user').at(-1)).toContain('Hint:');
    expect(h.session.view()).toMatchObject({ phase: 'preInit', turn: 'idle', queue: [] });
    expect(phases(h).indexOf('preInit/running')).toBeGreaterThan(phases(h).lastIndexOf('noPlan/idle'));
  });

  it('/plan waits too; one that does not apply any more comes back and says so', async () => {
    const { h, letGo } = await busy();
    const asked = { type: 'user.plan', by: person } as const;
    expect(await h.send(asked)).toMatchObject({ kind: 'queued' });
    expect(await h.send({ ...asked, text: 'the gate' })).toMatchObject({ kind: 'queued' });
    expect(h.session.view().phase).toBe('noPlan');
    // A checklist goes live in this very turn: neither /plan can apply after it.
    const turn = h.session.view().running?.turn ?? '';
    const init = { title: 'Other', mode: 'checklist', tasks: [{ title: 'A', description: 'a' }] };
    expect(await h.send({ type: 'tool.init', turn, child: false, ...init })).toMatchObject({
      kind: 'accepted',
    });
    letGo();
    await until('both come back', () => returned(h).length === 2);
    expect(returned(h)).toEqual(['/plan', '/plan the gate']);
    expect(h.notices().filter((text) => text.includes('does not apply any more'))).toHaveLength(2);
    await until('nothing waits', () => h.session.view().queue.length === 0);
    expect(h.session.view()).toMatchObject({ phase: 'checklist', turn: 'idle' });
  });

  it('/plan that waited arms when the turn has ended', async () => {
    const { h, letGo } = await busy();
    await h.send({ type: 'user.plan', by: person });
    letGo();
    await until('plan mode is on', () => h.session.view().phase === 'preInit');
    expect(h.session.view()).toMatchObject({ turn: 'idle', queue: [] });
  });

  it('leaving does not start what waits, it stays for the next start', async () => {
    const { h } = await busy(says('never'));
    await until('the model was asked', () => h.server.requests.length === 1);
    await h.chat('second');
    await h.session.close();
    expect(h.server.requests).toHaveLength(1);
    // Under the lock, so behind everything that was still on its way.
    const { record } = await h.world.store.exclusive(h.id, (tx) => tx.read());
    expect(record).toMatchObject({ lease: null, queue: [{ said: { text: 'second' } }] });
  });
});

describe('D16 /stop', () => {
  it('in the middle of a response: what came in is kept, the connection goes, the queue comes back', async () => {
    const h = await openHarness({ script: inOrder(() => [{ text: 'Once upon a time', chunk: 4, hang: 2 }]) });
    await h.chat('tell');
    await until('text came in', () => h.published.filter(({ type }) => type === 'text').length === 2);
    await h.chat('later');
    expect(await h.stop()).toMatchObject({ kind: 'accepted' });
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled', cause: null });
    expect(returned(h)).toEqual(['later']);
    expect(h.session.view()).toMatchObject({ turn: 'idle', queue: [] });
    const entries = await h.session.transcript();
    expect(entries.find((entry) => entry.type === 'assistant')).toMatchObject({ text: 'Once upo' });
    expect(entries.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'cancelled' });
    await until('the server lost its client', () => h.server.abandoned === 1);
    expect(await h.stop()).toMatchObject({ kind: 'info', code: 'NOTHING_RUNNING' });
  });

  it('in the middle of a tool: the whole process group is gone', async () => {
    const command = 'sleep 300 & echo $! > child; echo $$ > leader; wait';
    const h = await openHarness({
      // Inside bubblewrap process numbers are others.
      bubblewrap: 'bwrap-that-is-not-installed',
      script: inOrder(() => [reply(call('bash', { command }), call('bash', { command: 'touch late' }))]),
    });
    const file = (name: string): string => join(h.project, name);
    await h.chat('work');
    await until('both run', () =>
      ['child', 'leader'].every((name) => existsSync(file(name)) && readFileSync(file(name), 'utf8') !== ''),
    );
    const child = Number(readFileSync(file('child'), 'utf8'));
    let group: number | undefined;
    await until('the lease names the group', async () => {
      group = (await h.world.store.read(h.id)).record.lease?.group?.pid;
      return group !== undefined;
    });
    expect(existsSync(`/proc/${child}`)).toBe(true);
    const since = Date.now();
    await h.stop();
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled' });
    expect(Date.now() - since).toBeLessThan(4000);
    await until('the group is gone', () => !isRunning(child) && !isGroup(group ?? 0));
    expect(results(h)).toEqual([
      expect.stringContaining('cancelled; it may have run in part'),
      expect.stringContaining('Not run'),
    ]);
    expect(existsSync(file('late'))).toBe(false);
    expect((await h.world.store.read(h.id)).record.lease).toBe(null);
  });

  it('at an open prompt: the prompt closes, its call and the rest are not run, the queue comes back', async () => {
    const write = call('write_file', { path: 'a', content: 'a' });
    const h = await openHarness({
      policy: policies.open,
      script: inOrder(() => [reply(write, call('ls', { path: '.' }))]),
    });
    await h.chat('write');
    await until('the prompt is open', () => h.prompts.length === 1);
    await h.chat('later');
    await h.stop();
    await h.ended(1);
    expect(h.published.filter(({ type }) => type === 'prompt.closed')).toEqual([
      { type: 'prompt.closed', id: h.prompts[0]?.id, reason: 'cancelled' },
    ]);
    expect(results(h)).toEqual([expect.stringMatching(/^CANCELLED/u), expect.stringMatching(/^Not run/u)]);
    expect(returned(h)).toEqual(['later']);
    expect(readdirSync(h.project)).toEqual([]);
  });

  it('between the end of a response and its first call: every call is answered', async () => {
    const model: ModelPort = {
      name: 'fake',
      label: null,
      async *step(): AsyncGenerator<ModelPart> {
        yield { type: 'call', call: { id: 'one', name: 'ls', input: { path: '.' } } };
        await h.stop();
        yield { type: 'end', reason: 'calls' };
      },
    };
    const h: Harness = await openHarness({ model });
    await h.chat('look');
    await h.ended(1);
    expect(results(h)).toEqual([expect.stringContaining('cancelled')]);
    const tools = (await h.session.transcript()).filter(({ type }) => type === 'tool');
    expect(tools).toMatchObject([{ call: 'one', failed: true }]);
  });

  it('a turn that does not end is ended from outside after 10 s, and the session is free', async () => {
    let late = 0;
    const clock = {
      now: () => new Date(Date.now() + late).toISOString(),
      id: () => crypto.randomUUID(),
    };
    const never = Promise.withResolvers<ModelPart>();
    const model: ModelPort = {
      name: 'deaf',
      label: null,
      async *step(): AsyncGenerator<ModelPart> {
        yield await never.promise;
      },
    };
    const h = await openHarness({ model, clock });
    await h.chat('one');
    await h.stop();
    expect(h.session.view().turn).toBe('stopping');
    late = 10_001;
    await until('the turn is over', () => h.session.view().turn === 'idle');
    expect(h.session.view().running).toBe(null);
    expect(await h.chat('two')).toMatchObject({ kind: 'accepted' });
    await h.stop();
    late = 20_002;
    await until('the second is over', () => h.session.view().turn === 'idle');
    never.resolve({ type: 'end', reason: 'aborted' });
    await h.ended(2);
  });
});

describe('D16 /discard while a turn runs', () => {
  const text = planText('Split the key', 'Split it.', 'Move the readers.');

  it('cancels it, then the artifacts go and the copies stay; what comes late writes nothing', async () => {
    const { promise } = Promise.withResolvers<Reply>();
    const h: Harness = await openHarness({
      script: inOrder(() => [
        reply(
          plan('init', { mode: 'design', title: 'Split' }),
          call('write_file', { path: h.session.paths.document, content: text }),
        ),
        says('Ready.'),
        reply(plan('add_tasks', tasks('A', 'B')), plan('start')),
        promise,
      ]),
    });
    await h.turn(() => h.chat('make a plan'));
    await h.execute();
    await until('a task runs', () => h.session.view().phase === 'checklist');
    await until('the model is asked again', () => h.server.requests.length === 4);
    const turn = h.session.view().running?.turn ?? '';
    await h.chat('later');

    expect((await h.discard()).text).toContain('discarding follows');
    const again = await h.discard();
    expect(again).toMatchObject({ kind: 'info', code: 'DISCARDING' });
    const late = { turn, child: false } as const;
    const complete = { type: 'tool.complete', ...late, task: 1 } as const;
    expect(await h.send(complete)).toMatchObject({ code: 'CANCELLED' });
    expect(await h.ended(2)).toMatchObject({ outcome: 'cancelled' });

    expect(returned(h)).toEqual(['later']);
    expect(h.session.view()).toMatchObject({ phase: 'noPlan', turn: 'idle', queue: [] });
    const { archive, document, sidecar } = h.session.paths;
    expect([existsSync(document), existsSync(sidecar)]).toEqual([false, false]);
    const copies = readdirSync(archive).sort();
    expect(copies).toEqual([
      expect.stringMatching(/\.discarded\.json$/u),
      expect.stringMatching(/\.discarded\.md$/u),
    ]);
    expect(readFileSync(join(archive, copies[1] ?? ''), 'utf8')).toBe(text);
    expect(h.notices().at(-1)).toContain('🗑 Split');

    const base = h.world.store.hash(text);
    expect(await h.send(complete)).toMatchObject({ code: 'CANCELLED' });
    expect(await h.send({ type: 'tool.document', ...late, text: 'x', base, plan: null })).toMatchObject({
      code: 'CANCELLED',
    });
    expect(await h.send({ type: 'tool.init', ...late, title: 'Another' })).toMatchObject({
      code: 'CANCELLED',
    });
    expect(await h.send({ type: 'turn.end', turn, outcome: 'done' })).toMatchObject({
      code: 'NOTHING_RUNNING',
    });
    expect([existsSync(document), existsSync(sidecar)]).toEqual([false, false]);
    expect(readdirSync(archive)).toHaveLength(2);
  });

  it('wins over a stop that was asked for first', async () => {
    const { h } = await busy();
    const turn = h.session.view().running?.turn ?? '';
    await h.send({
      type: 'tool.init',
      turn,
      child: false,
      title: 'T',
      tasks: [{ title: 'A', description: 'a' }],
    });
    await Promise.all([h.stop(), h.discard()]);
    await h.ended(1);
    expect(h.session.view().phase).toBe('noPlan');
  });
});

const isRunning = (pid: number): boolean => {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  // One that nobody has collected yet counts as ended.
  return !/\) Z /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
};

function isGroup(pid: number): boolean {
  const members = readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && isRunning(Number(name)));
  return members.some((name) => groupOf(name) === String(pid));
}

function groupOf(pid: string): string {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[2] ?? '') : '';
}
