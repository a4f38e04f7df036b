import { z } from 'zod';
import { bytesInWords, failed, sentence, targetOf } from './text.ts';
import type { Tool } from './types.ts';

const limit = 500;
const marks = { folder: '/', link: '@', other: '?', file: '' };

const input = z.object({
  path: z.string().optional().describe('Folder; the working directory when left out'),
});

export const ls: Tool<z.infer<typeof input>> = {
  name: 'ls',
  class: 'read',
  description: 'List a folder: `name/` is a folder, `name@` a symbolic link, files have their size.',
  input,
  target: ({ path }) => ({ path: path ?? '.', access: 'read' }),
  asks: () => false,
  summary: ({ path }) => path ?? '.',
  preview: async (_input, context) => ({ title: `List ${targetOf(context).path}`, body: '' }),
  async run(_input, context) {
    const { path } = targetOf(context);
    const entries = await context.files.list(path);
    if ('cause' in entries)
      return failed(`Could not list ${sentence(entries.cause)} Give the path of a folder.`);
    if (entries.length === 0) return { text: `${path} is empty.` };
    const lines = entries.slice(0, limit).map(({ name, kind, size }) => {
      return kind === 'file' ? `${name}  ${bytesInWords(size)}` : `${name}${marks[kind]}`;
    });
    if (entries.length > limit) lines.push(`[${entries.length - limit} more. Use glob with a pattern.]`);
    return { text: [`${path}:`, ...lines].join('\n') };
  },
};
