import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileHook, systemError } from '../../../adapters/store/file-ops.ts';
import { type Harness, hashes, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import type { Reply } from '../../support/model-server/reply.ts';

const text = planText('Split the key', 'Split it.', 'Move the readers.');
const design = (h: Harness): Reply[] => [
  reply(
    plan('init', { mode: 'design', title: 'Split the key' }),
    call('write_file', { path: h.session.paths.document, content: text }),
  ),
  says('Ready.'),
];
const working: Reply[] = [reply(plan('add_tasks', tasks('A', 'B')), plan('start')), says('Working.')];

/** File calls that fail while it is on. */
function fault(call: string, path: RegExp, code: string): { hook: FileHook; on: boolean; met: number } {
  const state = {
    on: false,
    met: 0,
    hook: (point: Parameters<FileHook>[0]): void => {
      if (!state.on || point.when !== 'before' || point.call !== call || !path.test(point.path)) return;
      state.met += 1;
      throw systemError(code, 'caused by the test');
    },
  };
  return state;
}

async function open(replies: (h: Harness) => Reply[], hook?: FileHook): Promise<Harness> {
  const h: Harness = await openHarness({
    files: { 'src/app.ts': '1' },
    script: inOrder(() => replies(h)),
    ...(hook === undefined ? {} : { hook }),
  });
  return h;
}

async function inReview(more: Reply[] = [], hook?: FileHook): Promise<Harness> {
  const h = await open((at) => [...design(at), ...more], hook);
  await h.turn(() => h.chat('make a plan'));
  return h;
}

const archived = (h: Harness): Record<string, string> =>
  Object.fromEntries(
    readdirSync(h.session.paths.archive).map((name) => [
      name.replace(/^opencrabs_plan_.*?-\d{8}-\d{6}/u, ''),
      readFileSync(join(h.session.paths.archive, name), 'latin1'),
    ]),
  );
const shows = (h: Harness, phase: string, ms?: number): Promise<void> =>
  until(`it shows ${phase}`, () => h.session.view().phase === phase, ms);
const results = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'tool.ended' ? [told.text] : []));

describe('D9 plan files that cannot be read', () => {
  const damages: [string, (h: Harness) => void, RegExp][] = [
    ['a torn sidecar', (h) => truncateSync(h.session.paths.sidecar, 40), /JSON/u],
    ['leftover bytes (B79)', (h) => appendFileSync(h.session.paths.sidecar, '"\n}\n'), /JSON/u],
    [
      'a .md that is not text',
      (h) => writeFileSync(h.session.paths.document, Buffer.from([0xff, 0xfe])),
      /UTF-8/u,
    ],
    [
      'a folder in place of the .md',
      (h) => {
        renameSync(h.session.paths.document, `${h.session.paths.document}.kept`);
        mkdirSync(h.session.paths.document);
      },
      /EISDIR/u,
    ],
  ];
  it.each(damages)('%s: shut, named, and /discard moves everything aside', async (name, damage, cause) => {
    const h = await inReview([
      reply(
        call('write_file', { path: 'src/app.ts', content: '2' }),
        plan('init', { title: 'x', mode: 'design' }),
      ),
      says('I see.'),
      says('Hello.'),
    ]);
    const { sidecar, document } = h.session.paths;
    damage(h);
    const bytes = readFileSync(sidecar, 'latin1');
    await shows(h, 'unreadable', 2000);
    expect(h.session.view()).toMatchObject({
      badge: 'Unreadable',
      unreadable: { cause: expect.stringMatching(cause) },
    });
    expect(h.session.view().hint).toMatch(cause);
    const refused = await h.execute('x');
    const culprit = name.includes('.md') ? document : sidecar;
    expect(refused).toMatchObject({ code: 'UNREADABLE', text: expect.stringContaining(culprit) });
    await h.turn(() => h.chat('go on'));
    expect(
      results(h)
        .slice(2)
        .map((line) => line.split(':', 1)[0]),
    ).toEqual(['GATE_CLOSED', 'UNREADABLE']);
    expect(readFileSync(join(h.project, 'src/app.ts'), 'utf8')).toBe('1');

    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(h.session.view().phase).toBe('noPlan');
    expect(Object.keys(h.notices())).not.toEqual([]);
    const names = readdirSync(h.session.paths.archive);
    expect(names).toHaveLength(2);
    expect(names.every((name) => /\.unreadable\.(json|md)$/u.test(name))).toBe(true);
    const json = names.find((name) => name.endsWith('.json')) ?? '';
    expect(readFileSync(join(h.session.paths.archive, json), 'latin1')).toBe(bytes);
    expect([existsSync(sidecar), existsSync(document)]).toEqual([false, false]);
    await h.turn(() => h.chat('hello'));
    expect(h.session.view().turn).toBe('idle');
  });

  it('a file in place of the session folder is named, and mending it brings the plan back', async () => {
    const h = await inReview();
    const { dir } = h.session.paths;
    renameSync(dir, `${dir}.away`);
    writeFileSync(dir, 'not a folder');
    await shows(h, 'unreadable', 2000);
    const refused = await h.discard();
    expect(refused).toMatchObject({ kind: 'refused', code: 'NOT_SAVED' });
    expect(refused.text).toContain(dir);
    expect(refused.text).toContain('A file stands where a folder is needed');
    expect(readFileSync(dir, 'utf8')).toBe('not a folder');
    rmSync(dir);
    renameSync(`${dir}.away`, dir);
    await shows(h, 'postInit', 2500);
    expect(h.document()).toBe(text);
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)['.discarded.md']).toBe(text);
  });
});

describe('D10 a deleted .md', () => {
  it('comes back after 2 s, the person is told, and nothing was approved', async () => {
    const h = await inReview();
    rmSync(h.session.paths.document);
    const since = Date.now();
    await until('it is back', () => existsSync(h.session.paths.document), 5000);
    expect(Date.now() - since).toBeGreaterThan(1500);
    expect(h.document()).toBe(text);
    await until('told', () =>
      h.notices().some((line) => line.includes('was restored from the last saved text')),
    );
    expect(h.session.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
  });

  it('comes back at a person’s next event, and only then', async () => {
    const h = await inReview();
    rmSync(h.session.paths.document);
    await h.send({ type: 'turn.end', turn: 'none', outcome: 'done' });
    expect(existsSync(h.session.paths.document)).toBe(false);
    expect(await h.execute(h.world.store.hash(text))).toMatchObject({ kind: 'accepted' });
    expect(h.document()).toBe(text);
  });

  it('an editor that saves by rename wins, the text is not restored over it', async () => {
    const h = await inReview();
    const edited = `${text}3. Drop the old key.\n`;
    rmSync(h.session.paths.document);
    await until('it was seen missing', () => h.session.view().document?.text === null);
    writeFileSync(`${h.session.paths.document}~`, edited);
    renameSync(`${h.session.paths.document}~`, h.session.paths.document);
    await until('it is mirrored', () =>
      readFileSync(h.session.paths.sidecar, 'utf8').includes('Drop the old key'),
    );
    await until('it is shown', () => h.session.view().document?.steps === 3);
    expect(h.document()).toBe(edited);
  });
});

describe('a disk that is full', () => {
  it('at init: the model is told path and cause, nothing is half there, and later it works', async () => {
    const full = fault('create', /\.opencrabs_plan_.*\.tmp$/u, 'ENOSPC');
    const h = await open(
      (at) => [reply(plan('init', { mode: 'design', title: 'T' })), says('Full.'), ...design(at)],
      full.hook,
    );
    await h.send({ type: 'user.plan', by: person });
    full.on = true;
    await h.turn(() => h.chat('plan it'));
    expect(results(h)).toEqual([expect.stringMatching(/^NOT_SAVED: Cannot write .*\.json: ENOSPC/u)]);
    expect(results(h)[0]).toContain(h.session.paths.dir);
    expect(h.session.view().phase).toBe('preInit');
    expect(readdirSync(h.session.paths.dir).filter((name) => name.endsWith('.md'))).toEqual([]);
    full.on = false;
    await h.turn(() => h.chat('again'));
    expect(h.session.view().phase).toBe('postInit');
  });

  it('at Approve: nothing is approved, no turn runs, and the next /execute works', async () => {
    const full = fault('write', /\.opencrabs_plan_.*\.json\..*tmp$/u, 'ENOSPC');
    const h = await inReview(working, full.hook);
    full.on = true;
    const before = readFileSync(h.session.paths.sidecar, 'utf8');
    const answer = await h.execute();
    expect(answer).toMatchObject({
      kind: 'refused',
      code: 'NOT_SAVED',
      text: expect.stringContaining('ENOSPC'),
    });
    expect(answer.text).toContain(h.session.paths.sidecar);
    expect(answer.text).toContain('nothing was changed');
    expect(h.session.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    expect(readFileSync(h.session.paths.sidecar, 'utf8')).toBe(before);
    expect(h.server.requests).toHaveLength(2);
    full.on = false;
    await h.turn(() => h.execute());
    expect(h.session.view().phase).toBe('checklist');
  });

  it('at the end of a turn: said once, waited out, and the session is free again', async () => {
    const full = fault('create', /session\.json\..*tmp$/u, 'ENOSPC');
    const h = await open(() => [says('One.'), says('Two.')], full.hook);
    await h.chat('one');
    full.on = true;
    await until('the end was tried twice', () => full.met > 1, 5000);
    expect(h.session.view().turn).toBe('running');
    expect(h.notices().filter((line) => line.includes('ENOSPC'))).toHaveLength(1);
    full.on = false;
    await h.ended(1);
    expect(h.session.view().turn).toBe('idle');
    await h.turn(() => h.chat('two'));
  });

  it('at the end of the program: it leaves all the same, and the next start finds the turn interrupted', async () => {
    const full = fault('create', /session\.json\..*tmp$/u, 'ENOSPC');
    const h = await open(() => [{ hang: true }], full.hook);
    await h.chat('one');
    await until('the model was asked', () => h.server.requests.length === 1);
    full.on = true;
    await h.session.close();
    const next = await openHarness({ from: h });
    expect(next.session.view()).toMatchObject({ turn: 'idle', running: null });
    await until('told', () => next.notices().includes('The last turn was interrupted: its program ended.'));
  });

  it('at /discard: the plan stays where it is and goes later', async () => {
    const full = fault('write', /archive/u, 'EROFS');
    const h = await inReview([], full.hook);
    full.on = true;
    const before = hashes(h.session.paths.dir);
    expect(await h.discard()).toMatchObject({
      code: 'NOT_SAVED',
      text: expect.stringMatching(/archive.*EROFS/u),
    });
    expect(h.session.view().phase).toBe('postInit');
    expect(hashes(h.session.paths.dir)).toEqual(before);
    full.on = false;
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)['.discarded.md']).toBe(text);
  });

  it('at the transcript: the turn fails with the path, and the person goes on', async () => {
    const full = fault('append', /transcript\.jsonl$/u, 'EACCES');
    const h = await inReview([...working], full.hook);
    full.on = true;
    const ended = await h.turn(() => h.execute());
    expect(ended).toMatchObject({
      outcome: 'failed',
      cause: expect.stringMatching(/transcript\.jsonl: EACCES/u),
    });
    expect(h.session.view().phase).toBe('seedFailedEmpty');
    expect(h.server.requests).toHaveLength(2);
    full.on = false;
    await h.turn(() => h.execute());
    expect(h.session.view().phase).toBe('checklist');
  });

  it('under a tool: it ran, its result cannot be kept, and the turn says so', async () => {
    const full = fault('write', /transcript\.jsonl$/u, 'ENOSPC');
    const h = await open(
      () => [
        reply(call('write_file', { path: 'out.txt', content: 'done' }), call('ls', { path: '.' })),
        says('Next.'),
      ],
      full.hook,
    );
    const told = h.session.subscribe(({ type }) => {
      if (type === 'tool.started') full.on = true;
    });
    expect(await h.turn(() => h.chat('write'))).toMatchObject({
      outcome: 'failed',
      cause: expect.stringContaining('ENOSPC'),
    });
    told();
    full.on = false;
    expect(readFileSync(join(h.project, 'out.txt'), 'utf8')).toBe('done');
    await h.turn(() => h.chat('and?'));
    const [one, two] = h.server.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(one?.content).toContain('may have run in part');
    expect(two?.content).toContain('Not run');
  });
});

describe('D7 a commit that stands in part', () => {
  it('but whole on disk: accepted, carried on, and the person is warned', async () => {
    const slow = fault('syncFolder', /session$/u, 'EIO');
    const h = await inReview(working, slow.hook);
    slow.on = true;
    const act = h.execute();
    await until('the sync failed', () => slow.met > 0);
    slow.on = false;
    expect(await act).toMatchObject({ kind: 'accepted' });
    await h.ended(2);
    expect(h.session.view().phase).toBe('checklist');
    expect(h.notices()).toContainEqual(expect.stringMatching(/saved, but not all of it: .*EIO/u));
  });

  it('and not whole: no answer says that nothing was changed, and the view is what stands', async () => {
    const stuck = fault('remove', /\.md$/u, 'EIO');
    const h = await inReview([], stuck.hook);
    stuck.on = true;
    const answer = await h.discard();
    expect(answer).toMatchObject({
      kind: 'refused',
      code: 'NOT_SAVED',
      text: expect.stringContaining('saved, but not all'),
    });
    expect(answer.text).not.toContain('othing was changed');
    expect(h.session.view().phase).toBe('noPlan');
    expect(existsSync(h.session.paths.sidecar)).toBe(false);
    stuck.on = false;
    await until('the rest goes', () => !existsSync(h.session.paths.document));
    expect(Object.values(archived(h)).filter((kept) => kept === text).length).toBeGreaterThan(0);
  });
});

describe('a disk that fails for a while', () => {
  it('is told once, not four times a second', async () => {
    const io = fault('read', /session\.json$/u, 'EIO');
    const h = await open(() => []);
    const other = await openHarness({ from: h, hook: io.hook });
    io.on = true;
    await until('it was looked at often', () => io.met > 3, 5000);
    expect(other.notices().filter((line) => line.includes('EIO'))).toHaveLength(1);
    io.on = false;
    expect(statSync(other.session.paths.own).isDirectory()).toBe(true);
  });
});
