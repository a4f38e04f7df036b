import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Phase } from '../../machines/index.ts';
import { makeFolder } from './floor.ts';
import { fillHome } from './home.ts';
import { median } from './measure.ts';
import { runNode } from './processes.ts';
import type { Row } from './table.ts';

const child = fileURLToPath(new URL('idle-sessions.ts', import.meta.url));
const sessions = 200;
const tasks = 30;

/** What `idle-sessions.ts` prints: all per session. */
export const Idle = z.object({
  /** After a garbage collection. */
  heapBytes: z.number(),
  /** Outside the heap: buffers and what Node keeps for its handles. */
  externalBytes: z.number(),
  timers: z.number(),
  watches: z.number(),
  /** Processor time while nothing happens, in ms per second. */
  cpuMsPerSecond: z.number(),
});
export type Idle = z.infer<typeof Idle>;

/** Memory and other costs of an open session that does nothing, each kind in processes of its own. */
export async function measureIdle(folder: string, rounds: number): Promise<Row[]> {
  const plain = await measureKind(folder, 'noPlan', rounds);
  const planned = await measureKind(folder, 'checklist', rounds);
  const over = (pick: (idle: Idle) => number, runs: readonly Idle[]) => median(runs.map(pick));
  const memory = (idle: Idle) => (idle.heapBytes + idle.externalBytes) / 1000;
  const row = (name: string, unit: Row['unit'], ours: number, goal: Row['goal'], note: string): Row => {
    return { name, unit, ours, floor: null, goal, note };
  };
  const goal: Row['goal'] = { of: 'value', most: 50 };
  const how = `per session of ${sessions}, heap after collection and memory outside it, median of ${rounds} processes`;
  const counted = `per session of ${sessions}, as Node's own hooks see them`;
  return [
    row('idle session without plan', 'kB', over(memory, plain), goal, how),
    row('idle session, checklist', 'kB', over(memory, planned), goal, `${how}; ${tasks} tasks`),
    row(
      'idle session, timers',
      'timers',
      over((idle) => idle.timers, planned),
      null,
      counted,
    ),
    row(
      'idle session, watches',
      'watches',
      over((idle) => idle.watches, planned),
      null,
      counted,
    ),
    row(
      'idle session, processor',
      'ms/s',
      over((idle) => idle.cpuMsPerSecond, planned),
      null,
      `per session of ${sessions}; nothing happens meanwhile`,
    ),
  ];
}

async function measureKind(folder: string, phase: Phase, rounds: number): Promise<Idle[]> {
  const home = makeFolder(join(folder, `idle-${phase}`));
  fillHome(home, { sessions: sessions + 20, phases: [phase], tasks });
  const runs: Idle[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { output } = await runNode(['--expose-gc', child, home, String(sessions)]);
    runs.push(Idle.parse(JSON.parse(output)));
  }
  return runs;
}
