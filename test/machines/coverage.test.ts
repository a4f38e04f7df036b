import { afterAll, describe, expect, it } from 'vitest';
import { codes, turnOf } from '../../machines/index.ts';
import { explore } from '../support/explore.ts';
import { branches, type Branch, leaves, leavesOf } from '../support/explore-branches.ts';
import { edgeFaults } from '../support/explore-checks.ts';
import { movesAt } from '../support/explore-moves.ts';

/** Outcomes that the session machine cannot reach, with the reason. The list must be exact. */
const unreachable: readonly { outcome: string; why: string }[] = [
  { outcome: 'NOT_SAVED', why: 'no branch: the runtime answers it when the store could not write' },
];

const places = explore(movesAt);
const steps = places.flatMap((place) => place.edges.flatMap(({ next }) => next.taken));

describe('every reachable state × every event sample', () => {
  it('explores from an empty session', () => {
    expect(places.length).toBeGreaterThan(200);
    expect(steps.length).toBeGreaterThan(30_000);
  });

  const cases = places.flatMap((place) =>
    Object.entries(Object.groupBy(place.edges, ({ move }) => move.type)).map(
      ([type, edges]) => [`${place.name} × ${type}`, place, edges ?? []] as const,
    ),
  );
  it.each(cases)('%s', (_, place, edges) => {
    expect(edges.flatMap((edge) => edgeFaults(place, edge))).toEqual([]);
  });
});

const took = new Set<Branch>(steps.flatMap((step) => [...step.asked.selected, ...step.took]));
const saidNo = new Set<Branch>(steps.flatMap((step) => step.asked.no));
const guarded = [...branches].filter(([branch]) => branch.guard !== undefined);
const nodes = new Set(places.flatMap(({ world }) => leavesOf(world.snapshot)));
const configurations = new Set(places.map(({ world }) => leavesOf(world.snapshot).join(' × ')));
const answered = new Set(steps.flatMap(({ answer }) => ('code' in answer ? [answer.code] : [])));

const missing = {
  states: leaves.filter((leaf) => !nodes.has(leaf)),
  transitions: [...branches].flatMap(([branch, name]) => (took.has(branch) ? [] : [name])),
  'guards true': guarded.flatMap(([branch, name]) => (took.has(branch) ? [] : [`${name} is never true`])),
  'guards false': guarded.flatMap(([branch, name]) => (saidNo.has(branch) ? [] : [`${name} is never false`])),
  'refusal codes': codes.filter((code) => !answered.has(code)),
};

const sizes: Readonly<Record<keyof typeof missing, number>> = {
  states: leaves.length,
  transitions: branches.size,
  'guards true': guarded.length,
  'guards false': guarded.length,
  'refusal codes': codes.length,
};

describe('coverage is complete', () => {
  const kinds = Object.keys(sizes) as (keyof typeof missing)[];

  it.each(kinds)('100 %% of %s', (kind) => {
    expect(sizes[kind]).toBeGreaterThan(0);
    const excused = unreachable.map(({ outcome }) => outcome);
    expect(missing[kind].filter((name) => !excused.includes(name))).toEqual([]);
  });

  it('lists as unreachable exactly what is', () => {
    const all = kinds.flatMap((kind): readonly string[] => missing[kind]);
    expect(unreachable.filter(({ outcome }) => !all.includes(outcome))).toEqual([]);
  });

  it('takes only branches of the machine', () => {
    expect([...took].filter((branch) => !branches.has(branch))).toEqual([]);
  });

  it('reaches every pair of plan and turn, a seed without a turn excepted', () => {
    const plans = leaves.filter((leaf) => leaf.startsWith('plan.'));
    const turns = leaves.filter((leaf) => leaf.startsWith('turn.'));
    const pairs = plans.flatMap((plan) => turns.map((turn) => `${plan} × ${turn}`));
    const impossible = pairs.filter((pair) => pair.includes('.seeding.') && pair.endsWith('turn.idle'));
    expect([...configurations].toSorted()).toEqual(pairs.filter((p) => !impossible.includes(p)).toSorted());
  });

  it('every event of an idle session that starts a turn makes it busy', () => {
    const started = steps.filter(({ committed }) => committed.effects.some((e) => e.type === 'turn.start'));
    expect(started.length).toBeGreaterThan(0);
    for (const { before, committed, event } of started) {
      expect([event.type, turnOf(before), turnOf(committed.shown)]).toEqual([event.type, 'idle', 'running']);
      const turn = committed.stored.record.lease?.turn;
      expect(committed.effects).toContainEqual(expect.objectContaining({ type: 'turn.start', turn }));
    }
  });

  afterAll(() => {
    const lines = kinds.map((kind) => `${kind}: ${sizes[kind] - missing[kind].length} of ${sizes[kind]}`);
    const explored = `places: ${places.length}, configurations: ${configurations.size}, steps: ${steps.length}`;
    console.log(['session machine, edge cover', explored, ...lines].join('\n  '));
  });
});
