import { derive, select, settle, type SessionView } from '../../machines/index.ts';
import type { SessionStore, SessionSummary } from '../ports.ts';

/** Sessions of a home with plan state and path. Reads only: what loading finds is settled in memory (D8). */
export async function statusText(store: SessionStore, home: string): Promise<string> {
  const sessions = await store.list();
  if (sessions.length === 0) return `No sessions in ${home}.\n`;
  const blocks = await Promise.all(sessions.map((session) => block(store, session)));
  return `${blocks.join('\n')}\n`;
}

async function block(store: SessionStore, { id }: SessionSummary): Promise<string> {
  try {
    const derived = derive(await store.read(id));
    const stamp = { at: new Date().toISOString(), ids: ['', ''], process: '' };
    const view = select(settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot);
    return describe(view, store);
  } catch (error) {
    return `${id}\n  cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function describe(view: SessionView, store: SessionStore): string {
  const { sidecar, document } = store.paths(view.session);
  const tasks = view.progress.total > 0 ? ` ${view.progress.done}/${view.progress.total}` : '';
  const lines = [
    `${view.session}  ${view.phase}${tasks}${view.turn === 'idle' ? '' : ` (turn ${view.turn})`}`,
    `  folder ${view.cwd}`,
    ...(view.phase === 'noPlan' ? [] : [`  plan   ${view.title ?? '(no title)'}`, `  files  ${sidecar}`]),
    ...(view.document === null ? [] : [`         ${document}`]),
    ...(view.hint === '' ? [] : [`  next   ${view.hint}`]),
  ];
  return lines.join('\n');
}
