import type { PathsOptions } from './options.ts';
import { type Case, type Count, failedIn, type Suite } from './suite.ts';

/** Kinds as columns; a machine without one has a dash there. */
const columns = [
  'states',
  'transitions',
  'guards true',
  'guards false',
  'refusal codes',
  'pairs',
  'what it can do',
] as const;

export const heads: readonly string[] = ['machine', 'on', ...columns, 'paths', 'failed', 'steps', 'time'];

/** One row for each suite, as text; the heads are `heads`. */
export function rowOf(suite: Suite): string[] {
  const { machine, surface, counts, cases, steps, ms } = suite;
  const count = (kind: string): string => {
    const found = counts.find((one) => one.kind === kind);
    return found === undefined ? '–' : `${found.covered}/${found.of}`;
  };
  const failed = failedIn(suite).length;
  const time = `${(ms / 1000).toFixed(1)} s`;
  return [machine, surface, ...columns.map(count), `${cases.length}`, `${failed}`, `${steps}`, time];
}

export function tableText(suites: readonly Suite[]): string {
  const rows = [heads, ...suites.map(rowOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What is not covered, a line each: by reason where a surface cannot do it. */
export function gapLines({ machine, surface, counts, owes, cannot }: Suite): string[] {
  const reasons = cannot.map(
    ({ reason, moves, transitions }) =>
      `${surface}: ${reason} (${moves.length} moves, ${transitions.length} transitions)`,
  );
  const gaps = counts
    .filter((one) => isOwed(one, owes))
    .flatMap(({ kind, missing }) => missing.map((name) => `${machine} on ${surface}, ${kind}: ${name}`));
  return [...reasons, ...gaps];
}

const isOwed = ({ kind }: Count, owes: Suite['owes']): boolean =>
  owes === 'everything' || kind === 'what it can do';

/** No path has failed, and nothing that is owed is left out. */
export const isGreen = (suite: Suite): boolean =>
  failedIn(suite).length === 0 &&
  suite.counts.every((one) => !isOwed(one, suite.owes) || one.covered === one.of);

/** The steps up to the one that failed, what differs, and how to walk it again. */
export function failureText(suite: Suite, one: Case, options: PathsOptions): string {
  const { failure } = one;
  if (failure === null) return `path ${one.id} of ${suite.machine} on ${suite.surface}: as the machine says`;
  return [
    `FAILED: path ${one.id} of ${suite.machine} on ${suite.surface}, at step ${failure.step + 1}`,
    ...one.lines.map((line) => `  ${line}`),
    ...failure.differences.map((line) => `     ${line.replaceAll('\n', '\n     ')}`),
    `  Walk it again: ${againCommand(suite, one, options)}`,
  ].join('\n');
}

export function againCommand(suite: Suite, { id }: Case, options: PathsOptions): string {
  const { seed, only, longest } = options;
  const onSurface = suite.machine === 'session' && suite.surface !== 'two-switch';
  return [
    `npm run paths -- --machine ${suite.machine}`,
    ...(onSurface ? [`--surface ${suite.surface}`] : []),
    ...(suite.surface === 'two-switch' ? ['--two-switch'] : []),
    ...(seed === 0 ? [] : [`--seed ${seed}`]),
    ...(only === null ? [] : [`--only ${only}`]),
    ...(longest === null ? [] : [`--longest ${longest}`]),
    `--id ${id}`,
  ].join(' ');
}
