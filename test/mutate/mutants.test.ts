import { describe, expect, it } from 'vitest';
import { equivalent } from './equivalent.ts';
import { mutants } from './mutants.ts';
import { byRows } from './oracle.ts';

const all = mutants();
const oracle = byRows();
const find = (id: string) => {
  const mutant = all.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`There is no mutant ${id}`);
  return mutant;
};

describe('mutants', () => {
  it('have names of their own, and reasons only for those that are there', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1_500);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(equivalent).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it.each([
    'session plan user.discard #1: guard dropped (NOT_OWNER)',
    'session plan user.discard #1: refusal removed',
    'session plan user.discard #1: refusal recoded (NOT_OWNER)',
    'session plan.noPlan user.plan #4: action dropped (arm)',
    'session plan.noPlan user.plan #4: target swapped (postInit)',
  ])('%s is noticed, and nothing of it is left afterwards', async (id) => {
    expect(await oracle(find(id))).not.toBeNull();
    const untouched = { ...find(id), apply: () => () => undefined };
    expect(await oracle(untouched)).toBeNull();
  });
});
