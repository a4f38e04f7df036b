import matter from 'gray-matter';
import { z } from 'zod';

/** A Markdown file in two: its YAML, not yet checked, and what follows. */
export interface FrontMatter {
  data: unknown;
  content: string;
}

/** Why there is none; `line` counts from 1. */
export interface FrontMatterFault {
  line: number;
  what: string;
  cause?: unknown;
}

/** Splits a text with `\n` line ends. Contract: never throws. */
export function splitFrontMatter(text: string): FrontMatter | FrontMatterFault {
  if (!/^---[^\n]*\n(?:[^]*?\n)?---(?:\n|$)/.test(text)) {
    return { line: 1, what: 'it has no front matter between two lines of "---"' };
  }
  try {
    // The options object also keeps gray-matter from handing out one cached, mutable result per text.
    const found = matter(text, { engines: refusedEngines });
    return { data: found.data, content: found.content };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { line: yamlLine(error), what: `front matter: ${reason}`, cause: error };
  }
}

/** Line of a key of the front matter, from 1; 1 where it has none. */
export function keyLine(text: string, key: string): number {
  const name = key.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const at = text.search(new RegExp(`^${name}\\s*:`, 'mu'));
  return at < 0 ? 1 : text.slice(0, at).split('\n').length;
}

/** gray-matter runs front matter that calls itself code; ours is data only. */
const refusedEngines = Object.fromEntries(
  ['js', 'javascript', 'coffee', 'coffeescript', 'cson'].map((language) => [
    language,
    (): object => {
      throw new Error(`"${language}" front matter is code and is not run; write YAML`);
    },
  ]),
);

/** js-yaml counts from 0 and begins behind the opening "---", so its line 0 is the file's line 1. */
function yamlLine(error: unknown): number {
  const found = z.object({ mark: z.object({ line: z.number() }) }).safeParse(error);
  return found.success ? found.data.mark.line + 1 : 1;
}
