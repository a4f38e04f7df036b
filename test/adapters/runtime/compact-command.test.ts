import { describe, expect, it } from 'vitest';
import { call, reply, says, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import { policies, until } from '../../support/harness.ts';
import {
  asks,
  blockOf,
  compact,
  compacted,
  filler,
  openSmall,
  summaries,
  withoutTools,
} from '../../support/harness-compaction.ts';

const read = reply(call('read_file', { path: 'a.txt' }));
const files = { 'a.txt': filler('alpha', 6000) };

describe('D27 /compact', () => {
  it('takes the place of what was said; the transcript keeps every line', async () => {
    const small = await openSmall(
      32_000,
      {
        reply: (_, index) => [read, says('Read it.'), says('Second.'), says('Third.')][index] ?? says('?'),
        summary: () => says('Request: read a.txt.'),
      },
      { files },
    );
    const { h } = small;
    await h.turn(() => h.chat('read a.txt'));
    await h.turn(() => h.chat('and then'));
    const before = await h.session.transcript();
    const ended = await h.turn(() => compact(h));
    expect(ended).toMatchObject({ outcome: 'done', cause: null });

    const [request] = summaries(small);
    expect(withoutTools(request)).toBe(true);
    expect(textsOf(request, 'user').join()).toMatch(/read a\.txt[^]*Call read_file[^]*alpha alpha/u);
    expect((await h.session.transcript()).slice(0, before.length)).toEqual(before);

    await h.turn(() => h.chat('go on'));
    const asked = asks(small).at(-1);
    expect(blockOf(asked)).toContain('<summary>\nRequest: read a.txt.\n</summary>');
    expect(JSON.stringify(asked?.messages)).not.toContain('alpha');
    expect(textsOf(asked, 'user').at(-1)).toBe('go on');
    expect(h.notices().join('\n')).toMatch(
      /being compacted…\nCompacted\. ctx: \S+ \d+% before, ctx: \S+ \d+% now\./u,
    );
    const { used, window } = h.published.findLast((told) => told.type === 'context') ?? {};
    expect([typeof used, window]).toEqual(['number', 32_000]);
  });

  it('is refused while a turn runs, by others and under run', async () => {
    const { h } = await openSmall(32_000, { reply: () => ({ hang: true }) });
    await h.chat('wait');
    expect(await compact(h)).toMatchObject({ kind: 'refused', code: 'BUSY' });
    await h.turn(() => h.stop());
    const by = { ...person, owner: false };
    expect(await h.send({ type: 'user.compact', by })).toMatchObject({ code: 'NOT_OWNER' });
    const run = { ...person, entry: 'run' as const };
    expect(await h.send({ type: 'user.compact', by: run })).toMatchObject({ code: 'NEEDS_PERSON' });
  });

  it('changes nothing where there is nothing to make shorter', async () => {
    const small = await openSmall(32_000, { reply: () => says('ok') });
    const { h } = small;
    await h.turn(() => compact(h));
    expect([summaries(small), await compacted(h)]).toEqual([[], []]);
    expect(h.notices()).toContain('There is nothing to make shorter yet.');
  });

  it('is stopped like any turn, and then changes nothing', async () => {
    const small = await openSmall(
      32_000,
      { reply: () => says('ok'), summary: () => ({ hang: true }) },
      { files },
    );
    const { h } = small;
    await h.turn(() => h.chat(filler('one', 3000)));
    await h.turn(() => h.chat('two'));
    await compact(h);
    await until('a summary is asked for', () => summaries(small).length === 1);
    const ended = await h.turn(() => h.stop());
    expect([ended.outcome, await compacted(h)]).toEqual(['cancelled', []]);
  });

  it('keeps the offer to go on after an interruption', async () => {
    const { h } = await openSmall(
      32_000,
      {
        reply: (_, index) =>
          index === 0
            ? reply(
                call('plan', {
                  operation: 'init',
                  mode: 'checklist',
                  title: 'T',
                  tasks: [{ title: 'A', description: 'a' }],
                }),
              )
            : { hang: true },
      },
      { policy: policies.yes },
    );
    await h.chat('do it');
    await until('it waits for the model', () => h.published.some(({ type }) => type === 'tool.ended'));
    await h.turn(() => h.stop());
    expect(h.session.view().decisions.resume).toBe(true);
    await h.turn(() => compact(h));
    expect(h.session.view()).toMatchObject({
      phase: 'checklist',
      interrupted: true,
      decisions: { resume: true },
    });
  });
});
