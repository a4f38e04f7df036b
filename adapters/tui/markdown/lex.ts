import { Lexer, type Token } from 'marked';

/*
 * The lexer calls itself for every level and reads a paragraph anew for every mark in it: a hostile text would end the
 * program or keep it busy for minutes. People's texts stay far below these limits.
 */
const mostCharacters = 200_000;
const mostLevels = 20;
const mostIndent = 60;
const mostMarks = 300;
const mostInline = 8000;

const markers = /^[ \t]*(?:(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))[ \t]*)+/u;

function isTooDeep(line: string): boolean {
  const found = markers.exec(line)?.[0];
  if (found === undefined) return false;
  const indent = found.length - found.trimStart().length;
  return indent > mostIndent || (found.match(/>|[-*+]|\d+[.)]/gu)?.length ?? 0) > mostLevels;
}

function isTooDense(text: string): boolean {
  return text.length > mostInline || (text.match(/[*_~[\]`<]/gu)?.length ?? 0) > mostMarks;
}

/** The parts of a Markdown text; null for one that is too long, or nested too deeply, to be read as such. */
export function lexed(text: string): Token[] | null {
  if (text.length > mostCharacters || text.split('\n').some(isTooDeep)) return null;
  const lexer = new Lexer();
  try {
    lexer.blockTokens(text, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) {
      if (isTooDense(src)) tokens.push({ type: 'text', raw: src, text: src });
      else lexer.inlineTokens(src, tokens);
    }
  } catch (error) {
    // The stack ran over after all, by a nesting that is not written line by line.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return lexer.tokens;
}
