import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryOut } from '../../../adapters/store/commit.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import { moveLegacy } from '../../../adapters/store/move-legacy.ts';
import { createPlaces } from '../../../adapters/store/places.ts';
import type { Commit } from '../../../machines/index.ts';
import { killedAt } from './kill.ts';
import { listing, names, plant, session, stamp, storeWithSession, texts } from './support.ts';

const plan = '{"legacy":1}';
const bytes = { sidecar: Buffer.from(plan), document: Buffer.from('# Legacy') };
const discard: Commit = {
  archive: { suffix: '.discarded', stamp },
  sidecar: { remove: true },
  document: { remove: true },
};

/** A session with a legacy plan, and maybe the `.md` of an earlier one in the resolved place. */
async function withLegacy(earlier: string | null = null) {
  const { home, store } = await storeWithSession();
  const legacy = join(home, 'agents/session');
  plant(legacy, plan, '# Legacy');
  const paths = store.paths(session);
  if (earlier !== null) plant(paths.dir, null, earlier);
  return { home, store, legacy, paths };
}

const temps = (home: string) => names(home).filter((name) => name.endsWith('.tmp'));

describe('D13 a process that dies at any call of the move', () => {
  it.each([
    ['into an empty place', null],
    ['beside the .md of an earlier plan', '# Earlier'],
  ])('%s: the pair is read whole and from one folder, before and after a restart', async (_, earlier) => {
    const from: string[] = [];
    for (let point = 0; ; point += 1) {
      const { home, legacy, paths, store } = await withLegacy(earlier);
      const before = listing(legacy);
      const died = await killedAt(
        (ops) => moveLegacy(ops, paths, { session, stamp }, bytes),
        (_at, number) => number > point,
      );
      const view = await store.read(session);
      expect(texts(view)).toEqual([plan, '# Legacy']);
      expect(view.document.path).toBe(view.sidecar.path.replace(/json$/, 'md'));
      const folder = view.sidecar.path.includes('/agents/') ? 'legacy' : 'resolved';
      if (from.at(-1) !== folder) from.push(folder);
      const restarted = await createFileStore({ home }).exclusive(session, (tx) => tx.read());
      expect(texts(restarted)).toEqual([plan, '# Legacy']);
      expect(restarted.sidecar.path).toBe(paths.sidecar);
      const kept = restarted.archives.map((name) => readFileSync(join(paths.archive, name), 'utf8'));
      expect(new Set(kept)).toEqual(new Set(earlier === null ? [] : [earlier]));
      expect(temps(home)).toEqual([]);
      expect(listing(legacy)).toEqual(before);
      if (died === null) break;
    }
    expect(from).toEqual(['legacy', 'resolved']);
  });
});

describe('D13 a process that dies at any call of a discard', () => {
  it('leaves the whole plan or none: the legacy copy never comes back', async () => {
    const states: string[] = [];
    for (let point = 0; ; point += 1) {
      const { home, legacy, paths, store } = await withLegacy();
      await store.exclusive(session, (tx) => tx.commit({ document: { text: '# Edited here' } }));
      const before = listing(legacy);
      const died = await killedAt(
        (ops) => carryOut({ ops, places: createPlaces({ home }) }, session, discard),
        (_at, number) => number > point,
      );
      const restarted = await createFileStore({ home }).exclusive(session, (tx) => tx.read());
      const state = texts(restarted).join(' ');
      if (states.at(-1) !== state) states.push(state);
      expect(listing(legacy)).toEqual(before);
      expect(temps(home)).toEqual([]);
      if (died !== null) continue;
      expect(readdirSync(paths.dir).sort()).toEqual([`.opencrabs_plan_${session}.hidden`, 'archive']);
      break;
    }
    expect(states).toEqual([`${plan} # Edited here`, 'absent # Edited here', 'absent absent']);
  });
});
