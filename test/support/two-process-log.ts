import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPaths } from '../../adapters/ports.ts';
import type { Answer, Commit, Effect, Said } from '../../machines/index.ts';

/** SHA-256 of each file's bytes, in hex; empty where there is no file. */
export interface Hashes {
  record: string;
  sidecar: string;
  document: string;
}

/** Times and ids that the clock gave out since the lock was taken, in order. */
export interface Stamps {
  ats: readonly string[];
  ids: readonly string[];
}

/** What a process asks the dispatcher for: an event, or only a look. */
export type Asked = { said: Said } | { look: 'watch' | 'missing' };

/**
 * One line of the log that both processes append to. `begin` to `done` are written while the session's lock is
 * held, so the order of the file is the order of the commits. `n` counts a list's moves.
 */
export type LogLine = { by: string } & (
  | { t: 'start'; process: string }
  /** Before an editor's write; `texts` are what a reader may find from then on, null: no file. */
  | { t: 'edit'; n: number; path: string; texts: readonly (string | null)[] }
  | { t: 'edited'; n: number }
  | { t: 'begin'; n: number }
  | {
      t: 'read';
      n: number;
      asked: Asked;
      files: Hashes;
      alive: boolean;
      gone: readonly string[];
      archives: readonly string[];
    }
  | { t: 'commit'; n: number; change: Commit; stamps: Stamps }
  | { t: 'committed'; n: number; files: Hashes }
  | { t: 'done'; n: number; stamps: Stamps }
  | { t: 'failed'; n: number; error: string }
  | { t: 'answer'; n: number; answer: Answer | null; effects: readonly Effect[]; view: string }
  /** From here on it may die at any moment. */
  | { t: 'killing' }
  | { t: 'died' }
);

export type LineOf<T extends LogLine['t']> = Extract<LogLine, { t: T }>;

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** A break in front: what a killed process left of a line must not spoil the next one. */
export const lineText = (line: LogLine): string => `\n${JSON.stringify(line)}`;

/** What is whole; `torn` counts what is not. */
export function readLog(path: string): { lines: LogLine[]; torn: number } {
  const lines: LogLine[] = [];
  let torn = 0;
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    const line = text === '' ? null : parsed(text);
    if (line !== null) lines.push(line);
    else if (text !== '') torn += 1;
  }
  return { lines, torn };
}

function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export const recordPath = ({ own }: SessionPaths): string => join(own, 'session.json');

/** The session's files as they are this moment. */
export function hashFiles(paths: SessionPaths): Hashes {
  const hash = (path: string): string => {
    const text = textOrNull(path);
    return text === null ? '' : hashOf(text);
  };
  return { record: hash(recordPath(paths)), sidecar: hash(paths.sidecar), document: hash(paths.document) };
}

export function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
