import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../../adapters/workspace/resolve.ts';
import { asSpelled, type Disk } from '../../../adapters/workspace/spelling.ts';
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

describe('D21 the case of the disk', () => {
  /** A disk on which upper and lower case are the same, with these paths on it. */
  function careless(...paths: string[]): Disk {
    const known = ['', ...paths];
    const failure = (code: string) => Object.assign(new Error(code), { code });
    return {
      async lstat(path) {
        const ino = known.findIndex((one) => one.toLowerCase() === path.toLowerCase());
        if (ino === -1) throw failure('ENOENT');
        return { dev: 1, ino };
      },
      async readdir(path) {
        if (path === '/closed') throw failure('EACCES');
        const inside = known.filter(
          (one) => one.slice(0, one.lastIndexOf('/')) === (path === '/' ? '' : path),
        );
        return inside.map((one) => one.slice(one.lastIndexOf('/') + 1)).filter((name) => name !== '');
      },
    };
  }

  const disk = careless(
    '/Users',
    '/Users/me',
    '/Users/me/.openCrabs',
    '/Users/me/straße',
    '/closed',
    '/closed/A',
  );
  it.each([
    ['/users/ME/.OPENCRABS', '/Users/me/.openCrabs'],
    ['/Users/me/.openCrabs', '/Users/me/.openCrabs'],
    ['/USERS/me/new.txt', '/Users/me/new.txt'],
    ['/Users/me/Straße', '/Users/me/straße'],
    ['/Closed/a', '/closed/a'],
    ['/', '/'],
  ])('%s is %s', async (given, expected) => {
    expect(await asSpelled(given, disk)).toBe(expected);
  });

  it('is left alone where case matters, also with two files that differ only in it', async () => {
    const root = folder({ 'p/Read.me': '1', 'p/READ.ME': '2', 'p/only': '3' });
    for (const name of ['Read.me', 'READ.ME', 'only']) {
      expect(await asSpelled(join(root, 'p', name))).toBe(join(root, 'p', name));
    }
    linkSync(join(root, 'p/only'), join(root, 'p/ONLY'));
    expect(await asSpelled(join(root, 'p/only'))).toBe(join(root, 'p/only'));
    expect(await asSpelled(join(root, 'p/ONLY'))).toBe(join(root, 'p/ONLY'));
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
