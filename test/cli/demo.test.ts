import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Ended, root, start, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

/** Plays the demo of a built tree; everything that it makes lands in the world's folder. */
function demo(tree: string): Promise<Ended> {
  const temp = join(world.folder, 'temp');
  mkdirSync(temp);
  return start(process.execPath, [join(tree, 'dist/demo.js')], {
    cwd: world.project,
    env: { ...world.env, TMPDIR: temp },
  }).ended;
}

/** What a demo needs of the tree, as a copy that may be broken. */
function copy(): string {
  const tree = join(world.folder, 'tree');
  for (const part of ['dist', 'prompts', 'adapters/demo/sample'])
    cpSync(join(root, part), join(tree, part), { recursive: true });
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}');
  return tree;
}

const inOrder = (...parts: string[]): RegExp =>
  new RegExp(
    parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('[\\s\\S]*'),
    'u',
  );

describe('the demo', () => {
  it('prints each step, and the work and the archive are there', async () => {
    const { code, stdout, stderr } = await demo(root);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      inOrder(
        '> make a plan to add a --count option',
        'Rehearsal model: fixed rules, not an LLM',
        'Plan mode is on, because you wrote "make a plan"',
        '· plan: init',
        '> /execute\n  TEXT_CHANGED: ',
        '> /show-plan\n# Add a --count option',
        '## Implementation steps',
        '> /execute\n  Approved by terminal',
        'BUSY: A turn is running',
        '· plan: add_tasks, 4 tasks',
        '· plan: complete 4 success',
        '✅ Add a --count option',
        'test/count.test.js',
        'Archive:',
        '.json\n',
        '.md\n',
        '$ node src/cli.js list --count\n1 open, 0 done',
        'The demo went through',
      ),
    );
    const [, folder = ''] = /^Everything is in (.*); delete it/mu.exec(stdout) ?? [];
    expect(folder.startsWith(join(world.folder, 'temp/planchart-demo-'))).toBe(true);
    const count = execFileSync(process.execPath, ['src/cli.js', 'list', '--count'], {
      cwd: join(folder, 'todo-sample'),
      encoding: 'utf8',
    });
    expect(count).toBe('1 open, 0 done\n');
    expect(readdirSync(join(folder, 'home/session'))).toEqual(['archive']);
    expect(readFileSync(join(root, 'adapters/demo/sample/src/todos.js'), 'utf8')).not.toContain('countTodos');
  });

  it.each<[name: string, breakIt: (tree: string) => void, wanted: RegExp]>([
    [
      'a project whose code the rules do not know',
      (tree) => writeFileSync(join(tree, 'adapters/demo/sample/src/commands.js'), 'export const run = 1;\n'),
      /FAILED: the project's own commands fail/u,
    ],
    [
      'a project whose own tests fail',
      (tree) =>
        writeFileSync(
          join(tree, 'adapters/demo/sample/test/red.test.js'),
          "import { test } from 'node:test';\ntest('red', () => {\n  throw new Error('red');\n});\n",
        ),
      /FAILED: the project's own commands fail/u,
    ],
    [
      'a prompt that is missing',
      (tree) => writeFileSync(join(tree, 'prompts/implement.md'), 'nothing'),
      /The demo failed/u,
    ],
  ])('exits 1 with %s', async (_name, breakIt, wanted) => {
    const tree = copy();
    expect(existsSync(join(tree, 'dist/demo.js'))).toBe(true);
    breakIt(tree);
    const { code, stdout, stderr } = await demo(tree);
    expect(stdout + stderr).toMatch(wanted);
    expect(stdout).not.toMatch(/The demo went through/u);
    expect(code).toBe(1);
  });
});
