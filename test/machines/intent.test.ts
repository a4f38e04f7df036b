import { describe, expect, it } from 'vitest';
import { intentFamilies, planWords } from '../../machines/intent.ts';

describe('D25 plan words', () => {
  it('D25 the triggers of the plan family are the listed ones', () => {
    expect(intentFamilies).toEqual([
      {
        family: 'plan',
        triggers: [
          'make a plan',
          'create a plan',
          'plan for',
          'plan to implement',
          'plan out',
          'planning',
          'create plan',
          'make plan',
        ],
      },
    ]);
  });

  it.each([
    ['make a plan to split the key', 'make a plan'],
    ['Please CREATE A PLAN.', 'CREATE A PLAN'],
    ['a plan for dinner', 'plan for'],
    ['I want a plan to implement this', 'plan to implement'],
    ['plan out the move', 'plan out'],
    ['fix the planning page', 'planning'],
    ['create plan', 'create plan'],
    ['«make plan»', 'make plan'],
    ["don't make a plan", 'make a plan'],
    ['сделай planning', 'planning'],
    ['\n  planning\n', 'planning'],
    ['see docs/planning', 'planning'],
  ])('D25 %j is asked for by its words', (text, words) => {
    expect(planWords(text)).toBe(words);
  });

  it.each([
    '',
    'plan',
    'plan this',
    "let's plan",
    'plan mode',
    'make me a plan',
    'make the plan',
    'write a plan',
    'explan for',
    'replanning',
    'planning_page',
    'planning2',
    'éplanning',
    'planningë',
    'жplan for',
    'plan forя',
    'make  a plan',
    'make\ta plan',
    'make a\nplan',
  ])('D25 %j has no plan words', (text) => {
    expect(planWords(text)).toBeNull();
  });

  it.each(['/plan planning', '  /skill make a plan', '\n/execute planning', '/home/me/planning is full'])(
    'D25 %j starts with a slash and is skipped',
    (text) => {
      expect(planWords(text)).toBeNull();
    },
  );

  it('D25 a long message is read in linear time', () => {
    expect(planWords('make a pla'.repeat(200_000))).toBeNull();
    expect(planWords(`${' '.repeat(2_000_000)}x planning`)).toBe('planning');
  });
});
