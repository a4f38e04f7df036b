import { z } from 'zod';
import type { Commit } from '../../machines/index.ts';
import type { FileOps } from './file-ops.ts';
import { legacyMark, legacyPlan } from './legacy.ts';
import type { Places } from './places.ts';
import { checkProject, markerBeside } from './places.ts';
import { StoreError, readFailed } from './store-error.ts';

interface Parts {
  ops: FileOps;
  places: Places;
}

/**
 * A session changes its project only while it has no plan (D14): its files would stay behind. Answers the marker
 * that has to stand in the new place first, so that a legacy copy that is over stays over (D13); else null.
 * Throws `StoreError` BOUND, BAD_NAME for what is no project, READ_FAILED.
 */
export async function checkBinding(
  { ops, places }: Parts,
  session: string,
  change: Commit,
  bound: string | null,
): Promise<{ path: string; text: string } | null> {
  const wanted = change.record === undefined ? bound : projectIn(change.record.text);
  if (wanted === bound) return null;
  const from = places.paths(session, bound);
  const to = places.paths(session, wanted);
  const { sidecar, document, archive, revision } = change;
  if (sidecar ?? document ?? archive ?? revision) throw stillHere(from.sidecar);
  for (const path of [from.sidecar, from.document]) if (await isThere(ops, path)) throw stillHere(path);
  const legacy = places.legacy(session);
  if ((await legacyPlan(ops, from, legacy)) !== null) throw stillHere(legacy.sidecar);
  const mark = await legacyMark(ops, legacy);
  return mark === null ? null : { path: markerBeside(to.sidecar), text: `${mark}\n` };
}

const Bound = z.object({ project: z.unknown().default(null) });

function projectIn(text: string): string | null {
  const { project } = Bound.parse(JSON.parse(text));
  return project === null ? null : checkProject(project);
}

async function isThere(ops: FileOps, path: string): Promise<boolean> {
  try {
    return (await ops.stat(path)) !== null;
  } catch (error) {
    throw readFailed(path, error);
  }
}

function stillHere(path: string): StoreError {
  const cause = 'the session has a plan';
  const text = `The session stays with its project: ${path} belongs to its plan. Finish or discard the plan first.`;
  return new StoreError('BOUND', text, { path, cause });
}
