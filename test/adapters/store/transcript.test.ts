import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileHook } from '../../../adapters/store/file-ops.ts';
import type { SessionStore, TranscriptEntry } from '../../../adapters/ports.ts';
import { at, failing, other, session, startChild, storeWithSession, turn } from './support.ts';

const user = (text: string): TranscriptEntry => {
  return { v: 1, at, type: 'user', turn, text, from: 'person', kind: 'chat' };
};
const started: TranscriptEntry = { v: 1, at, type: 'tool.started', turn, call: 'c1', name: 'bash' };
const ended: TranscriptEntry = { v: 1, at, type: 'turn.ended', turn, outcome: 'done' };
const result: TranscriptEntry = {
  v: 1,
  at,
  type: 'tool',
  turn,
  call: 'c1',
  name: 'bash',
  text: 'ok',
  failed: false,
};
const every: TranscriptEntry[] = [
  user('hello\nworld \u2028 "quoted"'),
  { v: 1, at, type: 'assistant', turn, text: '', calls: [{ id: 'c1', name: 'bash', input: { a: [1] } }] },
  started,
  result,
  { v: 1, at, type: 'notice', turn: null, text: 'note' },
  { ...ended, cause: 'why' },
];
const file = (store: SessionStore) => `${store.paths(session).own}/transcript.jsonl`;
const lines = (store: SessionStore) => readFileSync(file(store), 'utf8').split('\n').length - 1;

describe('transcript', () => {
  it('gives back what was appended, in order', async () => {
    const { store } = await storeWithSession();
    expect(await store.transcript(session)).toEqual({ entries: [], torn: null });
    await store.append(session, every.slice(0, 2));
    await store.append(session, []);
    await store.append(session, every.slice(2));
    expect(await store.transcript(session)).toEqual({ entries: every, torn: null });
    expect(lines(store)).toBe(6);
  });

  it('keeps a call whose arguments did not parse', async () => {
    const { store } = await storeWithSession();
    const call = { id: 'c1', name: 'bash', input: undefined, invalid: '{"a":' };
    await store.append(session, [{ v: 1, at, type: 'assistant', turn, text: '', calls: [call] }]);
    const { entries } = await store.transcript(session);
    expect(entries).toMatchObject([{ type: 'assistant', calls: [{ id: 'c1', invalid: '{"a":' }] }]);
  });

  it('is not made for a session that does not exist', async () => {
    const { store } = await storeWithSession();
    await expect(store.append(other, [ended])).rejects.toMatchObject({ code: 'NO_SESSION' });
    expect(existsSync(store.paths(other).own)).toBe(false);
  });

  it.each([
    ['tool.started', [result, started], 'synced'],
    ['turn.ended', [ended], 'synced'],
    ['what a person said', [user('x')], 'synced'],
    ['anything else', [result], 'not synced'],
  ] as [string, TranscriptEntry[], string][])(
    'D37 a batch with %s is one write, %s',
    async (_, batch, synced) => {
      const calls: string[] = [];
      const hook: FileHook = ({ call, path, when }) => {
        if (when === 'after' && path.endsWith('.jsonl')) calls.push(call);
      };
      const { faulty } = await storeWithSession(hook);
      await faulty.append(session, batch);
      expect(calls.filter((call) => call === 'write')).toHaveLength(1);
      expect(calls.includes('sync') ? 'synced' : 'not synced').toBe(synced);
    },
  );

  it('two processes and this one mix no lines', async () => {
    const { home, store } = await storeWithSession();
    const runs = [startChild(['append', home, session, '60']), startChild(['append', home, session, '60'])];
    await Promise.all(Array.from({ length: 60 }, (_, n) => store.append(session, [user(`own ${n}`), ended])));
    await Promise.all(runs.map((run) => run.ended));
    const { entries, torn } = await store.transcript(session);
    expect(torn).toBe(null);
    expect(entries.filter(({ type }) => type === 'notice')).toEqual([]);
    expect(entries).toHaveLength(360);
    const own = entries.flatMap((entry) => (entry.type === 'user' ? [entry.text] : []));
    expect(own.filter((text) => text.startsWith('own'))).toEqual(
      Array.from({ length: 60 }, (_, n) => `own ${n}`),
    );
  });
});

describe('transcript repair', () => {
  it('cuts a torn last line off and answers it', async () => {
    const { store } = await storeWithSession();
    await store.append(session, [user('x'), ended]);
    const whole = readFileSync(file(store), 'utf8');
    appendFileSync(file(store), '{"v":1,"at":"2026","type":"tool.sta');
    expect(await store.transcript(session)).toEqual({
      entries: [user('x'), ended],
      torn: '{"v":1,"at":"2026","type":"tool.sta',
    });
    expect(readFileSync(file(store), 'utf8')).toBe(whole);
    expect((await store.transcript(session)).torn).toBe(null);
  });

  it('a torn line that nobody has cut yet does not spoil the next batch', async () => {
    const { store } = await storeWithSession();
    await store.append(session, [user('x')]);
    appendFileSync(file(store), '{"v":1,"at"');
    await store.append(session, [ended]);
    const { entries, torn } = await store.transcript(session);
    expect(torn).toBe(null);
    expect(entries.map(({ type }) => type)).toEqual(['user', 'notice', 'turn.ended']);
  });

  it('a last line that lacks only its line end is whole', async () => {
    const { store } = await storeWithSession();
    writeFileSync(file(store), JSON.stringify(user('x')));
    expect(await store.transcript(session)).toEqual({ entries: [user('x')], torn: null });
    await store.append(session, [ended]);
    expect((await store.transcript(session)).entries).toEqual([user('x'), ended]);
  });

  it('lines in the middle that do not parse are counted in one notice in their place', async () => {
    const { store } = await storeWithSession();
    const bad = [
      '{"v":1',
      'null',
      '[]',
      '{"v":2,"at":"","type":"user"}',
      '{"v":1,"at":"","type":"new"}',
      '\u0000',
    ];
    const text = [JSON.stringify(user('a')), ...bad, '', JSON.stringify(user('b')), 'x'].join('\n');
    writeFileSync(file(store), `${text}\n`);
    const { entries } = await store.transcript(session);
    expect(entries).toEqual([
      user('a'),
      { v: 1, at, type: 'notice', turn: null, text: '6 lines of the transcript could not be read here.' },
      user('b'),
      { v: 1, at, type: 'notice', turn: null, text: '1 line of the transcript could not be read here.' },
    ]);
  });

  it.each(['write', 'sync'])('a batch whose %s fails leaves no part behind', async (call) => {
    const { store, faulty } = await storeWithSession(failing(call, /transcript/, 'ENOSPC', 1));
    await store.append(session, [user('x')]);
    const before = readFileSync(file(store), 'utf8');
    await expect(faulty.append(session, [started])).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      data: { path: file(store) },
    });
    expect(readFileSync(file(store), 'utf8')).toBe(before);
    await faulty.append(session, [started]);
    expect((await store.transcript(session)).entries).toEqual([user('x'), started]);
  });

  it('a transcript that can not be read is an error, not an empty one (B82)', async () => {
    const { store } = await storeWithSession();
    mkdirSync(file(store));
    await expect(store.transcript(session)).rejects.toMatchObject({
      code: 'READ_FAILED',
      data: { path: file(store), cause: 'EISDIR: it is a folder' },
    });
  });
});
