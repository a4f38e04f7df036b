import { z } from 'zod';
import { unifiedDiff } from './preview.ts';
import { counted, exactText, isBinary, linesOf, notWritten, sentence, targetOf } from './text.ts';
import type { Preview, Tool, ToolContext } from './types.ts';

const limitBytes = 10 * 1024 * 1024;

const input = z.object({
  path: z.string().describe('Absolute, relative to the working directory, or ~/…'),
  content: z.string().describe('The whole new text of the file'),
});

export const writeFile: Tool<z.infer<typeof input>> = {
  name: 'write_file',
  class: 'projectWrite',
  classes: ['sessionPlan'],
  description:
    'Write a whole file; missing folders are made and an existing file is replaced. ' +
    'Use edit_file to change a part.',
  input,
  target: ({ path }) => ({ path, access: 'write' }),
  asks: () => true,
  summary: ({ path, content }) => `${path} (${counted(linesOf(content).length, 'line')})`,
  preview: ({ content }, context) => previewWrite(content, context),
  async run({ content }, context) {
    const target = targetOf(context);
    const before = await context.files.kind(target.path);
    const written = await context.files.write(target, content);
    if ('cause' in written) return notWritten(written);
    const done = `${before === 'absent' ? 'Created' : 'Replaced'} ${target.path}, ${counted(linesOf(content).length, 'line')}.`;
    return { text: [done, ...written.notes].join('\n') };
  },
};

async function previewWrite(content: string, context: ToolContext): Promise<Preview> {
  const { path } = targetOf(context);
  if ((await context.files.kind(path)) === 'absent') {
    return { title: `Create ${path}`, body: unifiedDiff(path, null, content) };
  }
  const read = await context.files.read(path, limitBytes);
  const before =
    'cause' in read || read.size > read.bytes.length || isBinary(read.bytes) ? null : exactText(read.bytes);
  if (before !== null) return { title: `Replace ${path}`, body: unifiedDiff(path, before, content) };
  const why = 'cause' in read ? sentence(read.cause) : 'It is large or not text.';
  return {
    title: `Replace ${path}`,
    body: `The present file can't be shown. ${why} The new text:\n${content}`,
  };
}
