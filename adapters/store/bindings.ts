import { lstatSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ProjectSlug, fileLimitBytes } from '../../machines/index.ts';
import type { Places } from './places.ts';
import { errnoOf } from './store-error.ts';

/** Which project each session is bound to, as far as this store has seen; null is none (D4). */
export interface Bindings {
  /** As learned last, else by one look at the record on disk. */
  of(session: string): string | null;
  learn(session: string, project: string | null): void;
  /** The next question looks at the disk again: another process may have bound the session. */
  forget(session: string): void;
}

export function createBindings(places: Places): Bindings {
  const known = new Map<string, string | null>();
  return {
    of: (session) => {
      const learned = known.get(session);
      if (learned !== undefined) return learned;
      const text = readNow(places.record(session));
      const project = text === null ? null : bindingIn(text);
      // Without a record yet, another process may still create one.
      if (text !== null) known.set(session, project);
      return project;
    },
    learn: (session, project) => void known.set(session, project),
    forget: (session) => void known.delete(session),
  };
}

const Bound = z.object({ project: ProjectSlug.nullable() });

/** The binding in a record's text, also in one that a newer version wrote or that is damaged elsewhere. */
function bindingIn(text: string): string | null {
  try {
    return Bound.safeParse(JSON.parse(text)).data?.project ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Null for anything that can't be read at once; reading it in full says why. */
function readNow(path: string): string | null {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.size <= fileLimitBytes ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return null;
  }
}
