import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../adapters/workspace/files.ts';
import { editText } from '../../tools/edit-text.ts';
import { world } from './world.ts';

describe('write_file', () => {
  it('creates with parents, replaces, and says which', async () => {
    const { call, cwd } = world();
    const path = join(cwd, 'new/deep/a.txt');
    expect(await call('write_file', { path: 'new/deep/a.txt', content: 'one\ntwo\n' })).toEqual({
      text: `Created ${path}, 2 lines.`,
    });
    expect(await call('write_file', { path, content: 'x' })).toEqual({ text: `Replaced ${path}, 1 line.` });
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  it('D23 hands on what the session says about the text', async () => {
    const files = {
      ...createFiles(),
      write: async () => ({ ok: true, notes: ['no Context', 'no steps'] }) as const,
    };
    const { call, cwd } = world({ 'p.md': 'x', 'q.md': 'x' }, { files });
    expect((await call('write_file', { path: 'p.md', content: '' })).text).toBe(
      `Replaced ${join(cwd, 'p.md')}, 0 lines.\nno Context\nno steps`,
    );
    expect((await call('edit_file', { path: 'q.md', old_text: 'x', new_text: 'y' })).text).toMatch(
      /line 1\.\nno Context\nno steps$/,
    );
  });

  it('hands on a refusal', async () => {
    const files = { ...createFiles(), write: async () => ({ cause: 'STALE_TEXT: Read it again.' }) };
    const { call } = world({ 'p.md': 'x' }, { files });
    const text = 'Nothing was written. STALE_TEXT: Read it again.';
    expect(await call('write_file', { path: 'p.md', content: '' })).toEqual({ text, failed: true });
    expect(await call('edit_file', { path: 'p.md', old_text: 'x', new_text: '' })).toEqual({
      text,
      failed: true,
    });
  });

  it('B06 writes through no link', async () => {
    const { call, cwd } = world({ 'victim.txt': 'safe' });
    symlinkSync('victim.txt', join(cwd, 'link.txt'));
    expect(await call('write_file', { path: 'link.txt', content: 'x' })).toMatchObject({ failed: true });
    expect(await call('edit_file', { path: 'link.txt', old_text: 'safe', new_text: 'x' })).toMatchObject({
      failed: true,
    });
    expect(readFileSync(join(cwd, 'victim.txt'), 'utf8')).toBe('safe');
  });

  it('shows a diff first, and writes nothing for it', async () => {
    const { preview, cwd } = world({ 'a.txt': 'one\ntwo\nthree\n', bin: Buffer.from([0, 1]) });
    const path = join(cwd, 'a.txt');
    expect(await preview('write_file', { path: 'a.txt', content: 'one\n2\nthree\n' })).toEqual({
      title: `Replace ${path}`,
      body: `--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n`,
    });
    expect(await preview('write_file', { path: 'b.txt', content: 'new\n' })).toEqual({
      title: `Create ${join(cwd, 'b.txt')}`,
      body: `--- /dev/null\n+++ ${join(cwd, 'b.txt')}\n@@ -0,0 +1,1 @@\n+new\n`,
    });
    expect((await preview('write_file', { path: 'a.txt', content: 'one\ntwo\nthree\n' })).body).toContain(
      'No change',
    );
    expect((await preview('write_file', { path: 'bin', content: 'text' })).body).toBe(
      "The present file can't be shown. It is large or not text. The new text:\ntext",
    );
    expect((await preview('write_file', { path: '.', content: 'text' })).body).toContain(
      'is a folder (EISDIR).',
    );
    expect([existsSync(join(cwd, 'b.txt')), readFileSync(path, 'utf8')]).toEqual([
      false,
      'one\ntwo\nthree\n',
    ]);
  });
});

describe('edit_file', () => {
  it('replaces the one place and keeps every other byte', async () => {
    const { call, cwd } = world({ 'a.txt': '\uFEFFone $& two\nthree' });
    expect(await call('edit_file', { path: 'a.txt', old_text: '$& two', new_text: "$' $$" })).toEqual({
      text: `Edited ${join(cwd, 'a.txt')}: 1 replacement, at line 1.`,
    });
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe("\uFEFFone $' $$\nthree");
  });

  it('replaces all when asked', async () => {
    const { call, cwd } = world({ 'a.txt': 'x\nyx\nx' });
    expect((await call('edit_file', { path: 'a.txt', old_text: 'x', new_text: 'xx', all: true })).text).toBe(
      `Edited ${join(cwd, 'a.txt')}: 3 replacements, first at line 1.`,
    );
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('xx\nyxx\nxx');
  });

  it('keeps CRLF ends that the model never saw', async () => {
    const { call, cwd } = world({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' });
    await call('edit_file', { path: 'a.txt', old_text: 'one\ntwo', new_text: '1\n2\n2b' });
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('1\r\n2\r\n2b\r\nthree\r\n');
  });

  it.each([
    [
      { old_text: 'x', new_text: 'y' },
      'old_text occurs 2 times (lines 1, 3). Give more of the text around it, or all: true',
    ],
    [{ old_text: '', new_text: 'y' }, 'old_text is empty.'],
    [{ old_text: 'x', new_text: 'x' }, 'old_text and new_text are the same.'],
    [
      { old_text: 'const value  = 1;', new_text: '' },
      'The nearest is line 2:   const value = 1;\nRead it again',
    ],
    [{ old_text: '  zzzz', new_text: '' }, 'old_text is not in the file (4 lines). Read the file again'],
    [{ path: 'none.txt', old_text: 'x', new_text: '' }, 'it does not exist. Use write_file to create it.'],
    [{ path: 'bin', old_text: 'x', new_text: '' }, 'it is not UTF-8 text.'],
    [{ path: 'latin', old_text: 'x', new_text: '' }, 'it is not UTF-8 text.'],
    [{ path: 'd', old_text: 'x', new_text: '' }, 'is a folder (EISDIR).'],
  ])('changes nothing and says why: %j', async (input, reason) => {
    const { call, preview, cwd } = world({
      'a.txt': 'x\n  const value = 1;\nx\nlast\n',
      'd/y': '',
      bin: Buffer.from([120, 0]),
      latin: Buffer.from([120, 0xe9]),
    });
    const result = await call('edit_file', { path: 'a.txt', ...input });
    expect(result).toMatchObject({
      failed: true,
      text: expect.stringContaining('was not changed: ') as string,
    });
    expect(result.text).toContain(reason);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('x\n  const value = 1;\nx\nlast\n');
    expect((await preview('edit_file', { path: 'a.txt', ...input })).body).toContain(
      `This edit would fail: `,
    );
  });

  it('shows a diff first', async () => {
    const { preview, cwd } = world({ 'a.txt': 'one\ntwo\n' });
    const path = join(cwd, 'a.txt');
    expect(await preview('edit_file', { path: 'a.txt', old_text: 'two', new_text: '2' })).toEqual({
      title: `Edit ${path}`,
      body: `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n`,
    });
  });

  it('edits what is there when it runs, not what was previewed', async () => {
    const { call, preview, cwd } = world({ 'a.txt': 'one\ntwo\n' });
    const edit = { path: 'a.txt', old_text: 'two', new_text: '2' };
    await preview('edit_file', edit);
    writeFileSync(join(cwd, 'a.txt'), 'zero\ntwo\n');
    await call('edit_file', edit);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('zero\n2\n');
  });

  it('editText: there and back again is the same text', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$', '&'), maxLength: 8 });
    const property = fc.property(piece, piece, piece, (before, old, after) => {
      const mark = '<<mark>>';
      fc.pre(old !== '');
      const text = before + mark + after;
      const there = editText(text, { old_text: mark, new_text: old });
      expect(there).toMatchObject({ text: before + old + after, lines: [before.split('\n').length] });
    });
    fc.assert(property);
  });
});
