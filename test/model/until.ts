import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until there is something; throws what `failure` says after `ms`. */
export async function until<T>(look: () => T | null, failure: () => string, ms = 10_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(failure());
    await wait(15);
  }
}
