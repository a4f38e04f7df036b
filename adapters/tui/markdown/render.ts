import type { Token, Tokens } from 'marked';
import { dim, lineWidth, span, wrapLine, type Line } from '../lines.ts';
import { visible } from '../text.ts';
import { inlineSpans, spanLines } from './inline.ts';
import { lexed } from './lex.ts';

function wrapAll(lines: readonly Line[], cells: number): Line[] {
  return lines.flatMap((line) => wrapLine(line, cells));
}

function sourceLines(text: string, cells: number): Line[] {
  return wrapAll(
    text
      .replace(/\n+$/u, '')
      .split('\n')
      .map((row) => [span(row)]),
    cells,
  );
}

/** Puts `first` before the first row and `rest` before the others. */
function prefix(lines: readonly Line[], first: Line, rest: Line): Line[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}

function marker(list: Tokens.List, item: Tokens.ListItem, index: number): string {
  const check = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : '';
  const start = typeof list.start === 'number' ? list.start : 1;
  return `${list.ordered ? `${start + index}.` : '\u2022'} ${check}`;
}

function listLines(list: Tokens.List, cells: number): Line[] {
  return list.items.flatMap((item, index) => {
    const head = marker(list, item, index);
    const body = item.tokens.filter((token) => token.type !== 'checkbox');
    const lines = blockLines(body, cells - head.length, 'tight');
    return prefix(lines.length === 0 ? [[]] : lines, [span(head)], [span(' '.repeat(head.length))]);
  });
}

/** The word after the fence is shown too: nothing of a message is hidden. */
function codeLines(token: Tokens.Code, cells: number): Line[] {
  const bar = [dim('\u2502 ')];
  const named = (token.lang ?? '') === '' ? [] : wrapAll([[dim(token.lang ?? '')]], cells - 2);
  return prefix([...named, ...sourceLines(token.text, cells - 2)], bar, bar);
}

function block(token: Token, cells: number): Line[] {
  const inner = 'tokens' in token ? (token.tokens ?? []) : [];
  switch (token.type) {
    case 'heading':
      return wrapAll(spanLines(inlineSpans(inner, { bold: true })), cells);
    case 'paragraph':
    case 'text':
      return wrapAll(spanLines(inner.length > 0 ? inlineSpans(inner) : [span(token.raw)]), cells);
    case 'code':
      return codeLines(token as Tokens.Code, cells);
    case 'blockquote':
      return prefix(blockLines(inner, cells - 2, 'loose'), [dim('\u2502 ')], [dim('\u2502 ')]);
    case 'list':
      return listLines(token as Tokens.List, cells);
    case 'hr':
      return [[dim('\u2500'.repeat(Math.min(cells, 20)))]];
    case 'space':
      return [];
    default:
      return sourceLines(token.raw, cells);
  }
}

function blockLines(tokens: readonly Token[], cells: number, spacing: 'tight' | 'loose'): Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const next = block(token, Math.max(8, cells));
    if (next.length === 0) continue;
    if (lines.length > 0 && spacing === 'loose') lines.push([]);
    lines.push(...next);
  }
  return lines;
}

/**
 * A model's message as rows of at most `cells`. Control bytes are made visible first (D39); what the lexer
 * can't read, or not within bounds, is shown as written.
 */
export function markdownLines(text: string, cells: number): Line[] {
  const shown = visible(text);
  const tokens = lexed(shown);
  const lines = tokens === null ? sourceLines(shown, cells) : blockLines(tokens, cells, 'loose');
  return lines.every((line) => lineWidth(line) <= cells) ? lines : wrapAll(lines, cells);
}
