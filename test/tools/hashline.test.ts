import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../adapters/workspace/files.ts';
import { editLines } from '../../tools/hashline-text.ts';
import { lineHash } from '../../tools/line-hash.ts';
import { world } from './world.ts';

const text = 'one\ntwo\nthree\n';
const [one, two, three] = ['one', 'two', 'three'].map(lineHash) as [string, string, string];

/** What the file holds after one call. */
async function edited(before: string, edits: object[]): Promise<string> {
  const { call, cwd } = world({ 'a.txt': before });
  const result = await call('hashline_edit', { path: 'a.txt', edits });
  if (result.failed === true) throw new Error(result.text);
  return readFileSync(join(cwd, 'a.txt'), 'utf8');
}

describe('read_file with hashes', () => {
  it('shows a hash for each line, the same for the same text', async () => {
    const { call } = world({ 'a.txt': '\uFEFFone\r\ntwo\n\none' });
    const read = await call('read_file', { path: 'a.txt', hashes: true });
    expect(read.text).toBe(`1:${one}\tone\n2:${two}\ttwo\n3:${lineHash('')}\t\n4:${one}\tone`);
    expect((await call('read_file', { path: 'a.txt', offset: 2, limit: 1, hashes: true })).text).toContain(
      `2:${two}\ttwo\n`,
    );
    expect((await call('read_file', { path: 'a.txt' })).text).toBe('1\tone\n2\ttwo\n3\t\n4\tone');
  });

  it('the hashes are six digits, and of the whole of a line that is shown cut', async () => {
    expect(['', 'one', 'x'.repeat(5000)].map(lineHash)).toEqual([
      '1c9d44',
      '271955',
      expect.stringMatching(/^[0-9a-f]{6}$/),
    ]);
    const { call } = world({ 'a.txt': `${'x'.repeat(5000)}\n` });
    expect((await call('read_file', { path: 'a.txt', hashes: true })).text).toContain(
      `1:${lineHash('x'.repeat(5000))}\t`,
    );
  });
});

describe('hashline_edit', () => {
  it.each([
    [[{ line: 2, hash: two, new_text: '2' }], 'one\n2\nthree\n'],
    [[{ line: 2, hash: two.toUpperCase(), new_text: '2\n2b\n' }], 'one\n2\n2b\nthree\n'],
    [[{ line: 2, hash: two, new_text: '' }], 'one\n\nthree\n'],
    [[{ line: '2', hash: two, delete: true }], 'one\nthree\n'],
    [[{ line: 3, hash: three, insert_after: 'four' }], 'one\ntwo\nthree\nfour\n'],
    [[{ line: 0, hash: '', insert_after: 'zero\n' }], 'zero\none\ntwo\nthree\n'],
    [
      [
        { line: 3, hash: three, delete: true },
        { line: 1, hash: one, new_text: '1\n1b' },
        { line: 1, hash: one, insert_after: '1c' },
        { line: 2, hash: two, insert_after: '2b' },
      ],
      '1\n1b\n1c\ntwo\n2b\n',
    ],
    [[1, 2, 3].map((line, at) => ({ line, hash: [one, two, three][at], delete: true })), ''],
  ])('%j', async (edits, after) => {
    expect(await edited(text, edits)).toBe(after);
  });

  it('keeps the byte order mark, the line ends and a missing last one', async () => {
    expect(await edited('\uFEFFone\r\ntwo', [{ line: 1, hash: one, new_text: '1\n1b' }])).toBe(
      '\uFEFF1\r\n1b\r\ntwo',
    );
    expect(await edited('one\r\ntwo', [{ line: 2, hash: two, insert_after: '3' }])).toBe('one\r\ntwo\r\n3');
    expect(await edited('one\ntwo', [{ line: 2, hash: two, delete: true }])).toBe('one');
    expect(await edited('one\r\ntwo\n', [{ line: 2, hash: two, new_text: '2' }])).toBe('one\r\n2\n');
    expect(await edited('', [{ line: 0, hash: '', insert_after: 'one' }])).toBe('one\n');
  });

  it.each([
    [
      [{ line: 2, hash: one, new_text: 'x' }],
      `line 2 has the hash ${two}, not ${one}, and is now: two (the line with the hash ${one} is now line 1)`,
    ],
    [
      [{ line: 2, hash: '000000', new_text: 'x' }],
      `line 2 has the hash ${two}, not 000000, and is now: two.`,
    ],
    [[{ line: 4, hash: one, delete: true }], 'line 4 is not there any more: the file has 3 lines'],
    [[{ line: 1, hash: one }], 'line 1: give exactly one of new_text, delete: true and insert_after'],
    [[{ line: 1, hash: one, new_text: 'x', delete: true }], 'give exactly one'],
    [[{ line: 1, hash: one, delete: false }], 'give exactly one'],
    [[{ line: 0, hash: '', new_text: 'x' }], 'line 0 takes insert_after only'],
    [
      [
        { line: 1, hash: one, delete: true },
        { line: 1, hash: one, new_text: 'x' },
      ],
      'line 1 is addressed twice',
    ],
    [
      [
        { line: 1, hash: one, insert_after: 'a' },
        { line: 1, hash: one, insert_after: 'b' },
      ],
      'line 1 is addressed twice',
    ],
    [[], 'edits is empty'],
  ])('changes nothing and says why: %j', async (edits, reason) => {
    const { call, preview, cwd } = world({ 'a.txt': text });
    const good = edits.length === 0 ? [] : [{ line: 3, hash: three, new_text: 'good' }];
    const asked = { path: 'a.txt', edits: [...good, ...edits] };
    const result = await call('hashline_edit', asked);
    expect(result).toEqual({ text: expect.stringContaining(reason) as string, failed: true });
    expect(result.text).toMatch(/ was not changed: [\s\S]*\nRead the lines again with hashes: true\.$/);
    expect((await preview('hashline_edit', asked)).body).toContain('This edit would fail: ');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(text);
  });

  it('is stale when the file changed between reading and editing, and names every such line', async () => {
    const { call, preview, cwd } = world({ 'a.txt': text });
    const asked = {
      path: 'a.txt',
      edits: [
        { line: 1, hash: one, new_text: '1' },
        { line: 2, hash: two, new_text: '2' },
      ],
    };
    expect((await preview('hashline_edit', asked)).body).toContain('-one\n-two\n+1\n+2\n');
    writeFileSync(join(cwd, 'a.txt'), `zero\n${text}`);
    expect((await call('hashline_edit', asked)).text).toContain(
      `line 1 has the hash ${lineHash('zero')}, not ${one}, and is now: zero (the line with the hash ${one} is now line 2)\n` +
        `line 2 has the hash ${one}, not ${two}, and is now: one (the line with the hash ${two} is now line 3)`,
    );
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(`zero\n${text}`);
  });

  it('writes by the rules of every writer', async () => {
    const warned = { ...createFiles(), write: async () => ({ ok: true, notes: ['no Context'] }) as const };
    const refused = { ...createFiles(), write: async () => ({ cause: 'STALE_TEXT: Read it again.' }) };
    const edits = [{ line: 1, hash: one, new_text: '1' }];
    const first = world({ 'a.txt': text, bin: Buffer.from([0]) }, { files: warned });
    expect(await first.call('hashline_edit', { path: 'a.txt', edits })).toEqual({
      text: `Edited ${join(first.cwd, 'a.txt')}: 1 edit. Line numbers behind them may have changed.\nno Context`,
    });
    expect(
      await world({ 'a.txt': text }, { files: refused }).call('hashline_edit', { path: 'a.txt', edits }),
    ).toEqual({
      text: 'Nothing was written. STALE_TEXT: Read it again.',
      failed: true,
    });
    expect((await first.call('hashline_edit', { path: 'bin', edits })).text).toContain(
      'it is not UTF-8 text',
    );
    expect((await first.call('hashline_edit', { path: 'none', edits })).text).toContain('it does not exist');
    const linked = world({ 'a.txt': text });
    symlinkSync('a.txt', join(linked.cwd, 'link'));
    expect(await linked.call('hashline_edit', { path: 'link', edits })).toMatchObject({ failed: true });
    expect(readFileSync(join(linked.cwd, 'a.txt'), 'utf8')).toBe(text);
  });

  it('editLines: replacing every line by itself changes nothing', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', ' ', '\uFEFF'), maxLength: 12 });
    const property = fc.property(piece, (before) => {
      const lines = before.replace(/^\uFEFF/, '').split(/\r?\n/);
      if (lines.at(-1) === '') lines.pop();
      fc.pre(lines.length > 0);
      const edits = lines.map((line, at) => ({ line: at + 1, hash: lineHash(line), new_text: line }));
      expect(editLines(before, edits)).toEqual({ text: before });
    });
    fc.assert(property);
  });
});
