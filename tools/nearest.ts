/** Longer lines and files are not searched for likeness: it is a hint, not worth a wait. */
const limits = { lines: 20_000, length: 300, likeness: 0.6 };

/**
 * The line (number from 1) that is most like the first line of a text that was not found, or null when
 * none is. White space at both ends does not count.
 */
export function nearestLine(
  lines: readonly string[],
  wanted: string,
): { number: number; text: string } | null {
  const first = wanted.split(/\r?\n/).find((line) => line.trim() !== '');
  if (first === undefined) return null;
  const pairs = pairsOf(first);
  let best = { number: 0, text: '', likeness: limits.likeness };
  for (const [index, text] of lines.slice(0, limits.lines).entries()) {
    const likeness = text.trim() === first.trim() ? 1 : likenessOf(pairs, pairsOf(text));
    if (likeness > best.likeness) best = { number: index + 1, text, likeness };
  }
  return best.number === 0 ? null : { number: best.number, text: best.text };
}

function pairsOf(line: string): Set<string> {
  const text = line.trim().slice(0, limits.length);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient of the letter pairs: 0 nothing in common, 1 the same. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
}
