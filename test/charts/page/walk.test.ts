import { describe, expect, it } from 'vitest';
import { createPlay, deviationsOf } from '../../../adapters/charts/page/play.ts';
import { readJournal, type ReplayStep, writeJournal } from '../../../adapters/charts/page/replay-input.ts';
import { owner, texts } from '../../../adapters/charts/page/session-samples.ts';
import { sha256 } from '../../../adapters/charts/page/sha256.ts';
import { startScenes } from '../../../adapters/charts/page/scenes.ts';
import { backTo, goOn, linkOf, readLink, sceneAt, type Walk } from '../../../adapters/charts/page/walk.ts';

const machines = Object.keys(startScenes);

function opened(hash: string): Walk {
  const play = createPlay(machines);
  play.read(hash);
  return play.walk();
}

const statesAt = (walk: Walk): readonly string[] => sceneAt(walk).states;

const toReview = 'owner.plan-words,agent.init-design,agent.write,turn.done';

describe('a link', () => {
  it('says how one came here, and leads there again', () => {
    const walk = opened(`#session&path=${toReview}`);
    expect(walk.problem).toBeNull();
    expect(statesAt(walk)).toEqual(['plan.editing.postInit', 'turn.idle']);
    const approved = goOn(walk, 'owner.approve');
    expect(linkOf(approved)).toBe(`#session&path=${toReview},owner.approve`);
    expect(statesAt(opened(linkOf(approved)))).toEqual(['plan.active.seeding.building', 'turn.running']);
  });

  it('a refused event is a step that leads nowhere', () => {
    const walk = goOn(opened('#session'), 'owner.approve');
    expect(walk.steps.at(-1)?.answer).toMatchObject({ kind: 'refused', code: 'NO_PLAN' });
    expect(statesAt(walk)).toEqual(['plan.noPlan', 'turn.idle']);
    expect(opened(linkOf(walk)).steps).toHaveLength(1);
  });

  it('a step that is not known stops it there, and says so', () => {
    const walk = opened(`#session&path=${toReview},owner.fly,owner.approve`);
    expect(walk.steps).toHaveLength(4);
    expect(walk.problem).toBe(
      'The link stops at step 5: nothing is called “owner.fly” there. 2 of its 6 steps are left out.',
    );
    expect(goOn(walk, 'owner.approve').problem).toBeNull();
  });

  it.each([
    ['#nothing', /names no machine of this page. They are session, keyboard, flow, agent/u],
    ['#session&colour=red', /means nothing here: “colour=red”/u],
    ['#session&path=<img src=x onerror=alert(1)>', /nothing is called “<img src=x onerror=alert\(1\)>”/u],
    [`#session&path=${'x'.repeat(5000)}`, /“x{60}…”/u],
    ['#session&path=__proto__', /nothing is called “__proto__”/u],
    ['#session&journal=%%%', /journal in the link cannot be read: it is not base64url/u],
    ['#session&journal=e30', /cannot be read: the whole: .*expected array/u],
  ])('%.40s is told, and the page is at the start', (hash, problem) => {
    const walk = opened(hash);
    expect(walk.problem).toMatch(problem);
    expect(statesAt(walk)).toEqual(['plan.noPlan', 'turn.idle']);
  });

  it.each(['', '#', '#&', '#session', '#session&path='])('%s is the start', (hash) => {
    expect(opened(hash)).toMatchObject({ machine: 'session', steps: [], problem: null });
  });

  it('has parts in any order', () => {
    expect(readLink('#session&path=a,b&journal=c=')).toEqual({
      machine: 'session',
      journal: 'c=',
      path: ['a', 'b'],
      unknown: [],
    });
  });

  it('back goes as far as the start', () => {
    const walk = opened(`#session&path=${toReview}`);
    expect(backTo(walk, 2).steps).toHaveLength(2);
    expect(backTo(walk, -1).steps).toHaveLength(0);
  });

  it('each machine keeps its path while another one is looked at', () => {
    const play = createPlay(machines);
    play.go(goOn(play.walk(), 'owner.plan'));
    play.open('agent');
    play.go(goOn(play.walk(), 'model.started'));
    play.open('session');
    expect(play.walk().steps.map(({ id }) => id)).toEqual(['owner.plan']);
    play.open('no machine');
    expect(play.walk().machine).toBe('session');
  });
});

const stamp = (number: number): Pick<ReplayStep, 'at' | 'ids' | 'process'> => ({
  at: `2026-02-01T10:00:0${number}.000Z`,
  ids: Array.from({ length: 4 }, (_, index) => `00000000-0000-4000-8000-0000000000${number}${index}`),
  process: 'p',
});

const planned: ReplayStep = {
  ...stamp(1),
  said: { type: 'user.plan', by: owner },
  verdict: { kind: 'accepted' },
  to: ['plan.editing.preInit', 'turn.idle'],
};
const unseen: ReplayStep = {
  ...stamp(2),
  said: { type: 'user.execute', by: owner, shown: null },
  verdict: { kind: 'refused', code: 'PRE_INIT' },
};

describe('a journal', () => {
  it('is walked, and goes on by pressing', () => {
    const hash = `#session&journal=${writeJournal([planned, unseen])}`;
    const walk = opened(hash);
    expect(walk.problem).toBeNull();
    expect(walk.steps.map(({ answer }) => answer.code ?? answer.kind)).toEqual(['accepted', 'PRE_INIT']);
    expect(deviationsOf(walk)).toBeNull();
    const further = goOn(walk, 'owner.discard');
    expect(linkOf(further)).toBe(`${hash}&path=owner.discard`);
    expect(statesAt(opened(linkOf(further)))).toEqual(['plan.noPlan', 'turn.idle']);
    expect(linkOf(backTo(further, 2))).toBe(hash);
    expect(opened(linkOf(backTo(further, 1))).steps.map(({ label }) => label)).toEqual(['user.plan (ann)']);
    expect(linkOf(backTo(further, 0))).toBe('#session');
  });

  it('says where it went another way', () => {
    const other: ReplayStep = { ...unseen, verdict: { kind: 'accepted' }, to: ['plan.noPlan', 'turn.idle'] };
    const walk = opened(`#session&journal=${writeJournal([planned, other])}`);
    const deviation =
      'Step 2: expected accepted, got refused PRE_INIT; ' +
      'expected plan.noPlan and turn.idle, got plan.editing.preInit and turn.idle';
    expect(walk.steps.map((step) => step.deviation)).toEqual([null, deviation]);
    expect(deviationsOf(walk)).toBe(`1 of 2 steps went another way than in the journal. ${deviation}.`);
  });

  it('begins with the files that it tells, under the hash that it tells', () => {
    const sidecar = JSON.stringify({ id: 'plan', title: 'T', status: 'Editing', track: 'design', tasks: [] });
    const before = { sidecar: { text: sidecar }, document: { text: texts.complete, hash: 'its own' } };
    const shown: ReplayStep = {
      ...stamp(3),
      said: { type: 'user.execute', by: owner, shown: 'its own' },
      verdict: { kind: 'accepted' },
      to: ['plan.active.seeding.building', 'turn.running'],
      before,
    };
    expect(opened(`#session&journal=${writeJournal([shown])}`).steps[0]?.deviation).toBeNull();
    const hashed = { ...shown, before: { ...before, document: { text: texts.complete } } };
    expect(opened(`#session&journal=${writeJournal([hashed])}`).steps[0]?.answer.code).toBe('TEXT_CHANGED');
    const known = { ...hashed, said: { ...shown.said, shown: sha256(texts.complete) } } as ReplayStep;
    expect(opened(`#session&journal=${writeJournal([known])}`).steps[0]?.deviation).toBeNull();
  });

  it('is read as it was written, letters of any language included', () => {
    const renamed: ReplayStep = {
      ...stamp(4),
      said: { type: 'user.rename', by: owner, name: 'Größe 😀' },
      verdict: { kind: 'accepted' },
    };
    const written = writeJournal([renamed]);
    expect(written).toMatch(/^[\w-]+$/u);
    expect(readJournal(written)).toEqual({ steps: [renamed] });
  });

  it.each([
    ['an unknown event', [{ ...planned, said: { type: 'user.fly' } }], /^step 1 said/u],
    [
      'an unknown code',
      [planned, { ...unseen, verdict: { kind: 'refused', code: 'NOPE' } }],
      /^step 2 verdict/u,
    ],
  ])('%s is named', (_, steps, cause) => {
    expect(readJournal(writeJournal(steps as ReplayStep[]))).toEqual({ cause: expect.stringMatching(cause) });
  });

  it('only the session has one', () => {
    expect(opened(`#agent&journal=${writeJournal([planned])}`)).toMatchObject({
      machine: 'agent',
      steps: [],
    });
  });
});
