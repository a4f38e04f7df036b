import { tmpdir } from 'node:os';
import { crashEverywhere } from '../support/crash.ts';
import { bundleChild, type ChildProgram } from '../support/crash-process.ts';
import { bundleTwo, type TwoProgram, type TwoReport } from '../support/two-process.ts';
import { type PartName, readOptions, type SoakOptions, usage } from './options.ts';
import {
  crashSummary,
  exitCodeOf,
  faultLines,
  runLine,
  type Summary,
  summaryLine,
  twoSummary,
} from './summary.ts';

/** Built before anything runs: an edit of the sources meanwhile must not set what runs and what judges apart. */
interface Programs {
  child: ChildProgram;
  two: TwoProgram;
}

/** Share of the time that is left when a part begins; the first one is the longest. `until`: epoch ms. */
type Soak = (programs: Programs, options: SoakOptions, until: number) => Promise<Summary>;
const parts: Record<PartName, { share: number; run: Soak }> = {
  crash: { share: 0.6, run: soakCrash },
  two: { share: 0.5, run: (programs, options, until) => soakTwo('two', programs, options, until) },
  kill: { share: 0.5, run: (programs, options, until) => soakTwo('kill', programs, options, until) },
};

/** Kills of both processes together: about one in so many moves of a list. */
const movesPerKill = 12;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') return say(usage);
  if ('cause' in options) {
    process.stderr.write(`${options.cause}\n\n${usage}`);
    return 2;
  }
  const programs: Programs = { child: await bundleChild(), two: await bundleTwo() };
  try {
    return exitCodeOf(await soak(programs, options));
  } finally {
    await programs.child.end();
    programs.two.end();
  }
}

async function soak(programs: Programs, options: SoakOptions): Promise<Summary[]> {
  const { events, minutes, seed } = options;
  const end = Date.now() + minutes * 60_000;
  say(`seed ${seed}, ${events} moves a list, ${minutes} minutes`);
  const summaries: Summary[] = [];
  for (const name of options.parts) {
    const share = name === options.parts.at(-1) ? 1 : parts[name].share;
    const now = Date.now();
    const summary = await parts[name].run(programs, options, now + Math.max(0, end - now) * share);
    say(summaryLine(summary));
    summaries.push(summary);
  }
  return summaries;
}

async function soakCrash({ child }: Programs, _: SoakOptions, until: number): Promise<Summary> {
  const from = Date.now();
  const report = await crashEverywhere(child, 'all', () => Date.now() > until);
  for (const fault of report.faults) say(`  ${fault}`);
  return crashSummary(report, Date.now() - from);
}

async function soakTwo(
  part: 'two' | 'kill',
  { two }: Programs,
  options: SoakOptions,
  until: number,
): Promise<Summary> {
  const from = Date.now();
  const { seed, events, lock } = options;
  const kills = part === 'kill' ? Math.ceil(events / movesPerKill) : 0;
  const reports: TwoReport[] = [];
  for (let longest = 0; reports.length === 0 || Date.now() + longest < until;) {
    const began = Date.now();
    const report = await two.run({ seed: seed + reports.length, events, lock, kills, keep: tmpdir() });
    reports.push(report);
    say(`  ${runLine(part, report)}`);
    for (const fault of faultLines(report)) say(`  ${fault}`);
    longest = Math.max(longest, Date.now() - began);
  }
  return twoSummary(part, reports, Date.now() - from);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
