import { listOrNone } from './atomic-write.ts';
import type { FileOps } from './file-ops.ts';
import { legacyPlan } from './legacy.ts';
import { isProject, type Places } from './places.ts';

export interface PlanPlace {
  project: string | null;
  /** Last change of the sidecar, ms since 1970; 0 when that can't be said. */
  changed: number;
}

interface Parts {
  ops: FileOps;
  places: Places;
}

/**
 * Where the plan of a session lies whose record does not say it: in the home's folder, in a project's, or as a
 * legacy copy. Of several the one changed last counts; null when there is none.
 */
export async function findPlan(parts: Parts, session: string): Promise<PlanPlace | null> {
  const { ops, places } = parts;
  const found: PlanPlace[] = [];
  for (const project of [null, ...(await projectsOf(parts))]) {
    const changed = await changeOf(ops, places.paths(session, project).sidecar);
    if (changed !== null) found.push({ project, changed });
  }
  const [newest] = found.toSorted((a, b) => b.changed - a.changed);
  if (newest !== undefined) return newest;
  const legacy = places.legacy(session);
  if ((await legacyPlan(ops, places.paths(session, null), legacy)) === null) return null;
  return { project: null, changed: (await changeOf(ops, legacy.sidecar)) ?? 0 };
}

/** Names of the project folders below the root home. */
export async function projectsOf({ ops, places }: Parts): Promise<string[]> {
  return (await listOrNone(ops, places.projects)).filter(isProject);
}

async function changeOf(ops: FileOps, path: string): Promise<number | null> {
  const stat = await ops.stat(path).catch(() => null);
  return stat?.mtimeMs ?? null;
}
