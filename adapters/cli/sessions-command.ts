import type { Said } from '../../machines/index.ts';
import type { SessionStore } from '../ports.ts';
import type { RuntimeWorld } from '../runtime/index.ts';
import { terminalPerson } from './compose.ts';
import { block, broken, readStatus, type SessionStatus, stateWords } from './status.ts';

/** The sessions of a home for people, the last used first. */
export function sessionsText(home: string, sessions: readonly SessionStatus[]): string {
  if (sessions.length === 0) return `No sessions in ${home}.\n`;
  const blocks = sessions.map((one) => {
    if ('error' in one) return broken(one);
    const { id, view, used } = one;
    return block(`${id}  ${stateWords(view)}`, [
      ['name', view.name],
      ['folder', view.cwd],
      ['used', localTime(used)],
    ]);
  });
  return `${blocks.join('\n')}\n`;
}

/** For scripts; `v` changes when a field changes its meaning. */
export function sessionsJson(home: string, sessions: readonly SessionStatus[]): string {
  const listed = sessions.map((one) => {
    if ('error' in one) return one;
    const { id, view, project, used } = one;
    const { name, cwd, phase, turn, interrupted, progress } = view;
    return { id, name, cwd, project, phase, turn, interrupted, progress, used };
  });
  return `${JSON.stringify({ v: 1, home, sessions: listed }, null, 2)}\n`;
}

/** To the minute, on the clock of the person. What is no time is shown as it is. */
function localTime(used: string): string {
  const at = new Date(used);
  if (Number.isNaN(at.getTime())) return used;
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(at);
}

/** What the terminal UI lists for `/sessions`; the state in words. */
export async function sessionChoices(store: SessionStore) {
  return (await readStatus(store, null)).map((one) => {
    if ('error' in one) return one;
    const { id, view, used } = one;
    return { id, name: view.name, cwd: view.cwd, state: stateWords(view), used };
  });
}

/** Why this session can't be renamed, or what it is called now. Throws what the store throws. */
export async function renameSession(
  { store, dispatcher }: Pick<RuntimeWorld, 'store' | 'dispatcher'>,
  session: string,
  name: string,
): Promise<{ error: string } | { text: string }> {
  const found = (await store.list()).find(({ id }) => id === session);
  if (found === undefined) return { error: noSuchSession(session) };
  if (found.record === null)
    return {
      error: `Session ${session} has no record to keep a name in. Open it: planchart --session ${session}.`,
    };
  const said: Said = { type: 'user.rename', by: terminalPerson, name };
  const { answer } = await dispatcher.dispatch(session, said);
  if (answer === null) return { text: '' };
  return 'code' in answer ? { error: `${answer.code}: ${answer.text}` } : { text: answer.text };
}

/** The line about an id that no session has. */
export const noSuchSession = (session: string): string =>
  `There is no session ${session}. planchart sessions lists the sessions of this home.`;
