import type { Said } from '../../../machines/index.ts';
import { actor, type Controller } from '../controller.ts';
import type { Store } from '../store.ts';
import { answerItem } from '../transcript/items.ts';
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
      return null;
  }
}

/** After these the person goes on reading; the text is for an answer without words. */
const staying: Readonly<Partial<Record<Said['type'], string>>> = {
  'user.stop': 'Stopping the turn.',
  'user.restore': 'The approved text is back.',
};

/**
 * Sends what a key of the overlay asked for. An accepted or queued answer closes it and is printed in the
 * transcript; a refusal is shown in place (D38).
 */
export async function act(
  intent: Intent,
  shown: string | null,
  deps: { store: Store; controller: Controller },
): Promise<Outcome> {
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
