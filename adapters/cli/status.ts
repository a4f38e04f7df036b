import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { derive, select, settle, type SessionView } from '../../machines/index.ts';
import type { SessionStore, Surveyed } from '../ports.ts';

/** A session that can be read. `used` is RFC 3339, UTC: when its last turn began. */
export interface ReadSession {
  id: string;
  view: SessionView;
  project: string | null;
  used: string;
  files: { sidecar: string; archive: string };
  /** What did not reach the Telegram chats of this session, a sentence each (D34). */
  undelivered: readonly string[];
}

/** Sentences by session, as `undeliveredTo` answers them. */
type Undelivered = ReadonlyMap<string, readonly string[]>;

/** One session as `status` shows it; `error` says why it can't be read. */
export type SessionStatus = ReadSession | { id: string; error: string };

/**
 * Sessions of a home, or the one that is named. Reads only: what loading finds is settled in memory (D8).
 * A session that can't be read is listed with the cause.
 */
export async function readStatus(
  store: SessionStore,
  session: string | null,
  undelivered: Undelivered = new Map(),
): Promise<SessionStatus[]> {
  const found: SessionStatus[] = [];
  for await (const one of store.survey()) {
    if (session === null || one.id === session) found.push(statusOf(one, undelivered));
  }
  // The last used first; plain comparing, since these are dates and many.
  const used = (status: SessionStatus): string => ('error' in status ? '' : status.used);
  return found.sort((a, b) => Number(used(a) < used(b)) - Number(used(a) > used(b)));
}

/** What the bot of this home could not deliver and still owes (D34). Reads only; a home without a bot costs one look. */
export async function undeliveredTo(home: string): Promise<Undelivered> {
  const folder = join(home, 'planchart', 'telegram');
  if (!existsSync(folder)) return new Map();
  const { chatRecords } = await import('../telegram/chat-files.ts');
  const found = new Map<string, readonly string[]>();
  for (const { session, chat, topic, failure } of chatRecords(folder).records) {
    if (failure === null) continue;
    const place = topic === null ? `Telegram chat ${chat}` : `Telegram chat ${chat}, topic ${topic}`;
    const what = failure.lost === 'yes' ? 'not delivered' : 'not delivered yet';
    const line = `${place}: ${what}, since ${failure.at}: ${failure.text}`;
    found.set(session, [...(found.get(session) ?? []), line]);
  }
  return found;
}

function statusOf(one: Surveyed, undelivered: Undelivered): SessionStatus {
  const { id } = one;
  if ('error' in one) return { id, error: `cannot be read: ${one.error}` };
  const { record } = one.stored;
  const derived = derive(one.stored);
  const stamp = { at: new Date().toISOString(), ids: ['', ''], process: '' };
  const view = select(settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot);
  const { sidecar, archive } = one.paths;
  const files = { sidecar, archive };
  return {
    id,
    view,
    project: record.project,
    used: record.used,
    files,
    undelivered: undelivered.get(id) ?? [],
  };
}

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
  const { id, view, project, files, undelivered } = session;
  const { phase, turn, title, cwd, progress, policy, hint, document } = view;
  const paths = { sidecar: files.sidecar, document: document?.path ?? null, archive: files.archive };
  return { id, phase, turn, title, cwd, project, progress, policy, hint, undelivered, files: paths };
}

export const broken = ({ id, error }: { id: string; error: string }): string => `${id}\n  ${oneLine(error)}`;

function describe({ view, files, project, undelivered }: ReadSession): string {
  return block(`${view.session}  ${stateWords(view)}`, [
    ['folder', view.cwd],
    ['project', project],
    ['title', view.title],
    ['files', view.phase === 'noPlan' ? null : files.sidecar],
    ['', view.document?.path ?? null],
    ['next', view.hint === '' ? null : view.hint],
    ...undelivered.map((line) => ['chat', line] as const),
  ]);
}

/** A head and the rows below it that have a value, each on one line. */
export function block(
  head: string,
  rows: readonly (readonly [name: string, value: string | null])[],
): string {
  const lines = rows.flatMap(([name, value]) =>
    value === null ? [] : [`  ${name.padEnd(8)}${oneLine(value)}`],
  );
  return [head, ...lines].join('\n');
}

/** What state a session is in, in a few words. */
export function stateWords({ badge, progress, policy, running, turn, interrupted }: SessionView): string {
  const words = [badge === '' ? 'No plan' : badge];
  if (progress.total > 0) words[0] += ` ${progress.done}/${progress.total}`;
  if (interrupted) words.push('interrupted');
  if (policy === 'yolo') words.push('yolo');
  if (running !== null) words.push(`turn ${turn} since ${running.since}`);
  return words.join(', ');
}

/** A title or a path may hold line ends; here every value is one line. */
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
