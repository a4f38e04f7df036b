import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../src/commands.js';

const todos = [
  { text: 'Water the plants', done: true },
  { text: 'Buy milk', done: false },
];

test('add puts a todo at the end', () => {
  const { todos: next, output } = runCommand(['add', 'Call', 'Ada'], todos);
  assert.deepEqual(next.at(-1), { text: 'Call Ada', done: false });
  assert.equal(output, 'Added 3.');
});

test('done ticks a todo off', () => {
  assert.equal(runCommand(['done', '2'], todos).todos[1]?.done, true);
});

test('list shows every todo, with --open only what is left', () => {
  assert.equal(runCommand(['list'], todos).output, '1. [x] Water the plants\n2. [ ] Buy milk');
  assert.equal(runCommand(['list', '--open'], todos).output, '2. [ ] Buy milk');
});

test('anything else prints the usage', () => {
  assert.match(runCommand(['sing'], todos).output, /^Usage: /);
});
