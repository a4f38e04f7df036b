import { readFileSync } from 'node:fs';
import type { Recipes, Row } from './samples-rows.ts';

/** Rows of our own: what the oracle leaves open and the decisions settle. */
export const ownRows: readonly Row[] = (
  JSON.parse(readFileSync(new URL('../own-matrix.json', import.meta.url), 'utf8')) as { rows: Row[] }
).rows;

export const ownRecipes: Recipes = {};
