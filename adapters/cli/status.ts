import { derive, select, settle, type SessionView } from '../../machines/index.ts';
import type { SessionStore } from '../ports.ts';

/**
 * Sessions of a home with plan state and paths, or the one that is named; null when there is none. Reads
 * only: what loading finds is settled in memory (D8). A session that can't be read is listed with the cause.
 */
export async function statusText(store: SessionStore, session: string | null): Promise<string | null> {
  const sessions = await store.list();
  const wanted = sessions.filter(({ id }) => session === null || id === session);
  if (wanted.length === 0) return null;
  const blocks = await Promise.all(wanted.map(({ id }) => block(store, id)));
  return `${blocks.join('\n')}\n`;
}

async function block(store: SessionStore, id: string): Promise<string> {
  try {
    const derived = derive(await store.read(id));
    const stamp = { at: new Date().toISOString(), ids: ['', ''], process: '' };
    const view = select(settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot);
    return describe(view, store);
  } catch (error) {
    return `${id}\n  cannot be read: ${oneLine(error instanceof Error ? error.message : String(error))}`;
  }
}

function describe(view: SessionView, store: SessionStore): string {
  const { sidecar } = store.paths(view.session);
  const rows: [string, string][] = [
    ['folder', view.cwd],
    ...(view.title === null ? [] : [['title', view.title] satisfies [string, string]]),
    ...(view.phase === 'noPlan' ? [] : [['files', sidecar] satisfies [string, string]]),
    ...(view.document === null ? [] : [['', view.document.path] satisfies [string, string]]),
    ...(view.hint === '' ? [] : [['next', view.hint] satisfies [string, string]]),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(7)}${oneLine(value)}`);
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
