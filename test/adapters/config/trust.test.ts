import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { watchSettings } from '../../../adapters/cli/trust.ts';
import { settingsPrint } from '../../../adapters/config/settings-print.ts';
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

/** A folder with settings of every kind; two calls make the same but for the place. */
function settings(): string {
  const at = join(folder(), '.planchart');
  write(join(at, 'config.toml'), 'a = 1\n');
  write(join(at, 'skills/one/SKILL.md'), 'one');
  write(join(at, '../else/two.md'), 'two');
  symlinkSync('../else', join(at, 'commands'));
  symlinkSync('.', join(at, 'round'));
  execFileSync('mkfifo', [join(at, 'pipe')]);
  truncateSync(write(join(at, 'large'), ''), 9_000_000);
  return at;
}

describe('D21 what a folder brings along, as one value (0028)', () => {
  it('stays the same while nothing changes, whatever the times of small files', async () => {
    const at = settings();
    const before = await settingsPrint(at);
    write(join(at, 'config.toml'), 'a = 1\n');
    utimesSync(join(at, 'config.toml'), 1, 1);
    expect(await settingsPrint(at)).toBe(before);
  });

  it.each<[string, (at: string) => void]>([
    ['a file', (at) => write(join(at, 'config.toml'), 'a = 2\n')],
    ['a file deep down', (at) => write(join(at, 'skills/one/SKILL.md'), 'eno')],
    ['a file behind a link', (at) => write(join(at, '../else/two.md'), 'owt')],
    ['a new one', (at) => write(join(at, 'skills/two.md'), '')],
    ['one that is gone', (at) => rmSync(join(at, 'config.toml'))],
    ['a folder that is gone', (at) => rmSync(at, { recursive: true })],
    ['one too long to read', (at) => utimesSync(join(at, 'large'), 1, 1)],
    [
      'where a link leads',
      (at) => {
        rmSync(join(at, 'commands'));
        symlinkSync('../else/.', join(at, 'commands'));
      },
    ],
  ])('differs by %s', async (_name, change) => {
    const at = settings();
    const before = await settingsPrint(at);
    change(at);
    expect(await settingsPrint(at)).not.toBe(before);
  });
});

describe('D21 a change of what a trusted folder brings along', () => {
  it('takes that folder’s trust back, and no other answer', async () => {
    const home = folder();
    const [changed, same, refused] = [settings(), settings(), settings()].map(dirname);
    await writeTrust(home, changed ?? '', 'trusted', at);
    await writeTrust(home, same ?? '', 'trusted', at);
    await writeTrust(home, refused ?? '', 'refused', at);
    const lookAgain = await watchSettings(home);
    for (const path of [changed, refused]) write(join(path ?? '', '.planchart/config.toml'), 'a = 2\n');
    expect(await lookAgain()).toBe(
      `${changed}/.planchart changed during this call, so it is loaded again only after you have looked at it: planchart trust ${changed}`,
    );
    const answers = await Promise.all([changed, same, refused].map((path) => readTrust(home, path ?? '')));
    expect(answers).toEqual(['unasked', 'trusted', 'refused']);
    expect(await (await watchSettings(home))()).toBeNull();
  });

  it('is none where a person has trusted the folder meanwhile, or has taken the trust back', async () => {
    const home = folder();
    const [given, taken] = [settings(), settings()].map(dirname);
    await writeTrust(home, taken ?? '', 'trusted', at);
    const lookAgain = await watchSettings(home);
    await writeTrust(home, taken ?? '', 'refused', at);
    await writeTrust(home, given ?? '', 'trusted', at);
    for (const path of [given, taken]) write(join(path ?? '', '.planchart/config.toml'), 'a = 2\n');
    expect(await lookAgain()).toBeNull();
    expect(await readTrust(home, given ?? '')).toBe('trusted');
    expect(await readTrust(home, taken ?? '')).toBe('refused');
  });

  it('is said, too, when the answer can’t be taken back', async () => {
    const home = folder();
    const path = dirname(settings());
    await writeTrust(home, path, 'trusted', at);
    const lookAgain = await watchSettings(home);
    rmSync(join(path, '.planchart'), { recursive: true });
    mkdirSync(join(home, 'planchart/locks/trust.db'), { recursive: true });
    expect(await lookAgain()).toMatch(/could not be taken back: .*planchart trust --remove/u);
  });

  it('of an unreadable list nothing is looked at: it trusts nothing', async () => {
    const home = folder();
    write(trustPath(home), '{');
    expect(await (await watchSettings(home))()).toBeNull();
  });
});
