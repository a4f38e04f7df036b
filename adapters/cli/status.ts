import { derive, select, settle, type SessionView } from '../../machines/index.ts';
import type { SessionStore } from '../ports.ts';

/** One session as `status` shows it; `error` says why it can't be read. */
export type SessionStatus =
  | { id: string; view: SessionView; project: string | null; files: { sidecar: string; archive: string } }
  | { id: string; error: string };

/**
 * Sessions of a home, or the one that is named. Reads only: what loading finds is settled in memory (D8).
 * A session that can't be read is listed with the cause.
 */
export async function readStatus(store: SessionStore, session: string | null): Promise<SessionStatus[]> {
  const known = await store.list();
  const wanted = known.filter(({ id }) => session === null || id === session);
  const found: SessionStatus[] = [];
  for (const { id } of wanted) found.push(await look(store, id));
  return found;
}

async function look(store: SessionStore, id: string): Promise<SessionStatus> {
  try {
    const stored = await store.read(id);
    const derived = derive(stored);
    const stamp = { at: new Date().toISOString(), ids: ['', ''], process: '' };
    const view = select(settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot);
    const { sidecar, archive } = store.paths(id);
    return { id, view, project: stored.record.project, files: { sidecar, archive } };
  } catch (error) {
    return { id, error: `cannot be read: ${textOf(error)}` };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function statusText(home: string, sessions: readonly SessionStatus[]): string {
  if (sessions.length === 0) return `No sessions in ${home}.\n`;
  const blocks = sessions.map((session) => ('error' in session ? broken(session) : describe(session)));
  return `${blocks.join('\n')}\n`;
}

/** For scripts; `v` changes when a field changes its meaning. */
export function statusJson(home: string, sessions: readonly SessionStatus[]): string {
  return `${JSON.stringify({ v: 1, home, sessions: sessions.map(toJson) }, null, 2)}\n`;
}

function toJson(session: SessionStatus): Record<string, unknown> {
  if ('error' in session) return session;
  const { id, view, project, files } = session;
  const { phase, turn, title, cwd, progress, policy, hint, document } = view;
  const paths = { sidecar: files.sidecar, document: document?.path ?? null, archive: files.archive };
  return { id, phase, turn, title, cwd, project, progress, policy, hint, files: paths };
}

const broken = ({ id, error }: { id: string; error: string }): string =>
  `${id}\n  cannot be read: ${oneLine(error)}`;

function describe({ view, files, project }: Exclude<SessionStatus, { error: string }>): string {
  const rows: [string, string | null][] = [
    ['folder', view.cwd],
    ['project', project],
    ['title', view.title],
    ['files', view.phase === 'noPlan' ? null : files.sidecar],
    ['', view.document?.path ?? null],
    ['next', view.hint === '' ? null : view.hint],
  ];
  const lines = rows.flatMap(([name, value]) =>
    value === null ? [] : [`  ${name.padEnd(8)}${oneLine(value)}`],
  );
  return [`${view.session}  ${stateWords(view)}`, ...lines].join('\n');
}

function stateWords({ badge, progress, policy, running, turn }: SessionView): string {
  const words = [badge === '' ? 'No plan' : badge];
  if (progress.total > 0) words[0] += ` ${progress.done}/${progress.total}`;
  if (policy === 'yolo') words.push('yolo');
  if (running !== null) words.push(`turn ${turn} since ${running.since}`);
  return words.join(', ');
}

/** A title or a path may hold line ends; here every value is one line. */
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
