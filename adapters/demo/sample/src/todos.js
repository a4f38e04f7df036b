/** @typedef {{ text: string, done: boolean }} Todo */

/** @param {readonly Todo[]} todos @param {string} text @returns {Todo[]} */
export function addTodo(todos, text) {
  return [...todos, { text: text.trim(), done: false }];
}

/** Numbers count from 1, as on screen. @param {readonly Todo[]} todos @param {number} number @returns {Todo[]} */
export function finishTodo(todos, number) {
  return todos.map((todo, index) => (index === number - 1 ? { ...todo, done: true } : todo));
}

/** One line per todo, with the number that `done` takes. @param {readonly Todo[]} todos @returns {string[]} */
export function formatTodos(todos) {
  return todos.map((todo, index) => `${index + 1}. [${todo.done ? 'x' : ' '}] ${todo.text}`);
}
