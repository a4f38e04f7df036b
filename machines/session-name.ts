/** Longest name that a person gives, and longest one taken from a message, in code points. */
const limits = { given: 200, words: 60 } as const;

/** A name as a person gave it, on one line and no longer than a line; empty: it names nothing. */
export function givenName(name: string): string {
  return [...oneLine(name)].slice(0, limits.given).join('').trim();
}

/** What a session is called until somebody names it: how its first message begins, cut between words. */
export function firstWords(text: string): string {
  const line = oneLine(text);
  const letters = [...line];
  if (letters.length <= limits.words) return line;
  const cut = letters.slice(0, limits.words).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}

const oneLine = (text: string): string => text.toWellFormed().replace(/\s+/gu, ' ').trim();
