import { describe, expect, it } from 'vitest';
import { families, hintedTools, triggers } from '../../machines/intent/families.ts';
import { openHints } from '../../machines/intent/hints.ts';
import { planWords, toolFamilies } from '../../machines/intent.ts';
import { findTool } from '../../tools/registry.ts';

/** The lists as upstream has them, in its order. */
const listed = {
  plan: 'make a plan | create a plan | plan for | plan to implement | plan out | planning | create plan | make plan',
  read: "read file | read the file | show me file | show me the file | show file content | what's in | what is in | display file | view file | look at file | check file",
  search: 'search for | find | look for | grep | search code | find in files | search in | where is | locate',
  write: 'create file | create a file | write file | write to file | make a file | make file | new file',
  edit: 'edit file | modify file | update file | change file | fix in file | update the file | modify the file',
  bash: 'run command | execute command | run shell | shell command | terminal command | bash command',
  web: 'search online | search the web | google | search internet | find online | look up online | web search',
};

describe('D25 the families', () => {
  it('D25 are seven, with the listed triggers', () => {
    expect(families).toEqual(Object.keys(listed));
    expect(Object.fromEntries(families.map((family) => [family, triggers[family].join(' | ')]))).toEqual(
      listed,
    );
  });

  it('D25 hints name tools by the names that the registry has', () => {
    expect(
      Object.values(hintedTools)
        .flat()
        .filter((tool) => findTool(tool) === null),
    ).toEqual([]);
  });
});

describe('D25 plan words', () => {
  it.each([
    ['make a plan to split the key', 'make a plan'],
    ['Please CREATE A PLAN.', 'CREATE A PLAN'],
    ['a plan for dinner', 'plan for'],
    ['I want a plan to implement this', 'plan to implement'],
    ['plan out the move', 'plan out'],
    ['fix the planning page', 'planning'],
    ['create plan', 'create plan'],
    ['«make plan»', 'make plan'],
    ["don't make a plan", 'make a plan'],
    ['сделай planning', 'planning'],
    ['\n  planning\n', 'planning'],
    ['see docs/planning', 'planning'],
    ['> what they wrote\nmake a plan', 'make a plan'],
    ['if x > 1 make a plan', 'make a plan'],
  ])('D25 %j is asked for by its words', (text, words) => {
    expect(planWords(text)).toBe(words);
  });

  it.each([
    '',
    'plan',
    'plan this',
    "let's plan",
    'plan mode',
    'make me a plan',
    'make the plan',
    'write a plan',
    'explan for',
    'replanning',
    'planning_page',
    'planning2',
    'éplanning',
    'planningë',
    'жplan for',
    'plan forя',
    'plan fore\u0301',
    'planning\u0301',
    'make  a plan',
    'make\ta plan',
    'make a\nplan',
    '> make a plan',
    'they said:\n  > > planning\nis that true?',
  ])('D25 %j has no plan words', (text) => {
    expect(planWords(text)).toBeNull();
  });

  it.each(['/plan planning', '  /skill make a plan', '\n/execute find it', '/home/me/planning is full'])(
    'D25 %j starts with a slash and is skipped',
    (text) => {
      expect([planWords(text), toolFamilies(text)]).toEqual([null, []]);
    },
  );
});

describe('D25 words that point to tools', () => {
  it.each([
    ["what's in src?", ['read']],
    ['what’s in src?', []],
    ['find online', ['search', 'web']],
    ['Search internet', ['web']],
    ['search in', ['search']],
    ['finding, refind', []],
    ['run command, then edit file and create a file', ['write', 'edit', 'bash']],
    ['make a plan and locate it', ['search']],
    ['run the command', []],
    ['найди: find', ['search']],
    ['> find\nwhy?', []],
  ])('D25 %j points to %j', (text, found) => {
    expect(toolFamilies(text)).toEqual(found);
  });

  const all = toolFamilies("what's in, find, new file, edit file, run shell, google");
  const hints = (phase: Parameters<typeof openHints>[1]) =>
    openHints(all, phase, (tool) => findTool(tool)?.class ?? null);

  it.each([
    ['noPlan', ['read', 'search', 'write', 'edit', 'bash', 'web']],
    ['preInit', ['read', 'search', 'bash']],
    ['postInit', ['read', 'search']],
    ['seeding', ['read', 'search']],
    ['seedFailedEmpty', ['read', 'search']],
    ['seedFailedPartial', ['read', 'search']],
    ['checklist', ['read', 'search', 'write', 'edit', 'bash', 'web']],
    ['unreadable', ['read', 'search']],
  ] as const)('D25 in %s the gate leaves hints for %j', (phase, open) => {
    expect(hints(phase)).toEqual(open);
  });

  it('D25 a hint goes when one of its tools is not registered', () => {
    const without = (gone: string) =>
      openHints(all, 'noPlan', (tool) => (tool === gone ? null : (findTool(tool)?.class ?? null)));
    expect(without('glob')).toEqual(['read', 'write', 'edit', 'bash', 'web']);
    expect(without('http_request')).toEqual(['read', 'search', 'write', 'edit', 'bash']);
  });
});
