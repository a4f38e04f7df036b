import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why a folder can't be used, for people; `absent` when nothing is there. */
export interface NoFolder {
  kind: 'absent' | 'unusable';
  cause: string;
}

/** The folder with every link followed. Contract: never throws. */
export function realFolder(path: string): { path: string } | NoFolder {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? { path: real } : noFolder('ENOTDIR');
  } catch (error) {
    return faultOf(error);
  }
}

/** The same, made first where it is missing, and open for writing. Contract: never throws. */
export function writableFolder(path: string): { path: string } | NoFolder {
  try {
    make(path);
    const found = realFolder(path);
    if ('path' in found) accessSync(found.path, constants.W_OK | constants.X_OK);
    return found;
  } catch (error) {
    return faultOf(error);
  }
}

/** One folder at a time: Node's own recursive way never comes back from `/proc`. */
function make(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) return;
  make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'it is not open to you',
  EPERM: 'it is not open to you',
  EROFS: 'it is read-only',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
};

function faultOf(error: unknown): NoFolder {
  return noFolder(codeOf(error), error instanceof Error ? error.message : String(error));
}

function noFolder(code: string, message = code): NoFolder {
  return { kind: code === 'ENOENT' ? 'absent' : 'unusable', cause: causes[code] ?? message };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
