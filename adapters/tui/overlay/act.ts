import type { Said } from '../../../machines/index.ts';
import type { SessionHandle } from '../../ports.ts';
import { actor, type Controller } from '../controller.ts';
import type { Store } from '../store.ts';
import { answerItem } from '../transcript/items.ts';
import type { Base } from './changes.ts';
import type { Outcome } from './overlay-app.tsx';
import type { Intent } from './overlay.ts';

function saidOf(intent: Intent, shown: string | null): Said | null {
  switch (intent.type) {
    case 'approve':
      return { type: 'user.execute', by: actor, shown };
    case 'approveText':
      return shown === null ? null : { type: 'user.approveText', by: actor, shown };
    case 'restore':
      return { type: 'user.restore', by: actor };
    case 'discard':
      return { type: 'user.discard', by: actor };
    case 'revise':
      return { type: 'user.revise', by: actor, note: intent.note, seen: shown };
    case 'stop':
      return { type: 'user.stop', by: actor };
    case 'close':
    case 'load':
    case 'changes':
    case 'edit':
      return null;
  }
}

/** After these the person goes on reading; the text is for an answer without words. */
const staying: Readonly<Partial<Record<Said['type'], string>>> = {
  'user.stop': 'Stopping the turn.',
  'user.restore': 'The approved text is back.',
};

export interface ActDeps {
  store: Store;
  controller: Controller;
  handle: Pick<SessionHandle, 'revisions' | 'revision' | 'seen'>;
  /** Asks for the editor; it opens when the overlay has closed. A refusal stays in place. */
  edit: (top: number) => Outcome;
}

const noBase = 'This is the first text of the plan: there is none to compare it with.';

/** The text seen before this one in this terminal, also before a restart, else the one kept before it (D49). */
async function baseOf(shown: string | null, { store, handle }: ActDeps): Promise<Base | null> {
  const seen = store.get().seen.findLast((one) => one.hash !== shown);
  if (seen !== undefined) return { text: seen.text, from: 'seen' };
  const textOf = async (hash: string | undefined): Promise<string | null> =>
    hash === undefined ? null : handle.revision(hash);
  const before = await textOf((await handle.seen(actor)).findLast((hash) => hash !== shown));
  if (before !== null) return { text: before, from: 'seen' };
  const kept = await textOf((await handle.revisions()).findLast((one) => one.hash !== shown)?.hash);
  return kept === null ? null : { text: kept, from: 'kept' };
}

async function compare(shown: string | null, deps: ActDeps): Promise<Outcome> {
  try {
    const base = await baseOf(shown, deps);
    return base === null
      ? { close: false, message: { level: 'info', text: noBase } }
      : { close: false, message: null, base };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { close: false, message: { level: 'error', text } };
  }
}

/**
 * Sends what a key of the overlay asked for. An accepted or queued answer closes it and is printed in the
 * transcript; a refusal is shown in place (D38).
 */
export async function act(intent: Intent, shown: string | null, deps: ActDeps): Promise<Outcome> {
  if (intent.type === 'changes') return compare(shown, deps);
  if (intent.type === 'edit') return deps.edit(intent.top);
  const said = saidOf(intent, shown);
  if (said === null) return { close: true };
  const answer = await deps.controller.send(said);
  if (answer === null) return { close: true };
  if (answer.kind === 'accepted' || answer.kind === 'queued') {
    const stays = staying[said.type];
    if (stays !== undefined) return { close: false, message: { level: 'info', text: answer.text || stays } };
    const item = answerItem(answer);
    if (item !== null) deps.store.dispatch({ type: 'items', items: [item] });
    return { close: true };
  }
  const code = 'code' in answer ? `${answer.code}  ` : '';
  const level = answer.kind === 'refused' ? 'error' : 'info';
  return { close: false, message: { level, text: `${code}${answer.text}` } };
}
