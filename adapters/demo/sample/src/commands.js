import { addTodo, finishTodo, formatTodos } from './todos.js';

const USAGE = 'Usage: todo add <text> | done <number> | list [--open]';

/**
 * Runs one command on the list and answers what to keep and what to print.
 *
 * @param {readonly string[]} args
 * @param {readonly import('./todos.js').Todo[]} todos
 */
export function runCommand(args, todos) {
  const [command, ...rest] = args;
  if (command === 'add' && rest.length > 0) {
    const next = addTodo(todos, rest.join(' '));
    return { todos: next, output: `Added ${next.length}.` };
  }
  if (command === 'done' && todos[Number(rest[0]) - 1] !== undefined) {
    return { todos: finishTodo(todos, Number(rest[0])), output: `Done ${rest[0]}.` };
  }
  if (command === 'list') {
    const lines = formatTodos(todos);
    const shown = rest.includes('--open') ? lines.filter((_, index) => !todos[index].done) : lines;
    return { todos, output: shown.join('\n') };
  }
  return { todos, output: USAGE };
}
