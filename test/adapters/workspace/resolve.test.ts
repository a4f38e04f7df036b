import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../../adapters/workspace/resolve.ts';
import { folder } from './folder.ts';

function world() {
  const root = folder({ 'cwd/src/a.ts': 'a', 'home/notes.md': 'n', 'other/deep/b.ts': 'b' });
  return { root, cwd: join(root, 'cwd'), home: join(root, 'home') };
}

describe('D21 a path is resolved once', () => {
  const plain = [
    ['relative to the working directory', 'src/a.ts', 'cwd/src/a.ts'],
    ['with dots', './src/.//../src/a.ts', 'cwd/src/a.ts'],
    ['home', '~', 'home'],
    ['below the home', '~/notes.md', 'home/notes.md'],
    ['a name that only begins with a tilde', '~notes', 'cwd/~notes'],
    ['out of the folder', '../other/deep/b.ts', 'other/deep/b.ts'],
    ['missing parents', 'new/deeper/c.ts', 'cwd/new/deeper/c.ts'],
    ['up through a missing folder', 'new/../src/a.ts', 'cwd/src/a.ts'],
    ['trailing slash', 'src/', 'cwd/src'],
    ['above the root', '/../../..', ''],
  ] as const;

  it.each(plain)('%s', async (_name, given, expected) => {
    const { root, cwd, home } = world();
    for (const access of ['read', 'write'] as const) {
      const path = expected === '' ? '/' : join(root, expected);
      expect(await resolveTarget(given, access, { cwd, home })).toEqual({ given, path, access, link: false });
    }
  });

  it('keeps an absolute path', async () => {
    const { root, cwd, home } = world();
    const found = await resolveTarget(join(root, 'other/deep/b.ts'), 'write', { cwd, home });
    expect(found).toMatchObject({ path: join(root, 'other/deep/b.ts') });
  });

  it('follows links in parents before it goes up', async () => {
    const { root, cwd, home } = world();
    symlinkSync(join(root, 'other/deep'), join(cwd, 'door'));
    expect(await resolveTarget('door/b.ts', 'write', { cwd, home })).toMatchObject({
      path: join(root, 'other/deep/b.ts'),
      link: false,
    });
    expect(await resolveTarget('door/../x.ts', 'write', { cwd, home })).toMatchObject({
      path: join(root, 'other/x.ts'),
    });
    expect(await resolveTarget('door/new/../../y', 'write', { cwd, home })).toMatchObject({
      path: join(root, 'other/y'),
    });
  });

  it('follows a chain of relative links', async () => {
    const { root, cwd, home } = world();
    symlinkSync('../other', join(cwd, 'one'));
    symlinkSync('one/deep', join(cwd, 'two'));
    expect(await resolveTarget('two/b.ts', 'read', { cwd, home })).toMatchObject({
      path: join(root, 'other/deep/b.ts'),
      link: false,
    });
  });

  it('sees through a working directory that is itself a link', async () => {
    const { root, cwd, home } = world();
    symlinkSync(cwd, join(root, 'alias'));
    const found = await resolveTarget('src/a.ts', 'read', { cwd: join(root, 'alias'), home });
    expect(found).toMatchObject({ path: join(cwd, 'src/a.ts'), link: false });
  });
});

describe('B06 a link at the end', () => {
  it.each(['s', 's/', './s', 's/.'])(
    'is followed for reads and only reported for writes: %s',
    async (given) => {
      const { root, cwd, home } = world();
      symlinkSync(join(root, 'other/deep'), join(cwd, 's'));
      expect(await resolveTarget(given, 'read', { cwd, home })).toMatchObject({
        path: join(root, 'other/deep'),
        link: true,
      });
      expect(await resolveTarget(given, 'write', { cwd, home })).toMatchObject({
        path: join(cwd, 's'),
        link: true,
      });
    },
  );

  it('may lead nowhere', async () => {
    const { root, cwd, home } = world();
    symlinkSync(join(root, 'gone/x'), join(cwd, 's'));
    expect(await resolveTarget('s', 'read', { cwd, home })).toMatchObject({ path: join(root, 'gone/x') });
    expect(await resolveTarget('s', 'write', { cwd, home })).toMatchObject({
      path: join(cwd, 's'),
      link: true,
    });
    expect(await resolveTarget('s/child', 'write', { cwd, home })).toMatchObject({
      path: join(root, 'gone/x/child'),
      link: false,
    });
    expect(existsSync(join(root, 'gone'))).toBe(false);
  });
});

describe('what can not be a path', () => {
  it.each([
    ['', 'the path is empty'],
    ['  ', 'the path is empty'],
    ['a\0b', String.raw`the path "a\u0000b" holds a NUL character`],
    ['loop/x', 'ELOOP'],
    ['x'.repeat(300), 'ENAMETOOLONG'],
  ])('%j', async (given, cause) => {
    const { cwd, home } = world();
    symlinkSync('loop', join(cwd, 'loop'));
    const found = await resolveTarget(given, 'read', { cwd, home });
    expect(found).toEqual({ cause: expect.stringContaining(cause) as string });
  });

  it('leaves a file used as a folder to the tool', async () => {
    const { cwd, home } = world();
    writeFileSync(join(cwd, 'f'), '');
    mkdirSync(join(cwd, 'd'));
    expect(await resolveTarget('f/x', 'write', { cwd, home })).toMatchObject({ path: join(cwd, 'f/x') });
  });
});
