import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  readTrust,
  readTrusted,
  settingsPrint,
  type Trust,
  TrustError,
  writeTrust,
} from '../config/index.ts';
import { systemClock } from '../clock.ts';
import { createMutex } from '../store/lock.ts';
import { harmless, visibleLine } from '../text.ts';
import { realFolder } from './folders.ts';
import type { Output } from './output.ts';
import { exitCodes } from './run.ts';
import { quoted, type CommandLine, type ProjectFolder } from './settings.ts';

/** Remembers an answer for a home, against other processes that do the same. Throws `TrustError`, `StoreError`. */
export async function remember(home: string, path: string, trust: Trust): Promise<void> {
  const lock = join(home, 'planchart', 'locks', 'trust.db');
  await createMutex().run(lock, () => writeTrust(home, path, trust, systemClock.now()));
}

/** For the workspace: `Workspace.watchSettings`, about all folders that a home trusts. */
export async function watchSettings(home: string): Promise<() => Promise<string | null>> {
  const before = await printsOf(home);
  return async () => {
    const after = await printsOf(home);
    const changed = [...after].filter(([path, print]) => before.has(path) && before.get(path) !== print);
    const told: string[] = [];
    for (const [path] of changed) told.push(await distrust(home, path));
    return told.length === 0 ? null : told.join(' ');
  };
}

/** By real path. A list that can't be read trusts nothing; that was said at the start. */
async function printsOf(home: string): Promise<Map<string, string>> {
  try {
    const folders = await readTrusted(home);
    const entry = async (path: string) => [path, await settingsPrint(join(path, '.planchart'))] as const;
    return new Map(await Promise.all(folders.map(entry)));
  } catch (error) {
    if (error instanceof TrustError) return new Map();
    throw error;
  }
}

async function distrust(home: string, path: string): Promise<string> {
  const what = `${join(path, '.planchart')} changed during this call`;
  try {
    await remember(home, path, 'unasked');
    return `${what}, so it is loaded again only after you have looked at it: planchart trust ${path}`;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return `${what}, and the trust in it could not be taken back: ${cause} Look at it, or planchart trust --remove ${path}`;
  }
}

/** `planchart trust [path] [--remove]`. */
export async function trustCommand(
  { cwd, path, remove }: Pick<CommandLine, 'cwd' | 'path' | 'remove'>,
  home: string,
  output: Output,
): Promise<number> {
  const given = resolve(cwd, path ?? '.');
  const found = realFolder(given);
  // A folder that is gone can still be forgotten.
  if ('cause' in found && !remove) {
    output.line(`${quoted(path ?? '.')} can't be trusted: ${found.cause}.`);
    return exitCodes.usage;
  }
  const folder = 'path' in found ? found.path : given;
  try {
    const before = await readTrust(home, folder);
    await remember(home, folder, remove ? 'unasked' : 'trusted');
    output.print(`${answerWords(folder, before, remove ? 'unasked' : 'trusted')}\n`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    output.line(error.message);
    return exitCodes.failed;
  }
}

function answerWords(folder: string, before: Trust, now: 'trusted' | 'unasked'): string {
  if (now === 'trusted') return `Trusted: ${folder}, and no folder in it or around it.`;
  if (before === 'unasked') return `There is no answer about ${folder}.`;
  return `Forgotten: ${folder}. Its settings are not loaded; the terminal UI asks again.`;
}

/** What `run` says, which never asks (D53); null where there is nothing to say. */
export function notLoaded({ path, brings, trust }: ProjectFolder): string | null {
  if (brings === null || trust === 'trusted') return null;
  return `${brings} is not loaded: this folder is not trusted. To trust it: planchart trust ${path}`;
}

/** How long keys count as meant for something else (B98), in ms. */
const quietMs = 300;

interface Screen {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
}

/**
 * Asks once, before the session opens. Only a single `y` or `n` is an answer; null: the person wants to leave.
 * The terminal is left as it was.
 */
export async function askTrust(
  { brings }: { brings: string },
  { stdin, stdout }: Screen,
): Promise<'trusted' | 'refused' | null> {
  stdout.write(harmless(question(brings)));
  stdin.setRawMode(true);
  const drained = new AbortController();
  const ignore = (): void => undefined;
  try {
    stdin.on('data', ignore);
    await wait(quietMs, undefined, { signal: drained.signal });
    stdin.off('data', ignore);
    const answer = await nextAnswer(stdin);
    stdout.write(`${answer === null ? '' : answer === 'trusted' ? 'Yes.' : 'No.'}\n`);
    return answer;
  } finally {
    stdin.off('data', ignore);
    stdin.setRawMode(false);
    stdin.pause();
  }
}

const answers: Readonly<Record<string, 'trusted' | 'refused' | null>> = {
  y: 'trusted',
  n: 'refused',
  '\u0003': null,
  '\u0004': null,
  '\u001b': null,
};

function nextAnswer(stdin: NodeJS.ReadStream): Promise<'trusted' | 'refused' | null> {
  return new Promise((resolve) => {
    const done = (answer: 'trusted' | 'refused' | null): void => {
      stdin.off('data', take);
      stdin.off('end', end);
      resolve(answer);
    };
    const take = (bytes: Buffer): void => {
      const typed = bytes.toString().toLowerCase();
      if (Object.hasOwn(answers, typed)) done(answers[typed] ?? null);
    };
    const end = (): void => done(null);
    stdin.on('data', take);
    stdin.once('end', end);
  });
}

function question(brings: string): string {
  const names = readdirSync(brings).map((name) => visibleLine(name));
  const more = names.length > 8 ? `, and ${names.length - 8} more` : '';
  const shown = names.length === 0 ? 'nothing yet' : names.slice(0, 8).join(', ') + more;
  return [
    'This folder brings along settings for planchart:',
    `  ${visibleLine(brings)}: ${shown}`,
    'They may choose the model, add commands and start programs with your rights (MCP servers).',
    'Load them? The answer is kept for this folder; planchart trust changes it.',
    '  y yes   n no, work without them   Esc leave ',
  ].join('\n');
}
