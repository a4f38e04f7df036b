import { describe, expect, it } from 'vitest';
import { explore, explored, type Move, type World } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { failedIn } from './suite.ts';
import { twoSwitchSuite, wayTo } from './session-suite.ts';
import { twoSwitch } from './two-switch.ts';

const places = explore(movesAt);

describe('every pair of consecutive transitions', () => {
  /** All of them take half a minute, which `npm run paths -- --two-switch` has; here those of every twentieth place. */
  it('holds what each of them has to hold', { timeout: 120_000 }, () => {
    const { pairs, apart, faulty } = twoSwitch(places.filter((_, index) => index % 20 === 0));
    expect(faulty).toEqual([]);
    expect(pairs).toBeGreaterThan(1_500);
    expect(apart).toBeLessThan(pairs / 100);
  });

  it('finds a pair that goes wrong, and the way to it', () => {
    // After /show-plan the turn has no owner any more, and nobody has noticed.
    const leaky = (before: World, move: Move): World => {
      const next = explored(before, move);
      return move.type === 'user.show' ? { ...next, stored: { ...next.stored, leaseAlive: false } } : next;
    };
    const failed = failedIn(twoSwitchSuite(places.slice(0, 4), 0, leaky));
    expect(failed.length).toBeGreaterThan(5);
    for (const { lines, failure } of failed) {
      expect(lines.at(-1)).toMatch(/^\d+\. The owner sends "\/show-plan" /u);
      expect(failure?.step).toBe(lines.length - 1);
      expect(failure?.differences.join()).toContain('still to be found afterwards: turn.end');
    }
  });

  it('knows the shortest way to each place', () => {
    expect(wayTo(places, places[0]?.name ?? '')).toEqual([]);
    expect(wayTo(places, '{"editing":"preInit"}/idle')).toHaveLength(1);
    expect(() => wayTo(places, 'nowhere')).toThrow('no way to nowhere');
  });
});
