import { lexer, type Token, type Tokens } from 'marked';
import { visible } from '../../text.ts';
import { inlineRich } from './inline.ts';
import { bold, join, plainText, type Rich, run, type Tag, under } from './rich.ts';
import { tableRich } from './table.ts';

function codeRich({ text, lang }: Tokens.Code): Rich {
  // Only a plain word can stand in the attribute; the rest of the line behind the fence is shown.
  const word = lang ?? '';
  const language = /^[\w+#.-]+$/u.test(word) ? word : '';
  const pre: Tag = { kind: 'pre', language };
  const body = run(text, pre);
  return word === language ? body : join([run(word), body], '\n');
}

function marker(list: Tokens.List, item: Tokens.ListItem, index: number): string {
  const start = typeof list.start === 'number' ? list.start : 1;
  const check = item.task ? (item.checked === true ? '\u2611 ' : '\u2610 ') : '';
  if (list.ordered) return `${start + index}. ${check}`;
  return check === '' ? '\u2022 ' : check;
}

/** Blanks before each further line, but not in code, where they would be part of it. */
function indented(rich: Rich, pad: string): Rich {
  const inCode = (index: number): boolean => rich[index]?.tags.some(({ kind }) => kind === 'pre') === true;
  return rich.map((one, index) => {
    if (inCode(index)) return one;
    const { text } = one;
    const shifted = text.replace(/\n(?!\n)/gu, (_, at: number) => {
      const last = at + 1 === text.length;
      const blank = last && (index + 1 === rich.length || rich[index + 1]?.text.startsWith('\n') === true);
      return blank || (last && inCode(index + 1)) ? '\n' : `\n${pad}`;
    });
    return { ...one, text: shifted };
  });
}

function listRich(list: Tokens.List): Rich {
  const items = list.items.map((item, index) => {
    const head = marker(list, item, index);
    const body = item.tokens.filter((token) => token.type !== 'checkbox');
    const inner = join(body.map(blockRich), '\n');
    const first = inner[0]?.tags.some(({ kind }) => kind === 'pre') === true;
    return [...run(first ? `${head.trimEnd()}\n` : head), ...indented(inner, ' '.repeat(3))];
  });
  return join(items, '\n');
}

function blockRich(token: Token): Rich {
  const inner = 'tokens' in token ? (token.tokens ?? []) : [];
  switch (token.type) {
    case 'heading':
      return under(bold, inlineRich(inner));
    case 'paragraph':
    case 'text':
      return inner.length > 0 ? inlineRich(inner) : inlineRich([token]);
    case 'code':
      return codeRich(token as Tokens.Code);
    case 'blockquote':
      return under({ kind: 'quote', fold: 'open' }, blocksRich(inner));
    case 'list':
      return listRich(token as Tokens.List);
    case 'table':
      return tableRich(token as Tokens.Table);
    case 'hr':
      return run('\u2014\u2014\u2014');
    case 'space':
    case 'def':
      return token.type === 'def' ? run(token.raw.trimEnd()) : [];
    default:
      return run(token.raw.trimEnd());
  }
}

function blocksRich(tokens: readonly Token[]): Rich {
  return join(tokens.map(blockRich), '\n\n');
}

/** Markdown as the lexer reads it; null where it is nested too deep for it. */
function read(text: string): Rich | null {
  try {
    return blocksRich(lexer(text));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * A model's message for Telegram. Control bytes and marks that turn text around are made visible first (D39); what the
 * lexer can't read, HTML included, is shown as written.
 *
 * Contract: total; nothing a text holds becomes a tag.
 */
export function markdownRich(text: string): Rich {
  const shown = visible(text);
  const rich = read(shown);
  return rich === null || plainText(rich).trim() === '' ? run(shown) : rich;
}
