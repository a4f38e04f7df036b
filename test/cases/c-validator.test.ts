import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSidecar, projectSidecar } from '../../machines/sidecar.ts';
import { scaffold } from '../../machines/document.ts';
import type { Harness } from '../support/harness.ts';
import { plan, planText, reply, says, systemOf, tasks, textsOf } from '../support/harness-script.ts';
import { rawTask } from '../support/samples.ts';
import { person } from '../support/harness-world.ts';
import {
  checklist,
  codeOf,
  design,
  editMd,
  inReview,
  liveFiles,
  open,
  plans,
  reminderIn,
  restart,
  results,
  sidecarText,
  VALID,
  writeMd,
} from './support.ts';
import { plantPlan } from './plant.ts';

const faults = (h: Harness) => h.session.view().document?.faults ?? [];
const short = (h: Harness): string[] => faults(h).map(({ code, line }) => `${code}@${line}`);
/** The lines of a list that a refusal or a result gives. */
const listed = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '));

describe('section C, what the validator sees', () => {
  it('B31 a checklist needs no prose, and is never asked for any', async () => {
    const h = await open(() => [
      reply(checklist({ title: 'A', description: 'a' }), plan('start')),
      says('Working.'),
    ]);
    await h.turn(() => h.chat('do A'));
    expect(h.session.view()).toMatchObject({ phase: 'checklist', document: null });
    expect(liveFiles(h).map((name) => name.slice(-5))).toEqual(['.json']);
    expect(codeOf(await h.execute())).toBe('NOT_APPLICABLE');
  });

  it.each([
    ['a stored checklist', { status: 'Active', track: 'checklist' }],
    ['one of an older program', { status: 'InProgress' }],
    ['an approved one of an older program', { status: 'Approved', approved_at: '2026-01-01T00:00:00Z' }],
  ])('B31 %s with an empty scaffold beside it is still a checklist', async (_, root) => {
    const h = await open(() => [reply(plan('start')), says('Working.')]);
    await plantPlan(h, { ...root, tasks: [rawTask(1, 'InProgress'), rawTask(2, 'Pending')] }, scaffold('T'));
    expect(h.session.view()).toMatchObject({ phase: 'checklist', document: null });
    const answers = [await h.execute(), await plans.show(h), await plans.revise(h, 'x')];
    await h.turn(() => h.chat('go on'));
    const told = [...answers, ...results(h)].map(({ text }) => text);
    const reminder = reminderIn(h.server.requests[0]);
    expect(reminder).toContain('State: Active');
    expect([...told, reminder, h.session.view().hint].join('\n')).not.toMatch(/Problem|Context/u);
  });

  it('B33 the skeleton: one list of four faults for the agent, the person and Approve; no retry by itself', async () => {
    const skeleton =
      '# T\n## Context\n- **Problem:**  \n- **Target state:**\t\n- **Intent:**\n## Implementation steps\n';
    const h = await inReview(skeleton);
    expect(short(h)).toEqual(['problem.blank@3', 'target.blank@4', 'intent.blank@5', 'steps.none@6']);
    const told = listed(results(h).at(-1)?.text ?? '');
    expect(told).toHaveLength(4);
    expect(told.map((line) => /line (\d)/u.exec(line)?.[1])).toEqual(['3', '4', '5', '6']);
    const refused = await h.execute();
    expect(refused).toMatchObject({ kind: 'refused', code: 'TEMPLATE_INVALID' });
    expect(listed(refused.text)).toEqual(told);
    expect(h.server.requests).toHaveLength(2);
    expect(h.session.view().turn).toBe('idle');
  });

  it('B34 text below its label: one rule, said with what to do, on every surface', async () => {
    const text = VALID.replace('**Problem:** two', '**Problem:**\n  two');
    const h = await inReview(text);
    expect(short(h)).toEqual(['problem.blank@3']);
    const advice = 'put the text on the same line as "**Problem:**"';
    const shown = [faults(h)[0]?.hint, results(h).at(-1)?.text, (await h.execute()).text];
    for (const surface of shown) expect(surface).toContain(advice);
    await editMd(h, VALID);
    expect(short(h)).toEqual([]);
    expect(h.session.view().decisions.approve).toBe('on');
  });

  it('B36 numbers inside a code fence are no steps, and a fence ends no step', async () => {
    const fenced = VALID.replace(/1\. Split[^]*$/u, '```\n1. not a step\n```\n');
    const h = await inReview(fenced);
    expect(faults(h).map(({ code }) => code)).toEqual(['steps.none']);
    await editMd(h, VALID.replace(/2\. Move[^]*$/u, '```\n2. x\n```\n'));
    expect(h.session.view().document).toMatchObject({ steps: 1, faults: [] });
  });
});

describe('section C, one scanner', () => {
  it.each([
    ['1) A', 0],
    [' 1. A', 0],
    ['01. A', 1],
    ['1.A', 0],
    ['1. ', 0],
    ['1. **A** — a', 1],
    ['2. (after 1) B', 1],
  ])(
    'B38 %j: gate, preview and seed count agree, and a refused Approve writes nothing',
    async (line, steps) => {
      const text = `${VALID.split('1. Split')[0] ?? ''}${line}\n`;
      const h = await inReview(text, () => [
        reply(plan('add_tasks', tasks('A', 'B', 'C'))),
        says('The count is wrong.'),
      ]);
      expect(h.session.view().document?.steps).toBe(steps);
      const before = sidecarText(h);
      // Of another revision: what is complete gets as far as this question, and no further.
      const asked = await h.execute('0'.repeat(64));
      expect(codeOf(asked)).toBe(steps === 0 ? 'TEMPLATE_INVALID' : 'TEXT_CHANGED');
      expect(sidecarText(h)).toBe(before);
      if (steps === 0) return;
      await h.turn(() => h.execute());
      expect(textsOf(h.server.requests[2], 'user').at(-1)).toContain(`counts them: ${steps}\n`);
      expect(results(h).at(-1)?.text).toContain(`has ${steps} numbered steps`);
    },
  );

  it('B39 a plan with translated headings is told which heading to write, once each', async () => {
    const text = planText('Ключ', 'Разделить.')
      .replace('## Context', '## Контекст')
      .replace('**Problem:**', '**Проблема:**')
      .replace('## Implementation steps', '## Шаги реализации');
    const h = await inReview(text);
    const { text: refused } = await h.execute();
    const lines = listed(refused);
    expect(lines.filter((line) => line.includes('## Контекст'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('## Шаги реализации'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Проблема'))).toHaveLength(1);
    expect(refused).toContain('write "## Context" instead');
    expect(refused).toContain('write "## Implementation steps" instead');
  });

  it.each([
    ['prose in Japanese', (text: string) => text.replace('two services share one key', '鍵が一つ'), ''],
    ['a full-width colon', (text: string) => text.replace('**Problem:**', '**Problem：**'), 'the colon'],
    ['a colon outside the bold', (text: string) => text.replace('**Problem:**', '**Problem**:'), 'the colon'],
  ])('B39 %s', async (_, change, hint) => {
    const h = await inReview(change(VALID));
    expect(codeOf(await h.execute('0'.repeat(64)))).toBe(hint === '' ? 'TEXT_CHANGED' : 'TEMPLATE_INVALID');
    expect((await h.execute('0'.repeat(64))).text).toContain(hint);
  });
});

describe('section C, what the agent and the person are told', () => {
  it('B32 the Editing reminder goes with every turn, and an unfinished plan offers Discard only', async () => {
    const h = await open((at) => [
      reply(design('T')),
      says('One.'),
      says('Two.'),
      says('Three.'),
      reply(writeMd(at, VALID)),
      says('Four.'),
    ]);
    await h.turn(() => h.chat('make a plan'));
    expect(h.session.view().decisions).toMatchObject({
      approve: 'off',
      why: '4 parts are missing',
      discard: true,
      retry: false,
    });
    expect(h.session.view().hint).toContain('4 missing');
    const telegram = { ...person, surface: 'telegram', person: '1001' };
    await h.turn(() => h.send({ type: 'user.chat', by: telegram, text: 'and?', origin: 'typed' }));
    await h.turn(() => plans.revise(h, 'fill it in'));
    const next = await restart(h, (at) => [reply(writeMd(at, VALID)), says('Four.')]);
    await next.turn(() => next.chat('go on'));
    const requests = [...h.server.requests.slice(1), ...next.server.requests];
    expect(requests).toHaveLength(5);
    for (const request of requests) expect(systemOf(request)).toContain('State: Editing the SESSION PLAN.');
    expect(systemOf(h.server.requests[1])).toContain('line 3');
    // The file was not read by this process: it has to be looked at before it is overwritten (D23).
    expect(results(next)[0]?.text).toContain('STALE_TEXT');
  });

  it('B41 an empty list is never finished: not at the end of a turn, not at a restart', async () => {
    const first = await inReview(VALID, () => [says('No tasks from me.'), says('Hm.')]);
    await first.turn(() => first.execute());
    expect(first.session.view()).toMatchObject({ phase: 'seedFailedEmpty', progress: { done: 0, total: 0 } });
    await first.turn(() => first.chat('well?'));
    const h = await restart(first);
    expect(h.session.view()).toMatchObject({ phase: 'seedFailedEmpty', seedError: 'empty' });
    expect((await h.world.store.read(h.id)).archives).toEqual([]);
    expect(readFileSync(h.session.paths.document, 'utf8')).toBe(VALID);

    const bare = await open();
    await plantPlan(bare, { status: 'Active', tasks: [] }, null);
    expect(bare.session.view()).toMatchObject({ phase: 'checklist', progress: { total: 0 } });
    expect(bare.session.view().hint).toContain('There are no tasks');
    const again = await restart(bare);
    expect(again.session.view().phase).toBe('checklist');
    const loaded = loadSidecar(sidecarText(again), { session: again.id, document: false });
    expect('plan' in loaded && projectSidecar(loaded.plan)).toContain('"status": "Active"');
  });
});
