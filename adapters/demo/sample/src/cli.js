import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runCommand } from './commands.js';

const FILE = 'todos.json';

const before = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
const { todos, output } = runCommand(process.argv.slice(2), before);
writeFileSync(FILE, `${JSON.stringify(todos, null, 2)}\n`);
console.log(output);
