import type { FilePort } from '../../tools/types.ts';
import { matchLines } from './match-lines.ts';
import { kindOf, listFolder, readStart } from './read-file.ts';
import { walkFolder } from './walk.ts';
import { writeWhole } from './write-file.ts';

export interface FilesOptions {
  /** Folders that no walk from above enters: the home with its config, keys and other sessions (D21). */
  masked?: readonly string[];
  /** Time that one pattern gets for one batch of texts. */
  matchLimitMs?: number;
}

/**
 * The tools' files on the real disk. Every path has to come from `resolveTarget`. `write` knows nothing
 * of plans: the runtime sends writes to the session `.md` through the machine instead.
 */
export function createFiles({ masked = [], matchLimitMs = 5000 }: FilesOptions = {}): FilePort {
  return {
    read: readStart,
    kind: kindOf,
    list: listFolder,
    walk: (path, limit, signal) => walkFolder(path, limit, masked, signal),
    match: (texts, pattern, signal) => matchLines(texts, pattern, matchLimitMs, signal),
    write: writeWhole,
  };
}
