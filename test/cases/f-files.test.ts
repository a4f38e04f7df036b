import { existsSync, readdirSync, readFileSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/index.ts';
import { type FileHook, systemError } from '../../adapters/store/file-ops.ts';
import { bundleChild, type ChildProgram } from '../support/crash-process.ts';
import { type Harness, hashes, openHarness, until } from '../support/harness.ts';
import { plan, reply, says, tasks } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';
import { record, startChild, tempHome } from '../adapters/store/support.ts';
import { plantPlan } from './plant.ts';
import {
  archived,
  codeOf,
  codes,
  design,
  inReview,
  liveFiles,
  open,
  plans,
  restart,
  results,
  shows,
  sidecar,
  sidecarText,
  VALID,
  writeApp,
} from './support.ts';

describe('section A, names', () => {
  const odd = ['../../../../tmp/pwn', 'a/b', '..', 'CON', 'x\u0000y', 'a'.repeat(300), '\u00e9', 'e\u0301'];

  it('B09 a session id that is none never becomes a file name', async () => {
    const home = tempHome();
    const outside = join(home, '..');
    const before = readdirSync(outside).filter((name) => name.startsWith('pwn'));
    const store = createFileStore({ home });
    for (const id of odd) {
      await expect(store.create({ ...record(), id })).rejects.toMatchObject({ code: 'BAD_NAME' });
      await expect(store.read(id)).rejects.toMatchObject({ code: 'BAD_NAME' });
      expect(() => store.paths(id)).toThrow('It must be a UUID in lower case');
    }
    expect(readdirSync(realpathSync(home))).toEqual([]);
    expect(readdirSync(outside).filter((name) => name.startsWith('pwn'))).toEqual(before);
    expect(existsSync('/tmp/pwn')).toBe(false);
  });
});

describe('section F, files that are not whole', () => {
  it('B78 a sidecar that was cut short is damaged: no crash, no noPlan, nothing written over it', async () => {
    const first = await inReview();
    await first.session.close();
    truncateSync(first.session.paths.sidecar, 40);
    const before = hashes(first.session.paths.dir);
    const h = await openHarness({ from: first });
    expect(h.session.view()).toMatchObject({ phase: 'unreadable', badge: 'Unreadable' });
    expect(h.session.view().unreadable?.path).toBe(h.session.paths.sidecar);
    expect(h.session.view().unreadable?.cause).toMatch(/not JSON at line \d+, column \d+/u);
    expect(hashes(h.session.paths.dir)).toEqual(before);
    // The last good text is still there to be read and, set aside, to be started from (D43).
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)['.unreadable.md']).toBe(VALID);
  });

  it('B79 leftover bytes are named by their place, and once set aside the next plan is saved', async () => {
    const first = await open();
    const text = '{"status":"Editing","tasks":[]}\n"\n}\n';
    await plantPlan(first, text, null);
    const h = await restart(first, () => [
      reply(plan('init', { mode: 'checklist', title: 'T', ...tasks('A', 'B') })),
      says('Saved.'),
    ]);
    expect(h.session.view().unreadable?.cause).toBe('not JSON at line 2, column 1');
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)).toEqual({ '.unreadable.json': text });
    await h.turn(() => h.chat('two things'));
    expect(sidecar(h).tasks).toHaveLength(2);
  });

  it('B82 a damaged sidecar keeps the gate shut, is explained, and discard sets both files aside', async () => {
    const first = await inReview();
    writeFileSync(first.session.paths.sidecar, '{"status": "Editing", "tasks": ');
    const broken = sidecarText(first);
    const h = await restart(first, () => [
      reply(writeApp, design('Another'), plan('start')),
      says('I can not go on.'),
    ]);
    const before = [hashes(h.project), hashes(h.session.paths.dir)];
    await h.turn(() => h.chat('write it'));
    expect(codes(h)).toEqual(['GATE_CLOSED', 'UNREADABLE', 'UNREADABLE']);
    expect([hashes(h.project), hashes(h.session.paths.dir)]).toEqual(before);
    const shown = await plans.show(h);
    expect(shown).toMatchObject({ kind: 'info', code: 'UNREADABLE' });
    expect(shown.text).toContain(h.session.paths.sidecar);
    expect(shown.text).toContain('/discard');
    for (const answer of [await h.execute('x'), await plans.revise(h, 'x'), await plans.arm(h)])
      expect(codeOf(answer)).toBe('UNREADABLE');
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)).toEqual({ '.unreadable.json': broken, '.unreadable.md': VALID });
    expect(liveFiles(h)).toEqual([]);
  });

  it('B82 a sidecar that may not be read is not absent, and is whole again once it may', async () => {
    const state = { shut: false };
    const hook: FileHook = ({ call, path, when }) => {
      if (state.shut && call === 'read' && when === 'before' && path.endsWith('.json') && path.includes('/.'))
        throw systemError('EACCES', 'permission denied');
    };
    const h = await inReview(VALID, () => [reply(writeApp), says('I see.')], { hook });
    const before = sidecarText(h);
    state.shut = true;
    await h.turn(() => h.chat('write it'));
    expect(codes(h).at(-1)).toBe('GATE_CLOSED');
    expect(h.session.view()).toMatchObject({ phase: 'unreadable' });
    expect(h.session.view().hint).toContain('EACCES');
    state.shut = false;
    await shows(h, 'postInit');
    expect(sidecarText(h)).toBe(before);
  });

  it('B83 a file that a scanner holds for a moment is saved; one that it keeps is an error that changes nothing', async () => {
    let fails = 0;
    const hook: FileHook = ({ call, path, when }) => {
      if (call !== 'rename' || when !== 'before' || !path.endsWith('.json') || !path.includes('/.')) return;
      if (fails <= 0) return;
      fails -= 1;
      throw systemError('EPERM', 'operation not permitted');
    };
    const h = await inReview(VALID, () => [says('No tasks.')], { hook });
    const before = sidecarText(h);
    fails = Infinity;
    const refused = await h.execute();
    expect(refused).toMatchObject({ code: 'NOT_SAVED', text: expect.stringContaining('EPERM') });
    expect(sidecarText(h)).toBe(before);
    expect(liveFiles(h).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    fails = 2;
    await h.turn(() => h.execute());
    expect(sidecar(h).status).toBe('Active');
  });
});

describe('section F, two writers', () => {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await bundleChild();
  });
  afterAll(() => program.end());

  it('B81 two processes of 200 saves each: whole after every step, and a stale temporary file does no harm', async () => {
    const home = tempHome();
    const target = join(home, 'plan.json');
    writeFileSync(target, '{"by":"nobody"}');
    writeFileSync(`${target}.tmp`, '{"half":');
    const runs = [
      startChild(['overwrite', target, 'a', '200']),
      startChild(['overwrite', target, 'b'.repeat(5000), '200']),
    ];
    const going = new Set(runs);
    const ended = Promise.all(runs.map((run) => run.ended.finally(() => going.delete(run))));
    let looked = 0;
    while (going.size > 0) {
      const { by } = JSON.parse(readFileSync(target, 'utf8')) as { by: string };
      expect(['nobody', 'a', 'b'.repeat(5000)]).toContain(by);
      looked += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(looked).toBeGreaterThan(20);
    expect(readdirSync(home).sort()).toEqual(['plan.json', 'plan.json.tmp']);
  });

  /** A checklist in a turn that a process of its own runs; this one looks on. */
  async function shared(
    list: object,
  ): Promise<{ h: Harness; other: ReturnType<ChildProgram['start']>; turn: string }> {
    const h = await open();
    const init = { calls: [plan('init', { mode: 'checklist', title: 'Shared', ...list })] };
    const other = program.start({
      home: h.home,
      session: h.id,
      script: [init, { hold: true }],
      acts: [{ do: 'chat', text: 'work', turn: 'none' }],
    });
    await until('the checklist shows', () => h.session.view().phase === 'checklist');
    return { h, other, turn: h.session.view().running?.turn ?? '' };
  }

  it('B84 two saves at once are both there, each on top of the other', async () => {
    const { h, other, turn } = await shared(tasks('A', 'B', 'C'));
    const { rev } = sidecar(h);
    const skip = (task: number) =>
      ({ type: 'tool.complete', turn, child: false, task, action: 'skip' }) as const;
    const answers = await Promise.all([h.send(skip(1)), other.send(skip(2))]);
    expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
    expect(sidecar(h).tasks.map(({ status }) => status)).toEqual(['Skipped', 'Skipped', 'Pending']);
    expect(sidecar(h).rev).toBe(rev + 2);
    await until('both show both', () =>
      [h.session.view(), other.view()].every((view) => view?.progress.done === 2),
    );
  });

  it('B84 a discard against an Approve: one of two orders, and who comes too late is told', async () => {
    const h = await inReview(VALID, () => [{ hang: true }]);
    const other = program.start({ home: h.home, session: h.id, script: [{ hold: true }] });
    await other.ready();
    const shown = h.session.view().document?.hash ?? null;
    const [gone, approved] = await Promise.all([
      h.discard(),
      other.send({ type: 'user.execute', by: person, shown }),
    ]);
    expect(gone.kind).toBe('accepted');
    // Approve first: its turn is then cancelled by the discard. Discard first: there is nothing left to approve.
    const late = gone.text.includes('discarding follows') ? 'accepted' : 'NO_PLAN';
    expect(codeOf(approved)).toBe(late);
    await until('it is over', () => h.session.view().phase === 'noPlan' && h.session.view().turn === 'idle');
    await until('it is over there', () => other.view()?.phase === 'noPlan' || other.view() === undefined);
    expect(liveFiles(h)).toEqual([]);
    expect(archived(h)['.discarded.md']).toBe(VALID);
  });

  it('B84 a lock file of a process that is gone holds nobody up', async () => {
    const first = await inReview();
    await first.session.close();
    writeFileSync(join(first.home, 'planchart', 'locks', `${first.id}.lock`), '999999');
    const child = program.start({
      home: first.home,
      session: first.id,
      script: [{ hold: true }],
      acts: [{ do: 'execute', turn: 'none' }],
    });
    await until('its turn runs', () => child.view()?.turn === 'running');
    await child.kill();
    const h = await openHarness({ from: first });
    expect(results(h)).toEqual([]);
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)['.discarded.md']).toBe(VALID);
  });
});
