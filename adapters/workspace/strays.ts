import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from './cause.ts';
import { processes, signalProcess } from './group.ts';

/**
 * Variable in the environment of every command, `<turn>/<call>`: children that left the process group (`setsid`)
 * are known by it. One that also empties its environment is not; only a process namespace holds that (D22).
 */
export const markName = 'PLANCHART_TURN';

const graceMs = 2000;
const stepMs = 5;
/** Looks after the KILL: something that starts new processes all the time may be faster than one look. */
const finalLooks = 100;

/**
 * Ends what still runs of one call, or of a whole turn (`<turn>/`): TERM, and KILL after 2 s. Answers how many
 * there were at first; none on systems without /proc.
 */
export async function endMarked(mark: string): Promise<number> {
  const first = marked(mark);
  for (const pid of first) signalProcess(pid, 'SIGTERM');
  for (let waited = 0; waited < graceMs && marked(mark).length > 0; waited += stepMs) await wait(stepMs);
  for (let looks = 0; looks < finalLooks; looks += 1) {
    const left = marked(mark);
    if (left.length === 0) break;
    for (const pid of left) signalProcess(pid, 'SIGKILL');
    await wait(stepMs);
  }
  return first.length;
}

function marked(mark: string): number[] {
  const wanted = `${markName}=${mark}`;
  return processes().filter((pid) => pid !== process.pid && hasMark(pid, wanted));
}

function hasMark(pid: number, wanted: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.some((line) => line === wanted || (wanted.endsWith('/') && line.startsWith(wanted)));
  } catch (error) {
    // It has ended, or is somebody else's.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}
