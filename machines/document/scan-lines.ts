import { templateFault, type TemplateFault } from './fault.ts';
import { COMMENT_MARK } from './white-space.ts';

/** One line of the file. Only prose has structure; comments inside prose are already cut out of `text`. */
export interface Line {
  /** 1-based line number in the file. */
  number: number;
  text: string;
  kind: 'prose' | 'code fence' | 'comment' | 'front matter';
}

type OpenBlock = { kind: 'fence'; line: number; marker: string } | { kind: 'comment'; line: number } | null;

interface Row {
  text: string;
  kind: Line['kind'];
  open: OpenBlock;
}

const FENCE_OPEN = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_CLOSE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
// `<!-->` and `<!--->` are whole comments; a run of backticks may open a code span that hides a `<!--`.
const INLINE_MARKS = /`+|<!--(?:-?>)?|-->/g;
const REQUIRED_HEADING = /^## (?:Context|Implementation steps)\s*$/;

/**
 * Splits the file into lines and marks what D24 ignores: front matter, fenced code and HTML comments.
 * A fence or comment that never closes hides the rest of the file and is returned as a fault.
 */
export function scanLines(text: string): { lines: Line[]; faults: TemplateFault[] } {
  const rows = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const body = frontMatterLength(rows);
  const lines: Line[] = [];
  let open: OpenBlock = null;
  for (const [index, source] of rows.entries()) {
    const number = index + 1;
    const row: Row =
      index < body ? { text: source, kind: 'front matter', open: null } : readRow(source, number, open);
    open = row.open;
    lines.push({ number, text: row.text, kind: row.kind });
  }
  return { lines, faults: open === null ? [] : [unclosed(open)] };
}

/** Number of lines in the front matter block, markers included; 0 without one. */
function frontMatterLength(rows: readonly string[]): number {
  if (rows[0]?.trimEnd() !== '---') return 0;
  const end = rows.findIndex((row, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(row));
  // A plan that begins with a horizontal rule is not front matter: its sections must not vanish.
  return rows.slice(0, end + 1).some((row) => REQUIRED_HEADING.test(row)) ? 0 : end + 1;
}

function readRow(source: string, number: number, open: OpenBlock): Row {
  if (open?.kind === 'fence') {
    return { text: source, kind: 'code fence', open: closesFence(source, open.marker) ? null : open };
  }
  const marker = open === null ? FENCE_OPEN.exec(source)?.[1] : undefined;
  if (marker !== undefined) {
    return { text: source, kind: 'code fence', open: { kind: 'fence', line: number, marker } };
  }
  const cut = cutComments(source, open !== null);
  const after: OpenBlock =
    cut.open === 'no' ? null : cut.open === 'here' ? { kind: 'comment', line: number } : open;
  // As in CommonMark, a comment that starts the line or ends on it makes the whole line HTML.
  if (open !== null || /^\s*<!--/.test(source)) return { text: source, kind: 'comment', open: after };
  return { text: cut.text, kind: 'prose', open: after };
}

function closesFence(source: string, marker: string): boolean {
  const found = FENCE_CLOSE.exec(source)?.[1];
  return found !== undefined && found[0] === marker[0] && found.length >= marker.length;
}

/** Replaces comments by one mark each and tells whether one is still open at the end of the line. */
function cutComments(source: string, inside: boolean): { text: string; open: 'no' | 'earlier' | 'here' } {
  const marks = [...source.matchAll(INLINE_MARKS)];
  const lastRun = new Map(marks.map((mark, index) => [mark[0], index]));
  let open: 'no' | 'earlier' | 'here' = inside ? 'earlier' : 'no';
  let text = '';
  let from = 0;
  let span = '';
  for (const [index, mark] of marks.entries()) {
    const [token] = mark;
    if (open !== 'no') {
      // Not only `-->`: inside a comment `<!-->` is text that ends it.
      if (!token.endsWith('-->')) continue;
      open = 'no';
      from = mark.index + token.length;
    } else if (token.startsWith('`')) {
      // A run without a later run of the same length is plain text, so an entered span always ends.
      if (span === token) span = '';
      else if (span === '' && (lastRun.get(token) ?? 0) > index) span = token;
    } else if (span === '' && token.startsWith('<')) {
      text += source.slice(from, mark.index) + COMMENT_MARK;
      from = mark.index + token.length;
      if (token === '<!--') open = 'here';
    }
  }
  return { text: open === 'no' ? text + source.slice(from) : text, open };
}

function unclosed(open: NonNullable<OpenBlock>): TemplateFault {
  const name = open.kind === 'fence' ? 'code fence' : 'HTML comment';
  const text = `The ${name} opened here is never closed, so everything after it is ignored.`;
  return templateFault(`${open.kind}.unclosed`, open.line, text, null);
}
