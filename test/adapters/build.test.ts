import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Builds the project with prompts of its own; everything else is linked. */
function build(prompt: string, change: (text: string) => string) {
  const place = mkdtempSync(join(tmpdir(), 'planchart-build-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const name of ['adapters', 'machines', 'tools', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(place, name));
  cpSync(join(root, 'prompts'), join(place, 'prompts'), { recursive: true });
  const path = join(place, 'prompts', prompt);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  const links = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const { status, stderr } = spawnSync(process.execPath, [...links, join(place, 'adapters/build.ts')], {
    encoding: 'utf8',
  });
  return { status, stderr, built: existsSync(join(place, 'dist')) };
}

it.each([
  [
    'a variable that is not declared',
    (text: string) => `${text}{{more}}\n`,
    /revise\.md:\d+: variable "more"/,
  ],
  [
    'a variable that is not used',
    (text: string) => text.replace('[revision, note]', '[revision, note, more]'),
    /revise\.md: variable "more" is in "variables" but never used/,
  ],
  ['no front matter', (text: string) => text.slice(3), /revise\.md:1: it has no front matter/],
])('a prompt with %s fails the build', (_, change, told) => {
  const { status, stderr, built } = build('revise.md', change);
  expect(stderr).toMatch(told);
  expect([status, built]).toEqual([1, false]);
});
