import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Published } from '../../../adapters/ports.ts';
import { type Harness, hashes, openHarness, policies, type Policy, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const files = { 'src/app.ts': 'export const app = 1;\n', 'plan.json': '{}' };
const design = plan('init', { mode: 'design', title: 'Split the key' });
const text = planText('Split the key', 'Split it.', 'Move the readers.');
const md = (h: Harness): string => h.session.paths.document;

/** What a model may try in a state where the project is closed. */
const attempts = [
  call('write_file', { path: 'src/new.ts', content: 'x' }),
  call('write_file', { path: 'src/app.ts', content: 'x' }),
  call('edit_file', { path: 'src/app.ts', old_text: '1', new_text: '2' }),
  call('deploy', { now: true }),
];
const bash = call('bash', { command: 'echo x > src/app.ts' });

type Result = Extract<Published, { type: 'tool.ended' }>;
const results = (h: Harness): Result[] =>
  h.published.filter((told): told is Result => told.type === 'tool.ended');
const told = (h: Harness): string[] => results(h).map((result) => `${result.name}: ${result.text}`);
const codeOf = ({ failed, text: said }: Result): string =>
  failed ? (/^[A-Z_]+(?=:)/u.exec(said)?.[0] ?? said) : 'ok';

async function opened(
  script: (h: Harness) => Parameters<typeof inOrder>[0],
  more: { policy?: Policy } = {},
): Promise<Harness> {
  const h: Harness = await openHarness({ files, script: inOrder(() => script(h)()), ...more });
  return h;
}

describe('B01 the gate, whatever the model says', () => {
  it('pre-init: nothing is written, not even the session .md, and nobody is asked', async () => {
    const h = await opened((at) => () => [
      reply(...attempts, call('write_file', { path: md(at), content: text }), plan('start')),
      says('I see.'),
    ]);
    const before = hashes(h.project);
    await h.turn(() => h.chat('make a plan'));
    expect(results(h).map(codeOf)).toEqual([...Array.from({ length: 5 }, () => 'GATE_CLOSED'), 'PRE_INIT']);
    expect(told(h)[0]).toContain('nothing is written before `plan init`');
    expect(hashes(h.project)).toEqual(before);
    expect(existsSync(md(h))).toBe(false);
    expect(h.prompts).toEqual([]);
  });

  it('post-init: only the session .md is open, and bash is closed', async () => {
    const h = await opened((at) => () => [
      reply(design),
      reply(...attempts, bash, plan('add_tasks', tasks('A', 'B')), plan('start'), plan('approve')),
      reply(call('write_file', { path: md(at), content: text })),
      says('Ready.'),
    ]);
    const before = hashes(h.project);
    await h.turn(() => h.chat('make a plan'));
    const codes = [
      ...Array.from({ length: 5 }, () => 'GATE_CLOSED'),
      'EDITING',
      'EDITING',
      'UNKNOWN_OPERATION',
    ];
    expect(results(h).map(codeOf)).toEqual(['ok', ...codes, 'ok']);
    expect(told(h)[1]).toContain(md(h));
    expect(h.document()).toBe(text);
    expect(hashes(h.project)).toEqual(before);
    expect(h.prompts.map((prompt) => prompt.kind === 'approval' && prompt.tool)).toEqual(['plan']);
  });

  it('seed window: shut until the first start, then the project opens and the .md is frozen', async () => {
    const h = await opened((at) => () => [
      reply(design, call('write_file', { path: md(at), content: text })),
      says('Ready.'),
      reply(...attempts, bash, call('write_file', { path: md(at), content: 'x' })),
      reply(plan('add_tasks', tasks('A', 'B')), ...attempts, plan('start'), attempts[1] ?? bash),
      reply(call('write_file', { path: md(at), content: 'x' })),
      says('Working.'),
    ]);
    await h.turn(() => h.chat('make a plan'));
    const before = hashes(h.project);
    await h.turn(() => h.execute());
    const shut = Array.from({ length: 4 }, () => 'GATE_CLOSED');
    expect(results(h).slice(2).map(codeOf)).toEqual([
      ...shut,
      'GATE_CLOSED',
      'FROZEN',
      'ok',
      ...shut,
      'ok',
      'ok',
      'FROZEN',
    ]);
    expect(hashes(h.project)).toEqual({
      ...before,
      [join(h.project, 'src/app.ts')]: expect.not.stringMatching(before[join(h.project, 'src/app.ts')] ?? ''),
    });
    expect(h.document()).toBe(text);
    // The one write that the open gate let through was asked about; the shut ones were not (B02).
    expect(h.prompts.map((prompt) => prompt.kind === 'approval' && prompt.tool)).toEqual([
      'plan',
      'write_file',
    ]);
  });

  it('pre-init bash explores read-only, or says what to install', async () => {
    const h = await opened(() => () => [
      reply(call('bash', { command: 'cat src/app.ts' }), bash),
      reply(call('bash', { command: 'ls ~/home; cat ~/home/planchart/sessions/*/session.json' })),
      says('I see.'),
    ]);
    const before = hashes(h.project);
    await h.turn(() => h.chat('make a plan'));
    const [cat, write, records] = results(h);
    expect(cat?.text).toMatch(/export const app = 1;[^]*read-only sandbox, no network|bubblewrap/u);
    expect(write).toMatchObject({
      failed: true,
      text: expect.stringMatching(/read-only file system|bubblewrap/iu),
    });
    expect(records?.text).not.toContain('"cwd"');
    expect(hashes(h.project)).toEqual(before);
    expect(h.prompts).toEqual([]);
  });
});

describe('B02 an answer to a prompt', () => {
  it('allow for this session covers the tool, and never lifts the gate', async () => {
    const write = call('write_file', { path: 'src/one.ts', content: '1' });
    const h = await opened(
      () => () => [
        reply(write, call('write_file', { path: 'src/two.ts', content: '2' })),
        says('Done.'),
        reply(write, design, write),
        says('Ready.'),
      ],
      { policy: policies.session },
    );
    await h.turn(() => h.chat('write two files'));
    expect(h.prompts).toHaveLength(1);
    const before = hashes(h.project);
    await h.turn(() => h.chat('make a plan'));
    expect(results(h).map(codeOf)).toEqual(['ok', 'ok', 'GATE_CLOSED', 'ok', 'GATE_CLOSED']);
    expect(hashes(h.project)).toEqual(before);
    expect(h.prompts).toHaveLength(2);
  });

  it('for bash it covers this very command only', async () => {
    const list = call('bash', { command: 'ls' });
    const h = await opened(() => () => [reply(list, list, call('bash', { command: 'pwd' })), says('Done.')], {
      policy: policies.session,
    });
    await h.turn(() => h.chat('look'));
    expect(h.prompts.map((prompt) => prompt.kind === 'approval' && prompt.body)).toEqual(['ls', 'pwd']);
  });

  it('No runs nothing, and the next call is asked about again', async () => {
    const write = call('write_file', { path: 'src/one.ts', content: '1' });
    const h = await opened(() => () => [reply(write, write), says('Fine.')], { policy: policies.no });
    await h.turn(() => h.chat('write'));
    expect(told(h)).toEqual(
      Array.from({ length: 2 }, () => 'write_file: The user said No to this call; nothing was done.'),
    );
    expect(h.prompts).toHaveLength(2);
    expect(existsSync(join(h.project, 'src/one.ts'))).toBe(false);
  });

  it('is a Yes to what was shown: a file that changed meanwhile is shown again', async () => {
    const h = await opened(
      () => () => [reply(call('write_file', { path: 'src/app.ts', content: 'mine\n' })), says('Done.')],
      { policy: policies.open },
    );
    await h.chat('write');
    await until('the prompt is open', () => h.prompts.length === 1);
    writeFileSync(join(h.project, 'src/app.ts'), 'by hand\n');
    h.session.answer(h.prompts[0]?.id ?? '', { kind: 'approval', allow: 'once' });
    await until('the prompt is open again', () => h.prompts.length === 2);
    expect(h.prompts[1]).toMatchObject({ body: expect.stringContaining('-by hand') });
    expect(readFileSync(join(h.project, 'src/app.ts'), 'utf8')).toBe('by hand\n');
    h.session.answer(h.prompts[1]?.id ?? '', { kind: 'approval', allow: 'once' });
    await h.ended(1);
    expect(readFileSync(join(h.project, 'src/app.ts'), 'utf8')).toBe('mine\n');
  });

  it('is worth nothing when the state has moved on: the gate has the last word', async () => {
    const h = await opened(
      () => () => [
        reply(plan('init', { mode: 'checklist', title: 'One file', ...tasks('A') }), plan('start')),
        reply(call('write_file', { path: 'src/one.ts', content: '1' })),
        says('I see.'),
      ],
      { policy: (prompt) => ('tool' in prompt && prompt.tool === 'plan' ? policies.yes(prompt) : null) },
    );
    await h.chat('one file');
    await until('the prompt is open', () => h.prompts.length === 2);
    writeFileSync(h.session.paths.sidecar, '{"status":');
    expect(h.session.answer(h.prompts[1]?.id ?? '', { kind: 'approval', allow: 'session' })).toBe(true);
    await h.ended(1);
    expect(results(h).map(codeOf)).toEqual(['ok', 'ok', 'GATE_CLOSED']);
    expect(existsSync(join(h.project, 'src/one.ts'))).toBe(false);
  });

  it('/discard while it is open cancels the turn: the call is answered, nothing is written', async () => {
    const h = await opened(
      () => () => [
        reply(plan('init', { mode: 'checklist', title: 'Two files', ...tasks('A', 'B') }), plan('start')),
        reply(call('write_file', { path: 'src/one.ts', content: '1' }), plan('complete')),
      ],
      { policy: (prompt) => ('tool' in prompt && prompt.tool === 'plan' ? policies.yes(prompt) : null) },
    );
    await h.chat('two files');
    await until('the prompt is open', () => h.prompts.length === 2);
    expect(h.session.view().running?.waiting).toMatchObject({
      what: 'your answer about write_file',
      surface: 'tui',
    });
    expect((await h.discard()).text).toContain('discarding follows');
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled' });
    expect(h.published.filter(({ type }) => type === 'prompt.closed').at(-1)).toMatchObject({
      reason: 'cancelled',
    });
    expect(h.session.answer(h.prompts[1]?.id ?? '', { kind: 'approval', allow: 'once' })).toBe(false);
    expect(results(h).slice(2).map(codeOf)).toEqual([
      'CANCELLED',
      'Not run: the turn was cancelled or ended before this call.',
    ]);
    expect(existsSync(join(h.project, 'src/one.ts'))).toBe(false);
    expect(h.session.view()).toMatchObject({ phase: 'noPlan', turn: 'idle' });
  });
});

describe('D21 a call that is refused anyway', () => {
  it('asks nobody: the machine is asked before the person', async () => {
    const h = await opened(() => () => [
      reply(
        plan('init', { mode: 'design' }),
        plan('init', { mode: 'checklist', title: 'T' }),
        design,
        design,
      ),
      reply(plan('init', { mode: 'design', title: 'T', from: 'nothing.md' })),
      says('Ready.'),
    ]);
    await h.turn(() => h.chat('make a plan'));
    expect(results(h).map(codeOf)).toEqual([
      'TITLE_MISSING',
      'CHECKLIST_WITHOUT_TASKS',
      'ok',
      'LIVE_PLAN',
      expect.stringContaining('nothing.md is no archived session plan'),
    ]);
    expect(h.prompts).toHaveLength(1);
  });

  it('D3 a turn without a person: design is refused, the rest needs --yolo, nothing is armed or asked', async () => {
    const write = call('write_file', { path: 'src/one.ts', content: '1' });
    const checklist = plan('init', { mode: 'checklist', title: 'T', ...tasks('A') });
    const h = await opened(() => () => [
      reply(design, checklist, write),
      says('I see.'),
      reply(checklist, write),
      says('Done.'),
    ]);
    const by = { entry: 'run', surface: 'run', person: 'terminal', owner: true } as const;
    const run = (text: string) => h.turn(() => h.send({ type: 'user.chat', by, text, origin: 'typed' }));
    await run('make a plan');
    expect(h.session.view().phase).toBe('noPlan');
    expect(results(h).map(codeOf)).toEqual(['UNATTENDED_DESIGN', 'NEEDS_PERSON', 'NEEDS_PERSON']);
    expect(textsOf(h.server.requests[0], 'user').at(-1)).toContain(
      'design needs a person; checklist or import only',
    );
    await h.send({ type: 'user.policy', by: person, yolo: true });
    await run('then do it');
    expect(results(h).slice(3).map(codeOf)).toEqual(['ok', 'ok']);
    expect(h.prompts).toEqual([]);
    expect(await h.send({ type: 'user.chat', by, text: '/execute', origin: 'typed' })).toMatchObject({
      code: 'NEEDS_PERSON',
    });
  });
});

describe('D23 a session plan that a person edited meanwhile', () => {
  it.each([
    ['write_file', (path: string) => call('write_file', { path, content: 'the model’s' })],
    ['edit_file', (path: string) => call('edit_file', { path, old_text: 'Split it.', new_text: 'Cut it.' })],
  ])('%s is refused STALE_TEXT, the text stays, and reading it again opens the way', async (_, change) => {
    const edited = `${text}<!-- mine -->\n`;
    const h = await opened((at) => () => [
      reply(design, call('write_file', { path: md(at), content: text })),
      () => {
        writeFileSync(md(at), edited);
        return reply(change(md(at)));
      },
      reply(call('read_file', { path: md(at) }), change(md(at))),
      says('Done.'),
    ]);
    await h.turn(() => h.chat('make a plan'));
    const [, , stale, read, written] = told(h);
    expect(stale).toContain('STALE_TEXT');
    expect(read).toContain('<!-- mine -->');
    expect(written).not.toContain('STALE_TEXT');
    expect(h.document()).toMatch(/the model’s|Cut it\.[^]*<!-- mine -->/u);
    expect(h.session.view().document?.text).toBe(h.document());
  });

  it('with a byte order mark it is read and written like any other', async () => {
    const marked = `\uFEFF${text}`;
    const h = await opened((at) => () => [
      reply(design, call('write_file', { path: md(at), content: text })),
      () => {
        writeFileSync(md(at), marked);
        return reply(call('read_file', { path: md(at) }));
      },
      reply(call('edit_file', { path: md(at), old_text: 'Split it.', new_text: 'Cut it.' })),
      says('Done.'),
    ]);
    await h.turn(() => h.chat('make a plan'));
    expect(h.document()).toBe(marked.replace('Split it.', 'Cut it.'));
    expect(h.session.view().decisions.approve).toBe('on');
  });
});

describe('D21 the home', () => {
  it('is closed to tools but for this session’s own plan files', async () => {
    const own = (at: Harness): string => `${at.home}/planchart/sessions/${at.id}/session.json`;
    const h = await opened((at) => () => [
      reply(
        call('read_file', { path: own(at) }),
        plan('init', { file_path: own(at) }),
        plan('init', { file_path: `${at.home}/settings.json` }),
        call('write_file', { path: at.session.paths.sidecar, content: '{}' }),
      ),
      says('I see.'),
    ]);
    writeFileSync(
      `${h.home}/settings.json`,
      '{"title":"t","description":"d","tasks":[{"title":"a","description":"b"}]}',
    );
    await h.turn(() => h.chat('import it'));
    expect(results(h).map(codeOf)).toEqual([
      'GATE_CLOSED',
      'IMPORT_UNREADABLE',
      'IMPORT_UNREADABLE',
      'GATE_CLOSED',
    ]);
    expect(told(h)[2]).toContain('holds settings or other sessions');
    expect(h.session.view().phase).toBe('noPlan');
  });

  const outside = { title: 'From outside', description: 'd', tasks: [{ title: 'a', description: 'b' }] };

  it.each(['once', 'session', 'no'] as const)(
    'an import from outside the folder is read only after a Yes: %s',
    async (allow) => {
      const reads: string[] = [];
      const h = await opened(
        () => () => [
          reply(plan('init', { file_path: '../out.json' })),
          reply(plan('init', { file_path: '../broken.json' })),
          says('Done.'),
        ],
        {
          policy: (prompt) => {
            if (prompt.kind !== 'approval') return null;
            reads.push(`asked ${prompt.title}|${prompt.body}`);
            return { kind: 'approval', allow };
          },
        },
      );
      const root = dirname(h.home);
      writeFileSync(join(root, 'out.json'), JSON.stringify(outside));
      writeFileSync(join(root, 'broken.json'), '{"secret": ');
      const files = { ...h.world.workspace.files };
      h.world.workspace.files.read = (path, limit) => {
        reads.push(`read ${path}`);
        return files.read(path, limit);
      };
      await h.turn(() => h.chat('import it'));
      const [first, second] = ['out.json', 'broken.json'].map((name) => [
        `asked Import a checklist from ../${name}|Reads ${join(root, name)}`,
        ...(allow === 'no' ? [] : [`read ${join(root, name)}`]),
      ]);
      // A checklist is there by then, so the second import is refused without anybody asked or anything read.
      expect(reads).toEqual(allow === 'no' ? [...(first ?? []), ...(second ?? [])] : first);
      expect(told(h).join()).not.toContain('secret');
      expect(h.session.view().phase).toBe(allow === 'no' ? 'noPlan' : 'checklist');
    },
  );

  it('D19 a relative import path is one of the session’s folder', async () => {
    const h = await opened(() => () => [reply(plan('init', { file_path: 'plan.json' })), says('Done.')]);
    const content = { title: 'From a file', description: 'd', tasks: [{ title: 'a', description: 'b' }] };
    writeFileSync(join(h.project, 'plan.json'), JSON.stringify(content));
    await h.turn(() => h.chat('import plan.json'));
    expect(h.session.view()).toMatchObject({ phase: 'checklist', title: 'From a file' });
  });
});
