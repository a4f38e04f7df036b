import type { SessionRecord } from '../../machines/index.ts';
import type { SessionSummary } from '../ports.ts';
import { listOrNone } from './atomic-write.ts';
import { projectsOf } from './find-plan.ts';
import { legacyPlan } from './legacy.ts';
import { isSessionId, sessionOfSidecar } from './places.ts';
import type { ReadParts } from './read-session.ts';
import { readRecord } from './record-file.ts';
import { StoreError } from './store-error.ts';

/** Records read at once: enough to keep the disk busy, far below the limit of open files. */
const batch = 32;

/**
 * Every session with a record, the last used first; then those whose record can't be used, and those that have
 * plan files only. A folder that can't be listed counts as empty. The number of calls grows with the sessions
 * and with the projects, never with their product.
 */
export async function listSessions(parts: ReadParts): Promise<SessionSummary[]> {
  const own = (await listOrNone(parts.ops, parts.places.sessions)).filter(isSessionId);
  const found: SessionSummary[] = [];
  for (let from = 0; from < own.length; from += batch) {
    const some = own.slice(from, from + batch).map(async (id) => ({ id, record: await usable(parts, id) }));
    found.push(...(await Promise.all(some)));
  }
  for (const id of await strangers(parts, new Set(own))) found.push({ id, record: null });
  const used = ({ record }: SessionSummary) => record?.used ?? '';
  return found.sort((a, b) => used(b).localeCompare(used(a)) || a.id.localeCompare(b.id));
}

async function usable({ ops, places, bindings }: ReadParts, id: string): Promise<SessionRecord | null> {
  const lost = { cwd: '', at: '', project: null };
  try {
    const found = await readRecord(ops, places.record(id), id, () => Promise.resolve(lost));
    if (found.kind === 'damaged') return null;
    bindings.learn(id, found.record.project);
    return found.record;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Sessions that have a plan and no folder of ours: OpenCrabs made them. */
export async function strangers(parts: ReadParts, known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { ops, places } = parts;
  const found = new Set<string>();
  for (const project of [null, ...(await projectsOf(parts))]) {
    for (const id of await sessionsIn(parts, places.planDir(project))) if (!known.has(id)) found.add(id);
  }
  for (const id of await sessionsIn(parts, places.legacyDir)) {
    if (known.has(id) || found.has(id)) continue;
    const plan = await legacyPlan(ops, places.paths(id, null), places.legacy(id));
    if (plan !== null) found.add(id);
  }
  return found;
}

async function sessionsIn({ ops }: ReadParts, folder: string): Promise<string[]> {
  const ids = (await listOrNone(ops, folder)).map(sessionOfSidecar);
  return ids.filter((id) => id !== null);
}
