import { median, quantile } from './measure.ts';

export type Unit = 'ms' | 'µs' | 'kB' | 'MB' | 'ms/s' | 'timers' | 'watches' | 'calls' | 'B/s';

/** One line of the table: what planchart needs, beside what cannot be avoided or what a peer needs. */
export interface Row {
  name: string;
  ours: number;
  unit: Unit;
  /** In the same unit; null where nothing does the same job. */
  floor: number | null;
  /** `ratio`: ours ÷ floor may be at most this; `value`: ours may be. Null: shown, not judged. */
  goal: { of: 'ratio' | 'value'; most: number } | null;
  /** What the floor is, how often it was measured, how far it spread. */
  note: string;
}

export type RowVerdict = 'met' | 'missed' | '–';

/** A row of medians over pairs that were taken in turn; the note ends with the middle half of the pairs' ratios. */
export function rowOfPairs(
  row: Pick<Row, 'name' | 'unit' | 'goal' | 'note'>,
  ours: readonly number[],
  floor: readonly number[],
): Row {
  const ratios = ours.map((value, index) => value / (floor[index] ?? Number.NaN));
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)].map((ratio) => ratio.toFixed(2));
  const note = `${row.note}; ${ours.length} pairs, middle half ${low}–${high}×`;
  return { ...row, ours: median(ours), floor: median(floor), note };
}

export function ratioOf({ ours, floor }: Row): number | null {
  return floor === null ? null : ours / floor;
}

/** A number that is none has not been measured, and nothing that was not measured meets a goal. */
export function verdictOf(row: Row): RowVerdict {
  if (row.goal === null) return '–';
  const value = row.goal.of === 'ratio' ? ratioOf(row) : row.ours;
  return value !== null && value <= row.goal.most ? 'met' : 'missed';
}

/** `--check` makes a missed goal an error; without it the table is only a report. */
export function exitCodeOf(rows: readonly Row[], mode: 'report' | 'check'): 0 | 1 {
  return mode === 'check' && rows.some((row) => verdictOf(row) === 'missed') ? 1 : 0;
}

const columns = ['measured', 'ours', 'floor', 'ratio', 'goal', 'verdict'] as const;

/** The table as text, notes below it. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [columns, ...rows.map(cellsOf)];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => padded(cell, widths, column))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  const notes = rows.map(({ name, note }) => `  ${name}: ${note}`);
  return [head, '-'.repeat(head.length), ...body, '', ...notes, ''].join('\n');
}

function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  return [
    row.name,
    amount(row.ours, row.unit),
    row.floor === null ? '' : amount(row.floor, row.unit),
    ratio === null ? '' : `${ratio.toFixed(2)}×`,
    goalText(row),
    verdictOf(row),
  ];
}

function goalText({ goal, unit }: Row): string {
  if (goal === null) return '';
  return goal.of === 'ratio' ? `≤ ${goal.most}×` : `≤ ${goal.most} ${unit}`;
}

/** Names to the left, everything else to the right, so that digits stand under digits. */
function padded(cell: string, widths: readonly number[], column: number): string {
  const width = widths[column] ?? 0;
  return column === 0 || column === 5 ? cell.padEnd(width) : cell.padStart(width);
}

function amount(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
