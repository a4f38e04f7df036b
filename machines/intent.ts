import { families, type Family, type ToolFamily, triggers } from './intent/families.ts';

const patterns: ReadonlyMap<Family, RegExp> = new Map(
  families.map((family) => [family, wordPattern(triggers[family])]),
);

/**
 * The words of this message that ask for a plan, as the person typed them, or null (D25). Pass only what the
 * person typed: no history, headers or attachments. A text that starts with `/` is a command, a line that
 * starts with `>` quotes somebody (decision 0039).
 *
 * Contract: total and linear.
 */
export function planWords(text: string): string | null {
  return wordsOf('plan', typedWords(text));
}

/** The families whose words this message has, `plan` left out, in their fixed order. Contract: as `planWords`. */
export function toolFamilies(text: string): readonly ToolFamily[] {
  const typed = typedWords(text);
  return families.flatMap((family) => (family === 'plan' || wordsOf(family, typed) === null ? [] : [family]));
}

function wordsOf(family: Family, typed: string): string | null {
  return patterns.get(family)?.exec(typed)?.[0] ?? null;
}

/** A command has no words of its own, and a quoted line has somebody else's. */
function typedWords(text: string): string {
  if (text.trimStart().startsWith('/')) return '';
  if (!text.includes('>')) return text;
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'))
    .join('\n');
}

/** JavaScript's `\b` knows ASCII only, so `é` or `ё` next to a trigger would look like a boundary. */
function wordPattern(words: readonly string[]): RegExp {
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}\p{Pc}])(?:${any})(?![\p{L}\p{M}\p{N}\p{Pc}])`, 'iu');
}
