import { describe, expect, it } from 'vitest';
import { codes, derive } from '../../machines/index.ts';
import type { Move } from '../support/explore.ts';
import { engine } from './engine.ts';
import { againCommand, failureText } from './report.ts';
import { runPath, runPaths } from './run.ts';
import { readOptions } from './options.ts';
import type { Case, Suite } from './suite.ts';
import type { Path, Step, Surface } from './surface.ts';
import { tourFor } from './tour.ts';
import { walk } from './walk.ts';
import { redoLines } from './worded.ts';

const approval = [
  'user.plan /plan by the owner',
  'user.chat plain text',
  'tool.init design',
  'tool.document write a valid text',
  'turn.end done',
  'user.execute /execute by the owner',
];

it('everything comes out as the machine says, on real files', { timeout: 180_000 }, async () => {
  const tour = tourFor(engine);
  const results = await runPaths(engine, tour.paths);
  const failed = results.flatMap(({ path, failure }) =>
    failure === null ? [] : [[...redoLines(path.steps.slice(0, failure.step + 1)), ...failure.differences]],
  );
  expect(failed).toEqual([]);
  expect(results.flatMap(({ path }) => path.steps).length).toBeGreaterThan(500);
});

/** The engine with something wrong in what it does. */
const broken = (perform: (step: Step) => Step): Surface => ({
  ...engine,
  open: async () => {
    const walked = await engine.open();
    return {
      perform: (step) => walked.perform(perform(step)),
      differences: (step) => walked.differences(step),
      close: () => walked.close(),
    };
  },
});

const instead = (name: string, move: Move): ((step: Step) => Step) => {
  return (step) => (step.move.name === name ? { ...step, move } : step);
};

const moveOf = (path: Path, name: string): Move => {
  const step = path.steps.find(({ move }) => move.name === name);
  if (step === undefined) throw new Error(`no ${name}`);
  return step.move;
};

describe('a path that fails', () => {
  const path = walk(approval);

  it('names the step and each thing that differs', async () => {
    const wrong = instead('turn.end done', moveOf(path, 'user.chat plain text'));
    const { failure } = await runPath(broken(wrong), path);
    expect(failure?.step).toBe(4);
    expect(failure?.differences.join('\n')).toContain('state, turn: the model says "idle", it is "running"');
    expect(failure?.differences.join('\n')).toContain('record, queue: the model says []');
  });

  it('notices a file that nobody should have touched', async () => {
    const edit: Move = {
      type: 'disk',
      name: 'disk: the .md becomes another text',
      disk: (files) => ({ ...files, document: { kind: 'absent', path: files.document.path } }),
    };
    const wrong = instead('turn.end done', edit);
    const { failure } = await runPath(broken(wrong), path);
    expect(failure?.step).toBe(4);
  });

  it('tells what was thrown, and goes no further', async () => {
    const seen: string[] = [];
    const throwing = broken((step) => {
      seen.push(step.move.name);
      if (step.move.name === 'tool.init design') throw new Error('the disk is gone');
      return step;
    });
    const { failure } = await runPath(throwing, path);
    expect(failure).toMatchObject({ step: 2 });
    expect(failure?.differences[0]).toContain('the disk is gone');
    expect(seen).toEqual(approval.slice(0, 3));
  });

  it('is one whose event leaves something to be found, too', async () => {
    const steps = path.steps.map((step, index): Step => {
      const stored = { ...step.after.stored, leaseAlive: false };
      return index === 1 ? { ...step, after: { ...step.after, stored } } : step;
    });
    const { failure } = await runPath(engine, { ...path, steps });
    expect(failure?.step).toBe(1);
    expect(failure?.differences.join('\n')).toContain('still to be found afterwards: turn.end');
    expect(failure?.differences.join('\n')).toContain(
      'the turn has an owner: the model says false, it is true',
    );
  });

  it('is told in steps that a person can redo, with the command that walks it again', () => {
    const lines = redoLines(path.steps);
    const one: Case = {
      id: path.id,
      name: 'Approve',
      lines,
      ms: 1,
      failure: { step: 5, differences: ['state, turn: the model says "running", it is "idle"'] },
    };
    const suite: Suite = {
      machine: 'session',
      surface: 'engine',
      counts: [],
      owes: 'everything',
      steps: 6,
      ms: 1,
      cases: [one],
      cannot: [],
    };
    const options = readOptions(['--seed', '3']);
    if (options === 'help' || 'cause' in options) throw new Error('no options');
    expect(failureText(suite, one, options).split('\n')).toEqual([
      `FAILED: path ${path.id} of session on engine, at step 6`,
      '  1. The owner sends "/plan" [/plan by the owner] → accepted. Then: Editing, no plan yet (preInit), no turn runs.',
      '  2. The owner says "hello" [plain text] → accepted. Then: Editing, no plan yet (preInit), a turn runs.',
      '  3. The model calls plan init {"title":"Split the key","mode":"design"} [design] → accepted. Then: Editing (postInit), a turn runs.',
      expect.stringMatching(
        /^ {2}4\. The model calls write on the session \.md: .* → accepted\. Then: Editing \(postInit\), a turn runs\.$/u,
      ),
      '  5. The turn ends: done [done] → accepted. Then: Editing (postInit), no turn runs.',
      '  6. The owner approves [/execute by the owner] → accepted. Then: approved, the checklist is built (seeding), a turn runs.',
      '     state, turn: the model says "running", it is "idle"',
      `  Walk it again: npm run paths -- --machine session --surface engine --seed 3 --id ${path.id}`,
    ]);
    expect(againCommand({ ...suite, surface: 'two-switch' }, one, options)).toContain('--two-switch');
  });
});

it('says a refusal with its code and its words', () => {
  const lines = redoLines(walk(['user.execute /execute by another']).steps);
  expect(codes).toContain('NOT_OWNER');
  expect(lines).toEqual([
    '1. Another person (bob, telegram) approves (no text was shown to them) [/execute by another] → refused NOT_OWNER, "Only the owner of this session may do that. Nothing was changed; ask the owner". Then: no plan (noPlan), no turn runs.',
  ]);
});

it('a checklist whose tasks were lost in its file is seeded anew, and starts with a task (found by two-switch)', async () => {
  const path = walk([
    ...approval,
    'tool.addTasks two tasks',
    'tool.start number 1',
    'disk: the tasks are lost',
    'tool.addTasks two tasks',
  ]);
  const last = path.steps.at(-1)?.after;
  expect(last?.taken.at(-1)?.committed.shown.value).toMatchObject({
    plan: { active: { seeding: 'seeded' } },
  });
  expect(last && derive(last.stored).snapshot.value).toMatchObject({
    plan: { active: { seeding: 'seeded' } },
  });
  expect((await runPath(engine, path)).failure).toBeNull();
});
