import type { CrashReport } from '../support/crash.ts';
import type { TwoReport } from '../support/two-process.ts';

/** What one part of a soak came to. */
export interface Summary {
  part: string;
  /** Counts in the order in which they are printed; `third states`, `lost` and `other faults` have to be 0. */
  counts: readonly (readonly [name: string, count: number])[];
  note: string;
  faults: readonly string[];
}

const number = (count: number): string => count.toLocaleString('en');
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

export function summaryLine({ part, counts, note, faults }: Summary): string {
  const shown = counts.map(([name, count]) => `${name} ${number(count)}`).join(', ');
  return `${part}: ${faults.length === 0 ? 'good' : 'BROKEN'}: ${shown}; ${note}`;
}

/** 1 on any fault. */
export const exitCodeOf = (summaries: readonly Summary[]): number =>
  summaries.every(({ faults }) => faults.length === 0) ? 0 : 1;

export function crashSummary({ points, killed, found, faults }: CrashReport, ms: number): Summary {
  const third = faults.filter((fault) => /a restart finds|never does/u.test(fault)).length;
  const lost = faults.filter((fault) => fault.includes('lost: ')).length;
  const all =
    killed === points ? 'all of them' : `${number(points - killed)} were left out, the time was over`;
  return {
    part: 'crash',
    counts: [
      ['kills', killed],
      ['file changes', points],
      ['states', found.length],
      ['third states', third],
      ['lost', lost],
      ['other faults', faults.length - third - lost],
    ],
    note: `${all}, ${seconds(ms)}`,
    faults,
  };
}

export function twoSummary(part: 'two' | 'kill', reports: readonly TwoReport[], ms: number): Summary {
  const all = reports.flatMap((report) => report.faults);
  const of = (...kinds: string[]): number => all.filter(({ kind }) => kinds.includes(kind)).length;
  const sum = (name: 'events' | 'commits' | 'switches' | 'acknowledged' | 'kills' | 'torn'): number =>
    reports.reduce((total, report) => total + report[name], 0);
  const seeds = reports.map(({ seed }) => seed);
  return {
    part,
    counts: [
      ['seeds', seeds.length],
      ['events', sum('events')],
      ['commits', sum('commits')],
      ['switches', sum('switches')],
      ['acknowledged', sum('acknowledged')],
      ['kills', sum('kills')],
      ['in a commit', sum('torn')],
      ['third states', of('third')],
      ['lost', of('lost')],
      ['other faults', of('owner', 'differs', 'threw')],
    ],
    note: `seeds ${seeds[0] ?? ''} to ${seeds.at(-1) ?? ''}, ${seconds(ms)}`,
    faults: reports.flatMap(faultLines),
  };
}

/** One line per fault, each with seed, kind and log. */
export function faultLines({ seed, faults, log }: TwoReport): string[] {
  const where = log === null ? '' : ` (log: ${log})`;
  return faults.map(({ kind, text }) => `seed ${seed}: ${kind}: ${text}${where}`);
}

export function runLine(part: 'two' | 'kill', report: TwoReport): string {
  const { seed, events, commits, switches, kills, torn, phases, answers, faults } = report;
  const killed = part === 'kill' ? `, ${kills} kills, ${torn} of them in a commit` : '';
  const reach = `${phases.size} phases, ${answers.size} answers`;
  return `seed ${seed}: ${number(events)} events, ${number(commits)} commits, ${number(switches)} switches${killed}, ${reach}, ${faults.length} faults`;
}
