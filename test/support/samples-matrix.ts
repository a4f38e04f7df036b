import { readFileSync } from 'node:fs';
import { harnessRecipes } from './samples-matrix-harness.ts';
import { peopleRecipes } from './samples-matrix-people.ts';
import { toolRecipes } from './samples-matrix-tools.ts';
import type { Recipes, Row } from './samples-rows.ts';

/** A cell of the gate table: a tool class by the words of the spec. */
export interface Cell {
  state: Row['state'];
  tool: string;
  verdict: 'allow' | 'allow read-only' | 'deny';
}

/** The oracle, copied unchanged from the spec. */
export const matrix = JSON.parse(
  readFileSync(new URL('../command-matrix.json', import.meta.url), 'utf8'),
) as { states: Row['state'][]; turn: Row['turn'][]; rows: Row[]; gate: Cell[] };

/** How each event of the oracle is acted out. */
export const matrixRecipes: Recipes = { ...peopleRecipes, ...toolRecipes, ...harnessRecipes };
