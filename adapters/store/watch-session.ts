import type { Bindings } from './bindings.ts';
import type { Places } from './places.ts';
import { watchFiles } from './watch.ts';

/**
 * Calls back after any change to the session's record, its plan, or a legacy copy of it, and follows the session
 * to another folder when its project changes (D14). Ends with the signal.
 */
export function watchSession(
  store: { places: Places; bindings: Bindings },
  session: string,
  changed: () => void,
  signal: AbortSignal,
): void {
  const { places, bindings } = store;
  const { sidecar, document } = places.paths(session, bindings.of(session));
  const legacy = places.legacy(session);
  const files = [sidecar, document, places.record(session), legacy.sidecar, legacy.document];
  const here = new AbortController();
  const look = () => {
    changed();
    // Another process may have written the record.
    bindings.forget(session);
    if (places.paths(session, bindings.of(session)).sidecar === sidecar) return;
    here.abort();
    watchSession(store, session, changed, signal);
  };
  watchFiles(files, look, AbortSignal.any([signal, here.signal]));
}
