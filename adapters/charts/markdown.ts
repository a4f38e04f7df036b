/** A table for a Markdown page, its line breaks and bars made harmless. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return `${[line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

export const code = (text: string): string => `\`${text}\``;

export const codes = (texts: readonly string[]): string =>
  texts.length === 0 ? '–' : texts.map(code).join(', ');

/** The head of a page that nobody edits by hand. */
export const generated = (title: string, from: string): string =>
  `# ${title}\n\nGenerated from ${from}. Do not edit: \`npm run charts\` writes it anew.\n`;
