import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../support/model-server/reply.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const text = planText('Split the key', 'Split it.', 'Move the readers.');
const changed = planText('Split the key', 'Split it.', 'Move the readers.', 'Drop the old key.');
const add = plan('add_tasks', tasks('Split it', 'Move the readers'));
const working: Reply[] = [reply(add, plan('start')), says('Task 1 is under way.')];
const written = (h: Harness): Reply[] => [
  reply(
    plan('init', { mode: 'design', title: 'Split the key' }),
    call('write_file', { path: h.session.paths.document, content: text }),
  ),
  says('Ready.'),
];

/** A session plan in review; the seed turn then meets `seed`. */
async function inReview(seed: (h: Harness) => Parameters<typeof inOrder>[0]): Promise<Harness> {
  const h: Harness = await openHarness({
    files: { 'src/app.ts': '1' },
    script: inOrder(() => [...written(h), ...seed(h)()]),
  });
  await h.turn(() => h.chat('make a plan'));
  return h;
}

interface Sidecar {
  status: string;
  approved_at: string | null;
  approval: { hash: string; by: string; via: string } | null;
  tasks: unknown[];
}
const sidecar = (h: Harness): Sidecar => JSON.parse(readFileSync(h.session.paths.sidecar, 'utf8')) as Sidecar;
const results = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'tool.ended' ? [told.text] : []));
const lastMessage = (h: Harness): string => textsOf(h.server.requests.at(-1), 'user').at(-1) ?? '';

describe('B56 a model that fails in the seed turn', () => {
  const busy = Array.from({ length: 4 }, (): Reply => ({ status: 500, error: 'out of order' }));
  it.each([
    ['a server that is out of order', busy, /^failed: .*out of order/u, 3],
    [
      'a stream that is cut',
      [{ text: 'Let me see', cutAfter: 1 }],
      /^failed: .*(stream|ended|closed|broke)/iu,
      0,
    ],
    ['a refused key', [{ status: 401, error: 'bad key' }], /^failed: .*key/iu, 0],
    ['an answer without a call', [says('I will not.')], /^done: null$/u, 0],
  ] as [string, Reply[], RegExp, number][])(
    '%s: seed failed, the cause on screen, and /execute tries again',
    async (_, replies, cause, retries) => {
      const h = await inReview(() => () => [...replies, ...working]);
      const ended = await h.turn(() => h.execute());
      expect(h.session.view()).toMatchObject({
        phase: 'seedFailedEmpty',
        seedError: 'empty',
        building: false,
      });
      expect(h.session.view().decisions).toMatchObject({ retry: true, discard: true, restore: false });
      expect(`${ended.outcome}: ${ended.cause}`).toMatch(cause);
      expect(h.notices().filter((notice) => notice.includes('Trying again'))).toHaveLength(retries);
      const first = sidecar(h);
      expect(first).toMatchObject({ status: 'Active', tasks: [] });

      await h.turn(() => h.execute());
      expect(lastMessage(h).split('\n', 1)[0]).toBe('[planchart harness] again');
      expect(h.session.view()).toMatchObject({ phase: 'checklist', seedError: null, progress: { total: 2 } });
      expect(sidecar(h).approved_at).toBe(first.approved_at);
      expect(sidecar(h).approval).toEqual(first.approval);
    },
  );

  it('an ordinary turn then builds nothing, and the project stays shut', async () => {
    const h = await inReview(() => () => [
      says('No.'),
      reply(add, plan('start'), plan('complete'), call('write_file', { path: 'src/app.ts', content: '2' })),
      says('As you wish.'),
    ]);
    await h.turn(() => h.execute());
    await h.turn(() => h.chat('just build it'));
    expect(
      results(h)
        .slice(2)
        .map((line) => line.split(':', 1)[0]),
    ).toEqual(['SEED_FAILED', 'SEED_FAILED', 'SEED_FAILED', 'GATE_CLOSED']);
    expect(readFileSync(join(h.project, 'src/app.ts'), 'utf8')).toBe('1');
    expect(h.session.view().phase).toBe('seedFailedEmpty');
  });
});

describe('D41 the harness counts', () => {
  it('another number of tasks is refused with the steps, nothing is written, and the turn goes on', async () => {
    const h = await inReview(() => () => [
      reply(plan('add_tasks', tasks('Everything')), plan('start')),
      reply(plan('add_tasks', tasks('A', 'B', 'C'))),
      ...working,
    ]);
    await h.turn(() => h.execute());
    const [, , one, start, three, two] = results(h);
    for (const refused of [one, three]) {
      expect(refused).toMatch(/^SEED_COUNT: .*2 numbered steps[^]*Split it[^]*Move the readers/u);
    }
    expect(start).toMatch(/^NO_TASKS/u);
    expect(two).toContain('Added 2 tasks');
    expect(h.session.view()).toMatchObject({ phase: 'checklist', progress: { total: 2 } });
  });

  it('tasks without a start: discard, then the archived text starts the next plan', async () => {
    let copy = '';
    const h = await inReview(() => () => [
      reply(add),
      says('I stop here.'),
      () => reply(plan('init', { mode: 'design', title: 'Split the key', from: copy })),
      says('Here it is again.'),
      ...working,
    ]);
    await h.turn(() => h.execute());
    expect(h.session.view()).toMatchObject({ phase: 'seedFailedPartial', seedError: 'partial' });
    const refused = await h.execute();
    expect(refused).toMatchObject({ kind: 'refused', code: 'PARTIAL_SEED' });
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(h.session.view().phase).toBe('noPlan');
    const { archives } = await h.world.store.read(h.id);
    copy = archives.find((name) => name.endsWith('.md')) ?? '';
    expect((await h.execute()).text).toContain(copy);
    await h.turn(() => h.chat('make a plan from the last one'));
    expect(h.document()).toBe(text);
    await h.turn(() => h.execute());
    expect(h.session.view().phase).toBe('checklist');
  });
});

describe('D48 a session plan that changes after Approve', () => {
  /** The text changes between Approve and `add_tasks`; two more calls wait behind it. */
  async function changedInSeed(): Promise<Harness> {
    const h = await inReview((at) => () => [
      () => {
        writeFileSync(at.session.paths.document, changed);
        return reply(add, plan('start'), call('write_file', { path: 'src/app.ts', content: '2' }));
      },
      reply(plan('add_tasks', tasks('A', 'B', 'C')), plan('start')),
      says('Task 1 is under way.'),
    ]);
    expect(await h.turn(() => h.execute())).toMatchObject({
      outcome: 'failed',
      cause: expect.stringContaining('TEXT_CHANGED'),
    });
    return h;
  }

  it('during the seed: TEXT_CHANGED, nothing is built, and the turn ends there', async () => {
    const h = await changedInSeed();
    expect(
      results(h)
        .slice(2)
        .map((line) => line.split(':', 1)[0]),
    ).toEqual(['TEXT_CHANGED', 'Not run', 'Not run']);
    expect(h.server.requests).toHaveLength(3);
    expect(sidecar(h).tasks).toEqual([]);
    expect(h.session.view()).toMatchObject({ phase: 'seedFailedEmpty', document: { drifted: true } });
    expect(h.session.view().decisions).toMatchObject({ retry: false, restore: true });
    expect(await h.execute()).toMatchObject({ kind: 'refused', code: 'TEXT_CHANGED' });
    expect(h.document()).toBe(changed);
  });

  it('restore brings the approved text back, and /execute tries again', async () => {
    const h = await changedInSeed();
    expect(await h.send({ type: 'user.restore', by: person })).toMatchObject({ kind: 'accepted' });
    expect(h.document()).toBe(text);
    expect(await h.execute()).toMatchObject({ kind: 'accepted' });
    await h.ended(3);
    expect(lastMessage(h)).toContain('counts them: 2');
  });

  it('approving this text keeps the first time and takes the new hash', async () => {
    const h = await changedInSeed();
    const before = sidecar(h);
    const shown = h.session.view().document?.hash ?? '';
    const approve = (hash: string) => h.send({ type: 'user.approveText', by: person, shown: hash });
    expect(await approve('0'.repeat(64))).toMatchObject({ code: 'TEXT_CHANGED' });
    await h.turn(() => approve(shown));
    expect(sidecar(h)).toMatchObject({ approved_at: before.approved_at, approval: { hash: shown } });
    expect(h.session.view()).toMatchObject({ phase: 'checklist', progress: { total: 3 } });
    expect(h.document()).toBe(changed);
  });

  it('an incomplete text wins over a changed one', async () => {
    const h = await changedInSeed();
    writeFileSync(h.session.paths.document, '# Nothing\n');
    expect(await h.execute()).toMatchObject({ kind: 'refused', code: 'TEMPLATE_INVALID' });
  });
});
