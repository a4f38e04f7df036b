import { bytesInWords, exactText, isBinary, targetOf } from './text.ts';
import type { ToolContext } from './types.ts';

const limitBytes = 10 * 1024 * 1024;

/** The whole present text of the file that a call edits, byte order mark included, or why it can't be edited. */
export async function editableText(context: ToolContext): Promise<{ text: string } | { cause: string }> {
  const { path } = targetOf(context);
  if ((await context.files.kind(path)) === 'absent')
    return { cause: 'it does not exist. Use write_file to create it' };
  const read = await context.files.read(path, limitBytes);
  if ('cause' in read) return read;
  if (read.size > read.bytes.length)
    return { cause: `it has ${bytesInWords(read.size)}; at most 10 MiB can be edited` };
  const text = isBinary(read.bytes) ? null : exactText(read.bytes);
  return text === null ? { cause: 'it is not UTF-8 text' } : { text };
}
