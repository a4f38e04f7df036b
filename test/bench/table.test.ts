import { describe, expect, it } from 'vitest';
import { exitCodeOf, renderTable, type Row, rowOfPairs, verdictOf } from './table.ts';

const row = (more: Partial<Row>): Row => ({
  name: 'write',
  ours: 3,
  floor: 2,
  unit: 'ms',
  goal: { of: 'ratio', most: 1.5 },
  note: 'once',
  ...more,
});

describe('verdict of a row', () => {
  it('holds the ratio, or the value itself, against the goal; the goal itself is met', () => {
    expect(verdictOf(row({}))).toBe('met');
    expect(verdictOf(row({ ours: 3.01 }))).toBe('missed');
    expect(verdictOf(row({ ours: 5, goal: { of: 'value', most: 5 } }))).toBe('met');
    expect(verdictOf(row({ ours: 5.1, goal: { of: 'value', most: 5 } }))).toBe('missed');
  });

  it('judges nothing without a goal, and calls nothing met that was not measured', () => {
    expect(verdictOf(row({ ours: 900, goal: null }))).toBe('–');
    expect(verdictOf(row({ ours: Number.NaN }))).toBe('missed');
    expect(verdictOf(row({ floor: null }))).toBe('missed');
  });
});

describe('exit code', () => {
  it('is 1 only with --check and a missed goal', () => {
    const rows = [row({}), row({ ours: 30 }), row({ goal: null })];
    expect(exitCodeOf(rows, 'check')).toBe(1);
    expect(exitCodeOf(rows, 'report')).toBe(0);
    expect(exitCodeOf([row({}), row({ ours: 30, goal: null })], 'check')).toBe(0);
  });
});

describe('rows', () => {
  it('holds medians of both sides, and says how far the ratios of the pairs spread', () => {
    const made = rowOfPairs({ name: 'x', unit: 'ms', goal: null, note: 'floor: y' }, [2, 9, 4], [1, 3, 1]);
    expect([made.ours, made.floor]).toEqual([4, 1]);
    expect(made.note).toBe('floor: y; 3 pairs, middle half 2.50–3.50×');
  });

  it('stand in columns, with their notes below', () => {
    const rows = [
      row({}),
      row({ name: 'verdict', ours: 12, floor: null, unit: 'µs', goal: { of: 'value', most: 5 } }),
    ];
    expect(renderTable(rows).split('\n')).toEqual([
      'measured     ours    floor  ratio    goal  verdict',
      '--------------------------------------------------',
      'write     3.00 ms  2.00 ms  1.50×  ≤ 1.5×  met',
      'verdict   12.0 µs                  ≤ 5 µs  missed',
      '',
      '  write: once',
      '  verdict: once',
      '',
    ]);
  });
});
