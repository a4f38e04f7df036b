import { describe, expect, it } from 'vitest';
import { Said } from '../../machines/index.ts';
import type { Harness } from '../support/harness.ts';
import { call, plan, reply, says, tasks, textsOf } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';
import { asked, codeOf, codes, inReview, sidecar, sidecarText, VALID, writeApp } from './support.ts';

const start = reply(plan('add_tasks', tasks('Split', 'Move')), plan('start'));
const started = (h: Harness, kind: string): number =>
  h.published.filter((told) => told.type === 'turn.started' && told.kind === kind).length;

describe('section D, what the engine decides of Approve', () => {
  it('B54 Approve on any surface starts the same seed turn', async () => {
    const seeds = [];
    for (const surface of ['tui', 'telegram']) {
      const h = await inReview(VALID, () => [says('No tasks.')]);
      const shown = h.session.view().document?.hash ?? null;
      await h.turn(() => h.send({ type: 'user.execute', by: { ...person, surface }, shown }));
      const request = h.server.requests.at(-1);
      const text = (textsOf(request, 'user').at(-1) ?? '')
        .replaceAll(h.home, '<home>')
        .replaceAll(h.id, '<id>');
      seeds.push({ text, tools: request?.tools });
      expect(sidecar(h).approval?.via).toBe(surface);
    }
    expect(seeds[0]?.text).toContain('The person approved the SESSION PLAN');
    expect(seeds[0]?.tools?.length).toBeGreaterThan(5);
    expect(seeds[1]).toEqual(seeds[0]);
  });

  it('B57 Approve while a turn runs is refused, queues nothing and writes nothing', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const h = await inReview(VALID, () => [held.then(() => says('Hm.')), says('No tasks.')]);
    await h.chat('think about it');
    const before = sidecarText(h);
    expect(codeOf(await h.execute())).toBe('BUSY');
    expect(h.session.view().queue).toEqual([]);
    expect(sidecarText(h)).toBe(before);
    letGo();
    await h.ended(2);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', turn: 'idle' });
    expect(sidecarText(h)).toBe(before);
    await h.turn(() => h.execute());
    expect(sidecar(h).status).toBe('Active');
  });

  it.each(['Approve', 'chat'])(
    'B57 of two in the same tick exactly one starts a turn: %s first',
    async (first) => {
      const h = await inReview(VALID, () => [says('One.'), says('Two.'), says('Three.')]);
      const acts = [(): Promise<unknown> => h.execute(), (): Promise<unknown> => h.chat('hello')];
      if (first === 'chat') acts.reverse();
      await Promise.all(acts.map((act) => act()));
      await h.ended(2);
      expect(started(h, 'seed')).toBe(first === 'Approve' ? 1 : 0);
      expect(h.session.view().phase).toBe(first === 'Approve' ? 'seedFailedEmpty' : 'postInit');
    },
  );

  it('B59 a second Approve acts once: one seed turn, and the true state as answer', async () => {
    const h = await inReview(VALID, () => [start, says('Working.')]);
    const shown = h.session.view().document?.hash ?? null;
    const answers = await Promise.all([h.execute(shown), h.execute(shown)]);
    expect(answers.map(codeOf)).toEqual(['accepted', 'BUSY']);
    await h.ended(2);
    expect(started(h, 'seed')).toBe(1);
    expect(codeOf(await h.execute(shown))).toBe('NOT_APPLICABLE');
  });

  it('B60 B61 Approve is asked once and grants no tool: each change still asks, as a tool', async () => {
    const edit = (n: number) => call('write_file', { path: `src/${n}.ts`, content: String(n) });
    const bash = call('bash', { command: 'true' });
    const h = await inReview(VALID, () => [start, reply(...[1, 2, 3, 4, 5].map(edit), bash), says('Done.')]);
    const answer = await h.execute();
    expect(answer.text).toContain('Approving does not change tool permissions');
    await h.ended(2);
    expect(asked(h)).toEqual(['plan', ...Array.from({ length: 5 }, () => 'write_file'), 'bash']);
    expect(codes(h).slice(2)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('B62 the implement prompt adds nothing to the approved steps, and its bounds travel with it', async () => {
    const text = VALID.replace('1. Split the key — edit `src/cache.ts`.', '1. Write docs only.').replace(
      '## Implementation',
      '- **Out of scope:** no code\n## Implementation',
    );
    const h = await inReview(text, () => [reply(writeApp), says('No tasks.')]);
    await h.turn(() => h.execute());
    const prompt = textsOf(h.server.requests[2], 'user').at(-1) ?? '';
    expect(prompt).toContain('- **Out of scope:** no code');
    expect(prompt).toContain('A task is what its step says and no more.');
    expect(prompt).not.toMatch(/implement (?:it|the plan|everything)|write (?:the )?code/iu);
  });

  it('B64 Approve takes no note that could get lost: changes are asked for instead', () => {
    const said = { type: 'user.execute', by: person, shown: null, note: 'keep the old flag' };
    expect(Said.safeParse(said).success).toBe(false);
  });
});
