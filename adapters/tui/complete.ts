import type { SessionHandle } from '../ports.ts';
import { commandRows } from './help.ts';
import {
  complete,
  fileChoice,
  tokenAt,
  turned,
  type Choice,
  type Completed,
  type Token,
} from './input/completion.ts';
import { pathsFrom, pathsLike } from './input/files.ts';
import { openCompletion } from './state.ts';
import type { Store } from './store.ts';

export interface CompleteDeps {
  store: Store;
  handle: Pick<SessionHandle, 'cwd' | 'skills' | 'files'>;
  /** Whether the program can switch sessions, and so has the commands for it. */
  sessions: 'fixed' | 'switchable';
}

async function commandChoices(typed: string, { handle, sessions }: CompleteDeps): Promise<Choice[]> {
  const { all } = await handle.skills();
  const own = all.map((one): [string, string] => [`/${one.name}`, one.description]);
  return [...commandRows(sessions), ...own]
    .map(([usage, detail]) => ({ name: usage.split(' ', 1)[0] ?? usage, detail }))
    .filter(({ name }) => name.startsWith(typed.replaceAll('_', '-')))
    .map(({ name, detail }) => ({ text: `${name} `, label: name, detail }));
}

async function choicesFor(token: Token, deps: CompleteDeps): Promise<Choice[]> {
  if (token.kind === 'command') return commandChoices(token.typed, deps);
  const { typed, quoted } = token;
  const here = await pathsFrom(deps.handle.cwd, typed);
  const elsewhere = pathsLike(typed === '' ? [] : await deps.handle.files(), typed, here);
  return [
    ...here.map((path) => fileChoice(path, quoted)),
    ...elsewhere.map((path) => fileChoice(path, quoted, path.slice(0, path.lastIndexOf('/') + 1))),
  ];
}

function put(store: Store, { from, to, text, completion }: Completed): void {
  store.dispatch({ type: 'edit', edit: { type: 'replace', from, to, text } });
  store.dispatch({ type: 'completion', to: completion });
}

/** Tab: goes on in the open list, else completes the word before the cursor, if it is one that can be. */
export async function completeWord(step: 1 | -1, deps: CompleteDeps): Promise<void> {
  const { store } = deps;
  const open = openCompletion(store.get());
  if (open !== null && open.choices.length > 0) return put(store, turned(open, step));
  const { text, cursor } = store.get().editor;
  const token = tokenAt(text, cursor);
  if (token === null) return;
  const choices = await choicesFor(token, deps);
  const now = store.get().editor;
  // What was typed meanwhile is not what this is for.
  if (now.text !== text || now.cursor !== cursor) return;
  put(store, complete(text, cursor, token.from, choices));
}
