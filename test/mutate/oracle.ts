import { createVitest } from 'vitest/node';
import { matrix, matrixRecipes } from '../support/samples-matrix.ts';
import { ownRecipes, ownRows } from '../support/samples-own.ts';
import { failuresOf, nameOf } from '../support/samples-rows.ts';
import type { Mutant } from './mutants.ts';

/** Answers what notices the mutant, null when nothing does. */
export type Oracle = (mutant: Mutant) => Promise<string | null>;

const rows = [
  ...matrix.rows.map((row) => ({ row, recipes: matrixRecipes })),
  ...ownRows.map((row) => ({ row, recipes: ownRecipes })),
];

/**
 * The rows of the command matrix, in this process: a row that fails, or that the broken machine cannot finish. The row
 * that noticed the last mutant is asked first, since neighbours are noticed by the same rows.
 */
export function byRows(): Oracle {
  const order = [...rows];
  return async (mutant) => {
    const mend = mutant.apply();
    try {
      const at = order.findIndex(fails);
      if (at === -1) return null;
      order.unshift(...order.splice(at, 1));
      return nameOf(order[0]!.row);
    } finally {
      mend();
    }
  };
}

function fails({ row, recipes }: (typeof rows)[number]): boolean {
  try {
    return failuresOf(row, recipes).length > 0;
  } catch {
    return true;
  }
}

/** A test file, each mutant in a fresh worker. `close` ends it. */
export async function byTests(
  file: string,
): Promise<{ oracle: (mutant: Pick<Mutant, 'id'>) => Promise<string | null>; close: () => Promise<void> }> {
  const vitest = await createVitest('test', {
    config: false,
    watch: false,
    include: [file],
    setupFiles: ['test/mutate/setup.ts'],
    maxWorkers: 1,
    bail: 1,
    testTimeout: 30_000,
    reporters: [{}],
  });
  const specifications = await vitest.globTestSpecifications();
  if (specifications.length !== 1) throw new Error(`There is no ${file}`);
  const oracle = async ({ id }: Pick<Mutant, 'id'>): Promise<string | null> => {
    vitest.provide('mutant', id);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
    const failed = testModules.find((module) => module.state() === 'failed');
    if (failed !== undefined) return failed.relativeModuleId;
    return unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null;
  };
  return { oracle, close: () => vitest.close() };
}
