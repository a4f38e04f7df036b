import { z } from 'zod';
import { lineHash } from './line-hash.ts';
import { bytesInWords, cutLine, failed, isBinary, linesOf, sentence, targetOf } from './text.ts';
import type { Tool } from './types.ts';

const limits = { bytes: 10 * 1024 * 1024, lines: 2000, lineLength: 2000, answer: 64 * 1024 };

const input = z.object({
  path: z.string().describe('Absolute, relative to the working directory, or ~/…'),
  offset: z.coerce.number().int().min(1).optional().describe('First line, from 1'),
  limit: z.coerce.number().int().min(1).optional().describe(`Number of lines, at most ${limits.lines}`),
  hashes: z
    .boolean()
    .optional()
    .describe('With a hash for each line, for hashline_edit: number:hash, tab, text'),
});

export const readFile: Tool<z.infer<typeof input>> = {
  name: 'read_file',
  class: 'read',
  description:
    `Read a text file: numbered lines, at most ${limits.lines} a call. ` +
    'Each line is its number, a tab, and the text; the number and tab are not part of the file.',
  input,
  target: ({ path }) => ({ path, access: 'read' }),
  asks: () => false,
  summary: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
  preview: async (_input, context) => ({ title: `Read ${targetOf(context).path}`, body: '' }),
  async run({ offset = 1, limit = limits.lines, hashes = false }, context) {
    const { path } = targetOf(context);
    const read = await context.files.read(path, limits.bytes);
    if ('cause' in read)
      return failed(`Could not read ${sentence(read.cause)} Use ls or glob to find the file.`);
    if (isBinary(read.bytes)) {
      return failed(`${path} is a binary file of ${bytesInWords(read.size)}. Only text can be read.`);
    }
    const lines = linesOf(new TextDecoder().decode(read.bytes));
    const cut = read.size > read.bytes.length ? read.size : null;
    if (lines.length === 0) return { text: `${path} is empty.` };
    if (offset > lines.length) return failed(`${path} has only ${lines.length} lines. Use a smaller offset.`);
    const label = hashes ? (line: string) => `:${lineHash(line)}` : () => '';
    return { text: page(lines, { offset, limit: Math.min(limit, limits.lines) }, cut, label) };
  },
};

/** `label` is what stands between a line's number and the tab. */
function page(
  lines: readonly string[],
  { offset, limit }: { offset: number; limit: number },
  size: number | null,
  label: (line: string) => string,
): string {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const numbered = `${offset + index}${label(line)}\t${cutLine(line, limits.lineLength)}`;
    length += numbered.length + 1;
    if (length > limits.answer && shown.length > 0) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  if (next <= lines.length) {
    shown.push(`[Lines ${offset} to ${next - 1} of ${lines.length}. Read on with offset ${next}.]`);
  }
  if (size !== null) {
    shown.push(
      `[The file has ${bytesInWords(size)}; only the first ${bytesInWords(limits.bytes)} can be read.]`,
    );
  }
  return shown.join('\n');
}
