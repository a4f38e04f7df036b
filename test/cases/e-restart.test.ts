import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { agentMachine, recordText, sessionMachine } from '../../machines/index.ts';
import { bundleChild, type ChildProgram } from '../support/crash-process.ts';
import type { ChildReply } from '../support/crash-protocol.ts';
import { type Harness, openHarness, until } from '../support/harness.ts';
import { plan, reply, says, tasks } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';
import { rawTask } from '../support/samples.ts';
import { plantPlan } from './plant.ts';
import { inReview, open, restart, results, sidecar, sidecarText, VALID } from './support.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChild();
});
afterAll(() => program.end());

const seeds = async (h: Harness): Promise<number> =>
  (await h.session.transcript()).filter((entry) => entry.type === 'user' && entry.kind === 'seed').length;

/** A session in review whose own runtime is gone; another process can act on it. */
async function left(): Promise<Harness> {
  const h = await inReview();
  await h.session.close();
  return h;
}

type Place = Pick<Harness, 'home' | 'project' | 'id'>;

const approve = ({ home, id }: Place, kill: number | 'never' | null, script: ChildReply[] = []) =>
  program.start({ home, session: id, script, kill, acts: [{ do: 'execute', turn: 'none' }] });

/** A copy of the session's home, to be crashed in once more. */
function copyOf({ home, project, id }: Place, name: string): Place {
  const place = `${dirname(home)}-${name}`;
  cpSync(dirname(home), place, { recursive: true });
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return { id, project, home: join(place, 'home') };
}

describe('section E, restart', () => {
  it('B72 killed right after the commit of Approve it is Active, right before it is in review', async () => {
    const h = await left();
    const dry = approve(copyOf(h, 'dry'), 'never', [{ hold: true }]);
    await until('it seeds', () => dry.view()?.phase === 'seeding');
    await dry.kill();
    const points = dry.told.flatMap((one) => (one.type === 'point' ? [one.at] : []));
    const commit = (when: string): number =>
      1 + points.findIndex((at) => at.startsWith(`${when} rename`) && at.endsWith(`plan_${h.id}.json`));
    expect([commit('before'), commit('after')].every((point) => point > 0)).toBe(true);

    const before = copyOf(h, 'before');
    expect(await approve(before, commit('before')).ended).toBe('SIGKILL');
    const stayed = await openHarness({ from: before });
    expect(stayed.session.view()).toMatchObject({
      phase: 'postInit',
      turn: 'idle',
      decisions: { approve: 'on' },
    });
    expect(sidecar(stayed).approved_at).toBe(null);
    expect(await seeds(stayed)).toBe(0);
    expect(stayed.server.requests).toHaveLength(0);

    const after = copyOf(h, 'after');
    expect(await approve(after, commit('after')).ended).toBe('SIGKILL');
    const approved = await openHarness({ from: after });
    expect(approved.session.view()).toMatchObject({
      phase: 'seedFailedEmpty',
      badge: 'Active · not built',
      decisions: { approve: 'hidden', retry: true },
    });
    expect(sidecar(approved).approval?.by).toBe('terminal');
    expect(approved.server.requests).toHaveLength(0);
  });

  it('B73 no machine has a timer, a deadline is a time in the record', () => {
    const nodes = [sessionMachine.root, agentMachine.root];
    for (const node of nodes) {
      expect([node.id, node.after, node.invoke]).toEqual([node.id, [], []]);
      nodes.push(...(Object.values(node.states) as (typeof node)[]));
    }
    expect(nodes.length).toBeGreaterThan(20);
  });

  it('B73 a cancel that ran out while the program was away is carried out at the next start', async () => {
    const first = await open(() => [{ hang: true }]);
    await first.chat('hang');
    const stored = await first.world.store.read(first.id);
    const turn = stored.record.lease?.turn ?? '';
    await first.session.close();
    // The owner of the turn lives, but does not end it; the request is older than ten seconds.
    const hold = first.world.store.holdTurn(first.id, turn);
    onTestFinished(() => hold.release());
    const at = new Date(Date.now() - 11_000).toISOString();
    const lease = stored.record.lease && {
      ...stored.record.lease,
      cancel: { then: 'stop' as const, by: 'terminal', via: 'tui', at },
    };
    await first.world.store.exclusive(first.id, (tx) =>
      tx.commit({ record: { text: recordText({ ...stored.record, lease }), order: 'first' } }),
    );
    const started = performance.now();
    const h = await openHarness({ from: first });
    await until('the turn is ended', () => h.session.view().turn === 'idle', 3000);
    expect(performance.now() - started).toBeLessThan(3000);
    expect(h.session.view().running).toBe(null);
  });

  it('B75 a seed turn that died is failed, and is sent again by a person only', async () => {
    const h = await left();
    const child = approve(h, null, [{ hold: true }]);
    await until('it seeds', () => child.view()?.phase === 'seeding' && child.view()?.building === true);
    await until('the prompt was sent', () => child.published('user').length === 1);
    await child.kill();
    const next = await openHarness({ from: h });
    expect(next.session.view()).toMatchObject({
      phase: 'seedFailedEmpty',
      turn: 'idle',
      decisions: { retry: true },
    });
    expect(await seeds(next)).toBe(1);
    const again = await restart(next, () => [
      reply(plan('add_tasks', tasks('Split', 'Move')), plan('start')),
      says('On it.'),
    ]);
    expect([await seeds(again), again.server.requests.length]).toEqual([1, 0]);
    await again.turn(() => again.execute());
    expect(await seeds(again)).toBe(2);
    expect(again.session.view().phase).toBe('checklist');
    expect(readFileSync(again.session.paths.document, 'utf8')).toBe(VALID);
  });

  it('B76 a task in progress without a turn is shown as left, and start brings it back', async () => {
    const h = await open(() => [
      reply(plan('start')),
      reply(plan('complete', { task_order: 2 })),
      says('Done.'),
    ]);
    const listed = [rawTask(1, 'Completed'), rawTask(2, 'InProgress'), rawTask(3, 'Pending')];
    await plantPlan(h, { status: 'Active', title: 'T', tasks: listed }, null);
    expect(h.session.view()).toMatchObject({ phase: 'checklist', turn: 'idle' });
    expect(h.session.view().hint).toBe('Task 2 was left in progress: /continue goes on, /discard leaves.');
    await h.turn(() => h.send({ type: 'user.continue', by: person }));
    expect(results(h)[0]?.text).toContain('Task 2 of 3 is in progress');
    expect(results(h)[1]?.text).toContain('2 of 3 resolved');
    expect(sidecar(h).tasks.map(({ status }) => status)).toEqual(['Completed', 'Completed', 'Pending']);
  });

  it('B76 and one whose process died is shown as interrupted', async () => {
    const first = await open(() => [
      reply(plan('init', { mode: 'checklist', title: 'T', ...tasks('A', 'B') }), plan('start')),
      says('Working.'),
    ]);
    await first.turn(() => first.chat('two things'));
    await first.session.close();
    const child = program.start({
      home: first.home,
      session: first.id,
      script: [{ hold: true }],
      acts: [{ do: 'chat', text: 'go on', turn: 'none' }],
    });
    await until('it runs', () => child.view()?.turn === 'running');
    await child.kill();
    const h = await openHarness({ from: first });
    expect(h.session.view()).toMatchObject({ interrupted: true, decisions: { resume: true } });
    expect(h.session.view().hint).toContain('Interrupted');
    expect(h.session.view().tasks.map(({ status }) => status)).toEqual(['running', 'pending']);
    expect(sidecarText(h)).toContain('"status": "InProgress"');
  });
});
