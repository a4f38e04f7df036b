import * as fc from 'fast-check';
import { rawTask, texts } from '../support/samples.ts';

// oxfmt-ignore
const pieces = [
  '# T', '## Context', '### Context', '## context', '## Implementation steps', '## Контекст', '---', '', '',
  '- **Problem:** x', '**Problem:**', '- **Target state:** y', '**Target state**: y', '- **Intent:** z', '- **Intent:**',
  '1. A — b', '2. B', '2) B', ' 3. C', '1. ', '   - Done when: d', '```', '~~~', '<!--', '-->', '<!-- x -->', '> q',
];

/** Any Markdown: lines that matter here, lines that do not, any line ends. */
export const markdown = fc.oneof(
  fc
    .tuple(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 20 })), {
        maxLength: 25,
      }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('', '\uFEFF'),
    )
    .map(([lines, end, mark]) => `${mark}${lines.join(end)}`),
  fc.constantFrom(texts.valid, texts.changed, texts.invalid, ''),
);

/** The nine that were ever written. */
const known = 'Editing Active Draft PendingApproval Rejected Approved InProgress Completed Cancelled'.split(
  ' ',
);
const task = fc.oneof(
  fc
    .constantFrom('Pending', 'InProgress', 'Completed', 'Failed', 'Skipped')
    .map((status) => rawTask(1, status)),
  fc.record(
    {
      status: fc.oneof(fc.constantFrom('Pending', 'Blocked', { Blocked: 'x' }), fc.jsonValue()),
      title: fc.jsonValue(),
      dependencies: fc.oneof(fc.array(fc.oneof(fc.integer(), fc.string())), fc.jsonValue()),
      acceptance_criteria: fc.jsonValue(),
      order: fc.oneof(fc.integer(), fc.jsonValue()),
      task_type: fc.oneof(fc.constant({ Other: 'x' }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
);

const root = fc.record(
  {
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...known, 'editing', 'Done', '') },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    tasks: fc.oneof(
      { weight: 6, arbitrary: fc.array(task, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    pre_init_editing: fc.oneof(fc.boolean(), fc.jsonValue()),
    pending_approval: fc.oneof(fc.boolean(), fc.jsonValue()),
    track: fc.oneof(fc.constantFrom('design', 'checklist', 'import'), fc.jsonValue()),
    seed: fc.constantFrom('pending', 'done', 'x'),
    title: fc.jsonValue(),
    description: fc.oneof(fc.constant(texts.valid), fc.string(), fc.jsonValue()),
    approval: fc.oneof(
      fc.constant({ by: 'ann', via: 'tui', at: '2026-03-01T11:00:00.000Z', hash: 'x' }),
      fc.jsonValue(),
    ),
    rev: fc.jsonValue(),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** Any sidecar: near to a plan, any JSON, cut short, doubled, no JSON at all. */
export const sidecars = fc.oneof(
  { weight: 6, arbitrary: root.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(root, fc.nat(200), fc.constantFrom('cut', 'twice', 'mark'))
      .map(([value, at, how]) => {
        const text = JSON.stringify(value);
        if (how === 'cut') return text.slice(0, at);
        return how === 'mark' ? `\uFEFF${text}` : text + text.slice(-at);
      }),
  },
);

/** What D8 calls a plan, told from the text alone: which of these states no write to the project may be open in. */
export function readAs(text: string, document: 'beside' | 'none'): 'unreadable' | 'editing' | 'other' {
  const value = parsed(text.replace(/^\uFEFF/u, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'unreadable';
  const {
    status,
    tasks,
    pre_init_editing: flag,
    pending_approval: pending,
  } = value as Record<string, unknown>;
  const isTask = (one: unknown): boolean => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!Array.isArray(tasks) || !tasks.every(isTask)) return 'unreadable';
  if (status === undefined) return flag === true ? 'editing' : 'unreadable';
  if (typeof status !== 'string' || !known.includes(status)) return 'unreadable';
  if (status === 'Completed' || status === 'Cancelled') return 'other';
  if (pending === true || ['Editing', 'PendingApproval', 'Rejected'].includes(status)) return 'editing';
  if (status !== 'Draft') return 'other';
  return tasks.length > 0 && document === 'none' && flag !== true ? 'other' : 'editing';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
