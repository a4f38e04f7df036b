import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRehearsalModel } from '../../../adapters/rehearsal/index.ts';
import type { ModelCall } from '../../../adapters/ports.ts';
import { phaseOf, scanDocument } from '../../../machines/index.ts';
import { Session } from './session.ts';
import { files } from './tools.ts';

const sample = fileURLToPath(new URL('../../../adapters/demo/sample/', import.meta.url));
const request = 'make a plan to add a `--count` option to the list command';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  cpSync(sample, join(root, 'project'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function open(refuse?: (call: ModelCall) => string | null): Session {
  return new Session(root, { model: createRehearsalModel(), ...(refuse === undefined ? {} : { refuse }) });
}

const operation = ({ name, input }: ModelCall): unknown =>
  name === 'plan' ? (input as { operation: unknown }).operation : name;

describe('D44: asked for changes', () => {
  it('takes a note in as a Constraints line and keeps the rest', async () => {
    const session = open();
    await session.chat(request);
    const before = session.document;
    await session.revise('Keep the old `--open` flag\nas it is <!-- please -->.');
    expect(session.document).toBe(
      before.replace(
        '## Implementation steps',
        '- **Constraints:** Keep the old --open flag as it is <! -- please -->.\n\n## Implementation steps',
      ),
    );
    expect(scanDocument(session.document).faults).toEqual([]);
    expect(phaseOf(session.snapshot)).toBe('postInit');
    expect(session.lastText).toContain('ready for review');
  });

  it('takes a wish for more in as a further step, and works it after Approve', async () => {
    const session = open();
    await session.chat(request);
    const before = scanDocument(session.document).steps;
    await session.revise('Please add a note on `src/cli.js` for the tester');
    const after = scanDocument(session.document);
    expect(after.faults).toEqual([]);
    expect(after.steps.slice(0, -1)).toEqual(before);
    expect(after.steps.at(-1)).toMatchObject({ number: 5, title: 'Take the note in' });
    await session.approve();
    expect(phaseOf(session.snapshot)).toBe('noPlan');
    const note = readFileSync(join(session.cwd, 'planchart-rehearsal/count-list/note-5.md'), 'utf8');
    expect(note).toContain('# Take the note in');
  });

  it('D23: a text that changed under it is read again, and the change of the person stays', async () => {
    let edits = 1;
    const session = open((call) => {
      if (call.name === 'edit_file' && edits-- === 1)
        session.edit(`${session.document}\nA line by a person.\n`);
      return null;
    });
    await session.chat(request);
    await session.revise('Keep the old flag');
    expect(session.document).toContain('A line by a person.');
    expect(session.document).toContain('- **Constraints:** Keep the old flag');
    expect(session.calls.map(operation).slice(-4)).toEqual([
      'read_file',
      'edit_file',
      'read_file',
      'edit_file',
    ]);
  });

  it('gives up after the second refusal', async () => {
    const session = open((call) => (call.name === 'edit_file' ? 'no' : null));
    await session.chat(request);
    await session.revise('Keep the old flag');
    expect(session.calls.filter(({ name }) => name === 'edit_file')).toHaveLength(2);
    expect(session.lastText).toMatch(/^I could not write the SESSION PLAN/);
  });

  it('takes a wish in chat as a note, but not a question', async () => {
    const session = open();
    await session.chat(request);
    const before = session.document;
    await session.chat('What would you change next?');
    expect(session.document).toBe(before);
    expect(session.lastText).toContain('waits for you');
    await session.chat('use fewer words');
    expect(session.document).toContain('- **Constraints:** use fewer words');
    expect(session.lastText).toContain('ready for review');
  });
});

describe('a SESSION PLAN with parts missing', () => {
  const broken = (text: string) =>
    text
      .replace(/- \*\*Intent:.*/, '- **Intent:**')
      .replace(/\n## Implementation[^]*/, '\n\nMy own words.\n');

  it('is completed in the next turn, and what a person wrote stays', async () => {
    const session = open();
    await session.chat(request);
    const problem = scanDocument(session.document).context.problem;
    session.edit(broken(session.document));
    expect(scanDocument(session.document).faults).toHaveLength(2);
    await session.chat('go on please');
    const after = scanDocument(session.document);
    expect(after.faults).toEqual([]);
    expect(after.context.problem).toBe(problem);
    expect(after.steps.length).toBeGreaterThanOrEqual(3);
    expect(session.document).toContain('My own words.');
    expect(session.lastText).toContain('ready for review');
    expect(session.calls.filter(({ name }) => name === 'bash')).toEqual([]);
  });

  it.each([
    [
      'an untouched scaffold',
      '# T\n## Context\n- **Problem:** \n- **Target state:** \n- **Intent:** \n## Implementation steps\n1. \n   - Done when: \n',
    ],
    ['nothing', ''],
    ['a title only', '# Only a title\n'],
    ['steps only', '## Implementation steps\n1. Do it — now.\n'],
  ])('%s becomes complete', async (_, text) => {
    const session = open();
    await session.chat(request);
    session.edit(text);
    await session.chat('finish it');
    expect(scanDocument(session.document).faults).toEqual([]);
    const first = text.includes('Do it') ? 'Do it' : 'Describe what is there';
    expect(scanDocument(session.document).steps[0]?.title).toBe(first);
  });

  it('a fault that adding lines does not mend is left to a person', async () => {
    const session = open();
    await session.chat(request);
    session.edit('# T\n## Context\n```\nnever closed\n');
    const before = session.document;
    await session.chat('finish it');
    expect(session.document).toBe(before);
    expect(session.lastText).toContain('please look at it');
  });

  it('a text too long to be read whole is not written back', async () => {
    const session = open();
    await session.chat(request);
    session.edit(`# T\n## Context\n${'x'.repeat(1200)}\n`);
    const before = session.document;
    await session.chat('finish it');
    expect(session.document).toBe(before);
    expect(session.lastText).toContain('too long for my rules');
  });
});

describe('a No', () => {
  it('to init ends the turn', async () => {
    const session = open((call) => (operation(call) === 'init' ? 'The person said no.' : null));
    await session.chat(request);
    expect(session.calls.filter((call) => operation(call) === 'init')).toHaveLength(1);
    expect(session.lastText).toBe(
      'No SESSION PLAN was started: The person said no. Plan mode stays on; `/discard` leaves it.',
    );
  });

  it('to a new file fails that task and ends the turn; "continue" goes on with the next', async () => {
    let noes = 1;
    const session = open((call) =>
      phaseOf(session.snapshot) === 'checklist' && call.name === 'write_file' && noes-- > 0
        ? 'The person said no.'
        : null,
    );
    await session.chat(request);
    await session.approve();
    const statuses = () => session.snapshot.context.plan?.tasks.map(({ status }) => status);
    expect(statuses()).toEqual(['Failed', 'Pending', 'Pending', 'Pending']);
    expect(session.lastText).toBe(
      'I stop here, the CHECKLIST stays open: write_file did not go through. The person said no.',
    );
    await session.chat('continue');
    expect(statuses()).toEqual(['Failed', 'Completed', 'Completed', 'Completed']);
    expect(session.lastText).toContain('The CHECKLIST is through: 3 tasks are done.');
  });

  it('D48: a text that changed after Approve builds no checklist', async () => {
    const session = open((call) => {
      if (operation(call) === 'add_tasks') session.edit(`${session.document}\nlater\n`);
      return null;
    });
    await session.chat(request);
    await session.approve();
    expect(phaseOf(session.snapshot)).toBe('seedFailedEmpty');
    expect(session.calls.filter((call) => operation(call) === 'add_tasks')).toHaveLength(1);
    expect(session.lastText).toMatch(/^The CHECKLIST could not be built: /);
    await session.chat('and now?');
    expect(session.lastText).toContain('`/execute` builds it again');
    expect(operation(session.calls.at(-1) ?? { id: '', name: '', input: {} })).toBe('add_tasks');
  });

  it('of any kind and number never makes it loop', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (pattern, editsSample) => {
          const base = mkdtempSync(join(root, 'run-'));
          cpSync(sample, join(base, 'project'), { recursive: true });
          let calls = 0;
          const model = createRehearsalModel(editsSample ? { editsSample: true } : {});
          const refuse = ({ name }: ModelCall) =>
            name !== 'bash' && pattern[calls++ % pattern.length] ? 'Refused.' : null;
          const session = new Session(base, { model, refuse });
          const before = files(session.cwd);
          await session.chat(request);
          await session.approve();
          await session.revise('add a word');
          await session.chat('continue');
          expect(session.calls.length).toBeLessThan(150);
          expect(files(session.cwd)).toEqual(expect.arrayContaining(before));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('to everything ends every turn at once', async () => {
    const session = open(() => 'Refused.');
    await session.chat(request);
    await session.chat(request);
    expect(session.calls.length).toBeLessThan(12);
    expect(session.lastText).not.toBe('');
  });
});
