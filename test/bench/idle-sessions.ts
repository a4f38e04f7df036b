import { createHook } from 'node:async_hooks';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRehearsalModel } from '../../adapters/rehearsal/index.ts';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import { harnessWorld } from '../support/harness-world.ts';
import type { Idle } from './idle.ts';

// Opens the sessions of a home and prints what each of them costs while nothing happens.
const [home = '', count = '0'] = process.argv.slice(2);
const sessions = Number(count);
/** How long processor time is watched, in ms; a session looks at its files four times a second. */
const watchedMs = 3000;

const world = harnessWorld({ home, model: createRehearsalModel() });
const ids = readdirSync(join(home, 'planchart/sessions'));
const open = (some: readonly string[]) => Promise.all(some.map((id) => RuntimeSession.open(id, world)));

/** Resources that live on: an interval and a folder watch stay until the session is closed. */
function countResources(): { timers: number; watches: number; stop(): void } {
  const living = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => void (/^(Timeout|FSEVENTWRAP)$/u.test(type) && living.set(id, type)),
    destroy: (id) => void living.delete(id),
  }).enable();
  const of = (type: string) => [...living.values()].filter((one) => one === type).length;
  return {
    get timers() {
      return of('Timeout');
    },
    get watches() {
      return of('FSEVENTWRAP');
    },
    stop: () => void hook.disable(),
  };
}

/**
 * The least that is held over some collections: finalizers free memory only in a later one, and a session that
 * is just looking at its files holds their text for a moment.
 */
async function held(): Promise<{ heapUsed: number; external: number }> {
  const seen: NodeJS.MemoryUsage[] = [];
  for (let round = 0; round < 40; round += 1) {
    globalThis.gc?.();
    seen.push(process.memoryUsage());
    await pause(23);
  }
  const least = (pick: (usage: NodeJS.MemoryUsage) => number) => Math.min(...seen.map(pick));
  return { heapUsed: least((usage) => usage.heapUsed), external: least((usage) => usage.external) };
}

if (globalThis.gc === undefined) throw new Error('Run with --expose-gc.');
// What the first sessions load and compile is the program's, not theirs.
const first = await open(ids.slice(sessions));
const before = await held();
const opened = await open(ids.slice(0, sessions));
const from = process.cpuUsage();
const since = performance.now();
await pause(watchedMs);
const { user, system } = process.cpuUsage(from);
const seconds = (performance.now() - since) / 1000;
const after = await held();
await Promise.all([...first, ...opened].map((session) => session.close()));

const counter = countResources();
const again = await open(ids.slice(0, sessions));
await held();
const idle: Idle = {
  heapBytes: (after.heapUsed - before.heapUsed) / sessions,
  externalBytes: (after.external - before.external) / sessions,
  timers: counter.timers / sessions,
  watches: counter.watches / sessions,
  cpuMsPerSecond: (user + system) / 1000 / seconds / (sessions + first.length),
};
counter.stop();
await Promise.all(again.map((session) => session.close()));
console.log(JSON.stringify(idle));
