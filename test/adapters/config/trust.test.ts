import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTrust, TrustError, trustPath, writeTrust } from '../../../adapters/config/trust.ts';
import { folder, write } from './folder.ts';

const at = '2026-01-01T00:00:00.000Z';

describe('D53 the list of trusted folders', () => {
  it('keeps an answer for exactly that path, and forgets it', async () => {
    const home = folder();
    expect(await readTrust(home, '/a/b')).toBe('unasked');
    await writeTrust(home, '/a/b', 'trusted', at);
    await writeTrust(home, '/c', 'refused', at);
    expect(await readTrust(home, '/a/b')).toBe('trusted');
    expect(await readTrust(home, '/c')).toBe('refused');
    for (const near of ['/a', '/a/b/c', '/a/b/', '/a/B', 'constructor', '__proto__']) {
      expect(await readTrust(home, near)).toBe('unasked');
    }
    await writeTrust(home, '/a/b', 'unasked', at);
    expect(await readTrust(home, '/a/b')).toBe('unasked');
    expect(await readTrust(home, '/c')).toBe('refused');
  });

  it('is closed to others and leaves nothing beside it', async () => {
    const home = folder();
    await writeTrust(home, '/a', 'trusted', at);
    expect(statSync(trustPath(home)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(trustPath(home))).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(trustPath(home)))).toEqual(['trust.json']);
    expect(JSON.parse(readFileSync(trustPath(home), 'utf8'))).toEqual({
      v: 1,
      folders: { '/a': { answer: 'trusted', at } },
    });
  });

  it('keeps fields of a later version’s making', async () => {
    const home = folder();
    write(
      trustPath(home),
      JSON.stringify({ v: 1, more: 1, folders: { '/b': { answer: 'trusted', at, x: 2 } } }),
    );
    await writeTrust(home, '/a', 'refused', at);
    expect(JSON.parse(readFileSync(trustPath(home), 'utf8'))).toEqual({
      v: 1,
      more: 1,
      folders: { '/b': { answer: 'trusted', at, x: 2 }, '/a': { answer: 'refused', at } },
    });
  });

  it.each([
    ['damaged', '{ "v": 1, "fold'],
    ['of a newer version', '{ "v": 2, "folders": { "/a": { "answer": "trusted", "at": "" } } }'],
    ['with a word that is no answer', '{ "v": 1, "folders": { "/a": { "answer": "yes", "at": "" } } }'],
  ])('a list that is %s trusts nothing and is not overwritten', async (_name, text) => {
    const home = folder();
    write(trustPath(home), text);
    await expect(readTrust(home, '/a')).rejects.toMatchObject({ code: 'TRUST_UNREADABLE' });
    await expect(writeTrust(home, '/a', 'trusted', at)).rejects.toBeInstanceOf(TrustError);
    expect(readFileSync(trustPath(home), 'utf8')).toBe(text);
  });

  it('a list that can’t be written says so and changes nothing', async () => {
    const home = folder();
    write(join(home, 'planchart'), 'a file where a folder is needed');
    await expect(writeTrust(home, '/a', 'trusted', at)).rejects.toMatchObject({
      code: 'TRUST_NOT_SAVED',
      message: expect.stringContaining('Nothing was changed.'),
    });
  });

  it('loses no answer of two processes', async () => {
    const home = folder();
    const child = fileURLToPath(new URL('trust-child.ts', import.meta.url));
    const ended = ['one', 'two'].map(
      (name) =>
        new Promise<number | null>((resolve) => {
          spawn(process.execPath, [child, home, name], { stdio: 'inherit' }).on('close', resolve);
        }),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    const { folders } = JSON.parse(readFileSync(trustPath(home), 'utf8')) as { folders: object };
    expect(Object.keys(folders)).toHaveLength(20);
  });
});
