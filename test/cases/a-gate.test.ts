import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileHook } from '../../adapters/store/file-ops.ts';
import { type Harness, hashes, openHarness, policies, until } from '../support/harness.ts';
import {
  call,
  isSubAgent,
  perAgent,
  plan,
  reply,
  says,
  systemOf,
  textsOf,
} from '../support/harness-script.ts';
import { plantPlan } from './plant.ts';
import {
  asked,
  checklist,
  codes,
  design,
  files,
  inReview,
  open,
  plans,
  results,
  shows,
  sidecar,
  VALID,
  writeApp,
  writeMd,
} from './support.ts';

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('section A, the write gate', () => {
  it('B01 an edit of a source file is refused in Editing, with or without the reminder', async () => {
    const h = await open((at) => [
      reply(writeApp),
      reply(design(), writeMd(at, VALID), writeApp),
      says('Ready.'),
      reply(writeApp),
      says('I see.'),
    ]);
    const app = join(h.project, 'src/app.ts');
    const before = sha256(app);
    await h.turn(() => h.chat('make a plan'));
    const told = h.world.prompts;
    h.world.prompts = {
      render: (name, values) => (name.startsWith('reminder-') ? '' : told.render(name, values)),
    };
    await h.turn(() => h.chat('now write it'));
    expect(systemOf(h.server.requests[1])).toContain('State: Editing');
    expect(systemOf(h.server.requests[3])).not.toContain('State: Editing');
    expect(codes(h)).toEqual(['GATE_CLOSED', 'ok', 'ok', 'GATE_CLOSED', 'GATE_CLOSED']);
    expect(sha256(app)).toBe(before);
  });

  it('B02 a gated call opens no prompt, and an "always" for the tool does not lift the gate', async () => {
    const h = await open(
      (at) => [
        reply(writeApp),
        says('Done.'),
        reply(design(), writeMd(at, VALID), writeApp),
        says('Ready.'),
        reply(writeApp),
        says('I see.'),
      ],
      { policy: policies.session },
    );
    await h.turn(() => h.chat('write the file'));
    expect(asked(h)).toEqual(['write_file']);
    const before = hashes(h.project);
    await h.turn(() => h.chat('make a plan'));
    await h.turn(() => h.chat('write it'));
    expect(codes(h)).toEqual(['ok', 'ok', 'ok', 'GATE_CLOSED', 'GATE_CLOSED']);
    expect(asked(h)).toEqual(['write_file', 'plan']);
    expect(hashes(h.project)).toEqual(before);
  });

  it('B03 no allowed tool and no yolo opens it, and only the Editing block is in the prompt', async () => {
    const h = await inReview(
      VALID,
      () => [reply(writeApp, call('write_file', { path: 'src/a.ts', content: 'x' })), says('I see.')],
      { policy: policies.session },
    );
    expect(await plans.yolo(h, true)).toMatchObject({ kind: 'accepted' });
    const before = hashes(h.project);
    await h.turn(() => h.chat('go ahead'));
    expect(codes(h).slice(2)).toEqual(['GATE_CLOSED', 'GATE_CLOSED']);
    expect(hashes(h.project)).toEqual(before);
    const system = systemOf(h.server.requests[2]);
    expect(system.match(/^State: .*$/gmu)).toEqual(['State: Editing the SESSION PLAN.']);
    expect(system).not.toMatch(/Active, CHECKLIST|checklist or import only/u);
    expect(asked(h)).toEqual(['plan']);
  });

  it('B04 a child agent is not started while Editing, and has no hand on the plan anywhere', async () => {
    const spawn = call('spawn_agent', { agent_type: 'general', prompt: 'write src/a.ts' });
    const h = await inReview(VALID, () => [reply(spawn), says('I see.'), { hang: true }]);
    const before = hashes(h.project);
    await h.turn(() => h.chat('use a helper'));
    expect(codes(h).at(-1)).toBe('GATE_CLOSED');
    expect(hashes(h.project)).toEqual(before);
    await h.chat('wait');
    const turn = h.session.view().running?.turn ?? '';
    const child = await h.send({ type: 'tool.start', turn, child: true });
    expect(child).toMatchObject({ kind: 'refused', code: 'NOT_FOR_CHILD' });
  });

  it('B04 a child that runs already is refused too, from the moment the session is Editing', async () => {
    const write = (path: string) => call('write_file', { path, content: 'x' });
    const h: Harness = await openHarness({
      files,
      script: perAgent(
        () => [
          reply(call('spawn_agent', { agent_type: 'general', prompt: 'write' }), writeApp),
          says('I see.'),
        ],
        () => [
          reply(write('src/before.ts')),
          async () => {
            // The turn holds `/plan` back, so it is another program that writes this.
            await plantPlan(h, { session_id: h.id, tasks: [], pre_init_editing: true }, null);
            return reply(write('src/a.ts'), call('bash', { command: 'echo x > src/a.ts' }));
          },
          says('It is closed.'),
        ],
      ),
    });
    const before = hashes(h.project);
    await h.turn(() => h.chat('use a helper'));
    expect(h.session.view().phase).toBe('preInit');
    expect(codes(h)).toEqual(['ok', 'GATE_CLOSED']);
    expect(textsOf(h.server.requests.findLast(isSubAgent), 'tool')).toEqual([
      expect.stringMatching(/^Created .*before\.ts/),
      expect.stringMatching(/^GATE_CLOSED: write_file is closed/),
      expect.stringMatching(/read-only|bubblewrap/iu),
    ]);
    expect(hashes(h.project)).toEqual({ ...before, [join(h.project, 'src/before.ts')]: expect.any(String) });
    expect(asked(h)).toEqual(['write_file']);
  });
});

describe('section A, the one file that is open', () => {
  it('B06 a link in place of the session plan is not written through', async () => {
    const h = await inReview(VALID, (at) => [reply(writeMd(at, 'stolen')), says('I see.')]);
    const victim = join(dirname(h.home), 'victim.env');
    writeFileSync(victim, 'SECRET=1\n');
    const { document } = h.session.paths;
    renameSync(document, `${document}.kept`);
    symlinkSync(victim, document);
    await shows(h, 'unreadable');
    await h.turn(() => h.chat('write it'));
    expect(codes(h).at(-1)).toBe('GATE_CLOSED');
    expect(results(h).at(-1)?.text).toContain('cannot be read');
    expect(readFileSync(victim, 'utf8')).toBe('SECRET=1\n');
    expect(readFileSync(`${document}.kept`, 'utf8')).toBe(VALID);
  });

  it('B06 a link that is swapped in between check and write is replaced, not followed', async () => {
    const state: { swap?: (path: string) => void } = {};
    const hook: FileHook = ({ call: at, path, when }) => {
      if (at === 'rename' && when === 'before' && path.includes('/.opencrabs_plan_')) state.swap?.(path);
    };
    const h = await inReview('# Draft\n', (at) => [reply(writeMd(at, VALID)), says('Ready.')], { hook });
    const victim = join(dirname(h.home), 'victim.env');
    writeFileSync(victim, 'SECRET=1\n');
    const { document } = h.session.paths;
    let swapped = 0;
    state.swap = (path) => {
      if (path !== document) return;
      swapped += 1;
      renameSync(document, `${document}.kept`);
      symlinkSync(victim, document);
    };
    await h.turn(() => h.chat('write it'));
    expect(swapped).toBe(1);
    expect(readFileSync(victim, 'utf8')).toBe('SECRET=1\n');
    expect(h.document()).toBe(VALID);
  });

  it('B06 a link among the parents is resolved before the gate judges', async () => {
    const h = await open(() => [
      reply(call('write_file', { path: 'way/in.json', content: '{}' })),
      says('No.'),
    ]);
    symlinkSync(join(h.home, 'planchart'), join(h.project, 'way'));
    await h.turn(() => h.chat('write it'));
    expect(codes(h)).toEqual(['GATE_CLOSED']);
    expect(results(h)[0]?.text).toContain(join(h.home, 'planchart', 'in.json'));
    expect(readdirSync(join(h.home, 'planchart'))).not.toContain('in.json');
  });
});

describe('section A, the plan tool', () => {
  it('B14 the gate looks at the operation: nothing is started before a review', async () => {
    const h = await open(() => [
      reply(plan('init', { mode: 'design', title: 'T' }), plan('start'), plan('complete')),
      says('I see.'),
    ]);
    await plans.arm(h);
    await h.turn(() => h.chat('do it all'));
    expect(codes(h)).toEqual(['ok', 'EDITING', 'EDITING']);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', tasks: [] });
  });

  it('B14 a checklist whose approval is still open has no task to start', async () => {
    const h = await open(
      () => [reply(checklist({ title: 't1', description: 'first' }), plan('start')), says('Started.')],
      { policy: policies.open },
    );
    await h.chat('do t1');
    await until('the prompt is open', () => h.prompts.length === 1);
    const turn = h.session.view().running?.turn ?? '';
    const early = await h.send({ type: 'tool.start', turn, child: false });
    expect(early).toMatchObject({ kind: 'refused', code: 'NO_PLAN' });
    h.session.answer(h.prompts[0]?.id ?? '', { kind: 'approval', allow: 'once' });
    await h.ended(1);
    expect(codes(h)).toEqual(['ok', 'ok']);
    expect(sidecar(h).tasks).toMatchObject([{ title: 't1', status: 'InProgress' }]);
  });

  it('B14 a No to the checklist leaves nothing to start', async () => {
    const h = await open(
      () => [reply(checklist({ title: 't1', description: 'first' }), plan('start')), says('Fine.')],
      { policy: policies.no },
    );
    await h.turn(() => h.chat('do t1'));
    expect(codes(h)).toEqual(['The user said No to this call; nothing was done.', 'NO_PLAN']);
    expect(h.session.view().phase).toBe('noPlan');
  });
});
