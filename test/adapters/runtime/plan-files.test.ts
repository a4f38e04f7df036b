import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeSandbox } from '../../../adapters/workspace/sandbox.ts';
import { endMarked } from '../../../adapters/workspace/strays.ts';
import { derive, phaseOf, recordText } from '../../../machines/index.ts';
import { type Harness, type HarnessOptions, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import { results } from '../../cases/support.ts';

const text = planText('Split the cache key', 'Split the key', 'Move the readers');
const bubblewrap = 'bwrap-that-is-not-installed';
const found = await probeSandbox('bwrap', { PATH: process.env['PATH'] ?? '' });
const levels = [
  ...(found.works ? [['in the sandbox', 'bwrap'] as const] : []),
  ['without', bubblewrap] as const,
];
const bash = (command: string) => call('bash', { command });

/** An approved plan with its checklist under way, then these commands in one response, without bubblewrap. */
async function working(
  commands: (h: Harness) => readonly string[],
  options: HarnessOptions = { bubblewrap },
): Promise<Harness> {
  const h: Harness = await openHarness({
    ...options,
    script: inOrder(() => [
      reply(
        plan('init', { mode: 'design', title: 'Split the cache key' }),
        call('write_file', { path: h.session.paths.document, content: text }),
      ),
      says('Ready.'),
      reply(plan('add_tasks', tasks('A', 'B')), plan('start')),
      says('Started.'),
      () => reply(...commands(h).map(bash)),
      says('Done.'),
    ]),
  });
  await h.turn(() => h.chat('make a plan'));
  await h.turn(() => h.execute());
  expect(h.session.view()).toMatchObject({ phase: 'checklist', tasks: [{ status: 'running' }, {}] });
  return h;
}

const paths = (h: Harness) => h.session.paths;
const both = (h: Harness) => [
  readFileSync(paths(h).sidecar, 'utf8'),
  readFileSync(paths(h).document, 'utf8'),
];
const said = (h: Harness): string[] =>
  results(h)
    .filter(({ name }) => name === 'bash')
    .map(({ text: result }) => result);
const report =
  /The command changed planchart's own files, which is not allowed: .* Put back as last saved\./u;

/** What a command may do to the plan files of a running checklist. */
const attacks = {
  'deletes the sidecar': ({ sidecar }) => `rm ${sidecar}`,
  'deletes the .md': ({ document }) => `rm ${document}`,
  'deletes both': ({ sidecar, document }) => `rm ${sidecar} ${document}`,
  'forges an approval': ({ sidecar }) =>
    `sed -i 's/"approved_at": "[^"]*"/"approved_at": "1999-01-01T00:00:00Z"/' ${sidecar}`,
  'completes every task': ({ sidecar }) => `sed -i 's/"InProgress"\\|"Pending"/"Completed"/' ${sidecar}`,
  'makes it a plan in review again': ({ sidecar }) =>
    `sed -i 's/"status": "Active"/"status": "Editing"/' ${sidecar}`,
  'rewrites the .md': ({ document }) => `echo '# Other' > ${document}`,
  'puts a link there': ({ document }) => `ln -sf /etc/hostname ${document}`,
  'writes over and over': ({ sidecar }) =>
    `for i in 1 2 3 4 5 6 7 8; do echo '{}' > ${sidecar}; sleep 0.1; done`,
  'leaves somebody behind who does it later': ({ sidecar }) =>
    `(setsid bash -c 'sleep 0.1; while :; do echo "{}" > ${sidecar}; sleep 0.02; done' >/dev/null 2>&1 &); sleep 0.2`,
} satisfies Record<string, (at: Harness['session']['paths']) => string>;

describe('D22 without bubblewrap, plan files that no commit changed', () => {
  it.each(Object.entries(attacks))('are put back when a command %s', async (_name, attack) => {
    const h = await working((at) => [attack(paths(at)), 'echo next']);
    const before = both(h);
    await h.turn(() => h.chat('go on'));
    expect(both(h)).toEqual(before);
    expect(h.session.view()).toMatchObject({ phase: 'checklist', progress: { done: 0, total: 2 } });
    const [first = '', next = ''] = said(h);
    expect(first).toMatch(report);
    expect(next).not.toMatch(report);
    expect(h.notices().join('\n')).toMatch(report);
    expect((await h.world.store.read(h.id)).record.lease).toBeNull();
    await h.session.close();
    expect(both(h)).toEqual(before);
  });

  it('are left alone by an ordinary command, and nothing is said', async () => {
    const h = await working(() => ['echo x > new.txt']);
    const before = [statSync(paths(h).sidecar).ino, statSync(paths(h).document).ino];
    await h.turn(() => h.chat('go on'));
    expect([statSync(paths(h).sidecar).ino, statSync(paths(h).document).ino]).toEqual(before);
    expect(said(h).join()).not.toMatch(report);
    expect(h.notices()).not.toContainEqual(expect.stringMatching(report));
  });

  it("keep a person's edit from before the command, and the replaced text as a revision", async () => {
    const h = await working((at) => [`echo '# Forged' > ${paths(at).document}`]);
    writeFileSync(paths(h).document, '# Mine\n');
    await h.turn(() => h.chat('go on'));
    expect(h.document()).toBe('# Mine\n');
    const forged = h.world.store.hash('# Forged\n');
    expect(await h.world.store.revision(h.id, forged)).toBe('# Forged\n');
  });

  it('where there was no plan: a forged one goes to the archive, not into force', async () => {
    const forged = {
      id: 'x',
      title: 'Forged',
      status: 'Active',
      approved_at: '2020-01-01T00:00:00Z',
      tasks: [],
    };
    const h: Harness = await openHarness({
      bubblewrap,
      script: inOrder(() => [
        reply(
          bash(`mkdir -p ${paths(h).dir} && echo '${JSON.stringify(forged)}' > ${paths(h).sidecar}`),
          plan('start'),
        ),
        says('I see.'),
      ]),
    });
    await h.turn(() => h.chat('work'));
    expect(results(h).map(({ text: result }) => result)).toEqual([
      expect.stringMatching(report),
      expect.stringMatching(/^NO_PLAN/u),
    ]);
    expect([h.session.view().phase, existsSync(paths(h).sidecar)]).toEqual(['noPlan', false]);
    const [kept = ''] = readdirSync(paths(h).archive);
    expect(kept).toMatch(/\.orphan\.json$/u);
    expect(readFileSync(join(paths(h).archive, kept), 'utf8')).toContain('Forged');
  });

  it('what cannot be put back, for no file lies there, is unreadable, and the turn ends', async () => {
    const h = await working(({ session }) => [`rm ${session.paths.sidecar}; mkdir ${session.paths.sidecar}`]);
    await h.turn(() => h.chat('go on'));
    expect(h.session.view()).toMatchObject({ phase: 'unreadable', turn: 'idle' });
    expect(h.notices().join('\n')).toContain(basename(paths(h).sidecar));
    rmSync(paths(h).sidecar, { recursive: true });
  });
});

describe('D22 two processes', () => {
  it("a commit of another process stands: the hash in the record is then that file's", async () => {
    const h = await working(() => ['while [ ! -e go ]; do sleep 0.02; done']);
    const before = both(h);
    const ended = h.turn(() => h.chat('go on'));
    const files = async () => (await h.world.store.read(h.id)).record.lease?.files ?? null;
    await until('the files are kept', async () => (await files()) !== null);
    expect(await files()).toMatchObject({
      calls: 1,
      sidecar: { kind: 'text', hash: h.world.store.hash(before[0] ?? ''), text: before[0] },
      document: { kind: 'text', hash: h.world.store.hash(text) },
    });
    // A task is completed by this session's own dispatcher meanwhile, as a sub-agent's parent would.
    const turn = h.session.view().running?.turn ?? '';
    expect(await h.send({ type: 'tool.complete', turn, child: false })).toMatchObject({ kind: 'accepted' });
    expect(await files()).toMatchObject({
      sidecar: { hash: h.world.store.hash(readFileSync(paths(h).sidecar, 'utf8')) },
    });
    writeFileSync(join(h.project, 'go'), '');
    await ended;
    expect(h.session.view().progress).toEqual({ done: 1, total: 2 });
    expect(said(h).join()).not.toMatch(report);
  });

  it('meanwhile nobody takes the changed file for the plan, with or without the lock', async () => {
    const forge = (h: Harness) => `echo '{"status":"Completed","tasks":[]}' > ${paths(h).sidecar}`;
    const h = await working((at) => [`${forge(at)}; touch forged; while [ ! -e go ]; do sleep 0.02; done`]);
    const before = both(h);
    const ended = h.turn(() => h.chat('go on'));
    await until('it is forged', () => existsSync(join(h.project, 'forged')));
    const seen = derive(await h.world.store.read(h.id));
    expect([phaseOf(seen.snapshot), seen.found]).toEqual(['checklist', []]);
    expect(await h.send({ type: 'user.goal', by: person, text: 'Go on.' })).toMatchObject({
      kind: 'accepted',
    });
    expect(both(h)).toEqual(before);
    expect(h.notices().join('\n')).toMatch(report);
    writeFileSync(join(h.project, 'go'), '');
    await ended;
    // It was put back in the middle of the command, and the model is told all the same.
    expect(said(h).join()).toMatch(report);
  });

  it('the next start puts back what a command did while its program was killed', async () => {
    const h = await working(() => []);
    await h.session.close();
    const before = both(h);
    const stored = await h.world.store.read(h.id);
    const kept = (name: 'sidecar' | 'document') => {
      const found = stored[name];
      return found.kind === 'text' ? { kind: 'text' as const, hash: found.hash, text: found.text } : null;
    };
    const files = { calls: 1, sidecar: kept('sidecar'), document: kept('document'), restored: [] };
    const by = { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true };
    const lease = { turn: 'dead', kind: 'chat', by, since: '2026-01-02T03:04:05.000Z', files };
    const record = JSON.parse(recordText(stored.record)) as object;
    writeFileSync(join(paths(h).own, 'session.json'), JSON.stringify({ ...record, lease }));
    writeFileSync(paths(h).sidecar, '{"status":"Completed","tasks":[]}');
    rmSync(paths(h).document);
    mkdirSync(paths(h).archive, { recursive: true });
    const next = await openHarness({ from: h });
    expect(both(next)).toEqual(before);
    expect(next.session.view()).toMatchObject({ phase: 'checklist', turn: 'idle' });
    await until('it is told', () => next.notices().some((notice) => report.test(notice)));
  });
});

/** What a command may see and do of the home: of this session the `.md`, to read; nothing else. */
const looks = (h: Harness) =>
  `cat ${paths(h).document}; cat ${h.home}/planchart.toml ${paths(h).sidecar} ${paths(h).own}/session.json; ` +
  `ls ${h.home}/planchart/sessions; for f in ${paths(h).document} ${paths(h).sidecar} ${h.home}/new; do echo x > $f; done; ` +
  `rm -rf ${h.home}; echo looked`;

function homeIsMasked(): void {
  it('in Active: the own session plan is there to read, the rest is not, and nothing changes', async () => {
    const h = await working((at) => [looks(at)], {});
    writeFileSync(join(h.home, 'planchart.toml'), 'key = "hidden"');
    mkdirSync(join(h.home, 'planchart/sessions/another-session'));
    const before = both(h);
    await h.turn(() => h.chat('go on'));
    const [output = ''] = said(h);
    expect(output).toContain('**Intent:** the next release needs it.');
    expect(output).toMatch(/looked\n/u);
    expect(output).not.toMatch(/hidden|approved_at|"lease"/u);
    expect(output).not.toContain('another-session');
    expect(both(h)).toEqual(before);
    expect(existsSync(join(h.home, 'new'))).toBe(false);
    expect(output).not.toMatch(report);
  });

  it('in NoPlan: all of it is closed', async () => {
    const h: Harness = await openHarness({
      script: inOrder(() => [reply(bash(looks(h))), says('I see.')]),
    });
    writeFileSync(join(h.home, 'planchart.toml'), 'key = "hidden"');
    await h.turn(() => h.chat('look'));
    const [output = ''] = said(h);
    expect(output).toMatch(/looked\n/u);
    expect(output).not.toMatch(/hidden|"lease"/u);
    expect(readFileSync(join(h.home, 'planchart.toml'), 'utf8')).toBe('key = "hidden"');
    expect(existsSync(join(h.home, 'new'))).toBe(false);
  });
}

function homeIsOpen(): void {
  it('without a sandbox the prompt says so', async () => {
    const h = await working(() => ['true'], {});
    await h.turn(() => h.chat('go on'));
    expect(h.prompts.at(-1)).toMatchObject({ tool: 'bash', sandbox: 'your rights, no sandbox' });
  });
}

describe('D21 the home and bash', () => {
  if (found.works) homeIsMasked();
  else homeIsOpen();
});

describe.each(levels)('D22 when Plan mode begins, %s', (_level, program) => {
  const writer = 'while :; do echo x >> log; sleep 0.02; done';
  const design = plan('init', { mode: 'design', title: 'T' });
  const turnOf = (h: Harness): string => h.session.view().running?.turn ?? '';

  it('nothing that an earlier command left is there to write', async () => {
    let turn = '';
    const h: Harness = await openHarness({
      bubblewrap: program,
      script: inOrder(() => [
        () => {
          turn = turnOf(h);
          return reply(bash(`setsid bash -c '${writer}' & while [ ! -s log ]; do sleep 0.01; done`), design);
        },
        says('Ready.'),
      ]),
    });
    await h.turn(() => h.chat('work'));
    expect(h.session.view().phase).toBe('postInit');
    expect(existsSync(join(h.project, 'log'))).toBe(true);
    expect(await endMarked(`${turn}/`)).toBe(0);
  });

  it('a command that runs beside it, such as a sub-agent’s, is ended', async () => {
    const running: { ended?: Promise<unknown> } = {};
    const h: Harness = await openHarness({
      bubblewrap: program,
      script: inOrder(() => [
        async () => {
          const options = { cwd: h.project, turn: turnOf(h), visible: () => [], onGroup: () => undefined };
          const shell = h.world.workspace.shell(options);
          running.ended = shell.run(
            `trap '' TERM; ${writer}`,
            'project',
            60_000,
            new AbortController().signal,
          );
          await until('it writes', () => existsSync(join(h.project, 'log')));
          return reply(design);
        },
        says('Ready.'),
      ]),
    });
    await h.turn(() => h.chat('work'));
    expect(h.session.view().phase).toBe('postInit');
    expect(await running.ended).toMatchObject({ kind: 'ended', exit: null, timedOut: false });
  });
});
