import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { world } from './world.ts';

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

describe('read_file', () => {
  it('numbers the lines and tells how to read on', async () => {
    const { call } = world({ 'a.txt': 'one\r\ntwo\n\nfour', 'long.txt': numbered(1, 2500) });
    expect(await call('read_file', { path: 'a.txt' })).toEqual({ text: '1\tone\n2\ttwo\n3\t\n4\tfour' });
    expect((await call('read_file', { path: 'a.txt', offset: 2, limit: 1 })).text).toBe(
      '2\ttwo\n[Lines 2 to 2 of 4. Read on with offset 3.]',
    );
    const first = await call('read_file', { path: 'long.txt' });
    expect(first.text).toMatch(
      /^1\tline 1\n[\s\S]*\n2000\tline 2000\n\[Lines 1 to 2000 of 2500\. Read on with offset 2001\.\]$/,
    );
    expect((await call('read_file', { path: 'long.txt', limit: 9999 })).text).toBe(first.text);
    const rest = await call('read_file', { path: 'long.txt', offset: 2001 });
    expect(rest.text).toMatch(/^2001\tline 2001\n[\s\S]*\n2500\tline 2500$/);
  });

  it('cuts long lines and long answers, and loses nothing between two calls', async () => {
    const { call } = world({
      'wide.txt': `${'x'.repeat(2500)}\nend\n`,
      'big.txt': `${'y'.repeat(1000)}\n`.repeat(200),
    });
    expect((await call('read_file', { path: 'wide.txt' })).text).toBe(
      `1\t${'x'.repeat(2000)}… [500 more]\n2\tend`,
    );
    const { text } = await call('read_file', { path: 'big.txt' });
    expect(text.length).toBeLessThan(70_000);
    const next = /Lines 1 to (\d+) of 200\. Read on with offset (\d+)\./.exec(text);
    expect(Number(next?.[2])).toBe(Number(next?.[1]) + 1);
    expect(text).toContain(`\n${next?.[1]}\tyyy`);
  });

  it('follows a link and reads what it leads to', async () => {
    const { call, cwd } = world({ 'd/a.txt': 'one' });
    symlinkSync('d/a.txt', join(cwd, 'link'));
    expect((await call('read_file', { path: 'link' })).text).toBe('1\tone');
  });

  it('says that a file is empty', async () => {
    const { call, cwd } = world({ 'a.txt': '' });
    expect(await call('read_file', { path: 'a.txt' })).toEqual({ text: `${join(cwd, 'a.txt')} is empty.` });
  });

  it.each([
    ['none.txt', {}, 'none.txt: no such file or directory (ENOENT). Use ls or glob to find the file.'],
    ['d', {}, 'd: is a folder (EISDIR). Use ls'],
    ['bin', {}, 'bin is a binary file of 2.0 KiB. Only text can be read.'],
    ['a.txt', { offset: 3 }, 'a.txt has only 2 lines. Use a smaller offset.'],
  ])('fails with a way out: %s %j', async (path, more, text) => {
    const { call } = world({
      'a.txt': 'one\ntwo\n',
      'd/x': '',
      bin: Buffer.concat([Buffer.from('x'), Buffer.alloc(2047)]),
    });
    expect(await call('read_file', { path, ...more })).toEqual({
      text: expect.stringContaining(text) as string,
      failed: true,
    });
  });
});

describe('ls', () => {
  it('lists with kinds and sizes', async () => {
    const { call, cwd } = world({ 'b.txt': '12345', 'sub/x': '', '.env': '' });
    symlinkSync('b.txt', join(cwd, 'link'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const lines = [`${cwd}:`, '.env  0 bytes', 'b.txt  5 bytes', 'link@', 'pipe?', 'sub/'];
    expect(await call('ls', {})).toEqual({ text: lines.join('\n') });
    expect(await call('ls', { path: 'sub' })).toEqual({ text: `${join(cwd, 'sub')}:\nx  0 bytes` });
  });

  it('fails with a way out, and says what it left out', async () => {
    const many = Object.fromEntries(Array.from({ length: 503 }, (_, index) => [`many/f${index}`, '']));
    const { call } = world({ a: '', ...many });
    expect(await call('ls', { path: 'none' })).toMatchObject({ failed: true });
    expect((await call('ls', { path: 'a' })).text).toMatch(/ENOTDIR\)\. Give the path of a folder\.$/);
    expect((await call('ls', { path: 'many' })).text).toMatch(/\n\[3 more\. Use glob with a pattern\.\]$/);
  });
});

const tree = {
  'src/a.ts': 'const one = 1;\nconst two = 2;\n',
  'src/deep/b.ts': 'const ONE = one;\n',
  'src/deep/b.test.ts': 'one',
  'docs/a.md': 'one\n',
  '.hidden/c.ts': 'one',
  '.gitignore': 'dist/\n',
  'dist/a.ts': 'one',
  'node_modules/x/a.ts': 'one',
  '.git/config': 'one',
};

describe('glob', () => {
  it.each([
    ['*.ts', ['.hidden/c.ts', 'src/a.ts', 'src/deep/b.test.ts', 'src/deep/b.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['./src/**/*.ts', ['src/a.ts', 'src/deep/b.test.ts', 'src/deep/b.ts']],
    ['**/{a,c}.{ts,md}', ['.hidden/c.ts', 'docs/a.md', 'src/a.ts']],
    ['src/deep/b.ts', ['src/deep/b.ts']],
    ['[ab].md', ['docs/a.md']],
  ])('%s', async (pattern, found) => {
    expect(await world(tree).call('glob', { pattern })).toEqual({ text: found.join('\n') });
  });

  it('searches below a folder, relative to it', async () => {
    expect((await world(tree).call('glob', { pattern: '*.ts', path: 'src/deep' })).text).toBe(
      'b.test.ts\nb.ts',
    );
  });

  it.each([
    ['', {}, 'the pattern is empty'],
    ['../*', {}, 'leaves the folder'],
    ['/etc/*', {}, 'leaves the folder'],
    ['*', { path: 'none' }, 'none does not exist'],
    ['*', { path: 'src/a.ts' }, 'a.ts is not a folder'],
  ])('fails with a reason: %j %j', async (pattern, more, reason) => {
    const result = await world(tree).call('glob', { pattern, ...more });
    expect(result).toEqual({ text: expect.stringContaining(reason) as string, failed: true });
  });

  it('says when nothing matches, and when there is more', async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${1000 + index}.x`, '']));
    const { call, cwd } = world(many);
    expect(await call('glob', { pattern: '*.y' })).toEqual({ text: `No file below ${cwd} matches *.y.` });
    const { text } = await call('glob', { pattern: '*.x' });
    expect(text.split('\n')).toHaveLength(501);
    expect(text).toMatch(/f1499\.x\n\[More than 500 files match\. Use a narrower pattern\.\]$/);
  });
});

describe('grep', () => {
  it.each([
    [
      { pattern: 'one' },
      [
        '.hidden/c.ts:1: one',
        'docs/a.md:1: one',
        'src/a.ts:1: const one = 1;',
        'src/deep/b.test.ts:1: one',
        'src/deep/b.ts:1: const ONE = one;',
      ],
    ],
    [{ pattern: '^const (one|two)' }, ['src/a.ts:1: const one = 1;', 'src/a.ts:2: const two = 2;']],
    [
      { pattern: 'const one', ignore_case: true, path: 'src' },
      ['a.ts:1: const one = 1;', 'deep/b.ts:1: const ONE = one;'],
    ],
    [{ pattern: 'one', glob: '*.md' }, ['docs/a.md:1: one']],
    [
      { pattern: 'one', glob: 'src/**', ignore_case: false },
      ['src/a.ts:1: const one = 1;', 'src/deep/b.test.ts:1: one', 'src/deep/b.ts:1: const ONE = one;'],
    ],
    [{ pattern: 'one', glob: '*.rs' }, ['No line matches in 0 text files.']],
    [{ pattern: 'three' }, ['No line matches in 6 text files.']],
  ])('%j', async (input, lines) => {
    expect(await world(tree).call('grep', input)).toEqual({ text: lines.join('\n') });
  });

  it('searches a single file by its path', async () => {
    const { call, cwd } = world(tree);
    expect((await call('grep', { pattern: 'two', path: 'src/a.ts' })).text).toBe(
      `${join(cwd, 'src/a.ts')}:2: const two = 2;`,
    );
  });

  it('leaves out binary and large files, and says what it did not see', async () => {
    const { call } = world({
      bin: Buffer.from('one\0'),
      'large.txt': 'one\n'.repeat(600_000),
      'a.txt': 'two',
    });
    expect((await call('grep', { pattern: 'one' })).text).toBe(
      'No line matches in 1 text file.\n[1 file over 2.0 MiB left out; search with bash instead.]',
    );
    expect((await call('grep', { pattern: 'one', path: 'large.txt' })).text).toMatch(
      /^\S*large\.txt:1: one\n/,
    );
  });

  it('stops at 200 lines and cuts long ones', async () => {
    const { call } = world({
      'a.txt': 'one\n'.repeat(150),
      'b.txt': 'one\n'.repeat(150),
      'c.md': `one${'x'.repeat(500)}`,
    });
    const { text } = await call('grep', { pattern: 'one', glob: '*.txt' });
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toMatch(
      /b\.txt:50: one\n\[More than 200 lines match\. Use a narrower pattern, path or glob\.\]$/,
    );
    expect((await call('grep', { pattern: 'one', glob: '*.md' })).text).toBe(
      `c.md:1: one${'x'.repeat(297)}… [203 more]`,
    );
  });

  it.each([
    [
      { pattern: '(' },
      'Invalid regular expression: /(/: Unterminated group. Write it as a JavaScript regular expression',
    ],
    [{ pattern: '' }, 'the pattern is empty'],
    [{ pattern: 'x', path: 'none' }, 'none does not exist'],
    [{ pattern: 'x', glob: '../*' }, 'leaves the folder'],
  ])('fails with a reason: %j', async (input, reason) => {
    expect(await world(tree).call('grep', input)).toEqual({
      text: expect.stringContaining(`Nothing was searched: `) as string,
      failed: true,
    });
    expect((await world(tree).call('grep', input)).text).toContain(reason);
  });

  it('ends a pattern that runs away', async () => {
    const { call } = world({ 'a.txt': `${'a'.repeat(60)}b` });
    const { text, failed } = await call('grep', { pattern: '^(a+)+$' });
    expect([failed, text]).toEqual([
      true,
      'The search did not finish: the pattern took longer than 5 s; use a simpler one.',
    ]);
  });

  it('D21 never looks through a link', async () => {
    const outside = world({ 'secret.txt': 'one' });
    const { call, cwd } = world({ 'a.txt': 'two' });
    symlinkSync(outside.cwd, join(cwd, 'door'));
    symlinkSync(join(outside.cwd, 'secret.txt'), join(cwd, 'link.txt'));
    expect((await call('grep', { pattern: 'one' })).text).toBe('No line matches in 1 text file.');
    expect((await call('glob', { pattern: '*.txt' })).text).toBe('a.txt');
  });

  it('stops when the turn is cancelled', async () => {
    const { call, cwd } = world(tree, { signal: AbortSignal.abort() });
    expect(await call('grep', { pattern: 'one' })).toEqual({
      text: `Nothing was searched: ${cwd}: the search was cancelled.`,
      failed: true,
    });
  });
});
