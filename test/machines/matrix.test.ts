import { describe, expect, it } from 'vitest';
import { gate } from '../../machines/index.ts';
import { busyIn, gateRows } from '../support/samples-gate.ts';
import { matrix, matrixRecipes } from '../support/samples-matrix.ts';
import { ownRecipes, ownRows } from '../support/samples-own.ts';
import { failuresOf, nameOf, type Row } from '../support/samples-rows.ts';

/** Rows that the machine does not follow yet, by name; each of them must really fail. */
const pending: readonly string[] = [];

const named = (rows: readonly Row[]) => rows.map((row) => [nameOf(row), row] as const);
const twice = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

function remarks(name: string, failures: readonly string[]): readonly string[] {
  if (!pending.includes(name)) return failures;
  return failures.length > 0 ? [] : ['it follows the row by now: take it off the pending list'];
}

describe('the oracle', () => {
  it('has its 469 rows and 96 gate cells', () => {
    expect(matrix.rows).toHaveLength(469);
    expect(matrix.gate).toHaveLength(96);
  });

  it.each([
    ['the oracle', matrix.rows, matrixRecipes],
    ['our own rows', ownRows, ownRecipes],
  ] as const)('knows a way to act out every event of %s, and no other event', (_, rows, recipes) => {
    expect(Object.keys(recipes).toSorted()).toEqual([...new Set(rows.map((row) => row.event))].toSorted());
  });

  it('has only existing rows on the pending list, and says which', () => {
    const names = [...matrix.rows, ...ownRows].map(nameOf);
    console.log(`pending rows: ${pending.length === 0 ? 'none' : pending.join('; ')}`);
    expect(pending.filter((name) => !names.includes(name))).toEqual([]);
    expect(twice(names)).toEqual([]);
  });
});

describe.each([
  ['the oracle', matrix.rows, matrixRecipes],
  ['our own rows', ownRows, ownRecipes],
] as const)('the machine follows %s', (_, rows, recipes) => {
  it.each(named(rows))('%s', (name, row) => {
    expect(remarks(name, failuresOf(row, recipes))).toEqual([]);
  });
});

describe('D21 the gate follows the oracle', () => {
  it('knows the calls of every row of the gate table', () => {
    expect(Object.keys(gateRows).toSorted()).toEqual([...new Set(matrix.gate.map((c) => c.tool))].toSorted());
  });

  it.each(matrix.gate.map((cell) => [`${cell.state}: ${cell.tool} → ${cell.verdict}`, cell] as const))(
    '%s',
    (_, cell) => {
      const snapshot = busyIn(cell.state);
      const answers = (gateRows[cell.tool] ?? []).map((request) => {
        const answer = gate(snapshot, request);
        if (answer.kind === 'deny') return 'deny';
        return answer.shell === 'readOnly' ? 'allow read-only' : 'allow';
      });
      expect([...new Set(answers)]).toEqual([cell.verdict]);
    },
  );
});
