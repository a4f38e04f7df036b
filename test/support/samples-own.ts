import { readFileSync } from 'node:fs';
import { ownHarnessRecipes } from './samples-own-harness.ts';
import { ownPeopleRecipes } from './samples-own-people.ts';
import { ownQueueRecipes } from './samples-own-queue.ts';
import { ownToolRecipes } from './samples-own-tools.ts';
import type { Recipes, Row } from './samples-rows.ts';

/** Rows of our own: what the oracle leaves open and the decisions settle. */
export const ownRows: readonly Row[] = (
  JSON.parse(readFileSync(new URL('../own-matrix.json', import.meta.url), 'utf8')) as { rows: Row[] }
).rows;

/** How each event of our own rows is acted out. */
export const ownRecipes: Recipes = {
  ...ownPeopleRecipes,
  ...ownQueueRecipes,
  ...ownToolRecipes,
  ...ownHarnessRecipes,
};
