import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { SessionPaths } from '../ports.ts';
import { StoreError, errnoOf } from './store-error.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface Places {
  /** Our own records: `<home>/planchart/sessions`. */
  readonly sessions: string;
  readonly locks: string;
  /** Throws `StoreError` BAD_NAME unless the id is a UUID (B09). */
  paths(session: string): SessionPaths;
  record(session: string): string;
  transcript(session: string): string;
  /** File of one revision of the session `.md`; the hash is checked (D49). */
  revision(session: string, hash: string): string;
  revisions(session: string): string;
  sessionLock(session: string): string;
  transcriptLock(session: string): string;
  turnLock(turn: string): string;
}

export interface PlacesOptions {
  home: string;
  /** Folder of a session's plan files (D4); absent: `<home>/session`. */
  sessionDir?: (session: string) => string;
}

/** Whether a name is a UUID in canonical lower case: the only form that becomes part of a file name (B09). */
export function isSessionId(name: string): boolean {
  return uuid.test(name);
}

/** Start of the names of one session's archive files (D43). */
export function archivePrefix(session: string): string {
  return `opencrabs_plan_${session}-`;
}

/** Where everything is (D4). Paths are absolute, links in every parent followed, so the gate can compare them. */
export function createPlaces(options: PlacesOptions): Places {
  const home = resolve(options.home);
  const sessionDir = options.sessionDir ?? (() => join(home, 'session'));
  const own = (...parts: string[]) => join(real(home), 'planchart', ...parts);
  const record = (session: string) => own('sessions', checkId('session', session));
  return {
    sessions: own('sessions'),
    locks: own('locks'),
    paths: (session) => {
      const stem = `.opencrabs_plan_${checkId('session', session)}`;
      const dir = real(sessionDir(session));
      return {
        dir,
        sidecar: join(dir, `${stem}.json`),
        document: join(dir, `${stem}.md`),
        archive: join(dir, 'archive'),
        own: record(session),
      };
    },
    record: (session) => join(record(session), 'session.json'),
    transcript: (session) => join(record(session), 'transcript.jsonl'),
    revisions: (session) => join(record(session), 'revisions'),
    revision: (session, hash) => join(record(session), 'revisions', `${checkHash(hash)}.md`),
    sessionLock: (session) => own('locks', `${checkId('session', session)}.db`),
    transcriptLock: (session) => own('locks', `${checkId('session', session)}.transcript.db`),
    turnLock: (turn) => own('locks', `turn-${checkId('turn', turn)}.db`),
  };
}

function checkId(kind: 'session' | 'turn', name: string): string {
  if (isSessionId(name)) return name;
  throw badName(`${kind} id`, name, 'a UUID in lower case, such as 3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63');
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

/** Follows the links of the part that exists; the rest may come later. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error))) return path;
    return join(real(parent), basename(path));
  }
}
