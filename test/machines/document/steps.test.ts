import { describe, expect, it } from 'vitest';
import { scanDocument } from '../../../machines/document.ts';

const LABELS = ['- **Problem:** p', '- **Target state:** t', '- **Intent:** i'];

/** A plan whose steps section, with its heading on line 6, holds these lines from line 7 on. */
function inSteps(...lines: string[]): string[] {
  return ['# T', '## Context', ...LABELS, '## Implementation steps', ...lines];
}

/** `code@line` of every fault, as bug case B33 writes them. */
function faultsOf(...lines: string[]): string[] {
  return scanDocument(lines.join('\n')).faults.map((fault) => `${fault.code}@${fault.line}`);
}

function hintOf(code: string, ...lines: string[]): string | undefined {
  return scanDocument(lines.join('\n')).faults.find((fault) => fault.code === code)?.hint;
}

describe('D24 numbered steps', () => {
  it.each([
    ['1. A', 1],
    ['10. A', 1],
    ['01. A', 1],
    ['1. **A** — a', 1],
    ['2. (after 1) B', 1],
    ['1.  two spaces', 1],
    ['1. A\n1. B\n7. C', 3],
    ['1. A\n   1. sub-step\n   2. sub-step', 1],
    ['1. A\n### Later\n2. B', 2],
    ['99999999999999999999. A', 1],
    ['1) A', 0],
    [' 1. A', 0],
    ['  2. x', 0],
    ['1.A', 0],
    ['1.\tA', 0],
    ['1.', 0],
    ['1. ', 0],
    ['1. \u00A0\u200B', 0],
    ['1. <!-- a step -->', 0],
    ['1.<!-- x -->A', 0],
    ['1.<!-- x --> A', 0],
    ['<!-- x -->1. A', 0],
    ['1.5x faster', 0],
    ['- [ ] A', 0],
    ['- A', 0],
    ['１. A', 0],
    ['### 1. A', 0],
    ['## Notes\n1. A', 0],
    ['<!--\n1. A\n-->', 0],
    ['<!-- a\n--> 1. A', 0],
  ])('D24 B38 %j holds %i', (text, count) => {
    const scan = scanDocument(inSteps(text).join('\n'));
    expect(scan.steps).toHaveLength(count);
    expect(scan.faults.map((fault) => fault.code)).toEqual(count === 0 ? ['steps.none'] : []);
  });

  it('D24 a number in Context is not a step', () => {
    expect(faultsOf('## Context', ...LABELS, '1. A', '## Implementation steps')).toEqual(['steps.none@5']);
    expect(hintOf('steps.none', '## Context', ...LABELS, '1. A', '## Implementation steps')).toContain(
      'elsewhere',
    );
  });

  it.each([
    ['1) A', 'followed by "."'],
    ['1.A', 'one space between the dot and the text'],
    ['1.\tA', 'one space between the dot and the text'],
    ['1. ', 'no text after the number'],
    ['  1. A', 'the number stands in column 1'],
    ['- [ ] A', 'checkboxes are not numbered steps'],
    ['* [x] A', 'checkboxes are not numbered steps'],
    ['- A', 'bullets are not numbered steps'],
    ['- 1. A', 'no bullet before the number'],
    ['### 1. A', 'not a heading'],
    ['### Step 1', 'not a heading'],
    ['**1.** A', 'plain number'],
    ['Step 1: A', 'plain number'],
    ['１. A', 'digits 0 to 9'],
  ])('D24 B38 the near miss %j gets a hint', (line, why) => {
    const plan = inSteps('Some words.', line);
    expect(faultsOf(...plan)).toEqual(['steps.none@8']);
    expect(hintOf('steps.none', ...plan)).toContain(why);
  });

  it.each([
    ['D24 B36 only a fence', ['```', '1. not a step', '```'], []],
    ['D24 B36 a step and a fence', ['1. A', '```', '2. x', '```'], ['A']],
    ['D24 B36 an indented fence', ['1. A', '   ```js', '2. x', '   ```', '2. B'], ['A', 'B']],
    ['D24 a tilde fence is not closed by backticks', ['1. A', '~~~', '```', '2. x', '~~~'], ['A']],
    ['D24 a fence is not closed by a shorter one', ['1. A', '````', '```', '2. x', '````'], ['A']],
    ['D24 a fence is not closed with text behind it', ['1. A', '```', '``` js', '2. x', '```'], ['A']],
    ['D24 four spaces do not close a fence', ['1. A', '```', '    ```', '2. x', '```'], ['A']],
    ['D24 a longer fence closes', ['1. A', '```', '````  ', '2. B'], ['A', 'B']],
    ['D24 a backtick in the info string opens nothing', ['1. A', '``` a`b', '2. B'], ['A', 'B']],
    ['D24 a comment in a fence opens nothing', ['1. A', '```', '<!--', '```', '2. B'], ['A', 'B']],
    ['D24 a fence in a comment opens nothing', ['1. A', '<!--', '```', '-->', '2. B'], ['A', 'B']],
    [
      'D24 a comment in a code span opens nothing',
      ['1. Strip `<!--` marks', '2. B'],
      ['Strip `<!--` marks', 'B'],
    ],
    ['D24 a lone backtick is no code span', ['1. A ` <!-- b', '2. x', '-->', '2. B'], ['A `', 'B']],
    ['D24 a comment may start mid-line', ['1. A <!-- b', '2. x -->', '3. C'], ['A', 'C']],
    ['D24 an empty comment inside a comment ends it', ['1. A <!-- b', '<!-->', '2. B'], ['A', 'B']],
    ['D24 an empty comment closes itself', ['1. A <!--> b', '2. B <!---> c'], ['A b', 'B c']],
  ])('%s', (_name, lines, titles) => {
    const scan = scanDocument(inSteps(...lines).join('\n'));
    expect(scan.steps.map((step) => step.title)).toEqual(titles);
    expect(scan.faults.map((fault) => fault.code)).toEqual(titles.length === 0 ? ['steps.none'] : []);
  });

  it.each([
    ['1. A — b', 'A', 'b'],
    ['1. A. Then — b — c', 'A. Then', 'b — c'],
    ['1. **A** — a', 'A', 'a'],
    ['1. Read it, e.g. this file. Then fix it.', 'Read it, e.g. this file', 'Then fix it.'],
    ['1. Ready? Go', 'Ready?', 'Go'],
    ['1. 読む。直す。', '読む', '直す。'],
    ['1. Edit src/app.ts.', 'Edit src/app.ts', ''],
    ['1. A—b', 'A—b', ''],
    ['1. — b', '— b', ''],
    ['1. A — b\n\n   - more\n   ```\n   code\n   ```\n\tand more\nnot this', 'A', 'b - more and more'],
  ])('D41 %j has its title and description', (text, title, description) => {
    const [step] = scanDocument(inSteps(text).join('\n')).steps;
    expect({ title: step?.title, description: step?.description }).toEqual({ title, description });
  });

  it.each([
    ['   - Done when: a', ['a']],
    ['- Done when: a', ['a']],
    ['\t* **Done when:** a\n\t* **done when**: b', ['a', 'b']],
    ['   - [ ] Done when: a', ['a']],
    ['   - Done when: <!-- later -->', []],
    ['   - note\n\n   - Done when: a', ['a']],
    ['A paragraph.\n   - Done when: a', []],
  ])('D41 %j gives the criteria of the step above it', (text, doneWhen) => {
    expect(scanDocument(inSteps('1. A', text).join('\n')).steps[0]?.doneWhen).toEqual(doneWhen);
  });
});
