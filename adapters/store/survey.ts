import { basename, dirname } from 'node:path';
import type { Surveyed } from '../ports.ts';
import { archiveNames } from './archive.ts';
import { listOrNone } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import { strangers } from './list-sessions.ts';
import { isSessionId, sessionOfArchive } from './places.ts';
import type { ReadParts } from './read-session.ts';
import { viewSession } from './read-session.ts';
import { causeOf, errnoOf } from './store-error.ts';

/**
 * Every session as a view shows it, and why where that can't be said. What many have in common is looked at once,
 * so what comes last may be as old as the survey took. Changes nothing.
 */
export async function* survey(parts: ReadParts): AsyncGenerator<Surveyed> {
  const once = { ...parts, ops: knowingAbsent(parts.ops), archives: archivesByFolder(parts.ops) };
  const own = (await listOrNone(parts.ops, parts.places.sessions)).filter(isSessionId);
  for (const id of own) yield look(once, id);
  for (const id of await strangers(once, new Set(own))) yield look(once, id);
}

async function look(parts: ReadParts, id: string): Promise<Surveyed> {
  try {
    const stored = await viewSession(parts, id);
    return { id, stored, paths: parts.places.paths(id, stored.record.project) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : causeOf(error) };
  }
}

/** Most plan files that a session may have it does not have: one list of their folder says so for all sessions. */
function knowingAbsent(ops: FileOps): FileOps {
  const names = once(async (folder: string) => namesIn(ops, folder));
  return {
    ...ops,
    read: async (path, limit) => {
      const name = basename(path);
      const known = isPlanFile(name) ? await names(dirname(path)) : null;
      return known === null || known.has(name) ? ops.read(path, limit) : null;
    },
  };
}

/** A marker that hides a legacy plan is not among them: it has to be read after the sidecar is gone (D13). */
const isPlanFile = (name: string): boolean => /^\.opencrabs_plan_.*\.(?:json|md)$/.test(name);

/** null: the folder can't be listed, so nothing can be said of what it holds (B82). */
async function namesIn(ops: FileOps, folder: string): Promise<ReadonlySet<string> | null> {
  try {
    return new Set(await ops.list(folder));
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return errnoOf(error) === 'ENOENT' ? new Set() : null;
  }
}

/** An archive holds the files of many sessions: listed for each, it would be read as often as there are sessions. */
function archivesByFolder(ops: FileOps): ReadParts['archives'] {
  const groups = once(async (folder) => Map.groupBy(await listOrNone(ops, folder), sessionOfArchive));
  return async (folder, session) => archiveNames(session, (await groups(folder)).get(session) ?? []);
}

/** Asks once for each folder. */
function once<T>(ask: (folder: string) => Promise<T>): (folder: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (folder) => {
    const answer = answers.get(folder) ?? ask(folder);
    answers.set(folder, answer);
    return answer;
  };
}
