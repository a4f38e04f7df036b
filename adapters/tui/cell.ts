/** One value that both screens can watch and keys can change at once, several times in one chunk. */
export interface Cell<T> {
  get: () => T;
  set: (next: T) => void;
  /** Answers a function that stops watching. */
  subscribe: (listener: () => void) => () => void;
}

export function createCell<T>(initial: T): Cell<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
