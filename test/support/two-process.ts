import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { createFileStore } from '../../adapters/store/index.ts';
import { createPlaces } from '../../adapters/store/places.ts';
import { SessionRecord } from '../../machines/index.ts';
import { bundle } from './crash-process.ts';
import type { Whose } from './two-process-disk.ts';
import { endFaults, readDisk } from './two-process-ends.ts';
import { historyOf } from './two-process-history.ts';
import { readLog } from './two-process-log.ts';
import { twoLists } from './two-process-moves.ts';
import { replay, type Replayed } from './two-process-replay.ts';
import { type Kill, runList, startRun } from './two-process-run.ts';

export interface TwoOptions {
  seed: number;
  /** Moves of each list. */
  events: number;
  /** `none`: each process locks a file of its own, which is a store without a lock. */
  lock: 'shared' | 'none';
  /** How many times one of the two is killed and started again, at most. */
  kills: number;
  /** Folder that gets the log of a run in which something was wrong; absent: none is kept. */
  keep?: string;
}

export interface TwoReport extends Replayed {
  seed: number;
  kills: number;
  /** Path of the log that was kept, or null. */
  log: string | null;
}

/** File changes of a move on the average, each before and after: only to spread kills over a list. */
const changesOfMove = 10;
const session = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';

export interface TwoProgram {
  run(options: TwoOptions): Promise<TwoReport>;
  end(): void;
}

/** The child program as one file, and homes for it to run in. */
export async function bundleTwo(): Promise<TwoProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'planchart-two-'));
  const program = join(folder, 'child.mjs');
  await bundle(new URL('two-process-child.ts', import.meta.url), program);
  return {
    run: (options) => runTwo(program, options),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Two real processes work their lists at once on one session; the log of both is replayed and judged. */
async function runTwo(program: string, options: TwoOptions): Promise<TwoReport> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-two-home-')));
  try {
    return await new Bench(program, root, options).run();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

class Bench {
  private readonly program: string;
  private readonly root: string;
  private readonly options: TwoOptions;
  private readonly home: string;
  private readonly log: string;

  constructor(program: string, root: string, options: TwoOptions) {
    this.program = program;
    this.root = root;
    this.options = options;
    this.home = join(root, 'home');
    this.log = join(root, 'log.jsonl');
    mkdirSync(this.home);
    writeFileSync(this.log, '');
  }

  async run(): Promise<TwoReport> {
    const { home, log, options } = this;
    const store = createFileStore({ home });
    const at = new Date().toISOString();
    await store.create(SessionRecord.parse({ v: 1, id: session, cwd: this.root, created: at, used: at }));
    const places = createPlaces({ home });
    const whose: Whose = { session, paths: (project) => places.paths(session, project) };
    const start = readDisk(whose);
    const lists = twoLists(options.seed, options.events);
    const kills = killsOf(options);
    const runs = (['A', 'B'] as const).map((list, index) => {
      const moves = join(this.root, `${list}.json`);
      writeFileSync(moves, JSON.stringify(lists[index]));
      const locks = options.lock === 'shared' ? home : join(this.root, list);
      return startRun({
        program: this.program,
        list,
        kills: kills[index] ?? [],
        home,
        root: locks,
        session,
        log,
        moves,
      });
    });
    const ended = await runList(runs);
    const { lines, torn } = readLog(log);
    const history = historyOf(lines);
    const replayed = replay(history, start, whose);
    if (replayed.faults.length === 0)
      replayed.faults.push(...(await endFaults(home, whose, history, replayed.ends)));
    replayed.faults.push(...history.failures.map((text) => ({ kind: 'threw', text }) as const));
    if (torn > ended.kills)
      replayed.faults.push({ kind: 'threw', text: `${torn} lines of the log are torn` });
    return { ...replayed, seed: options.seed, kills: ended.kills, log: this.kept(replayed) };
  }

  /** Two processes never race the same way twice: what went wrong is only in the log. */
  private kept({ faults }: Replayed): string | null {
    const { keep, seed } = this.options;
    if (keep === undefined || faults.length === 0) return null;
    const path = join(keep, `planchart-soak-${seed}-${process.pid}.jsonl`);
    copyFileSync(this.log, path);
    return path;
  }
}

/** Where each process dies, one after another: a number of file changes after its start. */
function killsOf({ seed, events, kills }: TwoOptions): [Kill[], Kill[]] {
  const span = Math.ceil((2 * changesOfMove * events) / (kills / 2 + 1));
  const kill = fc.record({
    change: fc.integer({ min: 1, max: span }),
    how: fc.constantFrom('at once' as const, 'from outside' as const),
  });
  const some = fc.array(fc.tuple(fc.nat(1), kill), { minLength: kills, maxLength: kills });
  const all = fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
  const of = (list: number): Kill[] => all.flatMap(([whose, one]) => (whose === list ? [one] : []));
  return [of(0), of(1)];
}
