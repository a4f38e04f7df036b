import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBenchFolder, root } from './disk.ts';
import { measureDispatch } from './dispatch.ts';
import { makeFolder } from './floor.ts';
import { measureIdle } from './idle.ts';
import { measurePeers } from './peers.ts';
import { measureScreen } from './screen.ts';
import { measureStartup } from './startup.ts';
import { measureStatus } from './status.ts';
import { exitCodeOf, renderTable, type Row } from './table.ts';
import { measureTelegram } from './telegram.ts';
import { measureTurn } from './turn.ts';
import { measureVerdict } from './verdict.ts';

const usage = `npm run bench -- [options] [dispatch] [verdict] [status] [idle] [turn] [telegram] [startup] [screen]

Measures the named parts, or all of them. docs/performance.md says how to read the table.

  --check   exit 1 when a goal is missed
  --peers   starts the other agents on the PATH, too, and says which are not there
  --quick   few rounds: says whether the bench works, not how fast anything is
`;

const sessions = 10_000;

/** Rounds for a measurement, or few of them. */
type Pace = 'full' | 'quick';

const parts: Readonly<Record<string, (folder: string, pace: Pace) => Row[] | Promise<Row[]>>> = {
  verdict: (_folder, pace) => measureVerdict(pace === 'full' ? 25 : 3),
  dispatch: (folder, pace) => measureDispatch(folder, pace === 'full' ? 12 : 1),
  status: (folder, pace) => measureStatus(folder, pace === 'full' ? sessions : 200, pace === 'full' ? 3 : 1),
  idle: (folder, pace) => measureIdle(folder, pace === 'full' ? 3 : 1),
  turn: (folder, pace) => measureTurn(folder, pace === 'full' ? 40 : 2),
  telegram: (folder, pace) => measureTelegram(folder, pace === 'full' ? 200 : 5),
  startup: (folder, pace) => measureStartup(folder, pace === 'full' ? 15 : 2),
  screen: (_folder, pace) => measureScreen(pace === 'full' ? 200 : 6),
};

/** Parts that start the program. */
const built = ['status', 'startup', 'turn', 'telegram'];

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: 'boolean' },
      quick: { type: 'boolean' },
      peers: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return say(usage);
  const wanted = positionals.length === 0 ? Object.keys(parts) : positionals;
  const unknown = wanted.find((name) => !(name in parts));
  if (unknown !== undefined) {
    process.stderr.write(`There is no part ${JSON.stringify(unknown)}.\n\n${usage}`);
    return 2;
  }
  // The surfaces are measured as people start them: from the built file.
  if (values.peers === true || wanted.some((name) => built.includes(name)))
    execFileSync(process.execPath, ['adapters/build.ts'], { cwd: root, stdio: 'inherit' });
  const machine = heading();
  const pace = values.quick === true ? 'quick' : 'full';
  const rows = await measure(wanted, pace, values.peers === true ? 'peers' : 'alone');
  say(`${machine}\n\n${renderTable(rows)}`);
  return exitCodeOf(rows, values.check === true ? 'check' : 'report');
}

async function measure(wanted: readonly string[], pace: Pace, beside: 'peers' | 'alone'): Promise<Row[]> {
  const folder = createBenchFolder();
  try {
    const rows: Row[] = [];
    for (const name of wanted) {
      process.stderr.write(`measuring ${name} …\n`);
      rows.push(...((await parts[name]?.(makeFolder(join(folder.path, name)), pace)) ?? []));
    }
    if (beside === 'peers') rows.push(...(await peerRows(folder.path, pace)));
    return rows;
  } finally {
    folder.end();
  }
}

const peerRows = (folder: string, pace: Pace): Promise<Row[]> =>
  measurePeers(makeFolder(join(folder, 'peers')), pace === 'full' ? 5 : 1, process.env['PATH'] ?? '');

/** Taken before the bench loads the machine itself: then every number is larger, and ratios are less certain. */
function heading(): string {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  const busy = load > cores / 2 ? '; the machine is busy, run it again before you believe a verdict' : '';
  return `Node ${process.versions.node}, ${cores} cores, load ${load.toFixed(1)} at the start${busy}`;
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
