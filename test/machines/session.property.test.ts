import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  derive,
  entryKinds,
  phaseOf,
  Said,
  select,
  type Stamp,
  step,
  type StoredSession,
  verdict,
} from '../../machines/index.ts';
import { fileOf, hashOf, owner, paths, sessionIn, stampOf, texts } from '../support/samples.ts';
import { roundTripFaults } from '../support/samples-rows.ts';
import { calls, draft, people, turnEnd } from '../support/samples-said.ts';
import { dispatch, open } from '../support/samples-world.ts';

const seed = Date.now() % 0x7fff_ffff;
const bounds = { seed, numRuns: 300 };
console.log(`session.property: seed ${seed}`);

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

const by = fc.oneof(
  { weight: 3, arbitrary: fc.constant(owner) },
  {
    weight: 1,
    arbitrary: fc.record({
      entry: fc.constantFrom(...entryKinds),
      surface: fc.constantFrom('tui', 'telegram'),
      person: fc.constantFrom('ann', 'bob'),
      owner: fc.boolean(),
    }),
  },
);
const text = fc.oneof(
  fc.constantFrom('', 'hello', 'make a plan for it', '/execute', texts.valid, texts.changed, texts.invalid),
  fc.string(),
);
const hash = fc.oneof(fc.constantFrom(hashOf(texts.valid), hashOf(texts.changed), ''), fc.string());
const button = fc.record({
  plan: fc.constantFrom('00000000-0000-4000-8000-000000000001', 'other'),
  phase: fc.constantFrom('editing', 'active'),
  owns: fc.boolean(),
});
const tasks = fc.array(
  fc.record(
    {
      title: fc.constantFrom('A', 'B', ' '),
      description: fc.constantFrom('Do it.', ''),
      dependencies: fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.string()), { maxLength: 2 }),
      complexity: finite,
    },
    { requiredKeys: ['title', 'description'] },
  ),
  { maxLength: 3 },
);
const item = fc.oneof({ weight: 4, arbitrary: fc.constant('oldest') }, fc.string());
const optional = { requiredKeys: ['type', 'by'] as ['type', 'by'] };
const lit = <T extends string>(type: T) => fc.constant(type);

/** What people and harness may say, with any payload that the schema takes. */
const talk = fc.oneof(
  fc.record({ type: lit('user.plan'), by, text }, optional),
  fc.record({ type: fc.constantFrom('user.show', 'user.stop', 'user.switch'), by }),
  fc.record({ type: lit('user.execute'), by, shown: fc.option(hash) }),
  fc.record({ type: lit('user.execute'), by, button, shown: fc.option(hash) }),
  fc.record({ type: lit('user.approveText'), by, shown: hash }),
  fc.record({ type: fc.constantFrom('user.restore', 'user.discard', 'user.continue'), by, button }, optional),
  fc.record({ type: lit('user.revise'), by, note: text, seen: fc.option(hash) }),
  fc.record({ type: lit('user.chat'), by, text, origin: fc.constantFrom('typed', 'command') }),
  fc.record({ type: lit('user.policy'), by, yolo: fc.boolean() }),
  fc.record({ type: lit('user.compact'), by }),
  fc.record({ type: lit('user.goal'), by, text: fc.option(text) }),
  fc.record({ type: lit('user.rename'), by, name: text }),
  fc.record({ type: fc.constantFrom('queue.take', 'queue.drop'), item }),
  fc.record({ type: lit('queue.send'), by, item }),
);

const call = { turn: fc.constantFrom('live', 'over'), child: fc.boolean() };
const called = { requiredKeys: ['type', 'turn', 'child'] as ['type', 'turn', 'child'] };
const number = fc.oneof(fc.integer({ min: -1, max: 4 }), finite);
const file = fc.oneof(
  fc.record({ path: text, text: fc.oneof(fc.json(), text) }),
  fc.record({ path: text, cause: text }),
);

const tools = fc.oneof(
  fc.record({ type: lit('tool.init'), ...call, title: text, mode: text, tasks, file, from: text }, called),
  fc.record({ type: lit('tool.addTasks'), ...call, tasks }),
  fc.record({ type: lit('tool.start'), ...call, task: number }, called),
  fc.record({ type: lit('tool.complete'), ...call, task: number, action: text, output: text }, called),
  fc.record({ type: lit('tool.unknown'), ...call, operation: text }),
  fc.record({
    type: lit('tool.document'),
    ...call,
    text,
    base: fc.option(hash),
    plan: fc.option(fc.string()),
  }),
  fc.record({
    type: lit('turn.end'),
    turn: call.turn,
    outcome: fc.constantFrom('done', 'failed', 'cancelled', 'lost'),
  }),
  fc.record(
    { type: lit('turn.note'), turn: call.turn, shell: fc.constantFrom('begins', 'ended') },
    { requiredKeys: ['type', 'turn'] },
  ),
);

/** The next step on the main road: blind lists would hardly ever reach a seed. */
function onward(stored: StoredSession): Said {
  const { snapshot } = derive(stored);
  const { lease } = snapshot.context.record;
  const turn = lease?.turn ?? 'over';
  const document = snapshot.context.document;
  switch (phaseOf(snapshot)) {
    case 'noPlan':
      return lease === null ? people.chat('make a plan for it') : calls.init({ turn });
    case 'preInit':
      return lease === null ? people.chat('go on') : calls.init({ turn });
    case 'postInit': {
      if (lease === null) return people.execute(document?.hash ?? null);
      if ((document?.scan.faults.length ?? 0) === 0) return turnEnd('done', turn);
      const plan = snapshot.context.plan?.id ?? null;
      return calls.document({ turn, text: texts.valid, base: document?.hash ?? null, plan });
    }
    case 'seeding':
      return snapshot.hasTag('building')
        ? calls.addTasks([draft('A'), draft('B')], { turn })
        : calls.start(undefined, { turn });
    case 'seedFailedEmpty':
      return lease === null ? people.execute() : turnEnd('done', turn);
    case 'checklist':
      if (lease === null) return people.resume();
      return snapshot.context.plan?.tasks.some((task) => task.status === 'InProgress')
        ? calls.complete({ turn })
        : calls.start(undefined, { turn });
    case 'seedFailedPartial':
    case 'unreadable':
      return people.discard();
  }
}

type Forgery = Record<'sidecar' | 'document', string | null>;
const forgery: fc.Arbitrary<Forgery> = fc.record({ sidecar: fc.option(text), document: fc.option(text) });

const move = fc.oneof(
  { weight: 2, arbitrary: talk },
  { weight: 3, arbitrary: tools },
  { weight: 4, arbitrary: fc.constant('onward' as const) },
  { weight: 1, arbitrary: fc.constant('dies' as const) },
  { weight: 1, arbitrary: fc.record({ forged: forgery }) },
);

/** The turn that runs in place of `live` and the message that waits in place of `oldest`: most events are of them. */
function spoken(said: { type: string }, stored: StoredSession): Said {
  const live = stored.record.lease?.turn ?? 'over';
  const turn = 'turn' in said && said.turn === 'live' ? { turn: live } : {};
  const waits = 'item' in said && said.item === 'oldest' ? { item: stored.record.queue[0]?.id ?? '' } : {};
  return Said.parse({ ...said, ...turn, ...waits });
}

/** The process ends: its turn has no owner any more, and what waits in it is not sent (D16, D26). */
const dead = (stored: StoredSession, process: string): StoredSession => ({
  ...stored,
  leaseAlive: false,
  gone: [...stored.gone, process],
});

/** A command with nothing around it writes these texts: whoever comes next goes on from what was committed (D22). */
function forge(stored: StoredSession, { sidecar, document }: Forgery, stamp: Stamp): StoredSession {
  const files = { sidecar: fileOf(paths.sidecar, sidecar), document: fileOf(paths.document, document) };
  // Not even a reader without the lock takes them for the plan.
  const [seen, is] = [derive({ ...stored, ...files }).snapshot, derive(stored).snapshot];
  expect([seen.value, seen.context.plan]).toEqual([is.value, is.context.plan]);
  const [clean, after] = [open(stored, stamp), open({ ...stored, ...files }, stamp)];
  expect([after.stored.sidecar, after.stored.document]).toEqual([
    clean.stored.sidecar,
    clean.stored.document,
  ]);
  expect(after.snapshot.value).toEqual(clean.snapshot.value);
  return after.stored;
}

describe('any list of valid events', () => {
  it('never throws, answers every event, and a restart finds what was shown', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(move, { minLength: 30, maxLength: 60 }), (moves) => {
        let stored = sessionIn('noPlan');
        let life = 1;
        moves.forEach((next, index) => {
          const stamp = { ...stampOf(index + 2), process: `process-${life}` };
          if (typeof next === 'object' && 'forged' in next) {
            if ((stored.record.lease?.files ?? null) === null) return;
            seen.add('forged');
            stored = forge(stored, next.forged, stamp);
            // Killed before anybody has looked, it is the next start that puts the files back.
            forge(dead(stored, stamp.process), next.forged, stamp);
            return;
          }
          if (next === 'dies') {
            stored = open(dead(stored, stamp.process), stamp).stored;
            life += 1;
            return;
          }
          const said = next === 'onward' ? onward(stored) : spoken(next, stored);
          const before = derive(stored).snapshot;
          const answer = verdict(before, { ...said, ...stamp });
          const committed = dispatch(stored, { ...said, ...stamp });
          expect(roundTripFaults(committed)).toEqual([]);
          expect(select(committed.found).phase).toBe(phaseOf(committed.found));
          const quiet = answer.kind === 'refused' || answer.kind === 'info' || answer.kind === 'view';
          expect(quiet && JSON.stringify(committed.stored) !== JSON.stringify(stored)).toBe(false);
          if (said.type === 'queue.send' && !quiet) seen.add('sent');
          stored = committed.stored;
          seen.add(phaseOf(committed.found));
        });
      }),
      bounds,
    );
    expect(seen).toContain('seeding');
    expect(seen).toContain('checklist');
    expect(seen).toContain('seedFailedEmpty');
    expect(seen).toContain('forged');
    expect(seen).toContain('sent');
  });

  it('D3 no event without a person at the session approves, discards or restores', () => {
    const unattended = fc.oneof(
      tools,
      talk.filter((said) => !('by' in said) || said.by.entry !== 'interactive' || !said.by.owner),
    );
    const designs = ['postInit', 'seedFailedEmpty', 'seedFailedPartial'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...designs), fc.array(unattended, { maxLength: 30 }), (phase, moves) => {
        let stored = sessionIn(phase, { turn: 'running' });
        moves.forEach((next, index) => {
          stored = dispatch(stored, { ...spoken(next, stored), ...stampOf(index + 2) }).stored;
        });
        expect(phaseOf(derive(stored).snapshot)).toBe(phase);
      }),
      bounds,
    );
  });

  it('an event on any snapshot is pure: the same twice, and the snapshot stays as it was', () => {
    const phases = ['noPlan', 'preInit', 'postInit', 'seeding', 'checklist', 'unreadable'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...phases), fc.oneof(talk, tools), (phase, next) => {
        const stored = sessionIn(phase, { turn: 'running' });
        const { snapshot } = derive(stored);
        const event = { ...spoken(next, stored), ...stampOf(2) };
        const before = JSON.stringify(snapshot);
        const [once, twice] = [step(snapshot, event), step(snapshot, event)];
        expect(JSON.stringify(once)).toBe(JSON.stringify(twice));
        expect(JSON.stringify(snapshot)).toBe(before);
      }),
      bounds,
    );
  });
});
