import { reduce, type Action, type TuiState } from './state.ts';
import type { Transcript } from './transcript/transcript.ts';

/** Holds the state for both screens, the inline one and the overlay. */
export interface Store {
  get: () => TuiState;
  dispatch: (action: Action) => void;
  /** Answers a function that stops watching. */
  subscribe: (listener: () => void) => () => void;
}

/** Time between two drawings of a text that is streamed, in milliseconds. */
const streamMs = 50;

/**
 * A further piece of a message: hundreds may come in a second, and what they say is in the next drawing as well. The
 * first one is what a person waits for.
 */
function isFurtherPiece(action: Action, { text, reasoning }: Transcript): boolean {
  if (action.type !== 'published') return false;
  const { type } = action.published;
  return (type === 'text' && text !== '') || (type === 'reasoning' && reasoning !== '');
}

/**
 * The state changes at once. Watchers are told at once too, but of further pieces of a message only every 50 ms:
 * each telling draws the whole live part anew.
 */
export function createStore(initial: TuiState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  let pending: NodeJS.Timeout | null = null;
  const tell = (): void => {
    if (pending !== null) clearTimeout(pending);
    pending = null;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    dispatch(action) {
      const { transcript } = state;
      state = reduce(state, action);
      if (isFurtherPiece(action, transcript)) pending ??= setTimeout(tell, streamMs);
      else tell();
    },
  };
}
