import type { Scene } from './scenes.ts';

/** What stands in the text file of a scene: its rows, without what is empty at their end and below them. */
export function screenText(rows: readonly string[]): string {
  return `${rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd()}\n`;
}

/** The page that shows every picture with its caption. */
export function pageText(scenes: readonly Scene[]): string {
  const parts = scenes.map(
    ({ name, caption }) =>
      `## ${name}\n\n${caption} [As text](${name}.txt)\n\n![${caption.replaceAll('`', '')}](${name}.png)\n`,
  );
  const head = `# Screens

What the terminal UI shows in each state, at 80×24 where nothing else is said. \`npm run screens\` makes this page from the
running program; what the keys do is in [terminal UI](../terminal.md). Every state at 40×12 and 120×40 is in
\`test/adapters/tui/golden/\`.
`;
  return [head, ...parts].join('\n');
}
