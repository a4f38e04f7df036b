import type { SessionPaths } from '../../adapters/ports.ts';
import { archiveNames } from '../../adapters/store/archive.ts';
import { archivePrefix } from '../../adapters/store/places.ts';
import {
  type Commit,
  derive,
  phaseOf,
  SessionRecord,
  settle,
  type StoredSession,
} from '../../machines/index.ts';
import { fileOf } from './samples.ts';
import { hashOf, type Hashes } from './two-process-log.ts';

/** A session's files as the model of the store knows them: texts, null where there is no file. */
export interface Disk {
  record: string;
  sidecar: string | null;
  document: string | null;
  /** Texts by file name. */
  archives: ReadonlyMap<string, string>;
  /** Texts of revisions that must be there. */
  revisions: ReadonlySet<string>;
  /** What lies in the folders of projects that the session was bound to before (D14), '' is none. */
  others: ReadonlyMap<string, Pick<Disk, 'document' | 'archives'>>;
}

/** A session, and where its files are while it is bound to a project. */
export interface Whose {
  session: string;
  paths: (project: string | null) => SessionPaths;
}

type Change = (disk: Disk) => Disk;

/** The visible changes of a commit, one after another, in the order of D7 and D43. */
function changesOf(commit: Commit, session: string): Change[] {
  const { record, archive, revision, sidecar, document } = commit;
  const write: Change[] = record === undefined ? [] : [(disk) => bound(disk, record.text)];
  const place = (name: 'sidecar' | 'document', wanted: Commit['sidecar']): Change[] => {
    if (wanted === undefined) return [];
    return [(disk) => ({ ...disk, [name]: 'text' in wanted ? wanted.text : null })];
  };
  const ends = sidecar !== undefined && 'remove' in sidecar;
  return [
    ...(record?.order === 'first' ? write : []),
    ...(archive === undefined ? [] : copies(archive, session)),
    ...(revision === undefined ? [] : [(disk: Disk) => kept(disk, revision.text, document !== undefined)]),
    ...place('sidecar', sidecar),
    ...place('document', document),
    ...(ends ? [(disk: Disk): Disk => ({ ...disk, revisions: new Set() })] : []),
    ...(record?.order === 'last' ? write : []),
  ];
}

/** The record names the folder of the plan files: with another project, other files are the session's. */
function bound(disk: Disk, record: string): Disk {
  const [from, to] = [projectOf(disk.record), projectOf(record)];
  if (from === to) return { ...disk, record };
  const { document, archives } = disk;
  const there = disk.others.get(to ?? '') ?? { document: null, archives: new Map<string, string>() };
  const others = new Map(disk.others).set(from ?? '', { document, archives });
  others.delete(to ?? '');
  return { ...disk, record, ...there, others };
}

export const projectOf = (record: string): string | null => SessionRecord.parse(JSON.parse(record)).project;

function copies(order: NonNullable<Commit['archive']>, session: string): Change[] {
  const stem = `${archivePrefix(session)}${order.stamp}`;
  const name = (number: number): string => `${stem}${number === 0 ? '' : `-${number}`}${order.suffix}`;
  const copy = (disk: Disk, number: number, extension: string, text: string | null): Disk => {
    if (text === null) return disk;
    return { ...disk, archives: new Map(disk.archives).set(`${name(number)}.${extension}`, text) };
  };
  // Both files of a pair take one number, so the second looks where the first one went.
  let number = 0;
  return [
    (disk) => {
      number = 0;
      while (disk.archives.has(`${name(number)}.json`) || disk.archives.has(`${name(number)}.md`))
        number += 1;
      return copy(disk, number, 'json', order.sidecar === undefined ? disk.sidecar : order.sidecar);
    },
    (disk) => copy(disk, number, 'md', disk.document),
  ];
}

/** The text of a revision, and the one that it replaces (D49). */
function kept(disk: Disk, text: string, replaces: boolean): Disk {
  const former = replaces && disk.document !== null ? [disk.document] : [];
  return { ...disk, revisions: new Set([...disk.revisions, ...former, text]) };
}

export function applied(disk: Disk, commit: Commit, session: string): Disk {
  return changesOf(commit, session).reduce((from, change) => change(from), disk);
}

/** What a process that dies in the middle of a commit can leave: nothing of it, all of it, and all in between. */
export function leftovers(disk: Disk, commit: Commit, session: string): Disk[] {
  const found = [disk];
  for (const change of changesOf(commit, session)) found.push(change(found.at(-1) ?? disk));
  return found;
}

export function hashesOf({ record, sidecar, document }: Disk): Hashes {
  const hash = (text: string | null): string => (text === null ? '' : hashOf(text));
  return { record: hash(record), sidecar: hash(sidecar), document: hash(document) };
}

/** The files as a read of them gives them. */
export function storedIn(
  disk: Disk,
  { session, paths }: Whose,
  owner: 'alive' | 'dead',
  gone: readonly string[] = [],
): StoredSession {
  const record = SessionRecord.parse(JSON.parse(disk.record));
  const { sidecar, document } = paths(record.project);
  return {
    record,
    sidecar: fileOf(sidecar, disk.sidecar),
    document: fileOf(document, disk.document),
    leaseAlive: owner === 'alive',
    gone,
    archives: archiveNames(session, [...disk.archives.keys()]),
  };
}

/** What the next start shows of these files, in one line: no turn runs any more. */
export function restarted(disk: Disk, whose: Whose): string {
  const derived = derive(storedIn(disk, whose, 'dead'));
  const stamp = { at: '2026-01-01T00:00:00.000Z', ids: ['', ''], process: '' };
  const snapshot = settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot;
  const { plan, document } = snapshot.context;
  const tasks = (plan?.tasks ?? []).map(({ title, status }) => `${title} ${JSON.stringify(status)}`);
  const text = document === null ? '' : hashOf(document.text).slice(0, 8);
  return [phaseOf(snapshot), plan?.id ?? '', ...tasks, text].join(' ');
}
