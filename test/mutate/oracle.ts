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

/** Test files, each mutant in a fresh worker. `close` ends them. */
export async function byTests(
  files: readonly string[],
): Promise<{ oracle: Oracle; close: () => Promise<void> }> {
  const vitest = await createVitest('test', {
    config: false,
    watch: false,
    include: [...files],
    setupFiles: ['test/mutate/setup.ts'],
    maxWorkers: 1,
    bail: 1,
    testTimeout: 30_000,
    reporters: [{}],
  });
  const specifications = await vitest.globTestSpecifications();
  if (specifications.length !== files.length) throw new Error(`Not all of ${files.join(', ')} are there`);
  const oracle: Oracle = async ({ id }) => {
    vitest.provide('mutant', id);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
    const failed = testModules.find((module) => module.state() === 'failed');
    if (failed !== undefined) return failed.relativeModuleId;
    return unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null;
  };
  return { oracle, close: () => vitest.close() };
}
