/** Words in lines of about 30 characters, a comma between two. */
export function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 30) lines.push(word);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
}
