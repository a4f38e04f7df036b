import { optionsInWords } from '../../../adapters/workspace/allow-options.ts';
import type { ReadOnlyCommand } from '../../../adapters/workspace/read-only-row.ts';
import { readOnlyCommands } from '../../../adapters/workspace/read-only-table.ts';

const start = `# Read-only commands

Generated from \`adapters/workspace/read-only-table.ts\` by its test; \`npx vitest run test/adapters/workspace/read-only-table.test.ts -u\` writes it anew.

Before \`plan init\` bash only explores. Where bubblewrap works, every command runs in a read-only sandbox and this
page does not matter. Where it does not, a command line runs without a sandbox if each simple command in it is
listed here; the approval prompt and the result then say "read-only commands, no sandbox". After \`plan init\` there
is no bash at either level.

- The line is parsed as bash parses it, judged, and written anew with every word quoted; the new line is what runs.
- Taken: pipes, \`&&\`, \`||\`, \`;\`, line breaks, \`!\`, \`( )\`, \`{ }\`, \`if\`, globs, quotes, \`$(…)\`, \`<(…)\`, \`<\`, \`<<\`, \`<<<\`,
  \`2>&1\` and \`>/dev/null\`. Variables and \`~\` have to be known beforehand.
- Refused: redirects into files, background commands, functions, loops, \`case\`, \`[[ ]]\`, \`(( ))\`, setting variables,
  brace expansion, paths as command names, and whatever can't be parsed.
- The output of a command is a word only for \`echo\` and \`printf\`.
- Closed as paths: planchart's home, \`/proc\`, and \`/dev\` apart from the standard streams, \`/dev/null\` and
  \`/dev/zero\`. A command that walks through folders may not start above them.
- git runs with its hooks, external diffs, text conversions and lazy fetches off; a repository whose own settings
  name a filter is refused.

An option in a list of exceptions is refused in a group of letters and in a shortened form too. Where the column "more"
says something of words, no option may follow one.

`;

/** The page of the docs, whole. */
export function readOnlyPage(): string {
  const head = ['| command | does | options | more | example |', '|---|---|---|---|---|'];
  const rows = [...readOnlyCommands].sort((a, b) => (a.name < b.name ? -1 : 1)).map(readOnlyRow);
  return `${start}${[...head, ...rows].join('\n')}\n`;
}

export const readOnlyRow = (row: ReadOnlyCommand): string =>
  `| ${[code(row.name), row.does, options(row), more(row), code(row.example)].join(' | ')} |`;

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const options = (row: ReadOnlyCommand): string =>
  optionsInWords(row.options)
    .split(' ')
    .map((word) => word.replace(/^(-[^,]*)(,?)$/, '`$1`$2'))
    .join(' ');

function more({ words = {}, walks, adds = [] }: ReadOnlyCommand): string {
  const { most, begin, first, needs, never } = words;
  return [
    ...(most === undefined ? [] : [`at most ${most} word`]),
    ...(begin === undefined ? [] : [`words begin with \`${begin}\``]),
    ...(first === undefined
      ? []
      : [`first ${first.of.join(', ')}${first.required ? '' : ' or options only'}`]),
    ...(needs === undefined
      ? []
      : [`${needs.when === 'words' ? 'words only ' : ''}with ${needs.of.join(', ')}`]),
    ...(never === undefined ? [] : [`no ${code(never)}`]),
    ...(walks === undefined ? [] : [walks === 'always' ? 'walks' : `walks with ${walks.join(', ')}`]),
    ...(adds.length === 0 ? [] : [`gets ${adds.join(' ')}`]),
  ].join('; ');
}
