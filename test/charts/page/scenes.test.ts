import { createHash } from 'node:crypto';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../adapters/charts/page/scene.ts';
import { startScenes } from '../../../adapters/charts/page/scenes.ts';
import { sha256 } from '../../../adapters/charts/page/sha256.ts';
import { agentMachine, flowMachine, keyboardMachine, sessionMachine } from '../../../machines/index.ts';

const leavesOf = (node: AnyStateNode): string[] =>
  node.type === 'atomic'
    ? [node.path.join('.')]
    : Object.values(node.states).flatMap((child) => leavesOf(child as AnyStateNode));

/** Every place that presses lead to, as far as it is new in states, facts and answers. */
function explored(
  start: Scene,
  enough: (reached: ReadonlySet<string>, codes: ReadonlySet<string>) => boolean,
) {
  const [reached, codes, kinds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const waiting = [start];
  const seen = new Set<string>();
  for (let scene = waiting.shift(); scene !== undefined && seen.size < 5000; scene = waiting.shift()) {
    scene.states.forEach((state) => reached.add(state));
    for (const choice of scene.choices()) {
      const { answer, next } = choice.take();
      kinds.add(answer.kind);
      if (answer.code !== null) codes.add(answer.code);
      const key = JSON.stringify([next.states, next.facts]);
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(next);
    }
    if (enough(reached, codes)) break;
  }
  return { reached: [...reached], codes: [...codes], kinds: [...kinds] };
}

const machines: readonly [name: string, machine: AnyStateMachine, codes: readonly string[]][] = [
  ['keyboard', keyboardMachine, ['NOT_OWNER', 'STALE_BUTTON']],
  ['flow', flowMachine, []],
  ['agent', agentMachine, []],
];

describe('the other machines, by pressing what the page offers', () => {
  it('there is a scene for each machine', () => {
    expect(Object.keys(startScenes).toSorted()).toEqual(['agent', 'flow', 'keyboard', 'session']);
  });

  it.each(machines)('%s: every leaf state, every code', (name, machine, codes) => {
    const leaves = leavesOf(machine.root);
    expect(leaves.length).toBeGreaterThan(2);
    const start = startScenes[name]?.();
    if (start === undefined) throw new Error(`no scene of ${name}`);
    const found = explored(
      start,
      (reached, met) => leaves.every((leaf) => reached.has(leaf)) && codes.every((code) => met.has(code)),
    );
    expect(found.reached.toSorted()).toEqual(leaves.toSorted());
    expect(found.codes.toSorted()).toEqual(codes.toSorted());
    expect(found.kinds).toEqual(expect.arrayContaining(['accepted', 'ignored']));
  });
});

describe.each(Object.entries(startScenes))('choices of %s', (_, scene) => {
  it('have ids that links can name, labels and groups', () => {
    const choices = scene().choices();
    const ids = choices.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-zA-Z0-9.-]+$/u.test(id))).toEqual([]);
    expect(choices.filter(({ label, group }) => label === '' || group === '')).toEqual([]);
  });

  it('take leads where it led before', () => {
    for (const choice of scene().choices()) {
      const [once, again] = [choice.take(), choice.take()];
      expect(once.next.states).toEqual(again.next.states);
      expect(once.next.facts).toEqual(again.next.facts);
    }
  });

  it('a refused event leads to the same place, and says why', () => {
    for (const choice of scene().choices()) {
      const answer = choice.answer();
      if (answer.kind !== 'refused') continue;
      expect(answer.text).not.toBe('');
      expect(answer.code).not.toBeNull();
      expect(choice.take().next.states).toEqual(scene().states);
    }
  });
});

describe('sha256', () => {
  it.each(['', 'abc', 'ä€😀', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'long '.repeat(5000)])(
    'is the one of the store: %.20s',
    (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    },
  );
});

it('the session machine is the one that is drawn', () => {
  expect(leavesOf(sessionMachine.root)).toEqual(
    expect.arrayContaining([...(startScenes['session']?.().states ?? [])]),
  );
});

it('one call that is not run any more is told in the singular', () => {
  const ids = ['model.started', 'model.reads', 'reads.both', 'call.asks', 'call.allowed', 'cancel'];
  let scene = startScenes['agent']?.();
  let did: readonly string[] = [];
  for (const id of ids) {
    const choice = scene?.choices().find((one) => one.id === id);
    ({ next: scene, did } = choice?.take() ?? { next: scene, did: [] });
  }
  expect(did).toEqual(['1 call is not run: cancelled', 'the turn settles: cancelled']);
});
