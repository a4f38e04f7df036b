import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileHook, systemError } from '../../adapters/store/file-ops.ts';
import type { Actor, Said } from '../../machines/index.ts';
import { type Harness, hashes } from '../support/harness.ts';
import { call, plan, reply, says, systemOf, tasks, textsOf } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';
import {
  archived,
  asked,
  codeOf,
  codes,
  design,
  inReview,
  liveFiles,
  open,
  plans,
  restart,
  results,
  sidecar,
  sidecarText,
  VALID,
  writeApp,
  writeMd,
} from './support.ts';

const badge = (h: Harness): string => h.session.view().badge;

describe('section A, ways in and out', () => {
  it('B11 a folder that cannot be written keeps pre-init, and discard leaves from there', async () => {
    const state = { shut: false };
    // A test that runs as root can't lock itself out of a folder.
    const hook: FileHook = ({ call: at, path, when }) => {
      if (!state.shut || when !== 'before' || at !== 'create' || !path.includes('/session/.')) return;
      throw systemError('EACCES', 'permission denied');
    };
    const h = await open(() => [reply(design()), says('I could not.')], { hook });
    await plans.arm(h);
    const before = sidecarText(h);
    state.shut = true;
    await h.turn(() => h.chat('plan it'));
    const [result] = results(h);
    expect(result?.text).toContain('EACCES');
    expect(result?.text).toContain(h.session.paths.sidecar);
    expect(h.session.view().phase).toBe('preInit');
    expect(sidecarText(h)).toBe(before);
    expect(liveFiles(h)).toHaveLength(1);
    state.shut = false;
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(h.session.view().phase).toBe('noPlan');
    expect(liveFiles(h)).toEqual([]);
    expect(archived(h)).toEqual({});
  });

  it('B12 a note keeps state, gate and file, and goes to the model once', async () => {
    const h = await inReview(VALID, () => [
      reply(call('write_file', { path: 'src/a.ts', content: 'x' })),
      says('I see.'),
      says('Hello.'),
    ]);
    const before = hashes(h.project);
    const note = 'split step 1';
    await h.turn(() => plans.revise(h, note));
    expect(codes(h).at(-1)).toBe('GATE_CLOSED');
    expect(hashes(h.project)).toEqual(before);
    expect(h.document()).toBe(VALID);
    expect(h.session.view().phase).toBe('postInit');
    await h.turn(() => h.chat('Thanks'));
    const said = h.server.requests.map((request) => textsOf(request, 'user').join('\n'));
    expect(said[2]?.split(note)).toHaveLength(2);
    // Later it is a message of the conversation like any other, no request for changes.
    expect(said.map((text) => text.includes('asks for changes'))).toEqual([false, false, true, true, false]);
    for (const request of h.server.requests) expect(systemOf(request)).not.toContain(note);
  });

  it('B13 neither prose nor a call of the model approves, and each refusal names the way', async () => {
    const h = await inReview(VALID, () => [
      reply(plan('approve'), plan('start'), plan('add_tasks', tasks('A', 'B')), plan('execute')),
      says('Then I wait.'),
    ]);
    const before = sidecarText(h);
    await h.turn(() => h.chat('looks good, go ahead'));
    expect(codes(h).slice(2)).toEqual(['UNKNOWN_OPERATION', 'EDITING', 'EDITING', 'UNKNOWN_OPERATION']);
    for (const { text } of results(h).slice(2)) expect(text).toContain('/execute');
    expect(sidecarText(h)).toBe(before);
    expect(h.session.view().phase).toBe('postInit');
  });

  it('B17 approving opens gate and badge together', async () => {
    const h = await inReview(VALID, () => [
      reply(writeApp, plan('add_tasks', tasks('Split', 'Move')), plan('start', { task_order: 1 }), writeApp),
      says('Working.'),
    ]);
    expect(badge(h)).toBe('Editing');
    await h.turn(() => h.execute());
    expect(codes(h).slice(2)).toEqual(['GATE_CLOSED', 'ok', 'ok', 'ok']);
    expect(badge(h)).toBe('Active');
    expect(readFileSync(join(h.project, 'src/app.ts'), 'utf8')).toBe('x');
    expect(h.session.view().decisions).toMatchObject({ approve: 'hidden', revise: false, discard: true });
  });

  it('B21 leaving leaves nothing behind, from either Editing state', async () => {
    const h = await open((at) => [reply(design(), writeMd(at, VALID)), says('Ready.'), says('Hello.')]);
    await plans.arm(h);
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(liveFiles(h)).toEqual([]);
    expect(h.session.view()).toMatchObject({ phase: 'noPlan', badge: '', title: null, document: null });

    expect(await plans.arm(h)).toMatchObject({ kind: 'accepted' });
    await h.turn(() => h.chat('plan it'));
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(liveFiles(h)).toEqual([]);
    const place: Said = { type: 'user.place', by: person, cwd: h.project };
    for (const said of [place, { type: 'user.switch', by: person } as const])
      expect(codeOf(await h.send(said))).toMatch(/^(?:accepted|view)$/u);
    await h.turn(() => h.chat('hello'));
    expect(systemOf(h.server.requests.at(-1))).not.toContain('State:');
  });
});

describe('section A, who approves', () => {
  it('B18 what led into Editing and who approved is stored, not guessed', async () => {
    const h = await open((at) => [
      reply(design(), writeMd(at, VALID)),
      says('Ready.'),
      says('No tasks yet.'),
    ]);
    for (const yolo of [true, false, true]) await plans.yolo(h, yolo);
    const refused = await plans.arm(h);
    expect(refused).toMatchObject({ kind: 'refused', code: 'UNATTENDED_DESIGN' });
    expect(refused.text).toContain('/approve ask');
    await plans.yolo(h, false);
    await plans.arm(h);
    expect(sidecar(h).origin).toBe('/plan');
    await h.turn(() => h.chat('go on'));
    expect(sidecar(h)).toMatchObject({ origin: '/plan', approved_at: null });
    await h.turn(() => h.execute());
    expect(sidecar(h)).toMatchObject({ origin: '/plan', approval: { by: 'terminal', via: 'tui' } });
  });

  it('B18 words that armed are stored as they were typed', async () => {
    const h = await open(() => [says('I look.')]);
    await h.turn(() => h.chat('Please Make A Plan for the cache'));
    expect(sidecar(h).origin).toBe('Make A Plan');
  });

  it('B19 yolo cannot enter Editing, and switched on there it approves nothing', async () => {
    const h = await open((at) => [
      reply(design()),
      says('I see.'),
      reply(design(), writeMd(at, VALID)),
      says('Ready.'),
      says('Still waiting.'),
    ]);
    await plans.yolo(h, true);
    expect(codeOf(await plans.arm(h))).toBe('UNATTENDED_DESIGN');
    await h.turn(() => h.chat('design the cache'));
    expect(codes(h)).toEqual(['UNATTENDED_DESIGN']);
    expect(results(h)[0]?.text).toContain('Use a checklist or an import');
    expect(h.session.view().phase).toBe('noPlan');

    await plans.yolo(h, false);
    await h.turn(() => h.chat('make a plan'));
    const before = sidecarText(h);
    const answer = await plans.yolo(h, true);
    expect(answer.text).toContain('/execute');
    await h.turn(() => h.chat('and now?'));
    expect(sidecarText(h)).toBe(before);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', policy: 'yolo' });
    const shown = h.session.view().document?.hash ?? null;
    const others: [Actor, string][] = [
      [{ ...person, person: '2002', owner: false }, 'NOT_OWNER'],
      [{ ...person, entry: 'run' }, 'NEEDS_PERSON'],
      [{ ...person, entry: 'cron' }, 'NEEDS_PERSON'],
      [{ ...person, entry: 'a2a' }, 'NEEDS_PERSON'],
    ];
    for (const [by, code] of others)
      expect(codeOf(await h.send({ type: 'user.execute', by, shown }))).toBe(code);
    expect(sidecarText(h)).toBe(before);
    expect(asked(h)).toEqual(['plan']);
  });

  it('B22 a plan file alone is inert: after a note and a restart nothing may be built from it', async () => {
    const first = await inReview(VALID, () => [says('I see.')]);
    await first.turn(() => plans.revise(first, 'no'));
    const h = await restart(first, () => [
      reply(plan('add_tasks', tasks('Split', 'Move')), plan('start'), writeApp),
      says('It waits for you.'),
    ]);
    await h.turn(() => h.chat('what next?'));
    expect(codes(h)).toEqual(['EDITING', 'EDITING', 'GATE_CLOSED']);
    expect(sidecar(h)).toMatchObject({ approved_at: null, status: 'Editing', tasks: [] });
    expect(sidecar(h).approval).toBeUndefined();
    expect(h.session.view()).toMatchObject({ phase: 'postInit', decisions: { approve: 'on' } });
  });
});
