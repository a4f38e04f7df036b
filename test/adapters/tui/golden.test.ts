import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../support/fake-handle.ts';
import { startInProcess, type InProcess } from './screen.ts';

/*
 * What stands on the screen in each state, kept as text in `golden/`. After a wanted change:
 * `npx vitest run test/adapters/tui/golden.test.ts -u`, then read the difference.
 */

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
  { cols: 120, rows: 40 },
];

const text = `# Add a dark mode

## Context

- **Problem:** The page is white at night, and the \`theme\` setting is read by nobody.
- **Target state:** The page follows the system; a switch 完了 overrides it.
- **Intent:** People asked for it.

## Implementation steps

1. Read the setting — in \`src/theme.ts\`
2. Draw the switch — in \`src/header.ts\`, next to the language
   - Done when: the switch is reachable by keys
3. Test both — with the system in either mode
`;

const review = reviewView(text, 'h1', { title: 'Add a dark mode', plan: 'p' });
const faults = [{ code: 'target.blank' as const, line: 6, text: 'Target state has no text.' }];
const incomplete = {
  ...review,
  document: review.document === null ? null : { ...review.document, faults },
  decisions: { ...review.decisions, approve: 'off' as const, why: '1 part is missing' },
  hint: 'The session plan is not complete (1 missing). /show-plan shows what; say what to change, or /discard.',
};
const active = { badge: 'Active', title: 'Add a dark mode', plan: 'p' };
const discard = { ...viewOf().decisions, discard: true };
const checklist = checklistView(9, 4, { ...active, goal: { user: null, task: 'Draw the switch' } });

const states: Readonly<Record<string, SessionView>> = {
  noPlan: viewOf(),
  preInit: viewOf({
    phase: 'preInit',
    badge: 'Editing · no plan yet',
    decisions: discard,
    hint: 'Plan mode: the agent explores, then writes a session plan. /discard leaves.',
  }),
  postInit: review,
  postInitIncomplete: incomplete,
  seeding: running(
    viewOf({ ...active, phase: 'seeding', building: true, decisions: discard, hint: 'Building checklist…' }),
    { kind: 'seed', waiting: { what: 'bash', surface: 'telegram', since: '2026-01-02T12:03:00.000' } },
  ),
  seedFailedEmpty: viewOf({
    ...active,
    phase: 'seedFailedEmpty',
    badge: 'Active · not built',
    seedError: 'empty',
    document: review.document,
    decisions: { ...discard, retry: true },
    hint: 'The checklist was not built. /execute tries again, /discard leaves.',
  }),
  seedFailedPartial: viewOf({
    ...active,
    phase: 'seedFailedPartial',
    badge: 'Active · not started',
    seedError: 'partial',
    document: review.document,
    tasks: checklistView(3, -1).tasks,
    progress: { done: 0, total: 3 },
    decisions: discard,
    hint: 'The checklist was written but never started. /discard, then plan again; the text is kept.',
  }),
  checklist,
  unreadable: viewOf({
    phase: 'unreadable',
    badge: 'Unreadable',
    unreadable: { path: '/home/ada/.opencrabs/plan.json', cause: 'line 3: unexpected end' },
    decisions: discard,
    hint: 'The plan file cannot be read: line 3: unexpected end. Mend /home/ada/.opencrabs/plan.json or /discard it.',
  }),
};

/** The rows with the size around them, so that a row that is too long or too short shows. */
function pictured(rows: readonly string[], { cols }: { cols: number }): string {
  const edge = `+${'-'.repeat(cols)}+`;
  return [edge, ...rows.map((row) => `|${row}`), edge, ''].join('\n');
}

async function shows(screen: InProcess, wanted: RegExp): Promise<string[]> {
  await expect.poll(() => screen.rows().join('\n'), { interval: 5 }).toMatch(wanted);
  return screen.rows();
}

describe.each(sizes)('on $cols×$rows', (size) => {
  it.each(Object.entries(states))('%s', async (name, view) => {
    const screen = startInProcess({ view, label: null }, size);
    try {
      await shows(screen, /^› /mu);
      screen.handle.publish(
        { type: 'context', used: 45_000, window: 200_000 },
        { type: 'notice', level: 'info', text: 'A notice.' },
      );
      const inline = await shows(screen, /A notice\.[\s\S]*^› /mu);
      await expect(pictured(inline, size)).toMatchFileSnapshot(
        `golden/${size.cols}x${size.rows}-${name}.txt`,
      );
      if (view.document === null && view.tasks.length === 0) return;
      screen.handle.reply(() => ({ kind: 'view', text: '' }));
      screen.type('\u0010');
      const overlay = await shows(screen, /q close/u);
      expect(screen.alternate()).toBe(true);
      await expect(pictured(overlay, size)).toMatchFileSnapshot(
        `golden/${size.cols}x${size.rows}-${name}-plan.txt`,
      );
    } finally {
      await screen.end();
    }
  });

  it('a changed plan', async () => {
    const kept = [
      { hash: 'h0', text: text.replace('2. Draw', '2. Show').replace('3. Test both', '3. Test') },
    ];
    const screen = startInProcess({ view: review, kept }, size);
    screen.handle.reply(() => ({ kind: 'view', text: '' }));
    try {
      await shows(screen, /› /u);
      screen.type('\u0010');
      await shows(screen, /q close/u);
      screen.type('c');
      const rows = await shows(screen, /^- 2\. Show/mu);
      await expect(pictured(rows, size)).toMatchFileSnapshot(`golden/${size.cols}x${size.rows}-changes.txt`);
    } finally {
      await screen.end();
    }
  });
});
