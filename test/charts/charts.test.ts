import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { matrix } from '../support/samples-matrix.ts';
import * as product from '../../machines/index.ts';
import { draw } from '../../adapters/charts/arrows.ts';
import { generateCharts } from '../../adapters/charts/generate.ts';
import {
  asked,
  eventsOf,
  leavesOf,
  machines,
  outcomeOf,
  pathOf,
  statesBelow,
} from '../../adapters/charts/nodes.ts';

const files = await generateCharts(() => 'the page');
const text = (name: string): string => files.get(name) ?? '';
const machineNames = machines.map(({ name }) => name);

it('draws every machine of the product', () => {
  const exported = Object.entries(product).filter(([name]) => name.endsWith('Machine'));
  expect(exported.length).toBeGreaterThan(3);
  expect(machines.map(({ root }) => root)).toEqual(
    expect.arrayContaining(exported.map(([, machine]) => (machine as typeof product.sessionMachine).root)),
  );
  expect(machines).toHaveLength(exported.length);
  for (const name of machineNames)
    expect([...files.keys()]).toEqual(expect.arrayContaining([`${name}.mmd`, `${name}.svg`]));
});

describe('what a state says of itself', () => {
  const states = machines.flatMap(({ name, root }) =>
    statesBelow(root).map((state) => [name, pathOf(state), state] as const),
  );

  it.each(states)('%s %s has a description: a sentence', (_, __, { description = '' }) => {
    expect(description).toMatch(/^["A-Z].*[.…]$/su);
    expect(description).not.toMatch(/[.?!] /u);
    expect(description.length).toBeLessThan(120);
  });

  it('each tag has a text, and each text a state with that tag', () => {
    const texts = Object.entries(product.tags).flatMap(([name, of]) =>
      Object.keys(of).map((tag) => `${name} ${tag}`),
    );
    const used = states.flatMap(([name, , state]) => state.tags.map((tag) => `${name} ${tag}`));
    expect(texts.toSorted()).toEqual([...new Set(used)].toSorted());
  });
});

describe.each(machines)('arrows of $name', ({ root }) => {
  const { arrows, stays } = draw(root);
  /** Every change that a leaf can make, found without the drawing. */
  const changes = leavesOf(root).flatMap((leaf) =>
    eventsOf(root).flatMap((event) =>
      asked(root, leaf, event)
        .filter(({ branch }) => ['accepted', 'queued'].includes(outcomeOf(branch)))
        .map(({ branch }) => ({ leaf, event, branch, target: branch.target?.[0] ?? null })),
    ),
  );
  const around = (path: string, leaf: string): boolean =>
    path === '' || path === leaf || leaf.startsWith(`${path}.`);
  const isEvent = (label: string, event: string): boolean => label === event || label.startsWith(`${event} `);

  it('every change is drawn', () => {
    expect(changes.length).toBeGreaterThan(10);
    const missing = changes.filter(({ leaf, event, branch, target }) => {
      const here = pathOf(leaf);
      if (target === null || (target === leaf && !branch.reenter))
        return ![...stays].some(
          ([path, events]) => around(path, here) && events.some((label) => isEvent(label, event)),
        );
      return !arrows.some(
        ({ from, to, labels }) =>
          around(from, here) && to === pathOf(target) && labels.some((label) => isEvent(label, event)),
      );
    });
    expect(missing.map(({ leaf, event }) => `${pathOf(leaf)} ${event}`)).toEqual([]);
  });

  it('nothing else is drawn', () => {
    const wrong = arrows.flatMap(({ from, to, labels }) =>
      labels.filter((label) => {
        const leaves = leavesOf(root).filter((leaf) => around(from, pathOf(leaf)));
        return !leaves.every((leaf) =>
          changes.some(
            (one) =>
              one.leaf === leaf &&
              isEvent(label, one.event) &&
              one.target !== null &&
              pathOf(one.target) === to,
          ),
        );
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('labels', () => {
  const arrow = (name: string, from: string, to: string): readonly string[] => {
    const machine = machines.find((one) => one.name === name);
    const arrows = machine === undefined ? [] : draw(machine.root).arrows;
    return arrows.find((one) => one.from === from && one.to === to)?.labels ?? [];
  };

  it.each([
    ['session', 'plan.noPlan', 'plan.editing.preInit', ['user.plan [not busy]', 'plan.arm']],
    ['session', 'plan.noPlan', 'plan.editing.postInit', ['tool.init [startsDesign]']],
    ['session', 'plan.editing.postInit', 'plan.active.seeding.building', ['user.execute']],
    ['session', 'plan.active.checklist', 'plan.noPlan', ['tool.complete [finishes]']],
    ['agent', 'judging', 'judging', ['call.ended [hasMore]']],
    ['agent', 'judging', 'asking', ['call.ended [else]']],
    ['flow', 'closed', 'open', ['tick [opens]', 'tool.started']],
  ])('%s: %s to %s', (name, from, to, labels) => {
    expect(arrow(name, from, to)).toEqual(labels);
  });

  it('an arrow of an outer state to one within it leaves from each state in it', () => {
    const inner = { initial: 'y', states: { y: {} } };
    const box = { initial: 'x', on: { again: '.inner' }, states: { x: {}, inner } };
    const { root } = createMachine({ initial: 'box', states: { box, other: {} } });
    expect(draw(root).arrows).toEqual([
      { from: 'box.x', to: 'box.inner', labels: ['again'] },
      { from: 'box.inner', to: 'box.inner', labels: ['again'] },
    ]);
  });

  it('an event that no state accepts is not drawn, nor one that only answers', () => {
    expect(text('session.svg')).not.toMatch(/tool\.unknown|user\.show|user\.switch/u);
    expect(text('session.mmd')).not.toMatch(/tool\.unknown|user\.show|user\.switch/u);
  });
});

describe.each(machines.map((machine) => [machine.name, machine] as const))('%s.svg', (name, { root }) => {
  const svg = text(`${name}.svg`);

  it('names each state once, and each arrow', () => {
    const states = [...svg.matchAll(/ data-state="([^"]+)"/gu)].map(([, path = '']) => path);
    expect(states.toSorted()).toEqual(statesBelow(root).map(pathOf).toSorted());
    for (const { from, to } of draw(root).arrows)
      expect(svg).toContain(` data-from="${from}" data-to="${to}"`);
  });

  it('has nothing that two pictures of one page would share, and loads nothing', () => {
    expect(svg).not.toMatch(/ id="| href=|@import|url\(/u);
    expect(svg).toMatch(/^<svg class="chart" data-machine="/u);
  });
});

describe('tables', () => {
  const row = (page: string, first: string): string =>
    text(page)
      .split('\n')
      .find((line) => line.startsWith(`| \`${first}\` |`)) ?? '';

  it('refusals: a row for each code, with text, next step and place', () => {
    for (const code of product.codes) expect(row('refusals.md', code)).not.toBe('');
    expect(row('refusals.md', 'SEED_ONE_BATCH')).toBe(
      '| `SEED_ONE_BATCH` | refused | The tasks of this plan are already there. | Call `plan` with operation start now. | `tool.addTasks` in `plan.active.seeding.seeded` |',
    );
    expect(row('refusals.md', 'ALREADY_EDITING')).toMatch(
      /\| info \|.*\| `user.plan` in `plan.editing` \|$/u,
    );
    expect(text('refusals.md')).not.toMatch(/undefined|\[object/u);
  });

  it('events: a row for each event, with fields and states', () => {
    for (const { shape } of product.Said.options) expect(row('events.md', shape.type.value)).not.toBe('');
    for (const { root } of machines)
      for (const event of eventsOf(root)) expect(row('events.md', event)).not.toBe('');
    expect(row('events.md', 'user.approveText')).toBe(
      '| `user.approveText` | a person | `by`: actor<br>`button?`: plan button<br>`shown`: string | `plan.active.seedFailed.empty` | – | every state | – |',
    );
    expect(row('events.md', 'file.lost')).toContain('| found on disk | – | `plan.editing.postInit` |');
    expect(text('events.md')).not.toMatch(/undefined|\[object/u);
  });

  it('tags and badges', () => {
    expect(row('tags.md', 'building')).toContain('| `plan.active.seeding.building` |');
    expect(row('tags.md', 'seedFailedPartial')).toBe('| `seedFailedPartial` | [Active · not started] |');
  });

  it('gate: a column for each state of the matrix, and rows of the spec word for word', () => {
    expect(text('gate.md')).toContain(`\n| class | ${matrix.states.join(' | ')} |\n`);
    expect(row('gate.md', 'spawnArchitect')).toBe(
      '| `spawnArchitect` | yes | yes | – | – | – | – | yes | – |',
    );
    expect(row('gate.md', 'bash')).toBe('| `bash` | yes | ro | – | – | – | – | yes | – |');
    expect(row('gate.md', 'sessionPlan')).toBe('| `sessionPlan` | – | – | yes | – | – | – | – | – |');
    for (const name of product.toolClasses) expect(row('gate.md', name)).not.toBe('');
  });
});

it('the same machines make the same files', async () => {
  expect(await generateCharts(() => 'the page')).toEqual(files);
});
