import { exactText } from '../text.ts';
import type { ToolContext } from '../types.ts';

const limitBytes = 10 * 1024 * 1024;

export type ImportFile = { path: string; text: string } | { path: string; cause: string };

/**
 * The file of `init file_path`, as found (D19): links followed, a regular file of at most 10 MiB, UTF-8.
 * What can't be read is told to the machine, which has the code and the text for it.
 */
export async function importFile(given: string, context: ToolContext): Promise<ImportFile> {
  const target = await context.resolve(given, 'read');
  if ('cause' in target) return { path: given, cause: target.cause };
  const { path } = target;
  const read = await context.files.read(path, limitBytes);
  if ('cause' in read) return { path, cause: withoutPath(read.cause, path) };
  if (read.size > read.bytes.length) return { path, cause: `it has ${read.size} bytes` };
  const text = exactText(read.bytes);
  return text === null
    ? { path, cause: 'it is not UTF-8 text' }
    : { path, text: text.replace(/^\uFEFF/, '') };
}

// The machine's text names the path itself.
const withoutPath = (cause: string, path: string): string =>
  cause.startsWith(`${path}: `) ? cause.slice(path.length + 2) : cause;
