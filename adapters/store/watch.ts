import type { BigIntStats, FSWatcher } from 'node:fs';
import { lstatSync, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';
import { errnoOf } from './store-error.ts';

/** An atomic write is several events; one call is enough (ms). */
const debounceMs = 30;
/** Catches what the kernel does not report: network disks, a folder that came later, no watches left (ms). */
const pollMs = 250;

/**
 * Calls back after any change to one of the files, debounced; ends with the signal. Folders are watched, since
 * a rename replaces the file. Missing folders are waited for.
 */
export function watchFiles(files: readonly string[], changed: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(file);
    names.set(folder, (names.get(folder) ?? new Set()).add(basename(file)));
  }
  let seen = signatureOf(files);
  let pending: NodeJS.Timeout | null = null;
  const fire = () => {
    pending = null;
    seen = signatureOf(files);
    changed();
  };
  const schedule = () => {
    pending ??= setTimeout(fire, debounceMs).unref();
  };
  const watchers = [...names].map(([folder, wanted]) => createFolderWatch(folder, wanted, schedule));
  const poll = setInterval(() => {
    for (const watcher of watchers) watcher.ensure();
    if (signatureOf(files) !== seen) schedule();
  }, pollMs).unref();
  signal.addEventListener(
    'abort',
    () => {
      clearInterval(poll);
      if (pending !== null) clearTimeout(pending);
      for (const watcher of watchers) watcher.close();
    },
    { once: true },
  );
}

interface FolderWatch {
  /** Watches (again) when the folder has come, or another one stands in its place. */
  ensure(): void;
  close(): void;
}

function createFolderWatch(folder: string, names: ReadonlySet<string>, touched: () => void): FolderWatch {
  let active: { watcher: FSWatcher; identity: string } | null = null;
  const close = () => {
    active?.watcher.close();
    active = null;
  };
  const ensure = () => {
    const identity = identityOf(folder);
    if (active !== null && active.identity === identity) return;
    close();
    const watcher = identity === null ? null : open(folder, names, touched, close);
    if (watcher !== null && identity !== null) active = { watcher, identity };
  };
  ensure();
  return { ensure, close };
}

function open(
  folder: string,
  names: ReadonlySet<string>,
  touched: () => void,
  close: () => void,
): FSWatcher | null {
  try {
    const watcher = watchFolder(folder, { persistent: false }, (_event, name) => {
      if (name === null || names.has(name)) touched();
    });
    return watcher.on('error', close);
  } catch (error) {
    // The folder went away just now, or the system has no watches left: the poll goes on.
    if (errnoOf(error) === '') throw error;
    return null;
  }
}

/** Changes whenever one of the files does. */
function signatureOf(files: readonly string[]): string {
  return files.map(identityAndTime).join(' ');
}

function identityAndTime(path: string): string {
  const found = lookAt(path);
  return typeof found === 'string' ? found : `${found.ino}:${found.size}:${found.ctimeNs}`;
}

function identityOf(folder: string): string | null {
  const found = lookAt(folder);
  return typeof found === 'string' ? null : `${found.dev}:${found.ino}`;
}

/** What is there, or in a word why nothing can be said. */
function lookAt(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? 'absent';
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return errnoOf(error);
  }
}
