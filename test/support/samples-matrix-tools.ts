import { type EntryKind, gate, type Said, type TaskDraft, type ToolClass } from '../../machines/index.ts';
import { hashOf, home, paths, rawTask, type RawTask, type SessionShape, texts, turnId } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, say, sayAll, seeded, taken } from './samples-recipes.ts';
import type { Recipe, Recipes, Row } from './samples-rows.ts';
import { calls, draft, everyCall, importable, importFile } from './samples-said.ts';

const two: TaskDraft[] = [draft('A'), draft('B')];
const design = calls.init({ mode: 'design' });
const checklist = calls.init({ mode: 'checklist', tasks: two });
const fromFile = calls.init({ file: importable });

const written = (phaseText: 'design' | 'checklist' | 'import'): check.Check =>
  check.holds(`the track ${phaseText} is stored`, ({ snapshot }) => {
    return snapshot.context.plan?.track === phaseText;
  });

const makesDesign = check.all(
  written('design'),
  check.holds('the scaffold is the .md and the mirror', ({ files, snapshot }) => {
    const text = files.document.kind === 'text' ? files.document.text : '';
    return text.startsWith('# Split the key\n## Context') && snapshot.context.plan?.description === text;
  }),
);
const makesList = check.all(written('checklist'), check.taskStatuses('Pending', 'Pending'));
const imports = check.all(
  written('import'),
  check.taskStatuses('Pending', 'Pending'),
  check.holds('the second task depends on the first', ({ snapshot }) => {
    const [first, second] = snapshot.context.plan?.tasks ?? [];
    return first !== undefined && second?.dependencies.join() === first.id;
  }),
);

const bad = {
  missing: { path: '/home/ann/project/none.json', cause: 'ENOENT: no such file' },
  folder: { path: '/home/ann/project', cause: 'not a regular file' },
} as const;

/** The row's tool call on a checklist with these tasks. */
const withTasks =
  (tasks: readonly RawTask[], said: Said, test?: check.Check): Recipe =>
  (row) =>
    at(row, said, { tasks }, taken(row) ? test : undefined);

const under = (entry: EntryKind | 'yolo'): Recipes => {
  const shape: SessionShape = entry === 'yolo' ? { yolo: true } : { entry };
  const call =
    (said: Said, test?: check.Check): Recipe =>
    (row) =>
      at(row, said, shape, test);
  return {
    [`plan init mode=design under ${entry}`]: (row) => [at(row, design, shape), at(row, calls.init(), shape)],
    [`plan init mode=checklist + tasks under ${entry}`]: call(checklist, makesList),
    [`plan init file_path under ${entry}`]: call(fromFile, imports),
  };
};

const initRecipes: Recipes = {
  'plan init mode=design': say(design, makesDesign),
  'plan init (no mode, no tasks)': say(calls.init(), makesDesign),
  'plan init mode=checklist + tasks': say(checklist, makesList),
  'plan init (no mode, tasks)': say(calls.init({ tasks: two }), makesList),
  'plan init file_path': say(fromFile, imports),
  'plan init file_path + mode=design': say(calls.init({ mode: 'design', file: importable }), imports),
  'plan init file_path + inline tasks': sayAll([calls.init({ file: importable, tasks: two })]),
  'plan init file_path, cannot be read or not a regular file': sayAll([
    calls.init({ file: bad.missing }),
    calls.init({ file: bad.folder }),
  ]),
  'plan init file_path, not JSON or invalid content': sayAll([
    calls.init({ file: importFile('{') }),
    calls.init({ file: importFile([]) }),
    calls.init({
      file: importFile({ title: 'T', description: 'D', tasks: [draft('A', { dependencies: [9] })] }),
    }),
    calls.init({ file: importFile({ title: ' ', description: 'D', tasks: [draft('A')] }) }),
  ]),
  'plan init file_path, no tasks in it': sayAll([
    calls.init({ file: importFile({ title: 'T', description: 'D', tasks: [] }) }),
    calls.init({ file: importFile({ title: 'T', description: 'D' }) }),
  ]),
  'plan init mode=design + tasks': sayAll([calls.init({ mode: 'design', tasks: two })]),
  'plan init mode=checklist, no tasks': sayAll([
    calls.init({ mode: 'checklist' }),
    calls.init({ mode: 'checklist', tasks: [] }),
  ]),
  'plan init mode=other': sayAll([calls.init({ mode: 'other' }), calls.init({ mode: 'other', tasks: two })]),
  'plan init, no title and no file_path': sayAll(
    ['', '  ', undefined].flatMap((title): Said[] => {
      const fields = title === undefined ? {} : { title };
      return [
        { type: 'tool.init', turn: turnId, child: false, ...fields },
        { type: 'tool.init', turn: turnId, child: false, mode: 'checklist', tasks: two, ...fields },
      ];
    }),
  ),
  'plan init mode=design from an archived plan of this session': say(
    calls.init({ mode: 'design', from: texts.valid }),
    check.all(check.documentIs('valid'), check.mirrors('valid')),
  ),
  ...under('run'),
  ...under('cron'),
  ...under('a2a'),
  ...under('yolo'),
};

const failedOut = rawTask(1, 'Failed', { retry_count: 1, max_retries: 1 });
const waiting = rawTask(2, 'Pending', { dependencies: [1] });
const criteria = { acceptance_criteria: ['it works', 'it is tested'] };
const goal = 'Task 1: Task 1. Done when: it works; it is tested';

const taskRecipes: Recipes = {
  'plan add_tasks': (row) =>
    at(
      row,
      calls.addTasks([draft('C')]),
      {},
      taken(row) ? check.taskStatuses('InProgress', 'Pending', 'Pending') : undefined,
    ),
  'plan add_tasks (one per numbered step)': say(
    calls.addTasks(two),
    check.all(
      check.taskStatuses('Pending', 'Pending'),
      check.holds('the window stays shut', ({ snapshot }) => snapshot.context.plan?.seed === 'pending'),
      check.holds('Building checklist… goes', ({ snapshot }) => !snapshot.hasTag('building')),
    ),
  ),
  'plan add_tasks (count differs from the numbered steps)': sayAll([
    calls.addTasks([draft('A')]),
    calls.addTasks([...two, draft('C')]),
    calls.addTasks([]),
  ]),
  'plan add_tasks (second time)': sayAll([calls.addTasks(two)], seeded),
  'plan add_tasks (the .md differs from the approved hash)': (row) => [
    at(row, calls.addTasks(two), { document: 'changed' }),
    at(row, calls.addTasks(two), { document: 'missing' }),
  ],
  'plan add_tasks, invalid or empty': sayAll([
    calls.addTasks([]),
    calls.addTasks([draft(' ')]),
    calls.addTasks([draft('A', { dependencies: [3] })]),
    calls.addTasks([draft('A'), draft('B', { dependencies: [9] })]),
  ]),
  'plan start': (row) =>
    at(
      row,
      calls.start(),
      row.state === 'checklist' ? { tasks: [rawTask(1, 'Pending', criteria), waiting] } : {},
      taken(row)
        ? check.all(check.taskStatuses('InProgress', 'Pending'), check.goals(null, goal))
        : undefined,
    ),
  'plan start (tasks there)': (row) =>
    at(row, calls.start(), seeded, check.all(check.taskStatuses('InProgress', 'Pending'), check.seedDone)),
  'plan start (no tasks)': sayAll([calls.start(), calls.start(1)]),
  'plan start n while another task is InProgress': sayAll([calls.start(2)]),
  'plan start n, no such number': sayAll([calls.start(3), calls.start(0), calls.start(1.5)]),
  'plan start n, dependencies open': withTasks([rawTask(1, 'Pending'), waiting], calls.start(2)),
  'plan start n, Completed or Skipped': (row) =>
    ['Completed', 'Skipped'].map((status) =>
      at(row, calls.start(1), { tasks: [rawTask(1, status), rawTask(2, 'Pending')] }),
    ),
  'plan start n, Failed and at max_retries': withTasks([failedOut, rawTask(2, 'Pending')], calls.start(1)),
  'plan start, nothing can start': withTasks([rawTask(1, 'Failed'), waiting], calls.start()),
};

const completes = check.all(
  check.archives('completed'),
  check.nothingLive,
  check.emits('plan.ended', { as: 'completed', title: 'Split the key', tasks: 2 }),
);

const completeRecipes: Recipes = {
  'plan complete': sayAll([
    calls.complete(),
    calls.complete({ task: 1 }),
    calls.complete({ action: 'skip', task: 1 }),
  ]),
  'plan complete (not the last)': say(
    calls.complete({ output: 'done' }),
    check.all(check.taskStatuses('Completed', 'Pending'), check.archives(null)),
  ),
  'plan complete (the last)': withTasks(
    [rawTask(1, 'Skipped'), rawTask(2, 'InProgress')],
    calls.complete(),
    check.all(completes, check.closedInLease('skipped', 'completed')),
  ),
  'plan complete n, not InProgress': sayAll([
    calls.complete({ task: 2 }),
    calls.complete({ task: 2, action: 'fail' }),
  ]),
  'plan complete n, no such number': sayAll([
    calls.complete({ task: 3 }),
    calls.complete({ task: 9, action: 'skip' }),
  ]),
  'plan complete n, unknown action': sayAll([calls.complete({ task: 1, action: 'approve' })]),
  'plan complete fail (the last open one)': withTasks(
    [rawTask(1, 'Completed'), rawTask(2, 'InProgress')],
    calls.complete({ action: 'fail' }),
    check.all(check.taskStatuses('Completed', 'Failed'), check.archives(null)),
  ),
  'plan complete skip (Pending, Failed or Blocked, not the last)': (row) =>
    ['Pending', 'Failed', { Blocked: 'no key' }, 'Blocked'].map((status) =>
      at(
        row,
        calls.complete({ task: 2, action: 'skip' }),
        { tasks: [rawTask(1, 'Pending'), rawTask(2, status)] },
        check.taskStatuses('Pending', 'Skipped'),
      ),
    ),
  'plan complete skip (the last open one)': (row) =>
    ['Pending', 'Failed', { Blocked: 'no key' }, 'InProgress'].map((status) =>
      at(
        row,
        calls.complete({ task: 2, action: 'skip' }),
        { tasks: [rawTask(1, 'Completed'), rawTask(2, status)] },
        check.all(completes, check.closedInLease('completed', 'skipped')),
      ),
    ),
};

/** The same code from the gate, whatever tool the write comes with (D21). */
const gateSays = (row: Row): check.Check =>
  check.holds(`the gate says ${row.code} too`, ({ snapshot }) => {
    const target = { path: paths.document, access: 'write' } as const;
    const classes: ToolClass[] = ['projectWrite', 'configWrite', 'unknown'];
    return classes.every((tool) => {
      const verdict = gate(snapshot, {
        tool: 'write',
        class: tool,
        agent: 'main',
        turn: turnId,
        target,
        home: { root: home, readable: [] },
      });
      return verdict.kind === 'deny' && verdict.code === row.code;
    });
  });

/** What the agent calls: the matrix' section "`plan` tool". */
export const toolRecipes: Recipes = {
  ...initRecipes,
  ...taskRecipes,
  ...completeRecipes,
  'any call of a turn whose cancel was asked for': (row) =>
    (['stopping', 'discarding'] as const).flatMap((turn) =>
      everyCall().map((said) => at(row, said, { turn })),
    ),
  'plan, any operation, from a sub-agent': sayAll(everyCall({ child: true })),
  'plan with an operation that does not exist (create, finalize, approve, discard …)': sayAll(
    ['create', 'finalize', 'approve', 'discard', ''].map((operation) => calls.unknown(operation)),
  ),
  'write to the session .md (generic tool)': (row) => at(row, calls.document(), {}, gateSays(row)),
  'write to the session .md on another text than last read': sayAll([
    calls.document({ base: hashOf(texts.changed) }),
    calls.document({ base: null }),
    calls.document({ plan: 'other' }),
    calls.document({ plan: null }),
  ]),
};
