import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ProjectSlug } from '../../machines/index.ts';
import type { SessionPaths } from '../ports.ts';
import { StoreError, errnoOf } from './store-error.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface Places {
  /** Our own records: `<home>/planchart/sessions`. */
  readonly sessions: string;
  /** Locks of turns and transcripts. */
  readonly locks: string;
  /** `<root>/projects`, one folder per project. */
  readonly projects: string;
  /** Where plans lay before there were projects and profiles: read, never written (D4). */
  readonly legacyDir: string;
  /** Folder of plan files: of a project, or of sessions without one (null). */
  planDir(project: string | null): string;
  /**
   * Of a session bound to a project, or to none (null). Throws `StoreError` BAD_NAME unless the id is a UUID
   * (B09) and the project a slug.
   */
  paths(session: string, project: string | null): SessionPaths;
  /** The legacy pair of a session, which may not exist. */
  legacy(session: string): PlanPair;
  record(session: string): string;
  transcript(session: string): string;
  /** Transcript of a sub-agent, whose name is that of its turn and a number. */
  agentTranscript(session: string, agent: string): string;
  /** File of one revision of the session `.md`; the hash is checked (D49). */
  revision(session: string, hash: string): string;
  revisions(session: string): string;
  sessionLock(session: string): string;
  transcriptLock(session: string): string;
  turnLock(turn: string): string;
}

/** Absolute paths of a sidecar and the `.md` beside it. */
export type PlanPair = Pick<SessionPaths, 'sidecar' | 'document'>;

export interface PlacesOptions {
  /** Of the profile in use. */
  home: string;
  /** The root home: projects and session locks are shared by its profiles (D4). Absent: `home`. */
  root?: string;
}

/** Whether a name is a UUID in canonical lower case: the only form that becomes part of a file name (B09). */
export function isSessionId(name: string): boolean {
  return uuid.test(name);
}

/** Whether a folder's name can be a project's. */
export function isProject(name: string): boolean {
  return ProjectSlug.safeParse(name).success;
}

/** Start of the names of one session's archive files (D43). */
export function archivePrefix(session: string): string {
  return `opencrabs_plan_${session}-`;
}

/** The session of a sidecar's file name; null for any other name. */
export function sessionOfSidecar(name: string): string | null {
  const id = /^\.opencrabs_plan_(.+)\.json$/.exec(name)?.[1] ?? '';
  return isSessionId(id) ? id : null;
}

/** The session of an archive file's name; null for any other name. */
export function sessionOfArchive(name: string): string | null {
  const id = /^opencrabs_plan_([0-9a-f-]{36})-/.exec(name)?.[1] ?? '';
  return isSessionId(id) ? id : null;
}

/** Says which legacy copy is over and must not come back (D13); stands beside the sidecar. */
export function markerBeside(sidecar: string): string {
  return sidecar.replace(/\.json$/, '.hidden');
}

/** Where everything is (D4). Paths are absolute, links in every parent followed, so the gate can compare them. */
export function createPlaces(options: PlacesOptions, real: (path: string) => string = realPath): Places {
  const home = resolve(options.home);
  const root = resolve(options.root ?? home);
  const own = (...parts: string[]) => join(real(home), 'planchart', ...parts);
  // Two profiles can open one plan of a project: its lock must be the same for both (D7).
  const lock = (...parts: string[]) => join(real(root), 'planchart', 'locks', ...parts);
  const record = (session: string) => own('sessions', checkId('session', session));
  const planDir = (project: string | null) =>
    real(project === null ? join(home, 'session') : join(root, 'projects', checkProject(project), 'session'));
  const legacyDir = join(home, 'agents', 'session');
  return {
    sessions: own('sessions'),
    locks: own('locks'),
    projects: join(real(root), 'projects'),
    legacyDir,
    planDir,
    paths: (session, project) => {
      const own = record(session);
      const dir = planDir(project);
      return { dir, ...pairIn(dir, session), archive: join(dir, 'archive'), own };
    },
    legacy: (session) => pairIn(real(legacyDir), checkId('session', session)),
    record: (session) => join(record(session), 'session.json'),
    transcript: (session) => join(record(session), 'transcript.jsonl'),
    agentTranscript: (session, agent) => join(record(session), 'agents', `${checkAgent(agent)}.jsonl`),
    revisions: (session) => join(record(session), 'revisions'),
    revision: (session, hash) => join(record(session), 'revisions', `${checkHash(hash)}.md`),
    sessionLock: (session) => lock(`${checkId('session', session)}.db`),
    transcriptLock: (session) => own('locks', `${checkId('session', session)}.transcript.db`),
    turnLock: (turn) => own('locks', `turn-${checkId('turn', turn)}.db`),
  };
}

function pairIn(dir: string, session: string): PlanPair {
  const stem = join(dir, `.opencrabs_plan_${session}`);
  return { sidecar: `${stem}.json`, document: `${stem}.md` };
}

/** The slug of a project, whatever a record says. Throws `StoreError` BAD_NAME. */
export function checkProject(project: unknown): string {
  const slug = ProjectSlug.safeParse(project).data;
  if (slug !== undefined) return slug;
  const shown = typeof project === 'string' ? project : (JSON.stringify(project) ?? 'undefined');
  throw badName(
    'project name',
    shown,
    'up to 64 lower-case letters, digits, "-", "_" and ".", the last not at the start',
  );
}

function checkId(kind: 'session' | 'turn', name: string): string {
  if (isSessionId(name)) return name;
  throw badName(`${kind} id`, name, 'a UUID in lower case, such as 3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63');
}

function checkAgent(name: string): string {
  if (/^[0-9a-f-]{36}-[1-9]\d{0,3}$/.test(name) && isSessionId(name.slice(0, 36))) return name;
  throw badName('sub-agent', name, 'the id of its turn, "-" and a number from 1');
}

function checkHash(hash: string): string {
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw badName('revision hash', hash, '64 hexadecimal digits');
}

/** The refusal of a value that would become part of a file name. Control characters are shown, not printed. */
export function badName(what: string, value: string, wanted: string): StoreError {
  const quoted = JSON.stringify(value);
  const shown = quoted.length > 80 ? `${quoted.slice(0, 80)}…` : quoted;
  return new StoreError('BAD_NAME', `Not a ${what}: ${shown}. It must be ${wanted}.`, {
    path: shown,
    cause: `not a ${what}`,
  });
}

/** The same for one transaction, or one look at many sessions: each link is followed once. */
export function createPlacesNow(options: PlacesOptions): Places {
  const known = new Map<string, string>();
  return createPlaces(options, (path) => {
    const had = known.get(path);
    if (had !== undefined) return had;
    const real = realPath(path);
    known.set(path, real);
    return real;
  });
}

/** Follows the links of the part that exists; the rest may come later. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error))) return path;
    return join(realPath(parent), basename(path));
  }
}
