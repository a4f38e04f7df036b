import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scaffold, scanDocument } from '../../machines/document.ts';

const golden = readFileSync(new URL('../fixtures/golden-plan.md', import.meta.url), 'utf8');

const LABELS = ['- **Problem:** p', '- **Target state:** t', '- **Intent:** i'];
const STEPS = ['## Implementation steps', '1. A'];

/** `code@line` of every fault, as bug case B33 writes them. */
function faultsOf(...lines: string[]): string[] {
  return scanDocument(lines.join('\n')).faults.map((fault) => `${fault.code}@${fault.line}`);
}

function hintOf(code: string, ...lines: string[]): string | undefined {
  return scanDocument(lines.join('\n')).faults.find((fault) => fault.code === code)?.hint;
}

/** A plan whose Context holds these lines from line 3 on; the steps are fine. */
function inContext(...lines: string[]): string[] {
  return ['# T', '## Context', ...lines, ...STEPS];
}

/** A plan whose steps section, with its heading on line 6, holds these lines from line 7 on. */
function inSteps(...lines: string[]): string[] {
  return ['# T', '## Context', ...LABELS, '## Implementation steps', ...lines];
}

describe('D24 golden session plan', () => {
  it('D24 passes and gives title, context and steps', () => {
    expect(scanDocument(golden)).toEqual({
      title: 'Add session plan Approve gate',
      context: {
        problem: 'Plan mode has no structured design doc before execution.',
        targetState: 'Users Approve a `.md` plan, then checklist runs automatically.',
        intent: 'Ship Track A for TUI and Telegram in v1.',
      },
      steps: [
        {
          line: 7,
          number: 1,
          title: 'Add Approve validator',
          description: 'implement Rust scan in Phase 6 harness.',
          doneWhen: [],
        },
        {
          line: 8,
          number: 2,
          title: 'Wire seed turn',
          description: 'synthetic user message, add_tasks, start.',
          doneWhen: ['empty tasks triggers idle retry via /execute (forbidden while turn running).'],
        },
      ],
      faults: [],
    });
  });

  it.each([
    ['CRLF', golden.replaceAll('\n', '\r\n')],
    ['BOM', `\uFEFF${golden}`],
    ['trailing spaces after headings', golden.replaceAll(/^(##.*)$/gm, '$1  \t')],
    ['no newline at the end', golden.trimEnd()],
  ])('D24 reads the same plan with %s', (_name, text) => {
    expect(scanDocument(text)).toEqual(scanDocument(golden));
  });

  it.each([
    ['front matter', '---\ntitle: "# x"\n---\n', 3],
    ['front matter that ends in dots', '---\na: 1\n...\n', 3],
    ['BOM, CRLF and front matter', '\uFEFF---\r\na: 1\r\n---\r\n', 3],
    ['a horizontal rule that is no front matter', '---\n', 1],
    ['a comment of several lines', '<!-- notes\n# No\n## Context\n-->\n', 4],
  ])('D24 keeps the line numbers of the file after %s', (_name, top, added) => {
    const scan = scanDocument(top + golden);
    expect(scan.faults).toEqual([]);
    expect(scan.title).toBe('Add session plan Approve gate');
    expect(scan.steps.map((step) => step.line)).toEqual([7 + added, 8 + added]);
  });

  it('D24 does not take sections between two horizontal rules for front matter', () => {
    expect(faultsOf('---', ...inContext(...LABELS).slice(0, 5), '---', ...STEPS)).toEqual([]);
  });
});

describe('D24 reports every fault with its line', () => {
  it('D24 B33 gives the four faults of an empty skeleton', () => {
    const text =
      '# T\n## Context\n- **Problem:**  \n- **Target state:**\t\n- **Intent:**\n## Implementation steps\n';
    expect(faultsOf(text)).toEqual(['problem.blank@3', 'target.blank@4', 'intent.blank@5', 'steps.none@6']);
  });

  it.each([
    ['nothing', '', ['document.empty@1']],
    ['white space and zero-width characters', ' \n\u200B\n\uFEFF\n', ['document.empty@1']],
    ['free prose', 'I will fix it.\nSoon.\n', ['context.missing@1', 'steps.missing@2']],
    ['a title only', '\n# T\n', ['context.missing@2', 'steps.missing@2']],
    [
      'no labels',
      '## Context\nwhy\n## Implementation steps\n1. A',
      ['problem.missing@1', 'target.missing@1', 'intent.missing@1'],
    ],
    [
      'an unclosed fence',
      '# T\n```js\n## Context\n## Implementation steps\n1. A',
      ['fence.unclosed@2', 'context.missing@3', 'steps.missing@4'],
    ],
    ['an unclosed comment', `${golden}<!-- later\nmore`, ['comment.unclosed@10']],
    ['an unclosed comment inside a line', `${golden}text <!-- later`, ['comment.unclosed@10']],
    ['a second Context', `${golden}## Context\n`, ['context.duplicate@10']],
    [
      'a third steps section',
      `${golden}${'## Implementation steps\n'.repeat(2)}`,
      ['steps.duplicate@10', 'steps.duplicate@11'],
    ],
  ])('D24 %s', (_name, text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('D24 the first of two sections counts', () => {
    const twice = inSteps('1. A', '## Context', '- **Problem:** other', '## Implementation steps', '1. B');
    const scan = scanDocument(twice.join('\n'));
    expect(scan.context.problem).toBe('p');
    expect(scan.steps.map((step) => step.title)).toEqual(['A']);
    expect(scan.faults.map((fault) => fault.text)).toEqual([
      'This is a second "## Context" heading; only the first one, on line 2, counts.',
      'This is a second "## Implementation steps" heading; only the first one, on line 6, counts.',
    ]);
  });

  it('D24 an unfilled first section is not saved by the second', () => {
    expect(faultsOf('## Context', '## Context', ...LABELS, ...STEPS)).toEqual([
      'context.duplicate@2',
      'problem.missing@3',
      'target.missing@4',
      'intent.missing@5',
    ]);
  });

  it('D24 the untouched scaffold fails, and its title is kept', () => {
    const scan = scanDocument(scaffold('  Split the <!-- cache\nkey '));
    expect(scan.title).toBe('Split the <! -- cache key');
    expect(scan.faults.map((fault) => fault.code)).toEqual([
      'problem.blank',
      'target.blank',
      'intent.blank',
      'steps.none',
    ]);
    expect(scan.steps).toEqual([]);
  });
});

describe('D24 labels', () => {
  it.each([
    ['a dash marker', '- **Problem:** x', []],
    ['a star marker', '* **Problem:** x', []],
    ['a plus marker', '+ **Problem:** x', []],
    ['a number marker', '1. **Problem:** x', []],
    ['no marker', '**Problem:** x', []],
    ['no space after the label', '**Problem:**x', []],
    ['a placeholder', '**Problem:** TBD', []],
    ['prose in another language', '**Problem:** キーが共有されている', []],
    ['NBSP only', '**Problem:** \u00A0', ['problem.blank@3']],
    ['zero-width characters only', '**Problem:** \u200B\u200C\u200D\u2060\uFEFF', ['problem.blank@3']],
    ['ideographic space and NEL only', '**Problem:**\u3000\u0085', ['problem.blank@3']],
    ['a comment only', '**Problem:** <!-- what is wrong -->', ['problem.blank@3']],
    ['a comment and text', '**Problem:** <!-- why --> x', []],
    ['the colon outside', '- **Problem**: x', ['problem.missing@3']],
    ['a small letter', '- **problem:** x', ['problem.missing@3']],
    ['a full-width colon', '- **Problem：** x', ['problem.missing@3']],
    ['another language', '- **Проблема:** x', ['problem.missing@3']],
    ['a code span', '- `**Problem:** x`', ['problem.missing@3']],
    ['indented code', '    **Problem:** x', ['problem.missing@3']],
    ['a comment around it', '<!-- **Problem:** x -->', ['problem.missing@2']],
  ])('D24 %s', (_name, line, expected) => {
    expect(faultsOf(...inContext(line, ...LABELS.slice(1)))).toEqual(expected);
  });

  it('D24 a label twice passes if one of them is filled', () => {
    const scan = scanDocument(inContext('- **Problem:**', ...LABELS).join('\n'));
    expect(scan.faults).toEqual([]);
    expect(scan.context.problem).toBe('p');
  });

  it('D24 a label in a fence does not count', () => {
    expect(faultsOf(...inContext('~~~', '**Problem:** x', '~~~', ...LABELS.slice(1)))).toEqual([
      'problem.missing@2',
    ]);
  });

  it('D24 a label outside Context does not count', () => {
    expect(faultsOf(...inContext(...LABELS.slice(1)), '**Problem:** x')).toEqual(['problem.missing@7']);
    expect(hintOf('problem.missing', ...inContext(...LABELS.slice(1)), '**Problem:** x')).toContain(
      'outside',
    );
  });

  it.each(['  two services share one key.', 'two services.', '  - two services.'])(
    'D24 B34 text on the next line is refused with a hint: %j',
    (next) => {
      const plan = inContext('- **Problem:**', next, ...LABELS.slice(1));
      expect(faultsOf(...plan)).toEqual(['problem.blank@3']);
      expect(hintOf('problem.blank', ...plan)).toContain('put the text on the same line');
    },
  );

  it('D24 B34 a blank label before another label has no such hint', () => {
    expect(hintOf('problem.blank', ...inContext('- **Problem:**', ...LABELS.slice(1)))).toBeUndefined();
  });

  it.each([
    ['- **Problem**: x', 'the colon belongs inside the bold'],
    ['- **Problem：** x', 'the colon must be the ordinary ":"'],
    ['- **Problem**： x', 'the colon must be the ordinary ":"'],
    ['- **problem:** x', 'upper and lower case must match'],
    ['- **Проблема:** x', 'the label stays in English'],
    ['- Problem: x', 'it is bold'],
    ['### Problem', 'it is bold'],
    ['- **Problem** — x', 'it is bold'],
    ['- __Problem:__ x', 'it is bold'],
    ['> **Problem:** x', 'something before it'],
    ['      - **Problem:** x', 'indented too far'],
    ['So **Problem:** x', 'each label starts its own line'],
  ])('D24 B39 the near miss %j gets a hint', (line, why) => {
    const hint = hintOf('problem.missing', ...inContext(line, ...LABELS.slice(1)));
    expect(hint).toContain('write "**Problem:** your text" instead');
    expect(hint).toContain(why);
  });
});

describe('D24 headings', () => {
  it.each([
    ['### Context', 'level 2'],
    ['# Context', 'level 2'],
    ['**Context**', 'level 2'],
    ['Context:', 'level 2'],
    ['## context', 'upper and lower case must match'],
    ['## CONTEXT', 'upper and lower case must match'],
    ['## Context:', 'nothing else stands on the line'],
    ['##  Context', 'column 1'],
    [' ## Context', 'column 1'],
    ['##Context', 'column 1'],
    ['## 1. Context', 'nothing else'],
    ['## Context and background', 'nothing else'],
    ['## Контекст', 'the heading stays in English'],
    ['## 背景', 'the heading stays in English'],
  ])('D24 B39 %j is a near miss of ## Context', (heading, why) => {
    const plan = ['# T', heading, ...LABELS, ...STEPS];
    expect(faultsOf(...plan)).toEqual(['context.missing@2']);
    expect(hintOf('context.missing', ...plan)).toContain('write "## Context" instead');
    expect(hintOf('context.missing', ...plan)).toContain(why);
    expect(scanDocument(plan.join('\n')).context.problem).toBeNull();
  });

  it.each(['## implementation Steps', '### Implementation steps', '## Steps', '## Шаги реализации'])(
    'D24 B39 %j is a near miss of ## Implementation steps and its steps do not count',
    (heading) => {
      const scan = scanDocument(['## Context', ...LABELS, heading, '1. A'].join('\n'));
      expect(scan.faults.map((fault) => `${fault.code}@${fault.line}`)).toEqual(['steps.missing@5']);
      expect(scan.faults[0]?.hint).toContain('write "## Implementation steps" instead');
      expect(scan.steps).toEqual([]);
    },
  );

  it('D24 B39 a translated plan gets one message per heading and label', () => {
    const plan = ['## Контекст', '- **Проблема:** x', ...LABELS.slice(1), '## Шаги реализации', '1. A'];
    expect(faultsOf(...plan)).toEqual(['context.missing@1', 'problem.missing@2', 'steps.missing@5']);
  });

  it('D24 ## Contextual is another heading', () => {
    expect(hintOf('context.missing', '## Contextual', ...LABELS, ...STEPS)).toBeUndefined();
  });

  it.each([
    [['```', '## Context', ...LABELS, '```'], 'a code fence'],
    [['<!--', '## Context', ...LABELS, '-->'], 'a comment'],
  ])('D24 a heading inside %j does not count', (block, where) => {
    expect(faultsOf(...block, ...STEPS)).toEqual(['context.missing@2']);
    expect(hintOf('context.missing', ...block, ...STEPS)).toContain(`inside ${where}`);
  });

  it.each(['# Part two', '## Risks', ' ## Risks', '##', '##\tRisks'])(
    'D24 a section ends at the level-1 or level-2 heading %j',
    (heading) => {
      expect(faultsOf('## Context', heading, ...LABELS, ...STEPS)).toHaveLength(3);
    },
  );

  it.each(['### Risks', '#hashtag', '####', 'Risks\n---', '    ## Risks'])(
    'D24 a section goes on after %j',
    (line) => {
      expect(faultsOf('## Context', line, ...LABELS, ...STEPS)).toEqual([]);
    },
  );
});

describe('D23 title', () => {
  it.each([
    ['#   A b  ', 'A b'],
    ['## No\n# A', 'A'],
    ['# \n# A', 'A'],
    ['```\n# no\n```\n# A', 'A'],
    ['<!-- # no -->\n# A <!-- x -->', 'A'],
    ['#A', null],
    ['A\n===', null],
    [`# ${'é'.repeat(250)}`, 'é'.repeat(200)],
    [`# ${'😀'.repeat(201)}`, '😀'.repeat(200)],
  ])('D23 %j', (text, title) => {
    expect(scanDocument(text).title).toBe(title);
  });
});
