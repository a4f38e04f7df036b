import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalText } from '../../../adapters/store/index.ts';
import { type Actor, readJournalText, replay } from '../../../machines/index.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

/** Stands in every text that a person, a model or a file gives. */
const secret = 'sk-PLANTED-4711';
const stranger: Actor = { entry: 'interactive', surface: 'telegram', person: `bob ${secret}`, owner: false };

const tasks = (...titles: string[]) => ({
  tasks: titles.map((title) => ({
    title: `${title} ${secret}`,
    description: `Do ${secret}`,
    acceptance_criteria: [`${secret} is gone`],
  })),
});

/** A design that is written, approved, seeded, worked and finished. */
const wholePlan = (path: () => string) =>
  inOrder(() => [
    reply(
      call('read_file', { path: 'notes.txt' }),
      plan('init', { mode: 'design', title: `Split ${secret}` }),
    ),
    reply(plan('init', { mode: secret, title: secret })),
    reply(call('write_file', { path: path(), content: planText(secret, secret, 'Move.') })),
    reply(call('bash', { command: `echo ${secret}` })),
    says(`Ready ${secret}`),
    reply(plan('add_tasks', tasks('One'))),
    reply(plan('add_tasks', tasks('One', 'Two'))),
    reply(plan('complete', { task_order: 1 })),
    reply(plan('start')),
    reply(plan('complete', { task_order: 1, action: 'fail', output: secret })),
    reply(plan('start', { task_order: 1 })),
    reply(plan('complete', { output: secret }), plan(secret)),
    reply(plan('start', { task_order: 9 })),
    reply(plan('start')),
    reply(plan('complete', { task_order: 2, action: 'skip' })),
    says('Done.'),
  ]);

async function workThrough(h: Harness): Promise<void> {
  await h.send({ type: 'user.rename', by: person, name: secret });
  await h.send({ type: 'user.goal', by: person, text: secret });
  await h.send({ type: 'user.policy', by: stranger, yolo: true });
  await h.turn(() => h.chat(`Please make a plan for ${secret}.`));
  await h.send({ type: 'user.show', by: person });
  await h.execute(null);
  writeFileSync(h.session.paths.document, planText(`${secret} again`, 'Split it.', 'Move.'));
  await until('the edit is seen', () => h.session.view().document?.text?.includes('again') === true);
  const button = { plan: secret, phase: 'editing', owns: true } as const;
  await h.send({ type: 'user.execute', by: person, button, shown: secret });
  await h.turn(() => h.execute());
}

function stepsOf(h: Harness) {
  const text = journalText(h.session.paths.own);
  const { lines, unreadable, torn } = readJournalText(text);
  expect({ unreadable, torn }).toEqual({ unreadable: [], torn: false });
  return { text, lines, steps: replay(lines.map(({ line }) => line)) };
}

describe('the journal of a whole plan', () => {
  it('replays without a deviation, and holds no text, name, path or whole id', async () => {
    const h: Harness = await openHarness({
      files: { 'notes.txt': secret },
      script: wholePlan(() => h.session.paths.document),
    });
    await workThrough(h);
    const { text, lines, steps } = stepsOf(h);
    expect(steps.filter(({ deviation, gap }) => deviation !== null || gap !== null)).toEqual([]);
    const met = new Set(lines.map(({ line }) => line.event.type));
    const all =
      'user.rename user.goal user.policy user.chat user.show user.execute tool.init tool.document ' +
      'tool.addTasks tool.start tool.complete tool.unknown file.edited turn.end';
    expect([...met]).toEqual(expect.arrayContaining(all.split(' ')));
    const codes = new Set(lines.map(({ line }) => line.code).filter((code) => code !== undefined));
    expect([...codes]).toEqual(
      expect.arrayContaining('NOT_OWNER TEXT_CHANGED STALE_BUTTON SEED_COUNT SEED_NOT_STARTED'.split(' ')),
    );
    expect(lines.at(-1)?.line).toMatchObject({ to: 'noPlan/idle' });
    const page = readFileSync(new URL('../../../docs/journal.md', import.meta.url), 'utf8');
    for (const field of new Set(lines.flatMap(({ line }) => Object.keys(line))))
      expect(page).toContain(`\`${field}\``);
    // Everywhere else it does stand.
    expect(readFileSync(join(h.session.paths.own, 'transcript.jsonl'), 'utf8')).toContain(secret);
    for (const hidden of [secret, 'PLANTED', 'bob', h.project, h.home, h.id, h.world.process, '.md', 'Split'])
      expect(text).not.toContain(hidden);
  });

  it('a line that was changed by hand deviates, and no other one', async () => {
    const h: Harness = await openHarness({ script: wholePlan(() => h.session.paths.document) });
    await workThrough(h);
    const { lines } = stepsOf(h);
    const good = lines.map(({ line }) => line);
    const at = good.findIndex(({ code }) => code === 'SEED_COUNT');
    const changes = [
      { verdict: 'accepted' as const, code: undefined },
      { to: 'active.checklist/running' },
      { from: 'active.checklist/running' },
      { before: {} },
    ];
    for (const change of changes) {
      const bad = good.map((line, index) => (index === at ? { ...line, ...change } : line));
      const off = replay(bad).flatMap(({ deviation }, index) => (deviation === null ? [] : [index]));
      expect(off).toEqual([at]);
    }
  });

  it('/discard, a note that waits, and a session that two runtimes opened', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const h: Harness = await openHarness({
      script: inOrder(() => [
        reply(plan('init', { mode: 'design', title: 'Split' })),
        says('Written.'),
        held.then(() => says('Late.')),
        says('As noted.'),
      ]),
    });
    await h.turn(() => h.chat('Please make a plan.'));
    await h.chat('go on');
    await h.send({ type: 'user.revise', by: person, note: secret, seen: null });
    const other = await openHarness({ from: h });
    await other.stop();
    await h.ended(2);
    letGo();
    await other.discard();
    const { text, lines, steps } = stepsOf(h);
    expect(steps.filter(({ deviation }) => deviation !== null)).toEqual([]);
    expect(new Set(lines.map(({ line }) => line.process)).size).toBe(2);
    expect(lines.map(({ line }) => `${line.event.type} ${line.verdict}`)).toEqual(
      expect.arrayContaining(['user.revise queued', 'user.stop accepted', 'user.discard accepted']),
    );
    expect(text).not.toContain(secret);
  });
});
