import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writableFolder } from './folders.ts';
import { type Job, usage } from './job.ts';
import { liveCommand } from './live-command.ts';
import { openPage } from './open-page.ts';
import { exitCodes } from './run.ts';
import { quoted } from './settings.ts';

/** `planchart charts`: the charts that the build has drawn, to a folder, or compared with one (decision 0073). */
export async function chartsCommand(
  { settings, invoked, output }: Job,
  built = fileURLToPath(new URL('./charts/', import.meta.url)),
): Promise<number> {
  const { out, act } = settings.charts;
  if (act === 'live') return liveCommand({ settings, invoked, output }, join(built, 'index.html'));
  const folder = resolve(settings.cwd, out);
  const charts = filesOf(built);
  if (act === 'check') {
    const faults = chartFaults(charts, folder);
    for (const { kind, name } of faults) output.line(`${kind}: ${join(out, name)}`);
    if (faults.length > 0) return failed(output, `${out} is not up to date: ${again(out)}`);
    output.print(`${out} is up to date, ${charts.size} files.\n`);
    return exitCodes.done;
  }
  const place = writableFolder(folder);
  if ('cause' in place) return usage(output, `--out ${quoted(out)} can't be used: ${place.cause}.`);
  if (!isOurs(place.path, charts))
    return usage(output, `--out ${quoted(out)} can't be used: it holds other files. Give an empty folder.`);
  for (const [name, contents] of charts) writeFileSync(join(place.path, name), contents);
  output.print(`${charts.size} files are in ${place.path}.\n`);
  if (act === 'write') return exitCodes.done;
  const page = join(place.path, 'index.html');
  const fault = await openPage(page, invoked.env);
  return fault === null ? exitCodes.done : failed(output, `${fault} Open this in a browser: ${page}`);
}

/** Empty, or with charts in it: a README of somebody else is never written over. */
function isOurs(folder: string, charts: Files): boolean {
  if (readdirSync(folder).length === 0) return true;
  const start = (text: Buffer | undefined): string => text?.toString('utf8').split('\n', 3).join('\n') ?? '';
  const had = filesOf(folder).get('README.md');
  return had !== undefined && start(had) === start(charts.get('README.md'));
}

/** How to put it right, in words. */
const again = (out: string): string =>
  `planchart charts --out ${out} writes it anew, and what is extra has to be removed by hand. In a clone: npm run charts.`;

function failed(output: Job['output'], line: string): number {
  output.line(line);
  return exitCodes.failed;
}

type Files = ReadonlyMap<string, Buffer>;

const filesOf = (folder: string): Files =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name))]),
  );

interface ChartFault {
  kind: 'stale' | 'missing' | 'extra';
  name: string;
}

/** What a folder holds that the charts do not say, or the other way round; by name. */
export function chartFaults(charts: Files, folder: string): ChartFault[] {
  const had = existsSync(folder) ? filesOf(folder) : new Map<string, Buffer>();
  const faults = [...charts].flatMap(([name, contents]): ChartFault[] => {
    const there = had.get(name);
    if (there === undefined) return [{ kind: 'missing', name }];
    return there.equals(contents) ? [] : [{ kind: 'stale', name }];
  });
  const extra = [...had.keys()].filter((name) => !charts.has(name));
  return [...faults, ...extra.map((name): ChartFault => ({ kind: 'extra', name }))];
}
