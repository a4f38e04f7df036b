import type { FileFound } from '../../machines/index.ts';
import type { SessionPaths } from '../ports.ts';
import type { FileOps } from './file-ops.ts';
import type { PlanPair } from './places.ts';
import { markerBeside } from './places.ts';
import type { BytesFound } from './plan-file.ts';
import { hashOf, readBytes, textIn } from './plan-file.ts';

/** A legacy plan that a session still has (D13): what a view shows until a dispatch has moved it. */
export interface LegacyPlan {
  sidecar: FileFound;
  document: FileFound;
  /** What is moved. null: the pair can't be read as a whole, so it stays where it is. */
  bytes: { sidecar: Buffer; document: Buffer | null } | null;
}

/**
 * The legacy pair, if its sidecar exists and no marker in the resolved place says that it is over. A `.md` alone
 * is no plan. Contract: never throws for what the disk answers.
 */
export async function legacyPlan(
  ops: FileOps,
  paths: SessionPaths,
  legacy: PlanPair,
): Promise<LegacyPlan | null> {
  const sidecar = await readLegacy(ops, legacy.sidecar);
  if (sidecar.kind === 'absent') return null;
  const marker = markerBeside(paths.sidecar);
  const hides = await hiding(ops, marker, await markOf(ops, legacy.sidecar, sidecar));
  if (hides === 'yes') return null;
  const document = await readBytes(ops, legacy.document);
  const texts = { document: textIn(legacy.document, document) };
  // Whether the plan is over can't be said: neither absent nor alive (D9).
  if (hides !== 'no')
    return { ...texts, sidecar: { kind: 'unreadable', path: marker, ...hides }, bytes: null };
  return { ...texts, sidecar: textIn(legacy.sidecar, sidecar), bytes: movable(sidecar, document) };
}

/** What a marker says of this session's legacy sidecar as it is now; null when there is none to hide. */
export async function legacyMark(ops: FileOps, legacy: PlanPair): Promise<string | null> {
  const sidecar = await readLegacy(ops, legacy.sidecar);
  return sidecar.kind === 'absent' ? null : markOf(ops, legacy.sidecar, sidecar);
}

/** A file in the place of one of the legacy folders means that there is no legacy copy. */
async function readLegacy(ops: FileOps, path: string): Promise<BytesFound> {
  const found = await readBytes(ops, path);
  return found.kind === 'unreadable' && found.code === 'ENOTDIR' ? { kind: 'absent' } : found;
}

/**
 * The SHA-256 of the bytes. A copy that can't be read must be hidden too, or `/discard` would be no way out of
 * D9: then it is what tells this file from another one.
 */
async function markOf(ops: FileOps, path: string, found: BytesFound): Promise<string> {
  if (found.kind === 'bytes') return hashOf(found.bytes);
  const code = found.kind === 'unreadable' ? found.code : '';
  const stat = await ops.stat(path).catch(() => null);
  return stat === null ? code : `${code} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

/** Whether the marker names this copy; when it can't be read, why. */
async function hiding(ops: FileOps, marker: string, mark: string): Promise<'yes' | 'no' | { cause: string }> {
  const found = await readBytes(ops, marker);
  if (found.kind === 'unreadable') return { cause: found.cause };
  return found.kind === 'bytes' && found.bytes.toString('utf8').trim() === mark ? 'yes' : 'no';
}

function movable(sidecar: BytesFound, document: BytesFound): LegacyPlan['bytes'] {
  if (sidecar.kind !== 'bytes' || document.kind === 'unreadable') return null;
  return { sidecar: sidecar.bytes, document: document.kind === 'bytes' ? document.bytes : null };
}
