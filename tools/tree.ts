import { counted, sentence } from './text.ts';
import type { LinePattern, ToolContext } from './types.ts';

/** How many files one search looks at. */
const fileLimit = 20_000;

/** The files of a folder that a search may look at, and what to say when these are not all. */
export interface Tree {
  files: readonly string[];
  notes: readonly string[];
}

export async function treeOf(path: string, context: ToolContext): Promise<Tree | { cause: string }> {
  const kind = await context.files.kind(path);
  if (kind === 'absent') return { cause: `${path} does not exist` };
  if (kind !== 'folder') return { cause: `${path} is not a folder` };
  const walked = await context.files.walk(path, fileLimit, context.signal);
  if ('cause' in walked) return walked;
  const { files, cut, skipped = [] } = walked;
  const some = skipped.slice(0, 5).join(', ') + (skipped.length > 5 ? ' …' : '');
  return {
    files,
    notes: [
      ...(cut
        ? [`[Only the first ${counted(files.length, 'file')} were looked at. Give a deeper path.]`]
        : []),
      ...(skipped.length > 0 ? [`[Not readable and left out: ${some}]`] : []),
    ],
  };
}

/** Those of the files whose relative path a glob matches. */
export async function filterFiles(
  tree: Tree,
  pattern: LinePattern,
  context: ToolContext,
): Promise<string[] | { cause: string }> {
  // One path a line: a name with a line break in it can't be shown or asked for anyway.
  const files = tree.files.filter((file) => !/[\r\n]/.test(file));
  const matched = await context.files.match([files.join('\n')], pattern, context.signal);
  if ('cause' in matched) return { cause: sentence(matched.cause) };
  return (matched.lines[0] ?? []).flatMap((line) => files[line - 1] ?? []);
}
