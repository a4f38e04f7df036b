import { z } from 'zod';
import { globPattern } from './globs.ts';
import {
  bytesInWords,
  counted,
  cutLine,
  failed,
  isBinary,
  linesOf,
  oneLine,
  sentence,
  targetOf,
} from './text.ts';
import { filterFiles, type Tree, treeOf } from './tree.ts';
import type { LinePattern, Tool, ToolContext, ToolResult } from './types.ts';

const mebibyte = 1024 * 1024;
/** A file that is asked for by name may be larger than one that a search comes across. */
const limits = {
  matches: 200,
  fileBytes: 2 * mebibyte,
  namedFileBytes: 10 * mebibyte,
  batchBytes: 4 * mebibyte,
  lineLength: 300,
};

const input = z.object({
  pattern: z.string().describe('A JavaScript regular expression, matched line by line'),
  path: z.string().optional().describe('File or folder; the working directory when left out'),
  glob: z.string().optional().describe('Only files that match, e.g. *.ts or src/**/*.md'),
  ignore_case: z.boolean().optional(),
});
type Input = z.infer<typeof input>;

export const grep: Tool<Input> = {
  name: 'grep',
  class: 'read',
  description:
    `Search file contents: at most ${limits.matches} lines as path:line: text. ` +
    'Binary files, files that .gitignore names, .git, node_modules and symbolic links are left out.',
  input,
  target: ({ path }) => ({ path: path ?? '.', access: 'read' }),
  asks: () => false,
  summary: ({ pattern, path }) => oneLine(path === undefined ? pattern : `${pattern} in ${path}`),
  preview: async ({ pattern }, context) => ({
    title: `Search ${targetOf(context).path}`,
    body: pattern,
  }),
  async run(asked, context) {
    const pattern = linePattern(asked);
    if ('cause' in pattern) return failed(`Nothing was searched: ${sentence(pattern.cause)}`);
    const tree = await searched(asked, targetOf(context).path, context);
    if ('cause' in tree) return failed(`Nothing was searched: ${sentence(tree.cause)}`);
    return search(tree, pattern, context);
  },
};

function linePattern({ pattern, ignore_case }: Input): LinePattern | { cause: string } {
  if (pattern === '') return { cause: 'the pattern is empty' };
  const flags = ignore_case === true ? 'i' : '';
  try {
    return { source: new RegExp(pattern, flags).source, flags, limit: limits.matches + 1 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      cause: `${why}. Write it as a JavaScript regular expression, with \\ before ( ) [ ] { } . * + ? meant as text`,
    };
  }
}

/** A file is searched alone, by its own name; a folder by what the walk finds in it. */
async function searched(
  asked: Input,
  path: string,
  context: ToolContext,
): Promise<Searched | { cause: string }> {
  const alone = { root: '', files: [path], notes: [], limitBytes: limits.namedFileBytes };
  if ((await context.files.kind(path)) === 'file') return alone;
  const tree = await treeOf(path, context);
  if ('cause' in tree) return tree;
  const folder = { ...tree, root: path === '/' ? '/' : `${path}/`, limitBytes: limits.fileBytes };
  if (asked.glob === undefined) return folder;
  const wanted = globPattern(asked.glob, tree.files.length);
  if ('cause' in wanted) return wanted;
  const files = await filterFiles(tree, wanted, context);
  return 'cause' in files ? files : { ...folder, files };
}

interface Searched extends Tree {
  root: string;
  limitBytes: number;
}

/** Where a search stands: the next file, and how many were searched or left out. */
interface Progress {
  next: number;
  searched: number;
  unreadable: number;
  large: number;
}

async function search(tree: Searched, pattern: LinePattern, context: ToolContext): Promise<ToolResult> {
  const progress: Progress = { next: 0, searched: 0, unreadable: 0, large: 0 };
  const found: string[] = [];
  while (progress.next < tree.files.length && found.length <= limits.matches) {
    const batch = await readBatch(tree, progress, context);
    const texts = batch.map(({ text }) => text);
    const matched = await context.files.match(texts, pattern, context.signal);
    if ('cause' in matched) return failed(`The search did not finish: ${sentence(matched.cause)}`);
    for (const [index, { file, text }] of batch.entries()) {
      found.push(...linesAt(file, text, matched.lines[index] ?? []));
    }
  }
  return { text: [...answer(found, progress), ...tree.notes, ...remarks(progress, tree)].join('\n') };
}

/** Some megabytes of text at a time: a whole tree would not fit, and a thread for each file would be slow. */
async function readBatch(tree: Searched, progress: Progress, context: ToolContext) {
  const batch: { file: string; text: string }[] = [];
  for (let bytes = 0; progress.next < tree.files.length && bytes < limits.batchBytes; progress.next++) {
    if (context.signal.aborted) break;
    const file = tree.files[progress.next] ?? '';
    const read = await context.files.read(`${tree.root}${file}`, tree.limitBytes);
    if ('cause' in read) progress.unreadable++;
    else if (read.size > read.bytes.length) progress.large++;
    else if (!isBinary(read.bytes)) batch.push({ file, text: new TextDecoder().decode(read.bytes) });
    bytes += 'cause' in read ? 0 : read.bytes.length;
  }
  progress.searched += batch.length;
  return batch;
}

function linesAt(file: string, text: string, numbers: readonly number[]): string[] {
  if (numbers.length === 0) return [];
  const lines = linesOf(text);
  return numbers.map((number) => `${file}:${number}: ${cutLine(lines[number - 1] ?? '', limits.lineLength)}`);
}

function answer(found: readonly string[], { searched: files }: Progress): string[] {
  if (found.length === 0) return [`No line matches in ${counted(files, 'text file')}.`];
  if (found.length <= limits.matches) return [...found];
  const note = `[More than ${limits.matches} lines match. Use a narrower pattern, path or glob.]`;
  return [...found.slice(0, limits.matches), note];
}

function remarks({ unreadable, large }: Progress, { limitBytes }: Searched): string[] {
  const size = bytesInWords(limitBytes);
  return [
    ...(unreadable > 0 ? [`[${counted(unreadable, 'file')} could not be read.]`] : []),
    ...(large > 0 ? [`[${counted(large, 'file')} over ${size} left out; search with bash instead.]`] : []),
  ];
}
