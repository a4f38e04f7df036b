import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryOut } from '../../../adapters/store/commit.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import { createPlaces } from '../../../adapters/store/places.ts';
import type { Commit, FileFound } from '../../../machines/index.ts';
import { killedAt } from './kill.ts';
import { names, record, session, stamp, storeWithSession, textOf } from './support.ts';

const prefix = `opencrabs_plan_${session}-${stamp}`;
const old = { sidecar: { text: '{"old":1}' }, document: { text: '# Old' } };
const changed = textOf(record(session, { yolo: true }));

const discard: Commit = {
  archive: { suffix: '.discarded', stamp },
  sidecar: { remove: true },
  document: { remove: true },
  record: { text: changed, order: 'last' },
};

/** Per commit, what a restart can find, in this order: sidecar, document, record, archive. */
const cases: [string, Commit, string[]][] = [
  [
    'approve',
    { record: { text: changed, order: 'first' }, sidecar: { text: '{"new":1}' } },
    ['{"old":1} | # Old | old |', '{"old":1} | # Old | new |', '{"new":1} | # Old | new |'],
  ],
  [
    'edit',
    {
      sidecar: { text: '{"new":1}' },
      document: { text: '# New' },
      revision: { text: '# New' },
      record: { text: changed, order: 'last' },
    },
    [
      '{"old":1} | # Old | old |',
      '{"new":1} | # Old | old |',
      '{"new":1} | # New | old |',
      '{"new":1} | # New | new |',
    ],
  ],
  [
    'discard',
    discard,
    [
      '{"old":1} | # Old | old |',
      '{"old":1} | # Old | old | .discarded.json={"old":1}',
      '{"old":1} | # Old | old | .discarded.json={"old":1} .discarded.md=# Old',
      'null | # Old | old | .discarded.json={"old":1} .discarded.md=# Old',
      'null | null | old | .discarded.json={"old":1} .discarded.md=# Old',
      'null | null | new | .discarded.json={"old":1} .discarded.md=# Old',
    ],
  ],
  [
    'complete',
    {
      record: { text: changed, order: 'first' },
      archive: { suffix: '', stamp, sidecar: '{"done":1}' },
      sidecar: { remove: true },
      document: { remove: true },
    },
    [
      '{"old":1} | # Old | old |',
      '{"old":1} | # Old | new |',
      '{"old":1} | # Old | new | .json={"done":1}',
      '{"old":1} | # Old | new | .json={"done":1} .md=# Old',
      'null | # Old | new | .json={"done":1} .md=# Old',
      'null | null | new | .json={"done":1} .md=# Old',
    ],
  ],
];

/** One commit in a process that is killed. */
function commitKilledAt(home: string, change: Commit, here: Parameters<typeof killedAt>[1]) {
  return killedAt((ops) => carryOut({ ops, places: createPlaces({ home }) }, session, change), here);
}

/** What a restart finds, in one line, and the temporary files that it did not clear. */
async function restart(home: string): Promise<{ state: string; temps: string[] }> {
  const store = createFileStore({ home });
  const { archives, document, record, sidecar } = await store.exclusive(session, (tx) => tx.read());
  const text = (file: FileFound) => (file.kind === 'text' ? file.text : null);
  const copies = archives.map((name) => {
    return ` ${name.slice(prefix.length)}=${readFileSync(join(store.paths(session).archive, name), 'utf8')}`;
  });
  return {
    state: `${text(sidecar)} | ${text(document)} | ${record.yolo ? 'new' : 'old'} |${copies.join('')}`,
    temps: names(home).filter((name) => name.endsWith('.tmp')),
  };
}

describe('a process that dies at any call of a commit', () => {
  it.each(cases)(
    '%s: whole files, in the order of D7, and nothing left behind',
    async (_, change, states) => {
      const seen: string[] = [];
      const left: string[] = [];
      for (let point = 0; ; point += 1) {
        const { home, store } = await storeWithSession();
        await store.exclusive(session, (tx) => tx.commit(old));
        const at = await commitKilledAt(home, change, (_at, number) => number > point);
        const { state, temps } = await restart(home);
        if (seen.at(-1) !== state) seen.push(state);
        left.push(...temps);
        if (at === null) break;
      }
      expect(seen).toEqual(states);
      expect(left).toEqual([]);
    },
  );
});

describe('a process that dies between the archive copies and the removal', () => {
  it('costs the next try only a number', async () => {
    const { home, store } = await storeWithSession();
    await store.exclusive(session, (tx) => tx.commit(old));
    const at = await commitKilledAt(
      home,
      discard,
      ({ call, path }) => call === 'remove' && path.endsWith('.json'),
    );
    expect(at).not.toBe(null);
    await store.exclusive(session, (tx) => tx.commit(discard));
    const { archives, sidecar } = await store.read(session);
    expect(sidecar.kind).toBe('absent');
    expect(archives).toEqual([
      `${prefix}.discarded.json`,
      `${prefix}.discarded.md`,
      `${prefix}-1.discarded.json`,
      `${prefix}-1.discarded.md`,
    ]);
    for (const file of archives) {
      const text = readFileSync(join(store.paths(session).archive, file), 'utf8');
      expect(text).toBe(file.endsWith('.md') ? '# Old' : '{"old":1}');
    }
  });
});
