import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog, type Log, type LogOptions } from '../../../adapters/logs/log.ts';
import { createLogFile } from '../../../adapters/logs/log-file.ts';

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-log-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'planchart', 'logs');
}

const open = (path: string, more: Partial<LogOptions> = {}): Log =>
  createLog({
    folder: path,
    level: 'info',
    secrets: [],
    pid: 7,
    now: () => '2026-01-01T00:00:00.000Z',
    ...more,
  });

interface Line {
  name: string;
  at: number;
}

const linesIn = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

describe('D54 the log', () => {
  it('is JSON lines in a closed folder', () => {
    const at = folder();
    const log = open(at);
    log.info('start', { session: 's', gone: undefined });
    log.debug('text', { text: 'private' });
    expect(readFileSync(log.path, 'utf8')).toBe(
      '{"v":1,"at":"2026-01-01T00:00:00.000Z","level":"info","pid":7,"event":"start","session":"s"}\n',
    );
    expect(statSync(at).mode & 0o777).toBe(0o700);
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['off', []],
    ['info', ['a']],
    ['debug', ['a', 'b']],
  ] as const)('level %s', (level, events) => {
    const log = open(folder(), { level });
    log.info('a');
    log.debug('b');
    const lines = existsSync(log.path) ? readFileSync(log.path, 'utf8').split('\n') : [];
    expect(lines.flatMap((line) => /"event":"(\w)"/u.exec(line)?.[1] ?? [])).toEqual(events);
    expect(log.fault).toBe(null);
  });

  it('has no secret in it, whatever the shape and place', () => {
    const secrets = ['sk-1234', 'sk-1234-longer', 'quo"ted\\key', 'a b/c', 'abc'];
    const log = open(folder(), { secrets });
    const cause = new Error('inner sk-1234', { cause: 'sk-1234' });
    const error = Object.assign(new Error('no sk-1234-longer', { cause }), { code: 'sk-1234' });
    const circle: Record<string, unknown> = { 'sk-1234': ['xsk-1234y', { deep: 'quo"ted\\key' }] };
    circle['again'] = circle;
    log.info('x', {
      error,
      circle,
      url: 'http://x/?k=a%20b%2Fc',
      json: JSON.stringify({ k: 'quo"ted\\key' }),
      short: 'abc',
    });
    expect(log.fault).toBe(null);
    const text = readFileSync(log.path, 'utf8');
    for (const part of ['1234', 'longer', 'ted', 'a%20b', 'a b/c']) expect(text).not.toContain(part);
    expect(text).toContain('"short":"abc"');
    expect(text).toContain('"no [secret]"');
    expect(text).toMatch(/"stack":"Error: no \[secret\]/u);
  });

  it('cuts what is long, so that a line stays one write', () => {
    const log = open(folder());
    log.info('x', { text: 'x'.repeat(50_000), big: 10n });
    expect(log.fault).toBe(null);
    expect(readFileSync(log.path, 'utf8').length).toBeLessThan(9000);
  });

  it.each<[string, (at: string) => void]>([
    ['a file for the folder', (at) => writeFileSync(at, '')],
    ['a folder for the file', (at) => mkdirSync(join(at, 'planchart.log'), { recursive: true })],
    ['a link for the file', (at) => symlinkSync('/dev/full', join(at, 'planchart.log'))],
  ])('that can’t be written stops nothing: %s', (_name, make) => {
    const at = folder();
    mkdirSync(join(at, '..'), { recursive: true });
    if (_name !== 'a file for the folder') mkdirSync(at);
    make(at);
    const log = open(at);
    log.info('x');
    expect(log.fault).toMatch(/^E[A-Z]+: /u);
  });

  it('keeps the newest files, and nobody else’s', () => {
    const at = folder();
    const file = createLogFile({ folder: at, fileBytes: 100, files: 3 });
    file.append('first');
    writeFileSync(join(at, 'mine.log'), 'mine');
    for (let line = 0; line < 12; line += 1) file.append(`${line} ${'x'.repeat(60)}`);
    const names = readdirSync(at).toSorted();
    expect(names.filter((name) => name.startsWith('planchart-'))).toHaveLength(2);
    expect(names).toContain('mine.log');
    const all = names.map((name) => readFileSync(join(at, name), 'utf8')).join('');
    expect(all).toContain('11 x');
    expect(all).not.toContain('first');
  });
});

describe('two processes on one log', () => {
  const child = fileURLToPath(new URL('log-child.ts', import.meta.url));

  async function both(at: string, lines: number, fileBytes: number, files: number): Promise<void> {
    const ended = ['one', 'two'].map(
      (name) =>
        new Promise<number | null>((resolve) => {
          const args = [child, at, name, ...[lines, fileBytes, files].map(String)];
          spawn(process.execPath, args, { stdio: 'inherit' }).on('close', resolve);
        }),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
  }

  it('lose no line and tear none, over many rotations', async () => {
    const at = folder();
    await both(at, 600, 2000, 10_000);
    const files = readdirSync(at).map((name) => linesIn(join(at, name)));
    expect(files.length).toBeGreaterThan(50);
    for (const name of ['one', 'two']) {
      const seen = files.flat().filter((line) => line.name === name);
      expect(seen.map((line) => line.at).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 600 }, (_, i) => i),
      );
    }
  });

  it('keep within the number and size of files', async () => {
    const at = folder();
    await both(at, 400, 5000, 5);
    const sizes = readdirSync(at).map((name) => statSync(join(at, name)).size);
    // The one in use may be missing right after a rotation.
    expect(sizes.length).toBeGreaterThanOrEqual(4);
    expect(sizes.length).toBeLessThanOrEqual(5);
    for (const size of sizes) expect(size).toBeLessThan(6000);
  });
});
