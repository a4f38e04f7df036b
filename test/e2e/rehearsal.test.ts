import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, root, type World } from '../cli/planchart.ts';
import { sit } from './person.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

/** This project's own sources as a repository of its own. */
function repository(folder: string): void {
  const parts = [
    'machines',
    'adapters',
    'tools',
    'prompts',
    'docs',
    'test/machines',
    'README.md',
    'package.json',
  ];
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  const git = (...args: string[]): void => {
    const { error } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
    });
    // A machine without git has the same tree without its history.
    if (error !== undefined && 'code' in error && error.code !== 'ENOENT') throw error;
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'All of it');
}

/** Every file below a folder with the hash of its bytes. */
function hashes(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(
    files.map((path) => [
      relative(folder, path),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
}

describe('the main job with the rehearsal model on a real repository', () => {
  it('makes a plan that names real files, and works it with new files only', async () => {
    repository(world.project);
    const before = hashes(world.project);
    const person = await sit(world, []);
    await person.waitFor(/Rehearsal model: fixed rules, not an LLM/u);

    await person.say('make a plan to describe how the session lock works');
    await person.waitFor(/because you wrote "make a plan"[\s\S]*\[Editing/u);
    const asked = Date.now();
    await person.allow(/Ready for your review · \d+ steps/u, 60_000);
    expect(Date.now() - asked).toBeLessThan(30_000);
    await person.idle();
    expect(hashes(world.project)).toEqual(before);

    await person.say('/show-plan');
    await person.waitFor(/\[Editing\][\s\S]*\*\*Problem:\*\*[\s\S]*a approve/u);
    const folder = join(world.home, '.opencrabs/session');
    const [md = ''] = readdirSync(folder).filter((name) => name.endsWith('.md'));
    const text = readFileSync(join(folder, md), 'utf8');
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|md|json))`/gu)].map(([, path = '']) => path);
    const real = named.filter((path) => before.has(path));
    expect(real.length).toBeGreaterThan(2);
    expect(named.filter((path) => !before.has(path) && !path.startsWith('planchart-rehearsal/'))).toEqual([]);

    await person.press('a', /\[Active\]/u);
    await person.allow(/The CHECKLIST is through/u, 60_000);
    await person.idle();
    const after = hashes(world.project);
    for (const [path, hash] of before) expect([path, after.get(path)]).toEqual([path, hash]);
    const made = [...after.keys()].filter((path) => !before.has(path));
    expect(made.length).toBeGreaterThan(1);
    expect(made.filter((path) => !path.startsWith('planchart-rehearsal/'))).toEqual([]);
    expect(readdirSync(join(folder, 'archive'))).toEqual([
      expect.stringMatching(/\.json$/u),
      expect.stringMatching(/\.md$/u),
    ]);
  }, 120_000);
});
