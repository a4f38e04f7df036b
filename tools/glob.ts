import { z } from 'zod';
import { globPattern } from './globs.ts';
import { failed, oneLine, sentence, targetOf } from './text.ts';
import { filterFiles, treeOf } from './tree.ts';
import type { Tool } from './types.ts';

const limit = 500;

const input = z.object({
  pattern: z.string().describe('E.g. src/**/*.ts; without a slash it matches names at any depth'),
  path: z.string().optional().describe('Folder to search; the working directory when left out'),
});

export const glob: Tool<z.infer<typeof input>> = {
  name: 'glob',
  class: 'read',
  description:
    'Find files by name pattern. Paths come relative to the folder. ' +
    'Files that .gitignore names, .git, node_modules and symbolic links are left out.',
  input,
  target: ({ path }) => ({ path: path ?? '.', access: 'read' }),
  asks: () => false,
  summary: ({ pattern, path }) => oneLine(path === undefined ? pattern : `${pattern} in ${path}`),
  preview: async ({ pattern }, context) => ({
    title: `Find ${oneLine(pattern)} in ${targetOf(context).path}`,
    body: '',
  }),
  async run({ pattern }, context) {
    const { path } = targetOf(context);
    const wanted = globPattern(pattern, limit + 1);
    if ('cause' in wanted) return failed(`Nothing was searched: ${sentence(wanted.cause)}`);
    const tree = await treeOf(path, context);
    if ('cause' in tree) return failed(`Nothing was searched: ${sentence(tree.cause)}`);
    const found = await filterFiles(tree, wanted, context);
    if ('cause' in found) return failed(`The search did not finish: ${found.cause}`);
    const shown = found.slice(0, limit);
    if (found.length === 0) shown.push(`No file below ${path} matches ${pattern}.`);
    if (found.length > limit) shown.push(`[More than ${limit} files match. Use a narrower pattern.]`);
    return { text: [...shown, ...tree.notes].join('\n') };
  },
};
