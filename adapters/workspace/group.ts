import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from './cause.ts';

/**
 * A process group of our own making, as the lease records it (D16). `started` is the leader's start time
 * in clock ticks since boot, which tells it from a later process with the same number; empty where the
 * system does not tell, and then nothing is ever killed by it.
 */
export interface Group {
  pid: number;
  started: string;
}

/** How long a group has after TERM, and how often it is looked at meanwhile. */
const graceMs = 2000;
const stepMs = 25;

/** Field 22 of /proc/<pid>/stat, or null when there is no such process. */
export const startTime = (pid: number): string | null => statOf(pid)?.started ?? null;

function statOf(pid: number): { state: string; group: string; started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name is in brackets and may hold spaces and brackets itself; field 3 comes after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', group: fields[2] ?? '', started: fields[19] ?? '' };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

/** Ends a recorded group, also one of another process of ours, if its leader is still the recorded one (D16). */
export async function killGroup(group: Group): Promise<'ended' | 'gone' | 'other'> {
  const started = startTime(group.pid);
  if (started === null || group.pid <= 1) return 'gone';
  if (started !== group.started) return 'other';
  await endGroup(group.pid);
  return 'ended';
}

/** TERM, and KILL after 2 s for what is left. Answers when the group is gone or the KILL is sent. */
export async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  for (let waited = 0; waited < graceMs && isGroupAlive(pid); waited += stepMs) await wait(stepMs);
  if (isGroupAlive(pid)) signalGroup(pid, 'SIGKILL');
}

/** A dead process that nobody has collected yet still counts for `kill`, but not here. */
export function isGroupAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  if (statOf(process.pid) === null) return true;
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [statOf(Number(name))] : []));
  return stats.some((stat) => stat !== null && stat.group === String(pid) && stat.state !== 'Z');
}

/** False when nobody is left in the group. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
    // Somebody is there who is not ours to signal, e.g. after a change of user.
    if (errnoOf(error) === 'EPERM') return true;
    throw error;
  }
}
