import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadPrompts, type PromptVariables } from '../../adapters/prompts.ts';
import { tools } from '../../tools/registry.ts';

const folder = new URL('../../prompts/', import.meta.url);
const prompts = loadPrompts(folder);
const path = '/home/ada/.opencrabs/session/.opencrabs_plan_7f.md';

/** The bounds of an approved text, as `implementPrompt` copies them out of it. */
const bounds = '- **Constraints:** keep the old flag\n- **Out of scope:** no code';

/** Every prompt with values as a turn would give them; some in two variants. */
const cases: [golden: string, name: string, variables: PromptVariables][] = [
  ['preamble', 'preamble', {}],
  ['reminder-pre-init', 'reminder-pre-init', {}],
  [
    'reminder-post-init',
    'reminder-post-init',
    { path, missing: '"**Problem:**" has no text; no numbered step' },
  ],
  ['reminder-post-init-complete', 'reminder-post-init', { path, missing: 'nothing' }],
  [
    'reminder-active',
    'reminder-active',
    {
      title: 'Split the cache key',
      done: 1,
      total: 3,
      lines: '→ 2. Move the readers\n☐ 3. Drop the old key',
    },
  ],
  ['reminder-seed-failed', 'reminder-seed-failed', {}],
  [
    'reminder-unreadable',
    'reminder-unreadable',
    { path: '/home/ada/x.json', cause: 'EACCES: permission denied' },
  ],
  ['implement', 'implement', { path, steps: 2, again: '', bounds }],
  ['implement-again', 'implement', { path, steps: 2, again: 'again', bounds: '' }],
  ['plan-hint', 'plan-hint', {}],
  ['unattended-hint', 'unattended-hint', {}],
  ['revise', 'revise', { revision: '3f2a91c, not the newest', note: 'Split step 1.\nKeep the old flag.' }],
  ['resume', 'resume', {}],
  ['project-notes', 'project-notes', { notes: '`AGENTS.md`\n> Use tabs.' }],
  [
    'skills',
    'skills',
    { skills: '- pdf (/home/ada/.opencrabs/planchart/skills/pdf/SKILL.md): Reads PDF files.' },
  ],
  [
    'user-command',
    'user-command',
    {
      typed: '/review src',
      path: '/home/ada/.opencrabs/planchart/commands/review.md',
      text: 'Review src.\n\nSay what is wrong.',
    },
  ],
  ['reminder-no-tasks', 'reminder-no-tasks', {}],
  ...['read', 'search', 'write', 'edit', 'bash', 'web'].map((family): [string, string, PromptVariables] => [
    `hint-${family}`,
    `hint-${family}`,
    {},
  ]),
  ['agent-general', 'agent-general', {}],
  ['agent-architect', 'agent-architect', {}],
  ['compaction-request', 'compaction-request', { words: 800 }],
  ['compaction-conversation', 'compaction-conversation', { conversation: 'Person:\nmake it so' }],
  ['compaction-summary', 'compaction-summary', { summary: '- Request: split the cache key.', state: '' }],
  ['compaction-pre-init', 'compaction-pre-init', {}],
  ['compaction-post-init', 'compaction-post-init', { path }],
  ['compaction-seeding', 'compaction-seeding', { path, steps: 2 }],
  [
    'compaction-active',
    'compaction-active',
    { title: 'Split the cache key', at: 'task 3 of 5', done: 2, path },
  ],
  ['compaction-no-tasks', 'compaction-no-tasks', {}],
  ['compaction-seed-empty', 'compaction-seed-empty', { path }],
  ['compaction-seed-partial', 'compaction-seed-partial', { path }],
  ['compaction-unreadable', 'compaction-unreadable', { path: '/home/ada/x.json' }],
];
const rendered = new Map(cases.map(([golden, name, variables]) => [golden, prompts.render(name, variables)]));
const all = [...rendered];
const text = (golden: string): string => rendered.get(golden) ?? '';

describe('the prompts folder', () => {
  it('holds nothing but Markdown, and every prompt has a golden text', () => {
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !file.endsWith('.md'))).toEqual([]);
    expect(new Set(cases.map(([, name]) => name))).toEqual(new Set(prompts.names));
    const golden = readdirSync(new URL('golden/', import.meta.url), { withFileTypes: true });
    expect(golden.flatMap((one) => (one.isFile() ? [one.name] : [])).toSorted()).toEqual(
      cases.map(([name]) => `${name}.txt`).toSorted(),
    );
  });

  it.each(cases)('%s renders as its golden text', async (golden) => {
    await expect(`${text(golden)}\n`).toMatchFileSnapshot(`golden/${golden}.txt`);
  });

  it.each(all)('%s leaves no placeholder and no blank label behind', (_, shown) => {
    expect(shown).not.toMatch(/\{\{|\}\}|undefined/);
    expect(shown).not.toMatch(/[ \t]$/m);
  });
});

/** What is a system message of its own, and no text among others. */
const systemMessages = ['preamble', 'compaction-request', 'agent-general', 'agent-architect'];

describe('words', () => {
  // D52: whatever says "plan" is a SESSION PLAN, the mode, the tool, the command or a quoted word of the user.
  const allowed =
    /SESSION PLAN|Plan mode|`plan`|`\/?plan[^`]*`|Says plan|"plan"|the word plan|says plan|forced plan tool/g;

  it.each(all)('D52: %s never calls a checklist the plan', (_, shown) => {
    expect(shown.replaceAll(path, '').replaceAll(allowed, '')).not.toMatch(/\bplans?\b/i);
  });

  it.each(all)('%s teaches no operation that does not exist', (_, shown) => {
    const named = [...shown.matchAll(/`(?:operation: )?(init|add_tasks?|start|complete|[a-z]+_?[a-z]*)`/g)];
    const known = [
      'init',
      'add_tasks',
      'start',
      'complete',
      'plan',
      'dependencies',
      'acceptance_criteria',
      'run',
      ...tools.map(({ name }) => name),
    ];
    expect(named.map(([, word]) => word).filter((word) => !known.includes(word ?? ''))).toEqual([]);
    expect(shown).not.toMatch(/finalize|`create`|operation: (?!init|start\b|add_tasks\b)/);
  });

  it.each(all.filter(([name]) => !systemMessages.includes(name)))(
    'D28: %s says first that the harness speaks',
    (_, shown) => {
      expect(shown.split('\n')[0]).toMatch(/^\[planchart harness\]( again)?$/);
    },
  );

  const states = all.filter(([, shown]) => /^State: /m.test(shown));
  it('reminders and recovery texts are looked at', () => {
    expect(states.length).toBeGreaterThan(13);
  });

  it.each(states)('D28: %s is short, with now and next', (_, shown) => {
    expect(shown).toMatch(/^Now: /m);
    expect(shown).toMatch(/^Next: /m);
    expect(shown.split('\n').length).toBeLessThanOrEqual(9);
  });
});

describe('preamble', () => {
  const rows = [
    [
      'Says plan / design / review / approve-first',
      'Design',
      'Editing, `init mode=design`, write `.md`, wait for Approve',
    ],
    [
      'Execute-shaped multi-step, no "plan" word',
      'Checklist (proactive)',
      '`init` + tasks → Active → `start` before project writes',
    ],
    ['User supplies task list', 'Checklist', '`init` with tasks (or import)'],
    ['Pure Q&A, research, single-step fix', 'None', 'No forced plan tool'],
    ['Ambiguous', 'Ask', 'One question: design first or checklist?'],
    ['Yolo / cron / `run` / a2a + design ask', 'Refuse design', 'Checklist or import only'],
  ];

  it('has the locked track table, row by row', () => {
    const shown = text('preamble').split('\n');
    const start = shown.indexOf('| User signal | Track | Model action |');
    expect(shown.slice(start + 2, start + 3 + rows.length)).toEqual([
      ...rows.map((row) => `| ${row.join(' | ')} |`),
      '',
    ]);
  });

  it('A3: guards large refactors and keeps research out', () => {
    expect(text('preamble')).toContain('Do not wing a large refactor');
    expect(text('preamble')).toMatch(/an audit alone stays out of Plan mode/);
  });
});

describe('reminders and the implement prompt', () => {
  it('D28: pre-init sends to exploring, then init', () => {
    expect(text('reminder-pre-init')).toMatch(/bash is open read-only[^]*operation: init/);
  });

  it('D28: post-init names path, what is missing, what is closed, and no question', () => {
    const shown = text('reminder-post-init');
    expect(shown).toContain(`File: \`${path}\``);
    expect(shown).toContain('Missing: "**Problem:**" has no text; no numbered step');
    expect(shown).toContain('Closed: bash, `add_tasks`, `start`, `complete`, project writes.');
    expect(shown).toContain('Never ask for approval with a question.');
  });

  it('D27: seed failed and unreadable ask for no call', () => {
    for (const name of ['reminder-seed-failed', 'reminder-unreadable'])
      expect(text(name)).toMatch(/^Next: nothing/m);
    expect(text('reminder-unreadable')).toContain('/home/ada/x.json');
  });

  it('D15: a retry is marked', () => {
    expect(text('implement').split('\n')[0]).toBe('[planchart harness]');
    expect(text('implement-again').split('\n')[0]).toBe('[planchart harness] again');
  });

  it('B62: the implement prompt carries Out of scope and widens nothing', () => {
    const shown = text('implement');
    expect(shown).toContain('- **Out of scope:** no code');
    expect(shown).toContain(path);
    expect(shown).not.toMatch(
      /\b(all|any) (code|changes|files)\b|implement (it|everything)|tests? too|as needed|improve/i,
    );
    expect(shown).toMatch(/exactly one `add_tasks`[^]*1:1[^]*Then call `start`[^]*until `start` succeeds/);
  });

  it('D41: seed and Editing prompts never tell to start before init or approval', () => {
    for (const name of ['reminder-pre-init', 'plan-hint', 'revise', 'compaction-pre-init'])
      expect(text(name)).not.toMatch(/`start`/);
  });

  it('front matter is in every file', () => {
    for (const name of prompts.names) {
      expect(
        readFileSync(new URL(`${name}.md`, folder), 'utf8').startsWith(`---\nname: ${name}\npurpose: `),
      ).toBe(true);
    }
  });
});
