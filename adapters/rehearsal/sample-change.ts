import type { Draft, DraftStep } from './plan-text.ts';
import type { Replacement } from './plan-text.ts';
import type { Facts } from './tool-text.ts';

/** A step of the demo's sample project: the only tree where the rules change existing files (D5). */
export interface SampleStep extends DraftStep {
  edits: readonly ({ path: string } & Replacement)[];
  creates: readonly { path: string; content: string }[];
  command: string | null;
}

const COUNT_TODOS = `
/** How many are open and how many are done. @param {readonly Todo[]} todos */
export function countTodos(todos) {
  const done = todos.filter((todo) => todo.done).length;
  return { open: todos.length - done, done };
}
`;

const COUNT_BRANCH = `  if (command === 'list' && rest.includes('--count')) {
    const { open, done } = countTodos(todos);
    return { todos, output: \`\${open} open, \${done} done\` };
  }
`;

const COUNT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../src/commands.js';
import { countTodos } from '../src/todos.js';

const todos = [
  { text: 'Water the plants', done: true },
  { text: 'Buy milk', done: false },
  { text: 'Call Ada', done: false },
];

test('countTodos tells open from done', () => {
  assert.deepEqual(countTodos(todos), { open: 2, done: 1 });
  assert.deepEqual(countTodos([]), { open: 0, done: 0 });
});

test('list --count prints the counts instead of the list', () => {
  assert.equal(runCommand(['list', '--count'], todos).output, '2 open, 1 done');
});
`;

/** Adds `list --count` to the sample project, test and documentation included. */
const sampleSteps: readonly SampleStep[] = [
  {
    title: 'Count the todos',
    description: 'add `countTodos` to `src/todos.js`; it tells how many are open and how many are done.',
    edits: [
      {
        path: 'src/todos.js',
        old_text: '\n/** One line per todo',
        new_text: `${COUNT_TODOS}\n/** One line per todo`,
      },
    ],
    creates: [],
    command: null,
  },
  {
    title: 'Answer list --count',
    description:
      'in `src/commands.js` print the counts instead of the list, and name the option in the usage line.',
    edits: [
      {
        path: 'src/commands.js',
        old_text: 'import { addTodo, finishTodo, formatTodos }',
        new_text: 'import { addTodo, countTodos, finishTodo, formatTodos }',
      },
      { path: 'src/commands.js', old_text: "list [--open]';", new_text: "list [--open] [--count]';" },
      {
        path: 'src/commands.js',
        old_text: "  if (command === 'list') {\n",
        new_text: `${COUNT_BRANCH}  if (command === 'list') {\n`,
      },
    ],
    creates: [],
    command: null,
  },
  {
    title: 'Test the option',
    description: 'write the new file `test/count.test.js`, then run `npm test`.',
    doneWhen: '`npm test` passes with the new test in it.',
    edits: [],
    creates: [{ path: 'test/count.test.js', content: COUNT_TEST }],
    command: 'npm test',
  },
  {
    title: 'Document the option',
    description: 'describe `--count` under Options in `README.md`.',
    edits: [
      {
        path: 'README.md',
        old_text: '- `--open` with `list`: only what is still to do.\n',
        new_text:
          '- `--open` with `list`: only what is still to do.\n- `--count` with `list`: how many are open and how many are done.\n',
      },
    ],
    creates: [],
    command: null,
  },
];

/** The plan for the sample project; null when this is another tree or another request. */
export function draftSample(title: string, words: readonly string[], facts: Facts): Draft | null {
  const edited = sampleSteps.flatMap((step) => step.edits.map(({ path }) => path));
  if (!words.includes('count') || !edited.every((path) => facts.files.includes(path))) return null;
  return {
    title,
    problem: '`list` prints every todo, but nothing tells at a glance how many of them are still open.',
    targetState: '`list --count` prints one line such as "2 open, 1 done", and a test holds it in place.',
    intent: 'It was asked for in this session, and it is small enough to be made and checked in one go.',
    constraints: '`add`, `done`, `list` and `list --open` print what they print today.',
    outOfScope: 'Colours, other output formats, and the format of `todos.json`.',
    steps: sampleSteps,
  };
}

/** The step of the sample's plan that a task stands for, found by its title. */
export function sampleStep(text: string): SampleStep | null {
  return sampleSteps.find(({ title }) => text.includes(title)) ?? null;
}
