import type { Tokens } from 'marked';
import stringWidth from 'string-width';
import { inlineRich } from './inline.ts';
import { plainText, type Rich, run } from './rich.ts';

function padded(text: string, cells: number, align: 'left' | 'right' | 'center' | null): string {
  const room = Math.max(0, cells - stringWidth(text));
  if (align === 'right') return ' '.repeat(room) + text;
  const left = align === 'center' ? Math.floor(room / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(room - left);
}

/** A table in columns of one width, in a `pre`: Telegram's HTML has no tables. */
export function tableRich(table: Tokens.Table): Rich {
  const cell = ({ tokens }: Tokens.TableCell): string => plainText(inlineRich(tokens)).replace(/\n/gu, ' ');
  const head = table.header.map(cell);
  const rows = table.rows.map((row) => row.map(cell));
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    widths
      .map((cells, column) => padded(row[column] ?? '', cells, table.align[column] ?? null))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((cells) => '-'.repeat(cells)).join('-+-');
  return run([line(head), rule, ...rows.map(line)].join('\n'), { kind: 'pre', language: '' });
}
