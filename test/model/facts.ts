import { isDeepStrictEqual } from 'node:util';
import type { Dispatched } from '../../adapters/runtime/dispatch.ts';
import {
  derive,
  type FileFound,
  restoring,
  select,
  type SessionSnapshot,
  type StoredSession,
} from '../../machines/index.ts';
import type { Step } from './surface.ts';
import { answerIn } from './told.ts';

/** What model and reality have to agree on, by name; the values are compared deeply. */
export type Facts = Readonly<Record<string, unknown>>;

/** `archived` counts the archive's files since the session began. */
export function factsOfModel({ after }: Step, archived: number): Facts {
  return {
    answer: answerIn(after),
    effects: after.taken.flatMap(({ committed }) => committed.effects),
    ...factsOf(after.snapshot, after.stored),
    'what is still to be found': [],
    'files in the archive': archived,
  };
}

/** `plain` takes out of a text what differs by the place of the home only. */
export function factsOfReality(
  { answer, effects, snapshot }: Dispatched,
  stored: StoredSession,
  archived: number,
  plain: (text: string) => string,
): Facts {
  const facts = {
    answer: answer && { ...answer, ...('text' in answer ? { text: withoutArchive(answer.text) } : {}) },
    effects,
    ...factsOf(snapshot, stored),
    // What a process that starts now would find.
    'what is still to be found': derive(stored).found.map(({ type }) => type),
    'files in the archive': archived,
  };
  return JSON.parse(plain(JSON.stringify(facts))) as Facts;
}

/** The exploration knows no archive, so its answers name no file of it. */
const withoutArchive = (text: string): string =>
  text.replace(/ The last one is kept as \S+ in the archive\./u, '');

/** Archives and where the files are follow the project (D14), which the record says. */
function factsOf(snapshot: SessionSnapshot, stored: StoredSession): Record<string, unknown> {
  const { document, unreadable, ...view } = select(snapshot);
  const { record } = stored;
  return {
    state: snapshot.value,
    'state after a restart': derive(stored).snapshot.value,
    view,
    'text in view': document && { ...document, path: null },
    'why it is unreadable': unreadable && { ...unreadable, path: null },
    record: { ...record, lease: record.lease && { ...record.lease, files: null } },
    'sidecar on disk': textOf(stored.sidecar),
    '.md on disk': textOf(stored.document),
    'the turn has an owner': stored.leaseAlive,
    'dead senders': stored.gone.filter((process) => record.queue.some((item) => item.process === process)),
  };
}

const textOf = (found: FileFound): string | null => (found.kind === 'text' ? found.text : null);

/** How many files a step adds to the archive: those that its commits take away, and what a command left there (D22). */
export function archivedBy({ before, move, after }: Step): number {
  const ordered = after.taken.flatMap(({ committed, before: { context } }) => {
    if (committed.archive === null) return [];
    const sidecar = committed.archive.sidecar !== 'none' ? 1 : 0;
    return [sidecar + (context.document === null ? 0 : 1)];
  });
  return [...ordered, 'said' in move ? 0 : putAside(move.disk(before.stored))].reduce((a, b) => a + b, 0);
}

function putAside(found: StoredSession): number {
  const archive = restoring(found, '2026-03-01T12:00:00.000Z')?.commit.archive;
  if (archive === undefined) return 0;
  const sidecar = archive.sidecar === undefined && found.sidecar.kind === 'text' ? 1 : 0;
  return sidecar + (found.document.kind === 'text' ? 1 : 0);
}

/** A line for each fact that differs. A change of files that nobody said has no answer. */
export function compared(model: Facts, reality: Facts, how: 'said' | 'found'): string[] {
  const plain = JSON.parse(JSON.stringify(model)) as Facts;
  return Object.keys(plain)
    .filter((name) => how === 'said' || name !== 'answer')
    .filter((name) => !isDeepStrictEqual(plain[name], reality[name]))
    .flatMap((name) => deeper(name, plain[name], reality[name]));
}

/** Names the innermost fields that differ, so that a line can be read. */
function deeper(name: string, model: unknown, reality: unknown): string[] {
  if (isPlain(model) && isPlain(reality)) {
    const keys = [...new Set([...Object.keys(model), ...Object.keys(reality)])];
    return keys
      .filter((key) => !isDeepStrictEqual(model[key], reality[key]))
      .flatMap((key) => deeper(`${name}, ${key}`, model[key], reality[key]));
  }
  return [`${name}: the model says ${shown(model)}, it is ${shown(reality)}`];
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
