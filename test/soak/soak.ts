import { tmpdir } from 'node:os';
import { crashEverywhere } from '../support/crash.ts';
import { bundleChild } from '../support/crash-process.ts';
import { bundleTwo, type TwoReport } from '../support/two-process.ts';
import { type PartName, readOptions, type SoakOptions, usage } from './options.ts';
import { crashSummary, exitCodeOf, runLine, type Summary, summaryLine, twoSummary } from './summary.ts';

/** Share of the time that is left when a part begins; the first one is the longest. `until`: epoch ms. */
const parts: Record<
  PartName,
  { share: number; run: (options: SoakOptions, until: number) => Promise<Summary> }
> = {
  crash: { share: 0.6, run: soakCrash },
  two: { share: 0.5, run: (options, until) => soakTwo('two', options, until) },
  kill: { share: 0.5, run: (options, until) => soakTwo('kill', options, until) },
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
  const { events, minutes, seed } = options;
  const end = Date.now() + minutes * 60_000;
  say(`seed ${seed}, ${events} moves a list, ${minutes} minutes`);
  const summaries: Summary[] = [];
  for (const name of options.parts) {
    const share = name === options.parts.at(-1) ? 1 : parts[name].share;
    const now = Date.now();
    const summary = await parts[name].run(options, now + Math.max(0, end - now) * share);
    for (const fault of summary.faults) say(`  ${fault}`);
    say(summaryLine(summary));
    summaries.push(summary);
  }
  return exitCodeOf(summaries);
}

async function soakCrash(_: SoakOptions, until: number): Promise<Summary> {
  const from = Date.now();
  const program = await bundleChild();
  try {
    const report = await crashEverywhere(program, 'all', () => Date.now() > until);
    return crashSummary(report, Date.now() - from);
  } finally {
    await program.end();
  }
}

async function soakTwo(part: 'two' | 'kill', options: SoakOptions, until: number): Promise<Summary> {
  const from = Date.now();
  const { seed, events, lock } = options;
  const kills = part === 'kill' ? Math.ceil(events / movesPerKill) : 0;
  const program = await bundleTwo();
  const reports: TwoReport[] = [];
  try {
    for (let longest = 0; reports.length === 0 || Date.now() + longest < until;) {
      const began = Date.now();
      const report = await program.run({ seed: seed + reports.length, events, lock, kills, keep: tmpdir() });
      reports.push(report);
      say(`  ${runLine(part, report)}`);
      longest = Math.max(longest, Date.now() - began);
    }
    return twoSummary(part, reports, Date.now() - from);
  } finally {
    program.end();
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
