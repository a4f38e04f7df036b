import {
  eventWords,
  type JournalText,
  replay,
  type Replayed,
  verdictWords,
  whoWords,
} from '../../machines/index.ts';

/** A journal that was walked through the machine. */
export interface Walked {
  steps: Replayed[];
  /** Numbers of the lines that are none of this version. */
  unreadable: readonly number[];
  torn: boolean;
}

export function walk({ lines, unreadable, torn }: JournalText): Walked {
  return { steps: replay(lines.map(({ line }) => line)), unreadable, torn };
}

/** Whether the machine takes every line as it was noted. */
export const isFaithful = ({ steps, unreadable }: Walked): boolean =>
  unreadable.length === 0 && steps.every(({ deviation }) => deviation === null);

/** A table of the steps, where they deviate, and a last line that sums it up. */
export function replayText(walked: Walked): string {
  const rows = walked.steps.map(rowOf);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = walked.steps.flatMap((step, index) => {
    const cells = (rows[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const mark = step.deviation === null ? '  ' : '≠ ';
    return [
      ...(step.gap === null ? [] : [`~ ${outside(step)}`]),
      `${mark}${cells.join('  ')}`.trimEnd(),
      ...(step.deviation === null ? [] : [`  ${' '.repeat(widths[0] ?? 0)}  ${step.deviation}`]),
    ];
  });
  return `${[...lines, ...endOf(walked)].join('\n')}\n`;
}

const outside = ({ gap, line }: Replayed): string =>
  `the step before ended in ${gap}, this one begins in ${line.from}: files were changed, or lines are missing`;

function rowOf({ line }: Replayed, index: number): string[] {
  const { at, process, from, to, saved, verdict: kind, code } = line;
  const moved = from === to ? from : `${from} → ${to}`;
  return [
    String(index + 1),
    `${at.slice(11, 23)} ${process}`,
    whoWords(line),
    eventWords(line),
    `${verdictWords({ kind, code })}${saved === false ? ', not saved' : ''}`,
    moved,
  ];
}

function endOf(walked: Walked): string[] {
  const { steps, unreadable, torn } = walked;
  const off = steps.filter(({ deviation }) => deviation !== null).length;
  const count = steps.length === 1 ? '1 step' : `${steps.length} steps`;
  return [
    ...(unreadable.length === 0 ? [] : [`Not of this version: line ${listed(unreadable)}.`]),
    ...(torn ? ['The last line was not written to its end; it is left out.'] : []),
    off === 0 ? `${count}, each as the machine takes it.` : `${off} of ${count} deviate.`,
  ];
}

/** Most numbers of lines that are listed. */
const mostListed = 20;

function listed(numbers: readonly number[]): string {
  const more = numbers.length - mostListed;
  return `${numbers.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
