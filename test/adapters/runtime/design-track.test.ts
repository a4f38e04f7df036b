import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, plan, reply, says, systemOf, tasks, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const golden = readFileSync(new URL('../../fixtures/golden-plan.md', import.meta.url), 'utf8');
const unfinished = '# Add session plan Approve gate\n## Context\n- **Problem:** no design doc.\n';
const files = { 'src/app.ts': 'export const app = 1;\n', 'README.md': '# Sample\n' };

/** What the reminder of a request says the state is (D28). */
const states: readonly [string, RegExp][] = [
  ['pre-init', /^State: Editing, no SESSION PLAN yet\.$/mu],
  ['post-init', /^State: Editing the SESSION PLAN\.$/mu],
  ['active', /^State: Active, CHECKLIST/mu],
];
const reminders = (h: Harness): string[] =>
  h.server.requests.map((request) => {
    const found = states.filter(([, pattern]) => pattern.test(systemOf(request))).map(([name]) => name);
    return found.join(' and ') || 'none';
  });

describe.each(['openai', 'anthropic'] as const)('the whole design track over HTTP, %s', (protocol) => {
  it('words arm, a person approves what was shown, the seed is worked, both files are archived', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const md = (): string => h.session.paths.document;
    const h = await openHarness({
      files,
      protocol,
      script: inOrder(() => [
        reply(call('ls', { path: '.' }), call('read_file', { path: 'src/app.ts' })),
        reply(plan('init', { mode: 'design', title: 'Add session plan Approve gate' })),
        reply(call('write_file', { path: md(), content: unfinished })),
        says('Something is still missing.'),
        reply(call('read_file', { path: md() })),
        reply(call('write_file', { path: md(), content: golden })),
        says('It is ready.'),
        held.then(() => reply(plan('add_tasks', tasks('Add Approve validator', 'Wire seed turn')))),
        reply(plan('start')),
        reply(call('write_file', { path: 'src/gate.ts', content: 'export const gate = 1;\n' })),
        reply(plan('complete', { task_order: 1, output: 'written' }), plan('start', { task_order: 2 })),
        reply(plan('complete', { task_order: 2 })),
        says('All done.'),
      ]),
    });

    await h.turn(() => h.chat('Please make a plan for an approve gate.'));
    expect(h.notices()).toContain('Plan mode is on, because you wrote "make a plan". /discard leaves.');
    expect(h.session.view()).toMatchObject({ phase: 'postInit', badge: 'Editing', turn: 'idle' });

    const early = await h.execute();
    expect(early).toMatchObject({ kind: 'refused', code: 'TEMPLATE_INVALID' });
    expect(early.text).toContain(md());
    expect(early.text.match(/\bline \d+/giu)?.length).toBeGreaterThanOrEqual(2);

    await h.turn(() => h.chat('Go on.'));
    expect(h.document()).toBe(golden);
    expect(h.session.view().document).toMatchObject({ steps: 2, faults: [] });
    expect(await h.execute(null)).toMatchObject({ kind: 'refused', code: 'TEXT_CHANGED' });
    expect(await h.execute('0'.repeat(64))).toMatchObject({ kind: 'refused', code: 'TEXT_CHANGED' });
    expect(h.server.requests).toHaveLength(7);

    const approved = await h.execute();
    expect(approved.text).toContain('Building checklist…');
    expect(approved.text).toContain('does not change tool permissions');
    expect(h.session.view()).toMatchObject({ phase: 'seeding', building: true, badge: 'Active' });
    expect(await h.execute()).toMatchObject({ kind: 'refused', code: 'BUSY' });
    expect(h.session.view().queue).toEqual([]);
    letGo();
    expect(await h.ended(3)).toMatchObject({ outcome: 'done', cause: null });

    expect(h.session.view()).toMatchObject({ phase: 'noPlan', turn: 'idle', badge: '', tasks: [] });
    const closed = h.published.flatMap((told) => (told.type === 'view' ? (told.view.closed ?? []) : []));
    expect(closed.at(-1)?.tasks.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(readFileSync(join(h.project, 'src/gate.ts'), 'utf8')).toBe('export const gate = 1;\n');
    const { archive, document, sidecar } = h.session.paths;
    const copies = readdirSync(archive).sort();
    expect(copies.map((name) => name.slice(name.lastIndexOf('.')))).toEqual(['.json', '.md']);
    expect(readFileSync(join(archive, copies[1] ?? ''), 'utf8')).toBe(golden);
    const archived = JSON.parse(readFileSync(join(archive, copies[0] ?? ''), 'utf8')) as {
      status: string;
      approved_at: string | null;
      tasks: { title: string; status: string }[];
    };
    expect(archived.tasks.map(({ title, status }) => [title, status])).toEqual([
      ['Add Approve validator', 'Completed'],
      ['Wire seed turn', 'Completed'],
    ]);
    expect(archived.approved_at).not.toBe(null);
    expect([existsSync(document), existsSync(sidecar)]).toEqual([false, false]);

    // Only what changes something was asked about, once each (D21).
    expect(h.prompts.map((prompt) => (prompt.kind === 'approval' ? prompt.tool : prompt.kind))).toEqual([
      'plan',
      'write_file',
    ]);
    expect(h.prompts[1]).toMatchObject({
      folder: h.project,
      body: expect.stringContaining('+export const gate'),
    });

    expect(reminders(h)).toEqual(
      'pre-init pre-init post-init post-init post-init post-init post-init none none active active active none'.split(
        ' ',
      ),
    );
    for (const request of h.server.requests) {
      expect(systemOf(request)).toContain('You are an agent inside planchart.');
      expect(systemOf(request)).toContain(`Working folder: ${h.project}`);
    }
    await checkHint(h);
    await checkImplementPrompt(h, md());
  });

  /** D25: the hint goes with the words that armed, in that turn only, and no record keeps it. */
  async function checkHint(h: Harness): Promise<void> {
    const hinted = h.server.requests.map((request) => textsOf(request, 'user').join('\n').includes('Hint:'));
    expect(hinted).toEqual([true, true, true, true, ...Array.from({ length: 9 }, () => false)]);
    expect(JSON.stringify(await h.session.transcript())).not.toContain('Hint:');
    expect(JSON.stringify(h.published)).not.toContain('Hint:');
  }

  /** D15: a visible message of the harness, the first of the seed turn, that stays in history. */
  async function checkImplementPrompt(h: Harness, path: string): Promise<void> {
    const shown = h.published.flatMap((told) => (told.type === 'user' ? [told] : []));
    expect(shown.map(({ from }) => from)).toEqual(['person', 'person', 'harness']);
    const implement = shown.at(-1)?.text ?? '';
    expect(implement).toContain(path);
    expect(implement).toContain('Numbered steps as the harness counts them: 2');
    expect(implement.split('\n', 1)[0]).not.toContain('again');
    for (const request of h.server.requests.slice(7)) expect(textsOf(request, 'user').at(-1)).toBe(implement);
    const entries = await h.session.transcript();
    expect(entries.filter((entry) => entry.type === 'user').at(-1)).toMatchObject({
      from: 'harness',
      kind: 'seed',
      text: implement,
    });
  }
});

describe('asking for changes', () => {
  it('D44: the note goes to the model once, as the next turn, and the state stays', async () => {
    const md = (): string => h.session.paths.document;
    const h = await openHarness({
      script: inOrder(() => [
        reply(plan('init', { mode: 'design', title: 'Split the key' })),
        says('Here it is.'),
        reply(call('write_file', { path: 'src/a.ts', content: 'x' })),
        reply(call('write_file', { path: md(), content: golden })),
        says('Changed.'),
        says('Hello.'),
      ]),
    });
    await h.turn(() => h.chat('make a plan'));
    const note = 'split step 1';
    await h.turn(() => h.send({ type: 'user.revise', by: person, note, seen: null }));
    expect(h.session.view().phase).toBe('postInit');
    expect(h.document()).toBe(golden);
    expect(existsSync(join(h.project, 'src/a.ts'))).toBe(false);
    await h.turn(() => h.chat('Thanks'));

    const wrapper = 'The person asks for changes to the SESSION PLAN';
    const count = (index: number, text: string): number =>
      JSON.stringify(h.server.requests[index]).split(text).length - 1;
    expect([2, 3, 4].map((index) => [count(index, note), count(index, wrapper)])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    // Later it is a message of the conversation like any other, not a request any more (B12).
    expect([count(5, note), count(5, wrapper)]).toEqual([1, 0]);
    await until('the person sees the note', () =>
      h.published.some((told) => told.type === 'user' && told.text === note && told.from === 'person'),
    );
  });
});
