import type { Token, Tokens } from 'marked';
import { bold, code, italic, plainText, type Rich, run, strike, under } from './rich.ts';

/** The lexer leaves the references that a person typed; they are shown as characters again. */
const references: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/gu, (found) => references[found] ?? found);
}

/**
 * An address that may be a link: http, https and tg only. `tg://user` would name a person, who is told of it, so it stays
 * text. null for any other.
 */
export function safeHref(href: string): string | null {
  if (!URL.canParse(href) || /\s/u.test(href)) return null;
  const { protocol, host } = new URL(href);
  if (protocol === 'tg:') return host.toLowerCase() === 'user' ? null : href;
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

function link(label: Rich, address: string): Rich {
  const href = safeHref(decoded(address));
  if (href !== null) return under({ kind: 'link', href }, label.length > 0 ? label : run(href));
  const text = plainText(label);
  // What is no link shows where it would go.
  const said = text === address || `mailto:${text}` === address || address === '';
  return said ? label : [...label, ...run(` (${decoded(address)})`)];
}

function one(token: Token): Rich {
  switch (token.type) {
    case 'strong':
      return under(bold, inlineRich(token.tokens ?? []));
    case 'em':
      return under(italic, inlineRich(token.tokens ?? []));
    case 'del':
      return under(strike, inlineRich(token.tokens ?? []));
    case 'codespan':
      return run(decoded((token as Tokens.Codespan).text), code);
    case 'link':
      return link(inlineRich(token.tokens ?? []), (token as Tokens.Link).href);
    case 'image':
      return link(run(decoded((token as Tokens.Image).text)), (token as Tokens.Image).href);
    case 'br':
      return run('\n');
    case 'text':
    case 'escape': {
      const inner = 'tokens' in token ? token.tokens : undefined;
      return inner === undefined ? run(decoded((token as Tokens.Text).text)) : inlineRich(inner);
    }
    default:
      return run(decoded(token.raw));
  }
}

/** The runs of one paragraph. */
export function inlineRich(tokens: readonly Token[]): Rich {
  return tokens.flatMap(one);
}
