import { describe, expect, it } from 'vitest';
import { drawFlow, headerText } from '../../../adapters/telegram/flow-body.ts';
import { closedLine } from '../../../adapters/telegram/html/plan-lines.ts';
import { richHtml } from '../../../adapters/telegram/html/render.ts';
import type { Rich } from '../../../adapters/telegram/html/rich.ts';
import { planMarkup } from '../../../adapters/telegram/keyboard-markup.ts';
import {
  desiredKeyboard,
  type FlowContent,
  type PlanKeyboard,
  type SessionView,
} from '../../../machines/index.ts';
import { formatted } from '../../support/bot-api/text.ts';
import { checklistView, reviewView, running, viewOf } from '../../support/fake-handle.ts';

/*
 * Every header, section and keyboard of the bot as a person sees it, in one file to be read: `golden/chat.txt`. After a
 * wanted change: `npx vitest run test/adapters/telegram/golden.test.ts -u`, then read the difference.
 */

type Header = FlowContent['header'];

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
const footer = 'ctx: 45K/200K 22%';
const active = { badge: 'Active', title: 'Add a dark mode', plan: 'p' };
const discard = { ...viewOf().decisions, discard: true };
const review = reviewView(text, 'h1', { title: 'Add a dark mode', plan: 'p' });
const faults = [{ code: 'target.blank' as const, line: 6, text: 'Target state has no text.' }];
const withDocument = (change: Partial<NonNullable<SessionView['document']>>) =>
  review.document === null ? null : { ...review.document, ...change };
const failed: SessionView = {
  ...review,
  ...active,
  phase: 'seedFailedEmpty',
  badge: 'Active · not built',
  seedError: 'empty',
  decisions: { ...discard, retry: true },
  hint: 'The checklist was not built. /execute tries again, /discard leaves.',
};
const checklist = checklistView(7, 2, { ...active, goal: { user: null, task: 'Task 3: Draw the switch' } });
const statuses = ['completed', 'skipped', 'failed', 'running', 'blocked', 'pending'] as const;

const states: Readonly<Record<string, SessionView>> = {
  'no plan': viewOf(),
  'Plan mode, no plan yet': viewOf({ phase: 'preInit', badge: 'Editing · no plan yet', decisions: discard }),
  'session plan, ready': review,
  'session plan, not complete': { ...review, document: withDocument({ faults }) },
  'building the checklist': viewOf({ ...active, phase: 'seeding', building: true, decisions: discard }),
  'checklist not built': failed,
  'checklist not built, text differs': {
    ...failed,
    document: withDocument({ drifted: true }),
    decisions: { ...discard, restore: true },
    hint: 'The text is not the approved one: approve this text, or restore.',
  },
  'checklist not started': viewOf({
    ...active,
    phase: 'seedFailedPartial',
    seedError: 'partial',
    tasks: checklistView(3, -1).tasks,
    progress: { done: 0, total: 3 },
    decisions: discard,
    hint: 'The checklist was written but never started. /discard, then plan again; the text is kept.',
  }),
  checklist,
  'checklist, every kind of task': {
    ...checklist,
    tasks: statuses.map((status, index) => ({
      number: index + 1,
      title: `A task that is ${status}`,
      status,
      waitsFor: status === 'pending' ? [4, 5] : [],
    })),
    goal: { user: 'Ship on Friday', task: 'Task 4' },
  },
  'checklist after an interruption': {
    ...checklist,
    interrupted: true,
    decisions: { ...discard, resume: true },
  },
  'checklist, session plan edited': { ...checklist, document: withDocument({ drifted: true }) },
  'checklist done, turn not settled': viewOf({
    closed: {
      title: 'Add a dark mode',
      tasks: checklist.tasks.map(({ title }) => ({ title, status: 'Completed' })),
    },
  }),
  unreadable: viewOf({
    phase: 'unreadable',
    badge: 'Unreadable',
    hint: 'The plan file cannot be read: line 3: unexpected end. Mend plan.json or /discard it.',
    decisions: discard,
  }),
};

const live = (says: string | null): Header => ({
  kind: 'live',
  activity: says === null ? null : { from: 'tool', text: says },
  tools: 3,
  seconds: 72,
});
const settled = (outcome: Extract<Header, { kind: 'settled' }>['outcome']): Header => ({
  kind: 'settled',
  outcome,
  tools: 3,
  seconds: 72,
});
const waits = (surface: string, what: string): Header => ({
  kind: 'waiting',
  waiting: { what, surface, since: '2026-01-02T12:03:00.000Z' },
  tools: 1,
});
const headers: Readonly<Record<string, [Header, string]>> = {
  'nothing has happened yet': [live(null), 'Thinking'],
  'nothing yet, a checklist is there': [live(null), 'Working'],
  'a tool runs': [live('read_file src/theme.ts'), 'Thinking'],
  'the model said something': [live('I look at the header first.'), 'Thinking'],
  'waits for a question': [waits('telegram', 'your answer'), 'Thinking'],
  'waits for a Yes': [waits('telegram', 'your Yes to bash'), 'Thinking'],
  'waits in the terminal': [waits('tui', 'your answer'), 'Thinking'],
  finished: [settled('finished'), ''],
  failed: [settled('failed'), ''],
  'timed out': [settled('timedOut'), ''],
  cancelled: [settled('cancelled'), ''],
  interrupted: [settled('interrupted'), ''],
  'goes on in a new message': [{ kind: 'continued' }, ''],
};

const log: FlowContent['entries'] = [
  { kind: 'notice', about: 'opening', text: 'The plan was approved by Ada.' },
  { kind: 'narration', text: 'I look at the header first.' },
  { kind: 'tool', call: '1', name: 'read_file', summary: 'src/header.ts', status: 'done' },
  { kind: 'tool', call: '2', name: 'bash', summary: 'npm test', status: 'failed' },
  { kind: 'tool', call: '3', name: 'edit_file', summary: 'src/header.ts', status: 'running' },
];

/** As Telegram shows it, styles left out; what is folded until a person opens it stands behind a bar. */
function shown(body: Rich): string {
  const { text: all, entities } = formatted(richHtml(body), 'HTML', 'text');
  const quotes = entities.filter(({ type }) => type === 'expandable_blockquote');
  const lines: string[] = [];
  let at = 0;
  for (const line of all.split('\n')) {
    const here = at;
    const inside = quotes.some(({ offset, length }) => here >= offset && here < offset + length);
    lines.push(inside ? `  ┃ ${line}`.trimEnd() : `  ${line}`.trimEnd());
    at += line.length + 1;
  }
  return lines.join('\n');
}

function keys(keyboard: PlanKeyboard | null): string {
  const rows = planMarkup(keyboard).inline_keyboard;
  if (rows.length === 0) return '  (no buttons)';
  return rows.map((row) => `  ${row.map((button) => `[ ${button.text} ]`).join(' ')}`).join('\n');
}

/** A flow message with the plan, and the keyboard that this state asks for. */
function message(view: SessionView, header: Header, entries: FlowContent['entries']): string {
  const drawn = drawFlow({ header, part: 1, entries, sections: { kind: 'plan' } }, view, footer);
  if (drawn.kind !== 'fits') throw new Error('It does not fit');
  return `${shown(drawn.body)}\n${keys(desiredKeyboard(view))}`;
}

const titled = (title: string, body: string): string => `-- ${title}\n${body}\n`;

function picture(): string {
  const heads = Object.entries(headers).map(
    ([name, [header, words]]) => `  ${name.padEnd(36)}${headerText(header, words)}`,
  );
  const closed = (['completed', 'discarded'] as const).map((as) => {
    const done = as === 'completed' ? 7 : 2;
    return `  ${as.padEnd(36)}${shown(closedLine({ kind: 'closed', as, title: 'Add a dark mode', done, total: 7 })).trim()}`;
  });
  const idle = Object.entries(states).map(([name, view]) =>
    titled(`${name}, idle`, message(view, settled('finished'), [])),
  );
  const busy = Object.entries(states).map(
    ([name, view]) =>
      `  ${name.padEnd(36)}${keys(desiredKeyboard(running(view, { surface: 'telegram' }))).trim()}`,
  );
  const question: PlanKeyboard = { plan: 'p', phase: 'editing', hash: null, buttons: ['confirm', 'keep'] };
  return [
    '== Headers',
    ...heads,
    '\n== The one line that is left of a plan',
    ...closed,
    '\n== A log (┃ is folded)',
    message(running(checklist, { surface: 'telegram' }), live('edit_file src/header.ts'), log),
    '\n== Discard was pressed once',
    keys(question),
    '\n== States, idle',
    ...idle,
    '== Buttons while a turn runs',
    ...busy,
    '',
  ].join('\n');
}

describe('what a chat shows (D31, D32)', () => {
  it('is what the golden file says', async () => {
    await expect(picture()).toMatchFileSnapshot('golden/chat.txt');
  });

  it('has every state, idle and busy, with the buttons of D31', () => {
    const phases = new Set(Object.values(states).map(({ phase }) => phase));
    expect([...phases].toSorted()).toEqual([
      'checklist',
      'noPlan',
      'postInit',
      'preInit',
      'seedFailedEmpty',
      'seedFailedPartial',
      'seeding',
      'unreadable',
    ]);
    for (const view of Object.values(states)) {
      const busy = desiredKeyboard(running(view))?.buttons ?? [];
      expect(busy.filter((button) => button !== 'discard')).toEqual([]);
    }
  });
});
