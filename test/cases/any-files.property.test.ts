import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../adapters/clock.ts';
import type { SessionStore } from '../../adapters/ports.ts';
import { createDispatcher } from '../../adapters/runtime/index.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import {
  answerOf,
  derive,
  gate,
  type GateRequest,
  phaseOf,
  reminderOf,
  type Said,
  select,
  type SessionSnapshot,
  settle,
  type StoredSession,
  toolClasses,
  verdict,
} from '../../machines/index.ts';
import { record, tempHome } from '../adapters/store/support.ts';
import { fileOf, home, paths, planId, sessionIn, stampOf, turnId } from '../support/samples.ts';
import { everyCall, people, presses, turnEnd } from '../support/samples-said.ts';
import { dispatch, open } from '../support/samples-world.ts';
import { markdown, readAs, sidecars } from './any-text.ts';

const seed = Date.now() % 0x7fff_ffff;
console.log(`any-files.property: seed ${seed}`);

const talk: readonly Said[] = [
  people.plan(),
  people.planText('a way in'),
  people.show(),
  people.execute(),
  people.approveText(),
  people.restore(),
  people.revise(),
  people.resume(),
  people.chat('make a plan'),
  people.stop(),
  people.switch(),
  people.policy('yolo'),
  people.place({ cwd: '/elsewhere' }),
  people.goal('x'),
];
const leave = people.discard();
const commands: readonly Said[] = [
  ...talk,
  ...presses({ plan: planId, phase: 'editing', owns: true }),
  ...everyCall(),
  turnEnd('done'),
  turnEnd('lost'),
];

/** A session whose plan files hold these texts; the turn that runs is the one that `everyCall` belongs to. */
function filesOf(sidecar: string, document: string | null, turn: 'idle' | 'running'): StoredSession {
  const session = sessionIn('noPlan', { turn });
  return { ...session, sidecar: fileOf(paths.sidecar, sidecar), document: fileOf(paths.document, document) };
}

const given = fc.record({
  sidecar: sidecars,
  document: fc.option(markdown, { nil: null }),
  turn: fc.constantFrom('idle' as const, 'running' as const),
});

const write: GateRequest = {
  tool: 'write_file',
  class: 'projectWrite',
  agent: 'main',
  turn: turnId,
  target: { path: '/home/ann/project/src/app.ts', access: 'write' },
  home: { root: home, readable: [] },
};
const openClasses = (snapshot: SessionSnapshot): string[] =>
  toolClasses.filter((tool) => gate(snapshot, { ...write, class: tool }).kind === 'allow');

/** Classes that may be open before `init`, bash read-only, and after it; everything else is a change (D21). */
const exploring: readonly string[] = ['read', 'question', 'plan', 'bash', 'spawnArchitect'];
const inReview: readonly string[] = ['read', 'question', 'plan', 'sessionPlan'];

/** Lines that a refusal names. */
const linesIn = (text: string): number[] => [...text.matchAll(/\bline (\d+)/giu)].map(([, n]) => Number(n));
const lineCount = (text: string): number => text.split('\n').length;

describe('any sidecar and any session plan', () => {
  it('every command has an answer, whatever the files hold; a refusal says something', () => {
    fc.assert(
      fc.property(given, ({ sidecar, document, turn }) => {
        const { snapshot } = derive(filesOf(sidecar, document, turn));
        expect(typeof select(snapshot).hint).toBe('string');
        reminderOf(snapshot);
        for (const said of commands) {
          const event = { ...said, ...stampOf(2) };
          const answer = answerOf(verdict(snapshot, event), snapshot, event);
          if (answer.kind !== 'refused' && answer.kind !== 'info') continue;
          expect(answer.text.length).toBeGreaterThan(20);
          expect(answer.text).not.toMatch(/\[object/u);
        }
      }),
      { seed, numRuns: 500 },
    );
  });

  it('an unreadable one stays unreadable through every event but discard, and its bytes stay', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(given, fc.constantFrom(...commands), ({ sidecar, document, turn }, said) => {
        const stored = filesOf(sidecar, document, turn);
        const kind = readAs(sidecar, document === null ? 'none' : 'beside');
        met.add(kind);
        expect(phaseOf(derive(stored).snapshot) === 'unreadable').toBe(kind === 'unreadable');
        expect(phaseOf(derive(stored).snapshot)).not.toBe('noPlan');
        const opened = open(stored, stampOf(2));
        const after = dispatch(opened.stored, { ...said, ...stampOf(3) });
        if (kind !== 'unreadable' || said.type === 'user.discard') return;
        expect(phaseOf(after.found)).toBe('unreadable');
        expect(after.stored.sidecar).toEqual(stored.sidecar);
        expect(after.stored.document).toEqual(stored.document);
        expect(select(after.found).unreadable?.path).toBe(paths.sidecar);
      }),
      { seed, numRuns: 1500 },
    );
    expect([...met].toSorted()).toEqual(['editing', 'other', 'unreadable']);
  });

  it('what is Editing or unreadable never opens the project, before and after what loading does', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(...talk), ({ sidecar, document }, said) => {
        const stored = filesOf(sidecar, document, 'running');
        if (readAs(sidecar, document === null ? 'none' : 'beside') === 'other') return;
        const steps = settle(derive(stored), stampOf(2));
        const last = steps.at(-1)?.snapshot ?? derive(stored).snapshot;
        const loaded = open(stored, stampOf(2)).stored;
        const later = dispatch(loaded, { ...said, ...stampOf(3) }).found;
        for (const snapshot of [derive(stored).snapshot, last, later]) {
          const allowed = phaseOf(snapshot) === 'postInit' ? inReview : exploring;
          expect(openClasses(snapshot).filter((tool) => !allowed.includes(tool))).toEqual([]);
        }
      }),
      { seed, numRuns: 1000 },
    );
  });

  it('TEMPLATE_INVALID names lines that the file has', () => {
    let refused = 0;
    fc.assert(
      fc.property(markdown, (document) => {
        const text = JSON.stringify({ id: planId, status: 'Editing', description: document, tasks: [] });
        const { snapshot } = derive(filesOf(text, document, 'idle'));
        const event = { ...people.execute(), ...stampOf(2) };
        const answer = answerOf(verdict(snapshot, event), snapshot, event);
        if (!('code' in answer) || answer.code !== 'TEMPLATE_INVALID') return;
        refused += 1;
        const faults = answer.text.split('\n').filter((line) => line.startsWith('- line '));
        expect(faults.length).toBe(select(snapshot).document?.faults.length);
        for (const line of linesIn(faults.join('\n').replaceAll(/says "[^"]*"/gu, ''))) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lineCount(document));
        }
      }),
      { seed, numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});

/** The dispatcher on real files, without a model: what a turn would do is the commands' own part. */
function dispatcherOn(store: SessionStore) {
  const workspace = { endGroup: () => Promise.resolve() };
  return createDispatcher({ store, workspace, process: 'any-files', clock: systemClock });
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }).map((raw) => Buffer.from(raw)),
  sidecars.map((text) => Buffer.from(text)),
);
const md = fc.option(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((raw) => Buffer.from(raw)),
    markdown.map((text) => Buffer.from(text)),
  ),
  { nil: null },
);

/** D8 rule 1 for bytes: no UTF-8 in either file, or a sidecar that is no plan. */
function cannotBeRead(sidecar: Buffer, document: Buffer | null): boolean {
  const isText = (raw: Buffer): boolean => Buffer.from(raw.toString('utf8')).equals(raw);
  if (!isText(sidecar) || (document !== null && !isText(document))) return true;
  return readAs(sidecar.toString('utf8'), document === null ? 'none' : 'beside') === 'unreadable';
}

describe('any bytes on disk', () => {
  it('every command is dispatched without a throw; what cannot be read is left alone, and kept by discard', async () => {
    const home = tempHome();
    const store = createFileStore({ home });
    const some = fc.array(fc.constantFrom(...talk), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.uuid(), bytes, md, some, async (id, sidecar, document, acts) => {
        await store.create(record(id));
        const { dir, sidecar: json, document: text, archive } = store.paths(id);
        mkdirSync(dir, { recursive: true });
        writeFileSync(json, sidecar);
        if (document !== null) writeFileSync(text, document);
        const dispatcher = dispatcherOn(store);
        const unreadable = cannotBeRead(sidecar, document);
        expect(phaseOf(derive(await store.read(id)).snapshot) === 'unreadable').toBe(unreadable);
        const phases: string[] = [];
        for (const said of acts) {
          const { effects, snapshot } = await dispatcher.dispatch(id, said);
          for (const effect of effects) if (effect.type === 'turn.start') dispatcher.letGo(effect.turn);
          phases.push(phaseOf(snapshot));
        }
        if (!unreadable) return;
        expect(new Set(phases)).toEqual(new Set(['unreadable']));
        expect(readFileSync(json).equals(sidecar)).toBe(true);
        await dispatcher.refresh(id, 'missing');
        const { snapshot } = await dispatcher.dispatch(id, leave);
        expect(phaseOf(snapshot)).toBe('noPlan');
        const kept = (await store.read(id)).archives.filter((name) => name.endsWith('.unreadable.json'));
        expect(kept).toHaveLength(1);
        expect(readFileSync(`${archive}/${kept[0] ?? ''}`).equals(sidecar)).toBe(true);
      }),
      { seed, numRuns: 120 },
    );
  });
});
