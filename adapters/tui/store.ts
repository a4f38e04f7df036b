import { createCell } from './cell.ts';
import { reduce, type Action, type TuiState } from './state.ts';

/** Holds the state for both screens, the inline one and the overlay. */
export interface Store {
  get: () => TuiState;
  dispatch: (action: Action) => void;
  /** Answers a function that stops watching. */
  subscribe: (listener: () => void) => () => void;
}

export function createStore(initial: TuiState): Store {
  const cell = createCell(initial);
  return {
    get: cell.get,
    subscribe: cell.subscribe,
    dispatch: (action) => cell.set(reduce(cell.get(), action)),
  };
}
