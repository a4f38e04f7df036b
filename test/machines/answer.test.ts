import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  acceptedAnswer,
  answerOf,
  derive,
  type Phase,
  planCommand,
  type Said,
  step,
} from '../../machines/index.ts';
import { paths, rawTask, sessionIn, type SessionShape, stampOf, texts } from '../support/samples.ts';
import { calls, draft, people } from '../support/samples-said.ts';

function accepted(phase: Phase, shape: SessionShape, said: Said): string {
  const before = derive(sessionIn(phase, shape)).snapshot;
  const event = { ...said, ...stampOf(1) };
  return acceptedAnswer(before, step(before, event).snapshot, event).text;
}

const busy: SessionShape = { turn: 'running' };
const criteria = { acceptance_criteria: ['it works', 'it is tested'] };
const last: SessionShape = { ...busy, tasks: [rawTask(1, 'Skipped'), rawTask(2, 'InProgress')] };
const stuck: SessionShape = {
  ...busy,
  tasks: [rawTask(1, 'InProgress'), rawTask(2, 'Pending', { dependencies: [1] })],
};

const nearMiss = texts.valid.replace('**Problem:**', '**Problem**:');

/** Navigation for people and for the model: what happened, and what comes next (seeds). */
const rows: [string, Phase, SessionShape, Said, readonly string[]][] = [
  ['/plan', 'noPlan', {}, people.plan(), ['Plan mode is on', '/discard']],
  ['/execute', 'postInit', {}, people.execute(), ['Building checklist…', 'does not change tool permissions']],
  ['approve this text', 'seedFailedEmpty', { document: 'changed' }, people.approveText(), ['Approved']],
  ['a note', 'postInit', {}, people.revise(), ['stays in review']],
  ['/discard while idle', 'checklist', {}, people.discard(), [`${dirname(paths.sidecar)}/archive`]],
  ['/discard of a flag', 'preInit', {}, people.discard(), ['no plan yet']],
  ['/discard while busy', 'checklist', busy, people.discard(), ['Cancelling', 'when it has ended']],
  ['restore', 'checklist', { document: 'changed' }, people.restore(), [paths.document]],
  ['/stop', 'checklist', busy, people.stop(), ['Stopping']],
  ['yolo', 'noPlan', {}, people.policy('yolo'), ['without asking', '/execute']],
  ['ask', 'noPlan', { yolo: true }, people.policy('ask'), ['ask', '/execute']],
  ['a goal', 'noPlan', {}, people.goal('Ship it'), ['Goal: Ship it']],
  ['no goal', 'noPlan', {}, people.goal(null), ['cleared']],
  [
    'init design',
    'noPlan',
    busy,
    calls.init(),
    [paths.document, 'Problem, Target state and Intent', 'Start nothing'],
  ],
  [
    'init checklist',
    'noPlan',
    busy,
    calls.init({ tasks: [draft('A')] }),
    ['1 task:\n1. A', 'operation start'],
  ],
  [
    'add_tasks',
    'checklist',
    busy,
    calls.addTasks([draft('C'), draft('D')]),
    ['Added 2 tasks, 4 in all:\n3. C\n4. D'],
  ],
  [
    'start',
    'checklist',
    { ...busy, tasks: [rawTask(1, 'Completed'), rawTask(2, 'Pending', criteria)] },
    calls.start(),
    ['Task 2 of 2', '1 resolved', 'Do 2.', 'Done when: it works\nDone when: it is tested', 'task_order 2'],
  ],
  [
    'complete',
    'checklist',
    busy,
    calls.complete(),
    ['Task 1 is completed. 1 of 2 resolved.', 'Next is task 2: Task 2'],
  ],
  ['skip by number', 'checklist', busy, calls.complete({ task: 2, action: 'skip' }), ['Task 2 is skipped']],
  [
    'fail with nothing else',
    'checklist',
    stuck,
    calls.complete({ action: 'fail' }),
    ['Task 1 is failed', 'skip it'],
  ],
  [
    'complete the last',
    'checklist',
    last,
    calls.complete(),
    ['"Split the key" is finished: 2 tasks', 'archived'],
  ],
  ['write a complete text', 'postInit', busy, calls.document(), ['complete (2 steps)', 'end the turn']],
  [
    'write a faulty text',
    'postInit',
    busy,
    calls.document({ text: texts.invalid }),
    ['Still missing', '\n- line 3: '],
  ],
  [
    'write a near miss',
    'postInit',
    busy,
    calls.document({ text: nearMiss }),
    ['the colon belongs inside the bold'],
  ],
];

describe('the answer to an accepted event', () => {
  it.each(rows)('%s', (_, phase, shape, said, words) => {
    const text = accepted(phase, shape, said);
    for (const word of words) expect(text).toContain(word);
  });

  it('says that a queued message waits, and leaves a view to the surface', () => {
    const before = derive(sessionIn('postInit', busy)).snapshot;
    const event = { ...people.show(), ...stampOf(1) };
    expect(answerOf({ kind: 'queued' }, before, event).text).toMatch(/Waiting/u);
    expect(answerOf({ kind: 'view' }, before, event)).toEqual({ kind: 'view', text: '' });
  });
});

describe('D39 a title', () => {
  it('has no control or direction characters and stands on one line', () => {
    const before = derive(sessionIn('noPlan', busy)).snapshot;
    const title = 'A\u001b]52;c;x\u0007\u202e b\nc \u{1f469}\u200d\u{1f4bb}';
    const event = { ...calls.init({ title }), ...stampOf(1) };
    const { plan, document } = step(before, event).snapshot.context;
    expect(plan?.title).toBe('A]52;c;x b c \u{1f469}\u200d\u{1f4bb}');
    expect(document?.scan.title).toBe(plan?.title);
  });
});

describe('D3 plan commands', () => {
  it.each([
    ['/plan', '/plan'],
    ['/plan the cache', '/plan'],
    ['  /EXECUTE\nnow', '/execute'],
    ['/show_plan', '/show_plan'],
    ['/show-plan', '/show-plan'],
    ['/discard', '/discard'],
    ['/stop', '/stop'],
    ['/approve yolo', '/approve'],
    ['/planning', null],
    ['plan', null],
    ['please /plan', null],
    ['', null],
    ['/', null],
  ])('%j is %s', (text, expected) => {
    expect(planCommand(text)).toBe(expected);
  });
});
