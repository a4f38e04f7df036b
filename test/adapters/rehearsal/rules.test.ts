import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftPlan } from '../../../adapters/rehearsal/draft.ts';
import { splitNotes } from '../../../adapters/rehearsal/notes.ts';
import { noteChange, planText, repairPlan } from '../../../adapters/rehearsal/plan-text.ts';
import { act, bounded, say } from '../../../adapters/rehearsal/reply.ts';
import { seedTasks } from '../../../adapters/rehearsal/seed.ts';
import {
  documentPath,
  gatherFacts,
  isWhole,
  listsName,
  readLines,
} from '../../../adapters/rehearsal/tool-text.ts';
import type { Done, Turn } from '../../../adapters/rehearsal/turn.ts';
import { planTitle, requestLine, requestWords, slug } from '../../../adapters/rehearsal/words.ts';
import { scanDocument } from '../../../machines/index.ts';
import { prompts } from './session.ts';

const empty = gatherFacts([]);
const words = (text: string) => fc.stringMatching(/^[a-z]{3,9}$/).map((word) => `${text} ${word}`);

describe('the words of a request', () => {
  it.each([
    [
      'make a plan to add a `--count` option to the list command',
      'Add a --count option to the list command',
      ['count', 'list'],
    ],
    ['Please create a plan for dark mode!', 'Dark mode', ['dark', 'mode']],
    ['plan out the migration of\nour cache', 'The migration of our cache', ['migration', 'cache']],
    ['Let’s plan: retry failed uploads', 'Let’s plan: retry failed uploads', ['retry', 'failed', 'uploads']],
    ['добавь счётчик задач', 'Добавь счётчик задач', ['добавь', 'счётчик', 'задач']],
    [
      'split the huge module into many small ones that can be tested',
      'Split the huge module into many small ones',
      ['split', 'huge', 'module', 'many', 'small'],
    ],
  ])('%s', (request, title, found) => {
    expect(planTitle(request)).toBe(title);
    expect(requestWords(request)).toEqual(found);
  });

  it('make a folder name in plain letters', () => {
    expect([slug('Añadir café'), slug('добавь'), slug('../../etc'), slug('A'.repeat(90))]).toEqual([
      'anadir-cafe',
      'request',
      'etc',
      'a'.repeat(28),
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug(title))),
    );
  });

  it('never break a line, open a comment or split a step', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constant('a <!-- b — `c`\n# d')),
        (text) => {
          expect(requestLine(text)).not.toMatch(/[\n\r`]|<!--| — /);
          expect(Array.from(requestLine(text)).length).toBeLessThanOrEqual(160);
        },
      ),
    );
  });
});

describe('a drafted plan', () => {
  it('D24: passes the template whatever is asked for', () => {
    const request = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .constantFrom('```', '<!-- x', '1. a', '# Context', '**Problem:**', '- Done when: x — y', '--- ---')
        .chain(words),
    );
    fc.assert(
      fc.property(request, (text) => {
        const title = planTitle(text) || 'Untitled';
        const { faults, steps } = scanDocument(planText(draftPlan({ title, request: text, facts: empty })));
        expect(faults).toEqual([]);
        expect(steps.length).toBe(3);
      }),
      { numRuns: 300 },
    );
  });

  it('D41: becomes as many tasks as it has steps', () => {
    const text = planText(draftPlan({ title: 'T', request: 'count words', facts: empty }));
    expect(seedTasks(text).map(({ title }) => title)).toEqual(
      scanDocument(text).steps.map(({ title }) => title),
    );
  });

  it('repairs nothing that is whole, and says no to what it cannot mend', () => {
    const draft = draftPlan({ title: 'T', request: 'count words', facts: empty });
    expect(repairPlan(planText(draft), draft)).toBe(planText(draft));
    expect(repairPlan('# T\n<!-- open\n', draft)).toBeNull();
  });

  it('B49: a note changes one place only', () => {
    const text = planText(draftPlan({ title: 'T', request: 'count words', facts: empty }));
    expect(noteChange(text, 'keep it', null)?.new_text).toBe(
      '- **Constraints:** keep it\n\n## Implementation steps',
    );
    expect(noteChange('## Implementation steps\n## Implementation steps\n', 'keep it', null)).toBeNull();
  });
});

describe('seedTasks', () => {
  it('takes dependencies only from prose that names them, and caps texts', () => {
    const steps = [
      '1. A — first.',
      '2. B — depends on step 1.',
      '3. C — after step 1, blocked by task 2, after step 9.',
      '4. D — after lunch, step 2 again.',
      `5. ${'x'.repeat(300)}`,
    ];
    const tasks = seedTasks(['## Implementation steps', ...steps].join('\n'));
    expect(tasks.map(({ dependencies }) => dependencies)).toEqual([
      undefined,
      [1],
      [1, 2],
      undefined,
      undefined,
    ]);
    expect(tasks[4]?.title).toHaveLength(200);
    expect(tasks[4]?.description).toHaveLength(300);
  });
});

describe('what tools answer', () => {
  it('is read without their notes', () => {
    expect(readLines('1\ta\n2\t\n[Lines 1 to 2 of 9. Read on with offset 3.]')).toEqual(['a', '']);
    expect([
      isWhole('1\ta\n2\t'),
      isWhole('1\ta\n[Lines 1 to 1 of 9.]'),
      isWhole(`1\t${'x'.repeat(1200)}`),
    ]).toEqual([true, false, false]);
    const done = (name: string, text: string) => ({ name, input: {}, text, failed: false });
    const facts = gatherFacts([
      done('glob', 'b.ts\na file.md\n[More than 500 files match. Use a narrower pattern.]'),
      done('glob', 'No file below /x matches *.y.'),
      done('grep', 'src/a.ts:3: x\nsrc/a.ts:9: y\n[1 file could not be read.]\nNo line matches in 2 files.'),
      { ...done('glob', 'never.ts'), failed: true },
    ]);
    expect(facts.files).toEqual(['a file.md', 'b.ts']);
    expect([...facts.hits]).toEqual([['src/a.ts', [3, 9]]]);
  });

  it('names files and paths in any layout', () => {
    expect(listsName('/x:\na.md  3 bytes\nb/\nc@', 'a.md')).toBe(true);
    expect(listsName('/x:\naa.md  3 bytes\nb/', 'a.md')).toBe(false);
    expect(documentPath('Session plan created: /home/a b/.opencrabs_plan_1.md\nWrite')).toBe(
      '/home/a b/.opencrabs_plan_1.md',
    );
    expect(documentPath('The file is `/x/y z.md`.')).toBe('/x/y z.md');
    expect(documentPath('Checklist with 2 tasks')).toBeNull();
  });
});

describe('texts of the harness', () => {
  it('are told from typed words', () => {
    const message = `fix it\n\n${prompts.render('plan-hint', {})}\n\n${prompts.render('reminder-pre-init', {})}`;
    expect(splitNotes(message)).toEqual({ typed: 'fix it', notes: [{ kind: 'other' }, { kind: 'preInit' }] });
  });

  it('a note of a person can not pose as a state', () => {
    const note = 'State: Active, CHECKLIST "x", 1 of 2 done.\nThe person pressed Continue';
    expect(splitNotes(prompts.render('revise', { revision: 'the newest', note })).notes).toEqual([
      { kind: 'revise', note },
    ]);
  });

  it.each(['nothing', 'none', 'Nothing.', ''])('"%s" means that nothing is missing', (missing) => {
    const reminder = prompts.render('reminder-post-init', { path: '/a b.md', missing });
    expect(splitNotes(reminder).notes).toEqual([{ kind: 'postInit', path: '/a b.md', missing: null }]);
  });

  it('the implement prompt is known by its path, first time and again', () => {
    for (const again of ['', 'again']) {
      const prompt = prompts.render('implement', {
        path: '/a `b`.md',
        steps: 2,
        again,
        bounds: '- **Out of scope:** x',
      });
      expect(splitNotes(prompt)).toEqual({ typed: '', notes: [{ kind: 'implement', path: '/a `b`.md' }] });
    }
  });
});

describe('bounded', () => {
  const write = { name: 'write_file', input: { path: 'a.md', content: 'x' } };
  const made = (failed: boolean): Done => ({ ...write, text: 'The person said no.', failed });
  const turn = (done: Done[]): Turn => ({
    starter: { kind: 'person' },
    typed: 'x',
    state: null,
    unattended: false,
    done,
    tools: new Set(['write_file', 'ls']),
  });

  it('lets a call through, and once more after one refusal', () => {
    expect(bounded(turn([]), act([write]))).toEqual(act([write]));
    expect(bounded(turn([made(true)]), act([write]))).toEqual(act([write]));
    expect(bounded(turn([made(true), made(true)]), say('done'))).toEqual(say('done'));
  });

  it.each([
    ['a third try', [made(true), made(true)], write, 'write_file was refused twice (The person said no.)'],
    ['a change that was made', [made(false)], write, 'only do once more what it has done'],
    ['a tool that is not there', [], { name: 'bash', input: {} }, 'no tool "bash"'],
    [
      'a turn without end',
      Array.from({ length: 300 }, () => ({ ...made(false), name: 'ls' })),
      write,
      '300 calls',
    ],
  ])('stops %s', (_, done, call, words) => {
    const reply = bounded(turn(done), act([call]));
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain(words);
  });
});
