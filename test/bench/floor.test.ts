import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inodesOf, prepareBare, readEverything, writeBare, writeBareAsync, writtenSince } from './floor.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'planchart-floor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'own'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

it('finds what was replaced or made, with its bytes, and nothing else', () => {
  const home = folderOf({ 'plan.json': 'old', 'own/session.json': 'same', 'lock.db': '' });
  const before = inodesOf(home);
  writeBare(home, [
    { path: 'plan.json', bytes: Buffer.from('new') },
    { path: 'own/new.md', bytes: Buffer.from('made') },
    { path: 'lock.db', bytes: Buffer.from('locks are not written') },
  ]);
  const written = writtenSince(home, before).map(({ path, bytes }) => [path, bytes.toString()] as const);
  expect(Object.fromEntries(written)).toEqual({ 'own/new.md': 'made', 'plan.json': 'new' });
});

it('replaces the same bytes in the same places, leaving nothing else behind', async () => {
  const floor = folderOf({});
  const files = [
    { path: 'session/plan.json', bytes: Buffer.from('plan') },
    { path: 'own/session.json', bytes: Buffer.from('record') },
  ];
  await prepareBare(floor, files);
  const before = inodesOf(floor);
  writeBare(
    floor,
    files.map((file) => ({ ...file, bytes: Buffer.from('bare') })),
  );
  expect(writtenSince(floor, before)).toHaveLength(2);
  await writeBareAsync(floor, files);
  expect(readFileSync(join(floor, 'session/plan.json'), 'utf8')).toBe('plan');
  expect(readdirSync(join(floor, 'session'))).toEqual(['plan.json']);
});

it('reads every byte below a folder', () => {
  expect(readEverything(folderOf({ 'a.json': '1234', 'own/b.md': 'ü' }))).toBe(6);
});
