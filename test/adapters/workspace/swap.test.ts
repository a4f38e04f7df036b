import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFiles } from '../../../adapters/workspace/files.ts';
import { resolveTarget } from '../../../adapters/workspace/resolve.ts';
import type { Target } from '../../../tools/types.ts';
import { folder } from './folder.ts';

const files = createFiles();

async function resolved(given: string, cwd: string): Promise<Target> {
  const target = await resolveTarget(given, 'write', { cwd, home: cwd });
  if ('cause' in target) throw new Error(target.cause);
  return target;
}

describe('B06 a place that changes between the check and the write', () => {
  it('a file that becomes a link', async () => {
    const root = folder({ 'p/a.md': 'mine', 'victim.env': 'safe' });
    const target = await resolved('a.md', join(root, 'p'));
    rmSync(target.path);
    symlinkSync(join(root, 'victim.env'), target.path);
    const written = await files.write(target, 'text');
    expect(written).toEqual({ cause: `${target.path}: became a symbolic link after it was checked (ELOOP)` });
    expect(readFileSync(join(root, 'victim.env'), 'utf8')).toBe('safe');
  });

  it('a link that was there from the start', async () => {
    const root = folder({ 'p/x': '', 'victim.env': 'safe' });
    symlinkSync(join(root, 'victim.env'), join(root, 'p/a.md'));
    const written = await files.write(await resolved('a.md', join(root, 'p')), 'text');
    expect(written).toEqual({ cause: expect.stringContaining('symbolic link') as string });
    expect(readFileSync(join(root, 'victim.env'), 'utf8')).toBe('safe');
    expect(lstatSync(join(root, 'p/a.md')).isSymbolicLink()).toBe(true);
  });

  it.each(['sub/a.md', 'sub/new/deep/a.md'])('a parent that becomes a link: %s', async (given) => {
    const root = folder({ 'p/sub/x': '', 'victim/x': '' });
    const target = await resolved(given, join(root, 'p'));
    renameSync(join(root, 'p/sub'), join(root, 'p/was'));
    symlinkSync(join(root, 'victim'), join(root, 'p/sub'));
    const written = await files.write(target, 'text');
    expect(written).toEqual({ cause: expect.stringContaining(`${target.path}: `) as string });
    expect(readdirSync(join(root, 'victim'))).toEqual(['x']);
    expect(readdirSync(join(root, 'p/was'))).toEqual(['x']);
  });

  it('a grandparent that becomes a link', async () => {
    const root = folder({ 'p/sub/deep/x': '', 'victim/deep/x': '' });
    const target = await resolved('sub/deep/a.md', join(root, 'p'));
    renameSync(join(root, 'p/sub'), join(root, 'p/was'));
    symlinkSync(join(root, 'victim'), join(root, 'p/sub'));
    const written = await files.write(target, 'text');
    expect(written).toEqual({
      cause: `${target.path}: it was checked as ${join(root, 'p/sub/deep')}, but now leads to ${join(root, 'victim/deep')}`,
    });
    expect(readdirSync(join(root, 'victim/deep'))).toEqual(['x']);
  });

  it('a parent that was missing and turns up as a link', async () => {
    const root = folder({ 'p/x': '', 'victim/x': '' });
    const target = await resolved('new/a.md', join(root, 'p'));
    symlinkSync(join(root, 'victim'), join(root, 'p/new'));
    expect(await files.write(target, 'text')).toEqual({
      cause: expect.stringContaining('(ENOTDIR)') as string,
    });
    expect(readdirSync(join(root, 'victim'))).toEqual(['x']);
  });

  it('somebody who swaps all the time never gets a write outside', async () => {
    const root = folder({ 'p/sub/x': '', 'victim/x': '' });
    // The writer may make a folder of its own in the moment in which there is none.
    const swap = `
      const { renameSync, symlinkSync, unlinkSync, rmSync, writeSync } = require('node:fs');
      process.chdir(${JSON.stringify(join(root, 'p'))});
      const attempt = (act) => { try { act(); return true; } catch { return false; } };
      const step = (act) => { while (!attempt(act)) attempt(() => rmSync('sub', { recursive: true, force: true })); };
      // Long enough for a write to begin on one side and end on the other, without a pattern.
      const dwell = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 2);
      for (;;) {
        renameSync('sub', 'was');
        step(() => symlinkSync('../victim', 'sub'));
        writeSync(1, '.');
        dwell();
        unlinkSync('sub');
        step(() => renameSync('was', 'sub'));
        dwell();
      }`;
    const swapper = spawn(process.execPath, ['-e', swap], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await once(swapper.stdout, 'data');
    swapper.stdout.resume();
    const outcomes = new Set<string>();
    for (let i = 0; i < 300 || (outcomes.size < 2 && i < 20_000); i++) {
      const path = join(root, `p/sub/new${i}/a`);
      outcomes.add(
        Object.keys(await files.write({ given: '', path, access: 'write', link: false }, 'text'))[0] ?? '',
      );
    }
    expect(swapper.exitCode).toBeNull();
    expect(readdirSync(join(root, 'victim'))).toEqual(['x']);
    // Both ends of the race were met, or the test would show nothing.
    expect([...outcomes].sort()).toEqual(['cause', 'ok']);
  });
});

/* A small world of folders, files and links; a path through it; and a photograph of everything. */

const name = fc.constantFrom('a', 'b', 'c', '..', '.');
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
const thing = fc.record({
  at: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('folder', 'file', 'link'),
  leads: path,
});

function build(root: string, things: readonly { at: string[]; kind: string; leads: string }[]): void {
  for (const { at, kind, leads } of things) {
    const place = join(root, ...at);
    try {
      if (kind === 'folder') mkdirSync(place, { recursive: true });
      else if (kind === 'link') symlinkSync(leads, place);
      else mkdirSync(`${place}.d`, { recursive: true });
    } catch (error) {
      // Half of the random worlds contradict themselves; what fits is built.
      if (!/^(EEXIST|ENOENT|ENOTDIR|ELOOP)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** Everything below a folder, links not followed. */
function photograph(root: string, seen = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const at = join(root, entry.name);
    seen.set(
      at,
      entry.isFile() ? readFileSync(at, 'utf8') : entry.isDirectory() ? 'folder' : readlinkSync(at),
    );
    if (entry.isDirectory()) photograph(at, seen);
  }
  return seen;
}

describe('D21 a write touches the resolved path and nothing else', () => {
  it('in any tree of links, by any path', async () => {
    const property = fc.asyncProperty(fc.array(thing, { maxLength: 8 }), path, async (things, given) => {
      const root = folder({ 'outside/keep': 'safe' });
      const cwd = join(root, 'outside/1/2/3/4/5/6/cwd');
      mkdirSync(cwd, { recursive: true });
      build(cwd, things);
      const before = photograph(root);
      const target = await resolveTarget(given, 'write', { cwd, home: cwd });
      // A path may climb out of the test's own folder; nothing is tried there.
      fc.pre(!('cause' in target) && target.path.startsWith(`${root}/`));
      if ('cause' in target) return;
      const written = await files.write(target, 'text');
      const changed = [...photograph(root)].filter(([at, what]) => before.get(at) !== what);
      // New folders may appear, and only above the file.
      const strange = changed.filter(([at]) => at !== target.path && !target.path.startsWith(`${at}/`));
      expect(strange).toEqual([]);
      const texts = changed.filter(([, what]) => what === 'text').map(([at]) => at);
      expect(texts).toEqual('ok' in written ? [target.path] : []);
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
