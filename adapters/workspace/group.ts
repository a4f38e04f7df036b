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

interface Stat {
  pid: number;
  name: string;
  state: string;
  group: string;
  started: string;
}

function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name is in brackets and may hold spaces and brackets itself; field 3 comes after it.
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    return { pid, name, state: fields[0] ?? '', group: fields[2] ?? '', started: fields[19] ?? '' };
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
  askGroup(pid);
  for (let waited = 0; waited < graceMs && isGroupAlive(pid); waited += stepMs) await wait(stepMs);
  if (isGroupAlive(pid)) signalGroup(pid, 'SIGKILL');
}

/**
 * A sandbox takes everything in it along at once when it ends, so the command in it is asked first, alone: it may
 * have to clean up.
 */
function askGroup(pid: number): void {
  const members = membersOf(pid);
  const inside = members.filter(({ name }) => name !== 'bwrap');
  if (inside.length === members.length || inside.length === 0) signalGroup(pid, 'SIGTERM');
  else for (const member of inside) signalProcess(member.pid, 'SIGTERM');
}

/** A dead process that nobody has collected yet still counts for `kill`, but not here. */
export function isGroupAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  return statOf(process.pid) === null || membersOf(pid).length > 0;
}

const membersOf = (group: number): Stat[] =>
  processes().flatMap((pid) => {
    const stat = statOf(pid);
    return stat !== null && stat.group === String(group) && stat.state !== 'Z' ? [stat] : [];
  });

/** Numbers of all processes that this one sees; none where the system has no /proc. */
export function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** False when there is nobody to signal. */
export const signalProcess = (pid: number, signal: NodeJS.Signals | 0): boolean => send(pid, signal);

/** False when nobody is left in the group. */
const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => send(-pid, signal);

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
    // Somebody is there who is not ours to signal, e.g. after a change of user.
    if (errnoOf(error) === 'EPERM') return true;
    throw error;
  }
}
