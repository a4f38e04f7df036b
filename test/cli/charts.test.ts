import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, lines, program, root, start, type World } from './planchart.ts';

let world: World;
let out: string;
beforeEach(() => {
  world = createWorld();
  out = join(world.project, 'docs/charts');
});
afterEach(() => world.end());

const built = readdirSync(join(root, 'dist/charts')).toSorted();
const machines = ['session', 'agent', 'keyboard', 'flow'];
const tables = ['README.md', 'refusals.md', 'events.md', 'tags.md', 'gate.md'];

it('docs/charts of this repository is up to date: npm run charts writes it anew', async () => {
  const checked = await start(process.execPath, [program, 'charts', '--check'], { cwd: root, env: world.env })
    .ended;
  expect(checked).toMatchObject({ code: 0, stderr: '' });
});

it('the program that people install draws nothing itself', () => {
  const parts = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.js'));
  expect(parts.length).toBeGreaterThan(5);
  const drawing = parts.filter((name) => /graphviz/iu.test(readFileSync(join(root, 'dist', name), 'utf8')));
  expect(drawing).toEqual([]);
});

describe('planchart charts', () => {
  it('writes Mermaid and SVG of every machine, the tables and the page, and nothing into the home', async () => {
    const { code, stdout, stderr } = await world.run(['charts']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${built.length} files are in ${out}.\n`,
      stderr: '',
    });
    const wanted = [...machines.flatMap((name) => [`${name}.mmd`, `${name}.svg`]), ...tables, 'index.html'];
    expect(readdirSync(out).toSorted()).toEqual(wanted.toSorted());
    expect(readFileSync(join(out, 'session.mmd'), 'utf8')).toMatch(/^stateDiagram-v2\n/u);
    expect(readdirSync(world.home)).toEqual([]);
  });

  it('--out names the folder, from --cwd', async () => {
    mkdirSync(join(world.project, 'sub'));
    await world.run(['--cwd', 'sub', 'charts', '--out', 'here/charts']);
    expect(readdirSync(join(world.project, 'sub/here/charts')).toSorted()).toEqual(built);
  });

  it('takes a folder of charts again, and no folder of something else', async () => {
    await world.run(['charts']);
    appendFileSync(join(out, 'README.md'), 'more\n');
    expect(await world.run(['charts'])).toMatchObject({ code: 0 });
    expect(await world.run(['charts', '--check'])).toMatchObject({ code: 0 });
    writeFileSync(join(world.project, 'README.md'), '# Mine\n');
    const { code, stderr } = await world.run(['charts', '--out', '.']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `--out "." can't be used: it holds other files. Give an empty folder.\n`,
    });
    expect(readFileSync(join(world.project, 'README.md'), 'utf8')).toBe('# Mine\n');
    expect(readdirSync(world.project).toSorted()).toEqual(['README.md', 'docs']);
  });
});

describe('--check', () => {
  it('says that all is well', async () => {
    await world.run(['charts']);
    const { code, stdout, stderr } = await world.run(['charts', '--check']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `docs/charts is up to date, ${built.length} files.\n`,
      stderr: '',
    });
  });

  it('names each file that is stale, missing or extra, writes nothing and exits 1', async () => {
    await world.run(['charts']);
    appendFileSync(join(out, 'session.svg'), ' ');
    rmSync(join(out, 'gate.md'));
    writeFileSync(join(out, 'old.mmd'), '');
    const before = readdirSync(out);
    const { code, stdout, stderr } = await world.run(['charts', '--check']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(lines(stderr).toSorted()).toEqual([
      expect.stringMatching(
        /^docs\/charts is not up to date: planchart charts --out docs\/charts .*npm run charts\.$/u,
      ),
      'extra: docs/charts/old.mmd',
      'missing: docs/charts/gate.md',
      'stale: docs/charts/session.svg',
    ]);
    expect(readdirSync(out)).toEqual(before);
  });

  it('a folder that is not there misses every file', async () => {
    const { code, stderr } = await world.run(['charts', '--check']);
    expect(code).toBe(1);
    expect(lines(stderr).filter((line) => line.startsWith('missing: '))).toHaveLength(built.length);
    expect(readdirSync(world.project)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('--open', () => {
  const withOpener = (script: string): string => {
    const bin = mkdtempSync(join(world.folder, 'bin-'));
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    return `${bin}:/usr/bin:/bin`;
  };

  it('hands the page over', async () => {
    const PATH = withOpener(`printf %s "$1" > '${world.folder}/opened'`);
    expect(await world.run(['charts', '--open'], { PATH })).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(world.folder, 'opened'), 'utf8')).toBe(join(out, 'index.html'));
  });

  it('waits for no browser that stays open', async () => {
    const PATH = withOpener(`echo $$ > '${world.folder}/pid'; exec sleep 60`);
    const { code } = await world.run(['charts', '--open'], { PATH });
    process.kill(Number(readFileSync(join(world.folder, 'pid'), 'utf8')), 'SIGKILL');
    expect(code).toBe(0);
  });

  it.each([
    [
      'no opener',
      () => '/nowhere',
      /^Nothing here opens a page: xdg-open is not there\. Open this in a browser: \/.*index\.html$/u,
    ],
    [
      'one that fails',
      () => withOpener('exit 3'),
      /^xdg-open could not open the page \(exit code 3\)\. Open this/u,
    ],
  ])('%s: one line, exit 1', async (_, path, wanted) => {
    const { code, stderr } = await world.run(['charts', '--open'], { PATH: path() });
    expect(code).toBe(1);
    expect(lines(stderr)).toEqual([expect.stringMatching(wanted)]);
  });
});

describe('wrong usage', () => {
  it.each<[args: string[], wanted: RegExp]>([
    [['charts', 'all'], /^charts takes no argument, but got "all"\.$/u],
    [['charts', '--check', '--open'], /^Give either --check or --open, not both\.$/u],
    [['charts', '--yolo'], /^--yolo does not go with charts\. /u],
    [['charts', '--out='], /^--out needs a value\.$/u],
    [['status', '--out', 'x'], /^--out goes with charts only\. /u],
    [['run', 'x', '--check'], /^--check goes with charts only\. /u],
    [['charts', '--out', 'file'], /^--out "file" can't be used: it is not a folder\.$/u],
  ])('%j', async (args, wanted) => {
    writeFileSync(join(world.project, 'file'), '');
    const { code, stderr } = await world.run(args);
    expect(code).toBe(2);
    expect(lines(stderr)).toEqual([expect.stringMatching(wanted)]);
  });
});
