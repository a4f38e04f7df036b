import type { Token, Tokens } from 'marked';
import type { Line, Span } from '../lines.ts';

type Style = Omit<Span, 'text'>;

/*
 * The lexer escapes nothing but a few entities that a person typed; they are shown as characters again.
 */
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export function plainText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/gu, (found) => entities[found] ?? found);
}

function run(text: string, style: Style): Span[] {
  return text === '' ? [] : [{ text: plainText(text), ...style }];
}

function link(token: Tokens.Link, style: Style): Span[] {
  const inner = inlineSpans(token.tokens, style);
  const bare = token.text === token.href || `mailto:${token.text}` === token.href;
  // The address is always shown: a link text alone may lie about where it goes.
  return bare ? inner : [...inner, { text: ` (${token.href})`, dim: true }];
}

function one(token: Token, style: Style): Span[] {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens ?? [], { ...style, bold: true });
    case 'em':
      return inlineSpans(token.tokens ?? [], { ...style, italic: true });
    case 'codespan':
      return run(`\`${(token as Tokens.Codespan).text}\``, { ...style, colour: 'cyan' });
    case 'link':
      return link(token as Tokens.Link, style);
    case 'br':
      return [{ text: '\n' }];
    case 'text':
    case 'escape': {
      const inner = 'tokens' in token ? token.tokens : undefined;
      return inner === undefined ? run((token as Tokens.Text).text, style) : inlineSpans(inner, style);
    }
    default:
      return run(token.raw, style);
  }
}

/** The runs of a paragraph; a line end inside is a run of its own or part of one. */
export function inlineSpans(tokens: readonly Token[], style: Style = {}): Span[] {
  return tokens.flatMap((token) => one(token, style));
}

/** Splits runs at their line ends. */
export function spanLines(spans: Line): Line[] {
  const rows: Span[][] = [[]];
  for (const part of spans) {
    for (const [index, text] of part.text.split('\n').entries()) {
      if (index > 0) rows.push([]);
      if (text !== '') rows.at(-1)?.push({ ...part, text });
    }
  }
  return rows;
}
