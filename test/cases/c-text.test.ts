import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Harness } from '../support/harness.ts';
import { call, plan, reply, says, tasks, textsOf } from '../support/harness-script.ts';
import {
  archived,
  codeOf,
  codes,
  design,
  editMd,
  inReview,
  open,
  plans,
  results,
  sidecar,
  sidecarText,
  VALID,
  writeMd,
} from './support.ts';

const hash = (h: Harness): string | null => h.session.view().document?.hash ?? null;

describe('section C, the text that is approved', () => {
  it('B42 a hand edit before Approve is what gets approved, and Approve leaves the file alone', async () => {
    const h = await inReview(VALID, () => [says('No tasks yet.')]);
    const edited = VALID.replace('- **Intent:**', '- **Out of scope:** no code\n- **Intent:**').replace(
      'Move the readers — edit `src/read.ts`.',
      'Write it down in README.md.',
    );
    await editMd(h, `${edited}3. Tell the team.\n`);
    const before = statSync(h.session.paths.document, { bigint: true });
    await h.turn(() => h.execute());
    const after = statSync(h.session.paths.document, { bigint: true });
    expect([after.mtimeNs, after.ino, after.size]).toEqual([before.mtimeNs, before.ino, before.size]);
    expect(h.document()).toBe(`${edited}3. Tell the team.\n`);
    expect(sidecar(h).description).toBe(h.document());
    expect(sidecar(h).approval?.hash).toBe(hash(h));
    const prompt = textsOf(h.server.requests[2], 'user').at(-1) ?? '';
    expect(prompt).toContain('counts them: 3\n');
    expect(prompt).toContain('**Out of scope:** no code');
  });

  it('B43 Approve carries the revision that was shown; for another one the text is shown first', async () => {
    const h = await inReview(VALID, () => [says('No tasks yet.')]);
    const shown = hash(h);
    const edited = VALID.replace('Split the key', 'Drop the key');
    await editMd(h, edited);
    const before = sidecarText(h);
    const late = await h.execute(shown);
    expect(late).toMatchObject({ kind: 'refused', code: 'TEXT_CHANGED' });
    expect(late.text).toContain('not the one that was shown');
    expect(sidecarText(h)).toBe(before);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', document: { text: edited } });
    expect((await plans.show(h)).kind).toBe('view');
    await h.turn(() => h.execute(hash(h)));
    expect(sidecar(h).status).toBe('Active');
  });

  it('B43 an edit that nobody has mirrored yet is seen all the same', async () => {
    const h = await inReview();
    const shown = hash(h);
    const answer = h.session.send.bind(h.session);
    writeFileSync(h.session.paths.document, VALID.replace('Split the key', 'Drop the key'));
    const late = await answer({
      type: 'user.execute',
      by: { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true },
      shown,
    });
    expect(codeOf(late)).toBe('TEXT_CHANGED');
    expect(h.session.view().phase).toBe('postInit');
  });

  it('B50 what the person just saved is not overwritten', async () => {
    const mine = `${VALID}3. Mine.\n`;
    const h = await inReview(VALID, (at) => [
      reply(call('read_file', { path: at.session.paths.document })),
      () => {
        writeFileSync(at.session.paths.document, mine);
        return reply(writeMd(at, VALID.replace('Split', 'Cut')));
      },
      says('I read it again.'),
    ]);
    await h.turn(() => h.chat('polish it'));
    expect(codes(h).slice(2)).toEqual(['ok', expect.stringContaining('STALE_TEXT')]);
    expect(results(h).at(-1)?.text).toContain('Read it again, then write');
    expect(h.document()).toBe(mine);
  });
});

describe('section C, one plan and the next', () => {
  it('B45 a second plan starts afresh, and nothing of the first one is in it', async () => {
    const h = await inReview(VALID, (at) => [
      reply(plan('add_tasks', tasks('Split', 'Move')), plan('start'), plan('complete')),
      reply(plan('start'), plan('complete')),
      says('Done.'),
      reply(design('Rename the store')),
      says('Here it is.'),
      reply(writeMd(at, VALID)),
    ]);
    const first = sidecar(h).id;
    await h.turn(() => h.execute());
    expect(h.session.view().phase).toBe('noPlan');
    expect(archived(h)['.md']).toBe(VALID);

    await plans.arm(h);
    await h.turn(() => h.chat('rename the store'));
    const view = h.session.view();
    expect(view).toMatchObject({ phase: 'postInit', title: 'Rename the store', tasks: [] });
    expect(view.document?.text).toMatch(/^# Rename the store\n## Context\n- \*\*Problem:\*\* \n/u);
    expect(codeOf(await h.execute())).toBe('TEMPLATE_INVALID');
    expect(sidecar(h)).toMatchObject({ rev: 1, approved_at: null });
    expect(sidecar(h).id).not.toBe(first);
    for (const text of [sidecarText(h), h.document(), JSON.stringify(view)])
      expect(text).not.toMatch(/cache key|two services|Move the readers/u);
    expect(await h.world.store.revisions(h.id)).toHaveLength(1);
  });

  it('B46 a live plan blocks another one, and discarding keeps the old bytes', async () => {
    const h = await inReview(VALID, () => [
      reply(design('Other'), plan('init', { mode: 'checklist', title: 'Other', ...tasks('A') })),
      says('There is one already.'),
    ]);
    const before = sidecarText(h);
    await h.turn(() => h.chat('start another one'));
    expect(codes(h).slice(2)).toEqual(['LIVE_PLAN', 'LIVE_PLAN']);
    expect(results(h).at(-1)?.text).toContain('/discard');
    expect([h.document(), sidecarText(h)]).toEqual([VALID, before]);
    expect(await h.discard()).toMatchObject({ kind: 'accepted' });
    expect(archived(h)).toEqual({ '.discarded.md': VALID, '.discarded.json': before });
  });

  it('B46 a second copy of the same second overwrites no first one', async () => {
    const at = '2026-03-01T12:00:00.000Z';
    let ids = 0;
    const id = (): string => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;
    const h = await open(
      (it) => [
        reply(design('One'), writeMd(it, '# One\n')),
        says('1'),
        reply(design('Two'), writeMd(it, '# Two\n')),
        says('2'),
      ],
      { clock: { now: () => at, id } },
    );
    for (const words of ['make a plan', 'make a plan again']) {
      await h.turn(() => h.chat(words));
      await h.discard();
    }
    const { archives } = await h.world.store.read(h.id);
    expect(archives.map((name) => name.slice(name.indexOf('-2026')))).toEqual([
      '-20260301-120000.discarded.json',
      '-20260301-120000.discarded.md',
      '-20260301-120000-1.discarded.json',
      '-20260301-120000-1.discarded.md',
    ]);
    const texts = archives
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(`${h.session.paths.archive}/${name}`, 'utf8'));
    expect(texts).toEqual(['# One\n', '# Two\n']);
  });

  it('B48 to go on planning throws nothing away', async () => {
    const long = `${VALID}${Array.from({ length: 400 }, (_, index) => `${index + 3}. Step.`).join('\n')}\n`;
    const h = await inReview(long, () => [says('I wait.'), says('Still.')]);
    await h.turn(() => plans.revise(h, ''));
    await h.turn(() => h.chat('let me think'));
    expect(h.document()).toBe(long);
    expect(h.session.view()).toMatchObject({ phase: 'postInit', document: { steps: 402 } });
  });

  it('B49 every revision is kept and can be read back, with what each has', async () => {
    const [head = ''] = VALID.split('1. Split');
    const six = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'].map(
      (step, index) => `${index + 1}. ${step}`,
    );
    const one = `${head.replace('- **Intent', '- **Constraints:** no downtime\n- **Intent')}${six.join('\n')}\n`;
    const two = `${head}${six.slice(0, 5).join('\n')}\n`;
    const h = await inReview(one, (at) => [reply(writeMd(at, two)), says('Shorter.')]);
    expect(h.session.view().document?.steps).toBe(6);
    await h.turn(() => plans.revise(h, 'make it shorter'));
    expect(h.session.view().document?.steps).toBe(5);
    const kept = await h.world.store.revisions(h.id);
    const texts = await Promise.all(kept.map((revision) => h.world.store.revision(h.id, revision.hash)));
    expect(texts.slice(-2)).toEqual([one, two]);
    expect(kept.at(-1)?.hash).toBe(hash(h));
  });
});
