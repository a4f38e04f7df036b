import type { SessionHandle } from '../ports.ts';
import { actor } from './controller.ts';
import type { Store } from './store.ts';
import { notice } from './transcript/items.ts';

/**
 * Keeps which revision was shown in full, for a comparison after a restart (D49), and brings back which one it was. Answers
 * a function that stops it and resolves when everything is kept. A failure is told and costs the comparison only.
 */
export function keepSeen(store: Store, handle: Pick<SessionHandle, 'saw' | 'seen'>): () => Promise<void> {
  let { shown } = store.get();
  const failed = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    store.dispatch({ type: 'items', items: [notice('error', text)] });
  };
  const bringBack = (hashes: readonly string[]): void => {
    if (store.get().saw === null) store.dispatch({ type: 'saw', hash: hashes.at(-1) ?? null });
  };
  let keeping = handle.seen(actor).then(bringBack).catch(failed);
  const stop = store.subscribe(() => {
    const hash = store.get().shown;
    if (hash === null || hash === shown) return;
    shown = hash;
    // One after the other: the last one shown has to be the last one kept.
    keeping = keeping.then(() => handle.saw(hash, actor)).catch(failed);
  });
  return () => {
    stop();
    return keeping;
  };
}
