import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atomicWrite, sweepTemps } from '../../../adapters/store/atomic-write.ts';
import { copyVerified } from '../../../adapters/store/copy-verified.ts';
import type { FileHook } from '../../../adapters/store/file-ops.ts';
import { createFileOps } from '../../../adapters/store/file-ops.ts';
import { failing, startChild, tempHome } from './support.ts';

const ops = createFileOps();
const bytes = (text: string) => Buffer.from(text);

describe('D7 atomic write', () => {
  it('makes missing folders 0700 and the file 0600, and leaves nothing else', async () => {
    const home = tempHome();
    const target = join(home, 'a/b/file.json');
    await atomicWrite(ops, target, bytes('one'));
    expect(readFileSync(target, 'utf8')).toBe('one');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'a')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, 'a/b'))).toEqual(['file.json']);
  });

  it('keeps the mode of the file that it replaces', async () => {
    const target = join(tempHome(), 'plan.md');
    writeFileSync(target, 'old');
    chmodSync(target, 0o664);
    await atomicWrite(ops, target, bytes('new'));
    expect(statSync(target).mode & 0o777).toBe(0o664);
  });

  it('B06 replaces a link in its place, not what the link shows', async () => {
    const home = tempHome();
    writeFileSync(join(home, 'victim.env'), 'secret');
    symlinkSync(join(home, 'victim.env'), join(home, 'plan.md'));
    await atomicWrite(ops, join(home, 'plan.md'), bytes('plan'));
    expect(readFileSync(join(home, 'victim.env'), 'utf8')).toBe('secret');
    expect(readFileSync(join(home, 'plan.md'), 'utf8')).toBe('plan');
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])('B83 tries a rename again on %s', async (code) => {
    const target = join(tempHome(), 'file');
    writeFileSync(target, 'old');
    await atomicWrite(createFileOps(failing('rename', /file$/, code, 2)), target, bytes('new'));
    expect(readFileSync(target, 'utf8')).toBe('new');
  });

  it('B83 gives up after some tries: clear error, old bytes, no temporary file', async () => {
    const home = tempHome();
    const target = join(home, 'file');
    writeFileSync(target, 'old');
    const calls: string[] = [];
    const hook: FileHook = (point) => {
      if (point.call === 'rename') calls.push(point.when);
      return failing('rename', /file$/, 'EACCES')(point);
    };
    await expect(atomicWrite(createFileOps(hook), target, bytes('new'))).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: target, cause: 'EACCES: EACCES caused by the test' },
    });
    expect(calls).toHaveLength(5);
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(home)).toEqual(['file']);
  });

  it.each([
    ['create', 'EROFS'],
    ['write', 'ENOSPC'],
    ['sync', 'EIO'],
    ['rename', 'EIO'],
  ])('keeps the old bytes and no temporary file when %s fails with %s', async (call, code) => {
    const home = tempHome();
    const target = join(home, 'file');
    writeFileSync(target, 'old');
    const faulty = createFileOps(failing(call, /file/, code));
    const error: unknown = await atomicWrite(faulty, target, bytes('new')).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(target);
    expect(String(error)).toContain(code);
    expect(String(error)).toContain('nothing was changed');
    expect(error).toMatchObject({ cause: { code } });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(home)).toEqual(['file']);
  });

  it('refuses to write where a folder stands, before writing anything', async () => {
    const home = tempHome();
    mkdirSync(join(home, 'file'));
    await expect(atomicWrite(ops, join(home, 'file'), bytes('x'))).rejects.toThrow(
      'A folder stands where a file is needed',
    );
    expect(readdirSync(home)).toEqual(['file']);
  });

  it('syncs the bytes before the rename and the folder after it', async () => {
    const calls: string[] = [];
    const watched = createFileOps(({ call, when }) => void (when === 'after' && calls.push(call)));
    await atomicWrite(watched, join(tempHome(), 'file'), bytes('x'));
    expect(calls.filter((call) => ['write', 'sync', 'rename', 'syncFolder'].includes(call))).toEqual([
      'write',
      'sync',
      'rename',
      'syncFolder',
    ]);
  });

  it('B81 two processes writing one file at once never mix their bytes', async () => {
    const home = tempHome();
    const target = join(home, 'file.json');
    writeFileSync(target, '{"by":"nobody"}');
    writeFileSync(`${target}.tmp`, 'a stale file of somebody else');
    const runs = [
      startChild(['overwrite', target, 'short', '150']),
      startChild(['overwrite', target, 'long'.repeat(5000), '150']),
    ];
    let reads = 0;
    const reader = setInterval(() => {
      JSON.parse(readFileSync(target, 'utf8'));
      reads += 1;
    }, 1);
    await Promise.all(runs.map(({ ended }) => ended));
    clearInterval(reader);
    expect(reads).toBeGreaterThan(20);
    expect(readdirSync(home).sort()).toEqual(['file.json', 'file.json.tmp']);
  });
});

describe('D43 copies', () => {
  it('never overwrite', async () => {
    const target = join(tempHome(), 'copy');
    await copyVerified(ops, bytes('first'), target);
    await expect(copyVerified(ops, bytes('second'), target)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(target, 'utf8')).toBe('first');
  });

  it('never overwrite on a disk without hard links either', async () => {
    const home = tempHome();
    const faulty = createFileOps(failing('link', /copy/, 'ENOTSUP'));
    await copyVerified(faulty, bytes('first'), join(home, 'copy'));
    await expect(copyVerified(faulty, bytes('second'), join(home, 'copy'))).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(readFileSync(join(home, 'copy'), 'utf8')).toBe('first');
    expect(readdirSync(home)).toEqual(['copy']);
  });

  it('B52 are read back: a copy that differs is refused and taken away', async () => {
    const home = tempHome();
    const spoil: FileHook = ({ call, path, when }) => {
      if (call === 'sync' && when === 'after') writeFileSync(path, 'spoilt!');
    };
    await expect(copyVerified(createFileOps(spoil), bytes('correct'), join(home, 'copy'))).rejects.toThrow(
      'differs',
    );
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('B81 sweep', () => {
  it('removes only leftovers of our own pattern that the caller owns', async () => {
    const home = tempHome();
    const kept = ['a.json', 'a.json.tmp', 'a.json.77-abc.tmp', 'b.json.77-0123456789ab.tmp'];
    for (const name of [...kept, 'a.json.77-0123456789ab.tmp']) writeFileSync(join(home, name), 'x');
    await sweepTemps(ops, home, (name) => name === 'a.json');
    expect(readdirSync(home).sort()).toEqual([...kept].sort());
    await sweepTemps(ops, join(home, 'missing'), () => true);
  });
});
