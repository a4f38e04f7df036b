import { describe, expect, it } from 'vitest';
import {
  acceptedAnswer,
  type Answer,
  answerOf,
  type Code,
  codes,
  derive,
  gate,
  type Phase,
  refusals,
  type Said,
  select,
  step,
  toolClasses,
  verdict,
} from '../../machines/index.ts';
import { type RefusalFacts, refusalText } from '../../machines/refusals.ts';
import { paths, rawTask, sessionIn, type SessionShape, stampOf, texts } from '../support/samples.ts';
import { requestOf } from '../support/samples-gate.ts';
import { calls, draft, everyCall, importFile, people } from '../support/samples-said.ts';

const facts: RefusalFacts = {
  documentPath: '/home/ann/plan.md',
  sidecarPath: '/home/ann/plan.json',
  faults: ['line 3: something is missing', 'line 9: something else'],
  running: 'A turn is running since 12:03 UTC',
  task: 'task 2 "Write it"',
  value: '"other"',
  cause: 'The disk is full; free some space and try again.',
  archived: ' The last one is kept as x.md in the archive.',
};

function answer(phase: Phase, shape: SessionShape, said: Said): Answer {
  const before = derive(sessionIn(phase, shape)).snapshot;
  const event = { ...said, ...stampOf(1) };
  const judged = verdict(before, event);
  return judged.kind === 'accepted'
    ? acceptedAnswer(before, step(before, event).snapshot, event)
    : answerOf(judged, before, event);
}

/** Words that tell somebody what to do now. */
const nextStep =
  /\/(plan|show-plan|execute|discard|stop|approve)\b|`plan`|\b(ask|use|give|send|type|say|wait|read|correct|mend|open|resolve|complete|add|report|leave|free|end the turn|nothing more to do|operation (start|init|add_tasks))\b/iu;

describe('every refusal text', () => {
  it.each(codes)('%s is one paragraph of whole sentences that tells what to do next', (code) => {
    const text = refusalText(code, facts);
    expect(text).toMatch(/^[A-Z/"`t]/u);
    expect(text).not.toMatch(/\n\s*\n|undefined|null|\[object|\s$/u);
    expect(text).toMatch(/[.!]$/u);
    expect(text).toMatch(nextStep);
    expect(text.length).toBeGreaterThan(30);
    expect(text.length).toBeLessThan(320);
  });

  it('is worded once: no two codes share a text', () => {
    const all = codes.map((code) => refusalText(code, facts));
    expect(new Set(all).size).toBe(codes.length);
    expect(Object.keys(refusals)).toEqual(codes);
  });
});

/** Texts with what they have to name, as people and models get them. */
const named: [Code, Phase, SessionShape, Said, readonly (string | RegExp)[]][] = [
  ['BUSY', 'postInit', { turn: 'running' }, people.execute(), ['11:58 UTC', '/stop']],
  [
    'BUSY',
    'postInit',
    {
      turn: 'running',
      lease: { waiting: { what: 'your answer', surface: 'tui', since: '2026-03-01T12:03:00Z' } },
    },
    people.execute(),
    ['waits in the terminal for your answer since 12:03 UTC', '/stop'],
  ],
  ['BUSY', 'postInit', { turn: 'stopping' }, people.execute(), ['being cancelled']],
  ['NO_PLAN', 'noPlan', {}, people.execute(), ['/plan']],
  ['UNREADABLE', 'unreadable', {}, people.execute(), [paths.sidecar, 'line 1, column', '/discard']],
  [
    'TEMPLATE_INVALID',
    'postInit',
    { document: 'invalid', root: { description: texts.invalid } },
    people.execute(),
    [paths.document, /\n- line 3: .*Problem/u],
  ],
  ['TEXT_CHANGED', 'postInit', {}, people.execute(null), [paths.document, '/show-plan']],
  [
    'SEED_COUNT',
    'seeding',
    {},
    calls.addTasks([draft('A')]),
    ['2 numbered steps', '\n- 1. Split the key', '\n- 2. Move the readers'],
  ],
  ['FROZEN', 'checklist', { turn: 'running' }, calls.document(), [paths.document, '/discard']],
  [
    'STALE_TEXT',
    'postInit',
    { turn: 'running' },
    calls.document({ base: null }),
    [paths.document, 'Read it again'],
  ],
  [
    'UNKNOWN_OPERATION',
    'noPlan',
    { turn: 'running' },
    calls.unknown('finalize'),
    ['"finalize"', 'add_tasks'],
  ],
  ['UNKNOWN_MODE', 'noPlan', { turn: 'running' }, calls.init({ mode: 'other' }), ['"other"', 'checklist']],
  [
    'UNKNOWN_ACTION',
    'checklist',
    { turn: 'running' },
    calls.complete({ action: 'approve' }),
    ['"approve"', 'skip'],
  ],
  [
    'UNKNOWN_ACTION',
    'checklist',
    { turn: 'running' },
    calls.complete({ action: 'approve', task: 9 }),
    ['"approve"'],
  ],
  ['NO_SUCH_TASK', 'checklist', { turn: 'running' }, calls.start(9), ['task 9']],
  ['NO_SUCH_TASK', 'checklist', { turn: 'running' }, calls.complete({ task: 9 }), ['task 9']],
  ['TASK_RUNNING', 'checklist', { turn: 'running' }, calls.start(2), ['task 1 "Task 1"']],
  [
    'TASK_NOT_RUNNING',
    'checklist',
    { turn: 'running' },
    calls.complete({ task: 2 }),
    ['task 2 "Task 2"', 'skip'],
  ],
  [
    'TASK_CLOSED',
    'checklist',
    { turn: 'running', tasks: [rawTask(1, 'Skipped'), rawTask(2, 'Pending')] },
    calls.start(1),
    ['task 1 "Task 1"', 'add_tasks'],
  ],
  [
    'DEPENDENCIES_OPEN',
    'checklist',
    { turn: 'running', tasks: [rawTask(1, 'Pending'), rawTask(2, 'Pending', { dependencies: [1, 7] })] },
    calls.start(2),
    ['task 2 "Task 2"', '\n- task 1 "Task 1"', '\n- 00000000-'],
  ],
  [
    'NOTHING_TO_START',
    'checklist',
    { turn: 'running', tasks: [rawTask(1, 'Failed'), rawTask(2, 'Pending', { dependencies: [1] })] },
    calls.start(),
    ['task 1 "Task 1": failed', 'task 2 "Task 2": waits for 1', 'skip'],
  ],
  [
    'RETRY_LIMIT',
    'checklist',
    { turn: 'running', tasks: [rawTask(1, 'Failed', { retry_count: 1 })] },
    calls.start(1),
    ['task 1 "Task 1"', 'skip'],
  ],
  ['TASKS_INVALID', 'checklist', { turn: 'running' }, calls.addTasks([]), ['no task in the call']],
  [
    'TASKS_INVALID',
    'checklist',
    { turn: 'running' },
    calls.addTasks([draft('C', { dependencies: [9] })]),
    ['task 1 ("C"): dependency 9 names no task'],
  ],
  [
    'TASKS_INVALID',
    'checklist',
    { turn: 'running' },
    calls.addTasks([draft('C', { dependencies: [3] })]),
    ['task 1 ("C"): dependency 3 is the task itself'],
  ],
  ['TASKS_INVALID', 'noPlan', { turn: 'running' }, calls.init({ tasks: [draft(' ')] }), ['title is blank']],
  [
    'IMPORT_UNREADABLE',
    'noPlan',
    { turn: 'running' },
    calls.init({ file: { path: '/none.json', cause: 'ENOENT' } }),
    ['/none.json', 'ENOENT', '10 MiB'],
  ],
  [
    'IMPORT_INVALID',
    'noPlan',
    { turn: 'running' },
    calls.init({ file: importFile('{\n"a" 1}') }),
    ['/home/ann/project/plan.json', 'line 2, column 5'],
  ],
  [
    'IMPORT_INVALID',
    'noPlan',
    { turn: 'running' },
    calls.init({
      file: importFile({ title: 'T', description: 'D', tasks: [draft('A', { dependencies: [1] })] }),
    }),
    ['task 1 ("A"): dependency 1 is the task itself'],
  ],
  [
    'IMPORT_EMPTY',
    'noPlan',
    { turn: 'running' },
    calls.init({ file: importFile({ title: 'T', description: 'D' }) }),
    ['plan.json'],
  ],
];

describe('a refusal names what it is about', () => {
  it.each(named)('%s in %s', (code, phase, shape, said, words) => {
    const given = answer(phase, shape, said);
    expect(given).toMatchObject({ kind: 'refused', code });
    for (const word of words) expect(given.text).toMatch(typeof word === 'string' ? literal(word) : word);
  });

  it('D43 NO_PLAN names the newest plan of the archive', () => {
    const session = { ...sessionIn('noPlan'), archives: ['a.json', 'a.md', 'b.json', 'b.md', 'c.json'] };
    const { snapshot } = derive(session);
    const event = { ...people.show(), ...stampOf(1) };
    expect(answerOf(verdict(snapshot, event), snapshot, event).text).toContain('b.md in the archive');
  });
});

const literal = (word: string): RegExp =>
  new RegExp(word.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`), 'u');

describe('D52 no text calls a checklist "the plan"', () => {
  const turns = ['idle', 'running', 'stopping', 'discarding'] as const;
  const said: Said[] = [
    people.plan(),
    people.planText('x'),
    people.execute(),
    people.approveText(),
    people.restore(),
    people.revise(),
    people.discard(),
    people.resume(),
    people.stop(),
    people.switch(),
    people.chat('hello'),
    people.policy('ask'),
    ...everyCall(),
    ...everyCall({ child: true }),
    calls.start(2),
    calls.start(9),
    calls.complete({ task: 2 }),
    calls.complete({ action: 'approve' }),
    calls.complete({ task: 2, action: 'skip' }),
    calls.complete({ action: 'fail' }),
    calls.addTasks([]),
  ];
  const thePlan = /\b(the|this|your|a live|that) plan\b(?!s)/iu;

  it.each(turns)('while %s', (turn) => {
    for (const track of ['checklist', 'import'] as const) {
      for (const tasks of [undefined, [rawTask(1, 'InProgress')], []]) {
        const shape: SessionShape = { track, turn, ...(tasks === undefined ? {} : { tasks }) };
        const { snapshot } = derive(sessionIn('checklist', shape));
        const denied = toolClasses.map((tool) => gate(snapshot, requestOf({ class: tool })));
        const spoken = [
          ...said.map((one) => answer('checklist', shape, one).text),
          ...denied.map((verdict) => (verdict.kind === 'deny' ? verdict.text : '')),
          select(snapshot).hint,
        ];
        expect(spoken.filter((text) => thePlan.test(text))).toEqual([]);
      }
    }
  });
});
