/** The line of a key or table, counted from 1; of one that stands nowhere by itself, that of what holds it. */
export type LineOf = (path: readonly string[]) => number;

/** In the order of precedence: what a string holds is no key, whatever it looks like. */
const token =
  /(?<multi>"""(?:\\[^]|"{1,2}(?!")|[^"\\])*"""|'''(?:'{1,2}(?!')|[^'])*''')["']{0,2}|(?<quoted>"(?:\\.|[^"\\\n])*"|'[^'\n]*')|#[^\n]*|(?<end>\n)|(?<mark>[=.,[\]{}])|(?<bare>[^\s"'#=.,[\]{}]+)/gu;

/**
 * Finds the lines of a TOML document's keys; its parser gives none. The document has to be valid. `unescape`
 * reads a quoted key that holds escapes.
 */
export function keyLines(text: string, unescape: (quoted: string) => string): LineOf {
  const scan = new Scan(unescape);
  for (const { 0: found, groups = {} } of text.matchAll(token)) scan.take(found, groups);
  return scan.lineOf;
}

type Groups = Readonly<Record<string, string | undefined>>;

class Scan {
  private readonly unescape: (quoted: string) => string;
  private readonly lines = new Map<string, number>();
  private line = 1;
  private mode: 'key' | 'header' | 'value' = 'key';
  private table: readonly string[] = [];
  private parts: string[] = [];
  /** Open brackets of a value. */
  private depth = 0;

  constructor(unescape: (quoted: string) => string) {
    this.unescape = unescape;
  }

  readonly lineOf: LineOf = (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = this.lines.get(nameOf(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return 1;
  };

  take(found: string, { end, mark, bare, quoted }: Groups): void {
    if (end !== undefined) this.endLine();
    else if (this.mode === 'value') this.depth += depthOf(mark);
    else if (mark === '=') this.startValue();
    else if (mark === '[' && this.parts.length === 0) this.mode = 'header';
    else if (bare !== undefined) this.parts.push(bare);
    else if (quoted !== undefined) this.parts.push(this.keyOf(quoted));
    // A value may span lines.
    if (end === undefined) this.line += found.split('\n').length - 1;
  }

  private endLine(): void {
    if (this.mode === 'header') {
      this.note(this.parts);
      this.table = this.parts;
    }
    if (this.depth === 0) {
      this.mode = 'key';
      this.parts = [];
    }
    this.line += 1;
  }

  private startValue(): void {
    this.note([...this.table, ...this.parts]);
    this.mode = 'value';
  }

  /** The first mention counts, and a table that is only named as a part of a path is there too. */
  private note(path: readonly string[]): void {
    for (let length = 1; length <= path.length; length += 1) {
      const name = nameOf(path.slice(0, length));
      if (!this.lines.has(name)) this.lines.set(name, this.line);
    }
  }

  private keyOf(quoted: string): string {
    return quoted.startsWith('"') && quoted.includes('\\') ? this.unescape(quoted) : quoted.slice(1, -1);
  }
}

function depthOf(mark: string | undefined): number {
  if (mark === '[' || mark === '{') return 1;
  return mark === ']' || mark === '}' ? -1 : 0;
}

const nameOf = (path: readonly string[]): string => JSON.stringify(path);
