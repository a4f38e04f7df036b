import { useSyncExternalStore } from 'react';
import type { Cell } from './cell.ts';

/** The newest value of a cell; the component is drawn again when it changes. */
export function useCell<T>(cell: Pick<Cell<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(cell.subscribe, cell.get, cell.get);
}
