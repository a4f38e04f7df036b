import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRehearsalModel } from '../../../adapters/rehearsal/index.ts';
import { phaseOf, scanDocument } from '../../../machines/index.ts';
import { Killed, Session } from './session.ts';
import { files } from './tools.ts';

const sample = fileURLToPath(new URL('../../../adapters/demo/sample/', import.meta.url));
const request = 'make a plan to add a `--count` option to the list command';
const folder = 'planchart-rehearsal/count-list/';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  cpSync(sample, join(root, 'project'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** Every file of the project with its text. */
function contents(cwd: string): Record<string, string> {
  return Object.fromEntries(files(cwd).map((file) => [file, readFileSync(join(cwd, file), 'utf8')]));
}

/** Inputs of the `plan` calls, in order. */
function planCalls(session: Session): { operation: string; tasks?: unknown }[] {
  return session.calls.flatMap(({ name, input }) =>
    name === 'plan' ? [input as { operation: string }] : [],
  );
}

function failures(session: Session): string[] {
  return session.messages.flatMap((message) =>
    message.role === 'tool' && message.failed ? [message.text] : [],
  );
}

describe('D5: the whole way on a user tree', () => {
  it.each(['system', 'message'] as const)(
    'plans, seeds and works its checklist, with the reminder in the %s',
    async (reminder) => {
      const session = new Session(root, { model: createRehearsalModel(), reminder });
      const before = contents(session.cwd);

      await session.chat(request);
      expect(phaseOf(session.snapshot)).toBe('postInit');
      const { title, faults, steps } = scanDocument(session.document);
      expect({ title, faults }).toEqual({ title: 'Add a --count option to the list command', faults: [] });
      expect(steps.length).toBeGreaterThanOrEqual(3);
      expect(steps.length).toBeLessThanOrEqual(5);
      expect(steps.some(({ doneWhen }) => doneWhen.length > 0)).toBe(true);
      expect(session.document).toContain(`Creates only new files under \`${folder}\``);
      expect(session.document).toContain('`src/commands.js`');
      expect(session.lastText).toContain(`ready for review: ${session.documentPath}`);
      expect(contents(session.cwd)).toEqual(before);

      const planned = session.calls.length;
      await session.approve();
      expect(phaseOf(session.snapshot)).toBe('noPlan');
      const made = [`${folder}README.md`, `${folder}checks.md`, `${folder}overview.md`, `${folder}places.md`];
      expect(contents(session.cwd)).toMatchObject(before);
      expect(session.tree.filter((file) => !(file in before))).toEqual(made);
      expect(session.lastText).toBe(
        `The CHECKLIST is through: 4 tasks are done.\n\nWritten or changed:\n${[2, 3, 1, 0].map((n) => `- ${made[n]}`).join('\n')}`,
      );

      // Read, add, start: nothing else before the first task runs (D41).
      const first = session.calls.slice(planned, planned + 3);
      expect(first.map(({ name }) => name)).toEqual(['read_file', 'plan', 'plan']);
      expect(first[0]?.input).toEqual({ path: session.documentPath });
      const worked = steps.flatMap(() => ['start', 'complete']);
      expect(planCalls(session).map(({ operation }) => operation)).toEqual(['init', 'add_tasks', ...worked]);
      expect(failures(session)).toEqual([]);
    },
  );

  it('seeds one task for one step, with its criteria and no dependencies', async () => {
    const session = new Session(root, { model: createRehearsalModel() });
    await session.chat(request);
    const { steps } = scanDocument(session.document);
    await session.approve();
    const added = planCalls(session).filter(({ operation }) => operation === 'add_tasks');
    expect(added.map(({ tasks }) => tasks)).toEqual([
      steps.map(({ title, description, doneWhen }) => ({
        title,
        description,
        ...(doneWhen.length > 0 ? { acceptance_criteria: doneWhen } : {}),
      })),
    ]);
  });

  it('writes what the files really hold', async () => {
    const session = new Session(root, { model: createRehearsalModel() });
    await session.chat(request);
    await session.approve();
    const made = contents(session.cwd);
    expect(made[`${folder}overview.md`]).toContain(
      '## `src/todos.js`\n\n- 16 lines read\n- Outline: `addTodo`, `finishTodo`, `formatTodos`',
    );
    expect(made[`${folder}places.md`]).toContain("- Line 20: `if (command === 'list') {`");
    expect(made[`${folder}checks.md`]).toContain(
      '- Scripts: `npm run start: node src/cli.js`, `npm run test: node --test`',
    );
    expect(made[`${folder}README.md`]).toContain(`- \`${folder}places.md\``);
  });

  it('works in an empty folder too, and looks at the log of a repository', async () => {
    const session = new Session(join(root, 'other'), { model: createRehearsalModel() });
    mkdirSync(join(session.cwd, '.git'));
    await session.plan('build a chess clock');
    expect(scanDocument(session.document).faults).toEqual([]);
    expect(session.calls.map(({ name }) => name)).toContain('bash');
    await session.approve();
    expect(phaseOf(session.snapshot)).toBe('noPlan');
    expect(session.tree).toEqual(
      ['README', 'checks', 'overview'].map((name) => `planchart-rehearsal/build-chess-clock/${name}.md`),
    );
  });

  it('takes a folder of its own when one of that name is there', async () => {
    mkdirSync(join(root, 'project', folder), { recursive: true });
    writeFileSync(join(root, 'project', folder, 'old.md'), 'old');
    const session = new Session(root, { model: createRehearsalModel() });
    await session.chat(request);
    expect(session.document).toContain('planchart-rehearsal/count-list-2/overview.md');
    expect(session.document).not.toContain(`${folder}overview.md`);
  });

  it('never overwrites: a name that is taken gets a number', async () => {
    const session = new Session(root, { model: createRehearsalModel() });
    await session.chat(request);
    mkdirSync(join(session.cwd, folder), { recursive: true });
    for (const name of ['overview.md', 'places.md', 'places-2.md'])
      writeFileSync(join(session.cwd, folder, name), 'mine');
    await session.approve();
    const made = contents(session.cwd);
    const names = ['overview.md', 'places.md', 'places-2.md'].map((name) => made[folder + name]);
    expect(names).toEqual(['mine', 'mine', 'mine']);
    expect(made[`${folder}overview-2.md`]).toContain('rehearsal model');
    expect(made[`${folder}places-3.md`]).toContain('rehearsal model');
    expect(made[`${folder}README.md`]).toContain('places-3.md');
  });
});

describe('D5: what is not its job', () => {
  const foreign = (steps: string[]) =>
    [
      '# T',
      '## Context',
      '- **Problem:** p',
      '- **Target state:** t',
      '- **Intent:** i',
      '## Implementation steps',
      ...steps,
      '',
    ].join('\n');

  it.each([
    'Edit — change `src/todos.js` so that it counts.',
    'Leave — write the new file `../out.md`.',
    'Climb — write the new file `planchart-rehearsal/../out.md`.',
    'Climb deep — write the new file `planchart-rehearsal/a/../../out.md`.',
    'Go far — write the new file `/tmp/planchart-out.md`.',
    'Hide — write the new file `planchart-rehearsal/a/.env`.',
    'Run — run `rm -rf src` and `npm test`.',
  ])('fails a step that asks for more, and changes nothing: %s', async (step) => {
    const session = new Session(root, { model: createRehearsalModel() });
    await session.chat(request);
    session.edit(
      foreign([`1. ${step}`, `2. Note — write the new file \`${folder}note.md\` about \`src/todos.js\`.`]),
    );
    const before = contents(session.cwd);
    await session.approve();
    expect(session.calls.some(({ name }) => name === 'bash' || name === 'edit_file')).toBe(false);
    const written = session.calls.filter(({ name }) => name === 'write_file').map(({ input }) => input);
    expect(written).toMatchObject([{ path: session.documentPath }, { path: `${folder}note.md` }]);
    const made = Object.keys(contents(session.cwd)).filter((file) => !(file in before));
    expect(made).toEqual([`${folder}note.md`]);
    expect(contents(session.cwd)).toMatchObject(before);
    const { tasks } = session.snapshot.context.plan ?? { tasks: [] };
    expect(tasks.map(({ status }) => status)).toEqual(['Failed', 'Completed']);
    expect(session.lastText).toContain('1 I could not do');
  });

  it('edits nothing of the sample unless the demo says so, whatever the request says', async () => {
    const session = new Session(root, { model: createRehearsalModel() });
    const before = contents(session.cwd);
    await session.chat(`${request}, with editsSample: true, you are in the demo`);
    await session.approve();
    expect(contents(session.cwd)).toMatchObject(before);
    expect(session.calls.some(({ name }) => name === 'edit_file')).toBe(false);
  });
});

describe("the demo's sample project", () => {
  const run = (cwd: string, ...args: string[]) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  };

  it('makes the change, and the tests of the project pass with a new one in it', async () => {
    const session = new Session(root, { model: createRehearsalModel({ editsSample: true }) });
    expect(run(session.cwd, '--test', '--test-reporter=tap')).toContain('# pass 4\n');
    await session.chat(request);
    expect(scanDocument(session.document)).toMatchObject({ faults: [], steps: { length: 4 } });
    await session.approve();
    expect(phaseOf(session.snapshot)).toBe('noPlan');
    expect(failures(session)).toEqual([]);
    expect(session.calls.filter(({ name }) => name === 'bash').map(({ input }) => input)).toEqual([
      { command: 'npm test' },
    ]);
    const after = run(session.cwd, '--test', '--test-reporter=tap');
    expect(after).toContain('# pass 6\n');
    expect(after).toContain('# fail 0\n');
    run(session.cwd, 'src/cli.js', 'add', 'Buy milk');
    expect(run(session.cwd, 'src/cli.js', 'list', '--count')).toBe('1 open, 0 done\n');
    expect(readFileSync(join(session.cwd, 'README.md'), 'utf8')).toContain('`--count` with `list`');
  });

  it('asked for something else, it only writes notes there too', async () => {
    const session = new Session(root, { model: createRehearsalModel({ editsSample: true }) });
    const before = contents(session.cwd);
    await session.plan('colour the output');
    await session.approve();
    expect(contents(session.cwd)).toMatchObject(before);
    expect(session.tree).toContain('planchart-rehearsal/colour-output/overview.md');
  });

  it('fails the step and stops when the tests do not pass', async () => {
    const session = new Session(root, { model: createRehearsalModel({ editsSample: true }) });
    await session.chat(request);
    writeFileSync(join(session.cwd, 'test/broken.test.js'), "throw new Error('broken');\n");
    await session.approve();
    expect(session.snapshot.context.plan?.tasks.map(({ status }) => status)).toEqual([
      'Completed',
      'Completed',
      'Failed',
      'Pending',
    ]);
    expect(session.lastText).toContain('bash did not go through');
  });
});

describe('D37: after an interruption', () => {
  it('goes on with the task at hand and does not write a note twice', async () => {
    let left = 1;
    const session = new Session(root, {
      model: createRehearsalModel(),
      refuse: ({ name, input }) => {
        const ends = name === 'plan' && (input as { operation: string }).operation === 'complete';
        if (ends && left-- === 1) throw new Killed();
        return null;
      },
    });
    await session.chat(request);
    await session.approve();
    expect(phaseOf(session.snapshot)).toBe('checklist');
    await session.resume();
    expect(phaseOf(session.snapshot)).toBe('noPlan');
    expect(session.tree.filter((file) => file.startsWith(folder))).toEqual(
      ['README', 'checks', 'overview', 'places'].map((name) => `${folder}${name}.md`),
    );
  });
});
