import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../adapters/workspace/files.ts';
import type { Target } from '../../../tools/types.ts';
import { folder, never } from './folder.ts';

const files = createFiles();
const target = (path: string): Target => ({ given: path, path, access: 'write', link: false });

describe('write', () => {
  it('makes missing parents and leaves no temporary file', async () => {
    const root = folder();
    expect(await files.write(target(join(root, 'a/b/c.txt')), 'text')).toEqual({ ok: true, notes: [] });
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('text');
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
  });

  it('keeps the mode bits of the file that it replaces', async () => {
    const root = folder({ 'run.sh': 'old' });
    chmodSync(join(root, 'run.sh'), 0o750);
    await files.write(target(join(root, 'run.sh')), 'new');
    expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o750);
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('new');
  });

  it('replaces the name, not what another name shows', async () => {
    const root = folder({ one: 'shared' });
    linkSync(join(root, 'one'), join(root, 'two'));
    await files.write(target(join(root, 'one')), 'mine');
    expect(readFileSync(join(root, 'two'), 'utf8')).toBe('shared');
  });

  it('refuses what is not a writable regular file', async () => {
    const root = folder({ 'locked.txt': 'locked', 'f/x': '' });
    chmodSync(join(root, 'locked.txt'), 0o444);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const cases = [
      [join(root, 'f'), 'is a folder (EISDIR)'],
      [join(root, 'locked.txt'), 'is read-only (EACCES)'],
      [join(root, 'pipe'), 'is not a regular file'],
      [join(root, 'f/x/y'), '(ENOTDIR)'],
      [join(root, 'n'.repeat(300)), '(ENAMETOOLONG)'],
    ] as const;
    for (const [path, cause] of cases) {
      const written = await files.write(target(path), 'text');
      expect(written).toEqual({ cause: expect.stringContaining(`${path}: `) as string });
      expect(written).toEqual({ cause: expect.stringContaining(cause) as string });
    }
    expect(readFileSync(join(root, 'locked.txt'), 'utf8')).toBe('locked');
    expect(readdirSync(root).sort()).toEqual(['f', 'locked.txt', 'pipe']);
  });

  it('refuses a link that the resolver reported', async () => {
    const root = folder({ victim: 'safe' });
    symlinkSync(join(root, 'victim'), join(root, 'link'));
    const written = await files.write({ ...target(join(root, 'link')), link: true }, 'text');
    expect(written).toEqual({ cause: expect.stringContaining('symbolic link') as string });
    expect(readFileSync(join(root, 'victim'), 'utf8')).toBe('safe');
  });
});

describe('read', () => {
  it('answers the bytes up to the limit, and the whole size', async () => {
    const root = folder({ 'a.txt': 'abcdef' });
    const read = await files.read(join(root, 'a.txt'), 4);
    expect(read).toMatchObject({ size: 6 });
    expect('bytes' in read && new TextDecoder().decode(read.bytes)).toBe('abcd');
    expect(await files.read(join(root, 'a.txt'), 100)).toMatchObject({ size: 6 });
  });

  it('does not hang on a pipe and follows no link', async () => {
    const root = folder({ 'd/a.txt': 'secret' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync(join(root, 'd/a.txt'), join(root, 'link'));
    symlinkSync(join(root, 'd'), join(root, 'door'));
    const causes = [
      ['pipe', 'is not a regular file'],
      ['d', 'is a folder (EISDIR)'],
      ['gone', '(ENOENT)'],
      ['link', '(ELOOP)'],
      ['door/a.txt', `leads to ${join(root, 'd/a.txt')}`],
    ] as const;
    for (const [name, cause] of causes) {
      const path = join(root, name);
      const read = await files.read(path, 100);
      expect(read).toEqual({ cause: expect.stringContaining(`${path}: `) as string });
      expect(read).toEqual({ cause: expect.stringContaining(cause) as string });
    }
  });

  it('reads a file that claims to be empty', async () => {
    const read = await files.read('/proc/version', 1000);
    expect('bytes' in read && read.bytes.length).toBeGreaterThan(10);
  });
});

describe('kind and list', () => {
  it('tells kinds apart without following links', async () => {
    const root = folder({ 'b.txt': '12345', 'sub/x': '' });
    symlinkSync('/', join(root, 'z'));
    const kinds = ['b.txt', 'sub', 'z', 'none', 'b.txt/x'].map((name) => files.kind(join(root, name)));
    expect(await Promise.all(kinds)).toEqual(['file', 'folder', 'other', 'absent', 'absent']);
    expect(await files.list(root)).toEqual([
      { name: 'b.txt', kind: 'file', size: 5 },
      { name: 'sub', kind: 'folder', size: 0 },
      { name: 'z', kind: 'link', size: 0 },
    ]);
    expect(await files.list(join(root, 'none'))).toEqual({
      cause: expect.stringContaining('ENOENT') as string,
    });
  });
});

describe('match', () => {
  it('answers line numbers per text, up to the limit', async () => {
    const texts = ['one\r\ntwo\r\n', '', 'two\ntwo\n'];
    const pattern = { source: '^two$', flags: '', limit: 10 } as const;
    expect(await files.match(texts, pattern, never)).toEqual({ lines: [[2], [], [1, 2]] });
    expect(await files.match(texts, { ...pattern, limit: 2 }, never)).toEqual({ lines: [[2], [], [1]] });
    expect(await files.match(texts, { ...pattern, source: 'TWO', flags: 'i' }, never)).toMatchObject({
      lines: [[2], [], [1, 2]],
    });
    expect(await files.match(['a\n\nb\n'], { ...pattern, source: '^$' }, never)).toEqual({ lines: [[2]] });
  });

  it('ends a pattern that runs away', async () => {
    const quick = createFiles({ matchLimitMs: 200 });
    const pattern = { source: '^(a+)+$', flags: '', limit: 1 } as const;
    const found = await quick.match([`${'a'.repeat(60)}b`], pattern, never);
    expect(found).toEqual({ cause: 'the pattern took longer than 0.2 s; use a simpler one' });
  });

  it('stops when the turn is cancelled', async () => {
    const turn = new AbortController();
    const pattern = { source: '^(a+)+$', flags: '', limit: 1 } as const;
    const search = files.match([`${'a'.repeat(60)}b`], pattern, turn.signal);
    turn.abort();
    expect(await search).toEqual({ cause: 'the search was cancelled' });
    expect(await files.match(['a'], pattern, turn.signal)).toEqual({ cause: 'the search was cancelled' });
  });
});

describe('walk', () => {
  const walk = (root: string, limit = 100) => files.walk(root, limit, never);

  it('answers files in the order of their paths, with the first ones when cut', async () => {
    const root = folder({ 'a/z': '', 'a.txt': '', 'a/b/c': '', b: '' });
    const all = ['a.txt', 'a/b/c', 'a/z', 'b'];
    expect(await walk(root)).toEqual({ files: all, cut: false, skipped: [] });
    expect(await walk(root, 4)).toMatchObject({ files: all, cut: false });
    expect(await walk(root, 2)).toEqual({ files: ['a.txt', 'a/b/c'], cut: true, skipped: [] });
  });

  it('leaves out links, .git and node_modules at any depth', async () => {
    const root = folder({ 'src/a': '', '.git/config': '', 'x/node_modules/m.js': '', 'x/.git': 'gitdir: y' });
    symlinkSync('/', join(root, 'everything'));
    symlinkSync(join(root, 'src/a'), join(root, 'alias'));
    expect(await walk(root)).toMatchObject({ files: ['src/a'] });
  });

  it('respects nested .gitignore files as git does', async () => {
    const root = folder({
      '.gitignore': 'dist/\n*.log\n/top.txt\n# remark\n\ndocs/*.tmp\n',
      'pkg/.gitignore': '!keep.log\nout/\n/own.txt\nsub/deep.txt\n',
      'dist/x.js': '',
      'a.log': '',
      'top.txt': '',
      'pkg/top.txt': '',
      'pkg/keep.log': '',
      'pkg/other.log': '',
      'pkg/out/y': '',
      'pkg/own.txt': '',
      'pkg/sub/own.txt': '',
      'pkg/sub/deep.txt': '',
      'pkg/sub/out/z': '',
      'docs/a.tmp': '',
      'docs/b/a.tmp': '',
      'we[i]rd/.gitignore': '*.x\n',
      'we[i]rd/a.x': '',
      'weird/a.x': '',
      'A.LOG': '',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    const walked = await walk(root);
    expect('files' in walked && walked.files).toEqual(listed.trim().replaceAll('"', '').split('\n').sort());
    expect('files' in walked && walked.files).toContain('pkg/keep.log');
  });

  it('keeps to the rules of the repository when it starts below its top', async () => {
    const root = folder({
      '.git/HEAD': '',
      '.gitignore': '*.log\nbuild/\n',
      'src/a.log': '',
      'src/a.ts': '',
    });
    mkdirSync(join(root, 'build'));
    writeFileSync(join(root, 'build/out.js'), '');
    expect(await walk(join(root, 'src'))).toMatchObject({ files: ['a.ts'] });
    // Whoever names an ignored folder wants to see it.
    expect(await walk(join(root, 'build'))).toMatchObject({ files: ['out.js'] });
  });

  it('D21 never enters a masked folder from above', async () => {
    const root = folder({ 'home/planchart.toml': 'key', 'home/skills/s.md': '', 'p/a': '' });
    symlinkSync(join(root, 'home'), join(root, 'alias'));
    for (const masked of [join(root, 'home'), join(root, 'alias')]) {
      const closed = createFiles({ masked: [masked, join(root, 'absent')] });
      expect(await closed.walk(root, 100, never)).toMatchObject({ files: ['p/a'] });
      expect(await closed.walk(join(root, 'home/skills'), 100, never)).toMatchObject({ files: ['s.md'] });
    }
    expect(await walk(root)).toMatchObject({ files: ['home/planchart.toml', 'home/skills/s.md', 'p/a'] });
  });

  it('answers why it could not, and stops when cancelled', async () => {
    const root = folder({ a: '' });
    expect(await walk(join(root, 'none'))).toEqual({ cause: expect.stringContaining('(ENOENT)') as string });
    const stopped = await files.walk(root, 10, AbortSignal.abort());
    expect(stopped).toEqual({ cause: `${root}: the search was cancelled` });
  });
});
