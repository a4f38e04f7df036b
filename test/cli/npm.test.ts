import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, launcher, lines, root, start, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

describe('the ways to start it that the README names', () => {
  it('npx planchart in the checkout runs this checkout', async () => {
    const { code, stdout } = await start('npx', ['planchart', 'status'], { cwd: root, env: world.env }).ended;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `No sessions in ${join(world.home, '.opencrabs')}.\n`,
    });
  });

  it('npm start without a terminal says so in one line and exits 2', async () => {
    const { code, stderr } = await start('npm', ['start'], { cwd: root, env: world.env }).ended;
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/^planchart needs a terminal.*npx planchart run.*npm run demo/u),
    ]);
  });

  it('npm start passes options on', async () => {
    const args = ['start', '--', '--cwd', 'none'];
    const { code, stderr } = await start('npm', args, { cwd: root, env: world.env }).ended;
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([expect.stringMatching(/^--cwd "none" can't be used/u)]);
  });

  it('the launcher finds its own tree and Node through a link', async () => {
    const link = join(world.folder, 'planchart');
    symlinkSync(launcher, link);
    // A PATH without any Node: what runs is the one that the checkout brings along.
    const env = { ...world.env, PATH: '/usr/bin:/bin' };
    const { code, stdout, stderr } = await start(link, ['status'], { cwd: world.project, env }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^No sessions in/u);
  });

  it.each([
    ['no build', ['adapters'], /^planchart is not built: run npm run build in /u],
    ['no Node', ['adapters', 'dist'], /^planchart needs Node 22.13 or newer, and there is none/u],
  ])('the launcher says what is missing with %s', async (_name, parts, wanted) => {
    const tree = join(world.folder, 'tree');
    for (const part of parts) mkdirSync(join(tree, part), { recursive: true });
    cpSync(launcher, join(tree, 'adapters/planchart.sh'));
    if (parts.includes('dist')) writeFileSync(join(tree, 'dist/planchart.js'), '');
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['sh', 'readlink', 'dirname']) symlinkSync(`/usr/bin/${name}`, join(bin, name));
    const options = { cwd: world.project, env: { ...world.env, PATH: bin } };
    const { code, stderr } = await start('sh', [join(tree, 'adapters/planchart.sh'), 'status'], options)
      .ended;
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([expect.stringMatching(wanted)]);
  });
});
