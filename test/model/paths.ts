import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { explore, type Place } from '../support/explore.ts';
import { movesAt } from '../support/explore-moves.ts';
import { placesIn } from './graph.ts';
import { htmlText } from './html.ts';
import { junitText } from './junit.ts';
import { machineSuite } from './machines.ts';
import { type PathsOptions, readOptions, usage } from './options.ts';
import { againCommand, failureText, gapLines, isGreen, tableText } from './report.ts';
import { sessionSuite, twoSwitchSuite } from './session-suite.ts';
import { failedIn, type Suite } from './suite.ts';
import { atOnceOn, longestOn, surfaceNamed } from './surfaces.ts';

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') return say(usage);
  if ('cause' in options) return refuse(options.cause);
  const isSession = options.machines.includes('session');
  const places = isSession || options.only !== null ? explore(movesAt) : [];
  if (options.only !== null && placesIn(places, options.only).size === 0)
    return refuse(`The session machine has no state ${JSON.stringify(options.only)}.`);
  const unwritable = [options.junit, options.html].flatMap((path) => writeFault(path, ''));
  if (unwritable[0] !== undefined) return refuse(unwritable[0]);
  const suites = (await run(options, places)).map((suite) => withId(suite, options.id));
  if (options.id !== null && suites.every(({ cases }) => cases.length === 0))
    return refuse(`No path has the id ${JSON.stringify(options.id)} with these options.`);
  report(suites, options);
  return suites.every(isGreen) ? 0 : 1;
}

async function run(options: PathsOptions, places: readonly Place[]): Promise<Suite[]> {
  const { machines, surfaces, pairs, seed, only, id } = options;
  const suites: Suite[] = [];
  for (const machine of machines) {
    if (machine !== 'session') {
      suites.push(machineSuite(machine));
      continue;
    }
    for (const name of surfaces) {
      const longest = options.longest ?? longestOn[name];
      const surface = await surfaceNamed(name);
      const suite = await sessionSuite(surface, places, {
        seed,
        longest,
        ...(only === null ? {} : { only }),
        ...(id === null ? {} : { id }),
        atOnce: atOnceOn[name],
        done: (path, failure) => progress(`${name} ${path} ${failure === null ? 'as it should' : 'FAILED'}`),
      });
      suites.push(suite);
    }
    if (pairs === 'two-switch') suites.push(twoSwitchSuite(places, seed));
  }
  return suites;
}

const withId = (suite: Suite, id: string | null): Suite =>
  id === null ? suite : { ...suite, cases: suite.cases.filter((one) => one.id === id) };

function report(suites: readonly Suite[], options: PathsOptions): void {
  const again = (...[suite, one]: [Suite, Suite['cases'][number]]) => againCommand(suite, one, options);
  if (options.id !== null) {
    const passed = suites.flatMap(({ cases }) => cases.filter(({ failure }) => failure === null));
    for (const { id, lines } of passed) say(`path ${id}, as the machine says:\n${lines.join('\n')}\n`);
  }
  say(tableText(suites));
  const gaps = suites.flatMap(gapLines);
  if (gaps.length > 0) say(`\nNot covered:\n${gaps.join('\n')}`);
  for (const suite of suites) for (const one of failedIn(suite)) say(`\n${failureText(suite, one, options)}`);
  const about = `npm run paths -- ${process.argv.slice(2).join(' ')}`;
  const written = [
    ...writeFault(options.junit, junitText(suites, again)),
    ...writeFault(options.html, htmlText(suites, about, again)),
  ];
  for (const line of written) progress(line);
}

/** One line when the file cannot be written: looked at before hours are spent, too. */
function writeFault(path: string | null, text: string): string[] {
  if (path === null) return [];
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return [];
  } catch (error) {
    return [`Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function say(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

function refuse(cause: string): 2 {
  process.stderr.write(`${cause}\n`);
  return 2;
}

const progress = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

process.exitCode = await main(process.argv.slice(2));
