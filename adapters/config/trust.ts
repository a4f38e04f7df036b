import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** What the user said about a folder; `unasked`: nothing yet. */
export type Trust = 'trusted' | 'refused' | 'unasked';

const TrustFile = z.looseObject({
  v: z.literal(1),
  /** By real path. */
  folders: z.record(z.string(), z.looseObject({ answer: z.enum(['trusted', 'refused']), at: z.string() })),
});
type TrustFile = z.infer<typeof TrustFile>;

/** The list of answers can't be read or written: its message is a whole sentence with path, cause and remedy. */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly code: 'TRUST_UNREADABLE' | 'TRUST_NOT_SAVED';
  readonly data: { path: string };

  constructor(code: TrustError['code'], message: string, path: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.data = { path };
  }
}

export const trustPath = (home: string): string => join(home, 'planchart', 'trust.json');

/**
 * The answer about exactly this folder: trusting one says nothing about those in it or around it (D53). `path` is
 * a real path. Throws `TrustError`; a list that can't be read trusts nothing.
 */
export async function readTrust(home: string, path: string): Promise<Trust> {
  const { folders } = await readList(trustPath(home));
  return Object.hasOwn(folders, path) ? (folders[path]?.answer ?? 'unasked') : 'unasked';
}

/** Real paths of all folders that are trusted. Throws `TrustError`. */
export async function readTrusted(home: string): Promise<string[]> {
  const { folders } = await readList(trustPath(home));
  return Object.keys(folders).filter((path) => folders[path]?.answer === 'trusted');
}

/**
 * Remembers an answer, `unasked` forgets it. The caller holds the list's lock, which keeps the answers that
 * other processes write. Throws `TrustError`; then nothing has changed.
 */
export async function writeTrust(home: string, path: string, trust: Trust, at: string): Promise<void> {
  const file = trustPath(home);
  const list = await readList(file);
  const folders = Object.fromEntries(Object.entries(list.folders).filter(([folder]) => folder !== path));
  if (trust !== 'unasked') folders[path] = { answer: trust, at };
  try {
    await replace(file, `${JSON.stringify({ ...list, folders }, null, 2)}\n`);
  } catch (error) {
    const text = `${file} can't be written: ${causeOf(error)}. Nothing was changed.`;
    throw new TrustError('TRUST_NOT_SAVED', text, file, error);
  }
}

async function readList(file: string): Promise<TrustFile> {
  try {
    return TrustFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return { v: 1, folders: {} };
    const what = codeOf(error) === '' ? 'it is damaged or of a newer version' : causeOf(error);
    const text = `${file} can't be read: ${what}. No folder is trusted; move the file away to begin anew.`;
    throw new TrustError('TRUST_UNREADABLE', text, file, error);
  }
}

/** After a crash the file holds the old answers or the new ones. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temp = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
