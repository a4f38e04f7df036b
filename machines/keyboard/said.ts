import type { Actor, Said } from '../events.ts';
import type { KeyboardEffect } from './changes.ts';

type Act = Pick<Extract<KeyboardEffect, { type: 'press.act' }>, 'act' | 'button'>;

/**
 * What a press says to the session, as pressed by `by`. Ask for changes says nothing yet: the adapter asks for the note
 * and sends `user.revise` with this button and `seen: button.hash` (D44), so null here.
 */
export function saidByPress({ act, button }: Act, by: Actor): Said | null {
  switch (act) {
    case 'execute':
      return { type: 'user.execute', by, button, shown: button.hash };
    case 'approveText':
      return { type: 'user.approveText', by, button, shown: button.hash ?? '' };
    case 'restore':
      return { type: 'user.restore', by, button };
    case 'discard':
      // D30: Discard and Continue ask about plan, phase and message; the text may have changed since.
      return { type: 'user.discard', by, button };
    case 'continue':
      return { type: 'user.continue', by, button };
    case 'revise':
      return null;
  }
}
