import type { SessionView } from '../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../support/fake-handle.ts';

/** A session plan with wide letters, code and a nested line. */
export const text = `# Add a dark mode

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

export const review = reviewView(text, 'h1', { title: 'Add a dark mode', plan: 'p' });
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

/** What the engine tells a surface in each phase. */
export const states: Readonly<Record<string, SessionView>> = {
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
