import { mkdirSync, readFileSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../../adapters/store/index.ts';
import {
  at,
  failing,
  listing,
  names,
  other,
  record,
  session,
  storeWithSession,
  tempHome,
} from './support.ts';

const sha = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

describe('sessions', () => {
  it('creating a store touches nothing; a session makes its record only', async () => {
    const home = join(tempHome(), 'home');
    const store = createFileStore({ home });
    expect(await store.list()).toEqual([]);
    expect(readdirSync(join(home, '..'))).toEqual([]);
    await store.create(record());
    expect(names(home)).toEqual([
      'planchart',
      'planchart/sessions',
      `planchart/sessions/${session}`,
      `planchart/sessions/${session}/session.json`,
    ]);
    expect(await store.read(session)).toEqual({
      record: record(),
      sidecar: { kind: 'absent', path: store.paths(session).sidecar },
      document: { kind: 'absent', path: store.paths(session).document },
      leaseAlive: false,
      gone: [],
      archives: [],
    });
  });

  it('a session is not made twice', async () => {
    const { store } = await storeWithSession();
    await expect(store.create(record(session, { cwd: '/else' }))).rejects.toMatchObject({
      code: 'SESSION_EXISTS',
    });
    expect((await store.read(session)).record.cwd).toBe('/project');
  });

  it('a session that does not exist is NO_SESSION and leaves no trace', async () => {
    const { home, store } = await storeWithSession();
    const before = listing(home);
    await expect(store.read(other)).rejects.toMatchObject({ code: 'NO_SESSION' });
    await expect(store.exclusive(other, () => Promise.resolve())).rejects.toThrow(other);
    expect(listing(home)).toEqual(before);
  });

  it('lists the last used first, and those it can not use last, without their record', async () => {
    const home = tempHome();
    const store = createFileStore({ home });
    const ids = ['0', '1', '2', '3'].map((digit) => session.replace(/^3/, digit));
    const used = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z', at];
    for (const [n, id] of ids.entries()) await store.create(record(id, { used: used[n] ?? '' }));
    writeFileSync(join(store.paths(ids[3] ?? '').own, 'session.json'), '{"v":2}');
    expect((await store.list()).map(({ id, record: found }) => [id, found?.used])).toEqual([
      [ids[1], used[1]],
      [ids[2], used[2]],
      [ids[0], used[0]],
      [ids[3], undefined],
    ]);
  });

  it('keeps unknown fields of a record (D12)', async () => {
    const { store } = await storeWithSession();
    writeFileSync(
      join(store.paths(session).own, 'session.json'),
      JSON.stringify({ ...record(), later: { a: 1 } }),
    );
    expect((await store.read(session)).record).toMatchObject({ later: { a: 1 } });
  });
});

describe('D8 plan files', () => {
  it('are bytes: a BOM stays in the text, and the hash is that of the file', async () => {
    const { store } = await storeWithSession();
    const { dir, document, sidecar } = store.paths(session);
    mkdirSync(dir);
    const text = '\ufeff{"title":"е\u0301 ✅"}\r\n';
    writeFileSync(sidecar, text);
    writeFileSync(document, '');
    const found = await store.read(session);
    expect(found.sidecar).toEqual({ kind: 'text', path: sidecar, text, hash: sha(readFileSync(sidecar)) });
    expect(found.document).toEqual({ kind: 'text', path: document, text: '', hash: sha('') });
    expect(store.hash(text)).toBe(sha(readFileSync(sidecar)));
  });

  it.each([
    [
      'not UTF-8',
      (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])),
      'it is not valid UTF-8',
    ],
    ['a folder', (path: string) => mkdirSync(path), 'EISDIR: it is a folder'],
    [
      'a link',
      (path: string) => symlinkSync('/etc/hostname', path),
      'ELOOP: it is a symbolic link, which is not followed',
    ],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'EINVAL: not a regular file'],
    [
      'over 10 MiB',
      (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, 10 * 1024 * 1024 + 1);
      },
      'EFBIG: 10485761 bytes; 10485760 at most',
    ],
  ] as [string, (path: string) => void, string][])('%s: unreadable, not absent', async (_, make, cause) => {
    const { store } = await storeWithSession();
    const { dir, document, sidecar } = store.paths(session);
    mkdirSync(dir);
    for (const path of [sidecar, document]) {
      make(path);
      const found = await store.read(session);
      expect(path === sidecar ? found.sidecar : found.document).toEqual({ kind: 'unreadable', path, cause });
    }
  });

  it('exactly 10 MiB is read', async () => {
    const { store } = await storeWithSession();
    const { dir, sidecar } = store.paths(session);
    mkdirSync(dir);
    writeFileSync(sidecar, '');
    truncateSync(sidecar, 10 * 1024 * 1024);
    expect((await store.read(session)).sidecar.kind).toBe('text');
  });

  it.each(['EACCES', 'EIO'])('%s: unreadable (B82)', async (code) => {
    const { faulty, store } = await storeWithSession(failing('read', /plan_.*json$/, code));
    const { dir, sidecar } = store.paths(session);
    mkdirSync(dir);
    writeFileSync(sidecar, '{}');
    const cause = `${code}: ${code} caused by the test`;
    expect((await faulty.read(session)).sidecar).toEqual({ kind: 'unreadable', path: sidecar, cause });
  });

  it('only this session’s archive files are named, oldest first', async () => {
    const { store } = await storeWithSession();
    const { archive } = store.paths(session);
    mkdirSync(archive, { recursive: true });
    const mine = (rest: string) => `opencrabs_plan_${session}-${rest}`;
    const wanted = [
      mine('20250101-000000.json'),
      mine('20260101-000000.discarded.json'),
      mine('20260101-000000.discarded.md'),
      mine('20260101-000000-2.discarded.json'),
      mine('20260101-000000-10.md'),
    ];
    const others = [
      `opencrabs_plan_${other}-20260101-000000.json`,
      mine('20260101-000000.json.1-0123456789ab.tmp'),
      'x',
    ];
    for (const name of [...wanted.toReversed(), ...others]) writeFileSync(join(archive, name), '');
    expect((await store.read(session)).archives).toEqual(wanted);
  });
});

describe('D8 a view', () => {
  it('changes nothing, whatever it finds', async () => {
    const { home, store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit({ sidecar: { text: '{"status":"Completed"' } }));
    const { dir, document, own } = store.paths(session);
    writeFileSync(document, '# orphan');
    writeFileSync(`${document}.1-0123456789ab.tmp`, 'left');
    writeFileSync(join(own, 'session.json'), '{"v":1,"cwd":"/kept"');
    writeFileSync(join(own, 'session.json.1-0123456789ab.tmp'), 'left');
    const before = listing(home);
    const view = createFileStore({ home, fallbackCwd: '/fallback' });
    expect((await view.read(session)).record).toMatchObject({ id: session, cwd: '/fallback', yolo: false });
    await view.list();
    await view.transcript(session);
    expect(listing(home)).toEqual(before);
    // The same leftovers are cleared by the first transaction.
    await view.exclusive(session, () => Promise.resolve());
    expect(readdirSync(dir).sort()).toEqual([
      `.opencrabs_plan_${session}.json`,
      `.opencrabs_plan_${session}.md`,
    ]);
    expect(readdirSync(own)).toEqual(['session.json']);
  });
});

describe('D4 the record', () => {
  it('of a newer version is named and never touched', async () => {
    const { home, store } = await storeWithSession();
    writeFileSync(join(store.paths(session).own, 'session.json'), '{"v":3,"id":"?"}');
    const before = listing(store.paths(session).own);
    for (const call of [() => store.read(session), () => store.exclusive(session, (tx) => tx.read())]) {
      await expect(call()).rejects.toMatchObject({
        code: 'RECORD_NEWER',
        message: expect.stringContaining('format 3'),
      });
    }
    expect(listing(store.paths(session).own)).toEqual(before);
    expect((await createFileStore({ home }).list())[0]?.record).toBe(null);
  });

  it.each([
    ['cut short', '{"v":1,"id":"3f2b8c1e', '/fallback', []],
    ['with rubbish after it (B79)', `${JSON.stringify(record())}\n"\n}`, '/fallback', []],
    ['not an object', '[]', '/fallback', []],
    [
      'with one bad field',
      JSON.stringify({ ...record(), queue: 'x', goal: { user: 'g', task: null } }),
      '/project',
      'g',
    ],
    ['of another session', JSON.stringify(record(other)), '/project', []],
  ] as [string, string, string, unknown][])(
    '%s is set aside in a transaction, and what is good is kept',
    async (_, text, cwd, goal) => {
      const { home } = await storeWithSession();
      const store = createFileStore({ home, fallbackCwd: '/fallback', now: () => at });
      const path = join(store.paths(session).own, 'session.json');
      writeFileSync(path, text);
      const found = await store.exclusive(session, (tx) => tx.read());
      expect(found.record).toMatchObject({ v: 1, id: session, cwd, yolo: false, lease: null, queue: [] });
      expect(found.record.goal.user).toBe(goal === 'g' ? 'g' : null);
      expect(readFileSync(`${path}.corrupt-1`, 'utf8')).toBe(text);
      expect((await store.read(session)).record).toEqual(found.record);
      const { entries } = await store.transcript(session);
      expect(entries).toMatchObject([
        { type: 'notice', at, text: expect.stringContaining(`${path}.corrupt-1`) },
      ]);
      // Damaged again: the first copy stays.
      writeFileSync(path, 'again');
      await store.exclusive(session, (tx) => tx.read());
      expect(readFileSync(`${path}.corrupt-1`, 'utf8')).toBe(text);
      expect(readFileSync(`${path}.corrupt-2`, 'utf8')).toBe('again');
    },
  );

  it('that can not be read is an error, not a damaged one (B82)', async () => {
    const { store, faulty } = await storeWithSession(failing('read', /session\.json$/, 'EIO'));
    const before = listing(store.paths(session).own);
    await expect(faulty.exclusive(session, (tx) => tx.read())).rejects.toMatchObject({
      code: 'RECORD_UNREADABLE',
      message: expect.stringContaining('Check the disk'),
    });
    expect(listing(store.paths(session).own)).toEqual(before);
  });
});
