/** Longer texts are not searched for the place of their fault: views read them again and again. */
const searchedLength = 1_000_000;

/** JSON text to a value, a byte order mark allowed; `cause` names line and column (1-based). Never throws. */
export function parseJson(text: string): { value: unknown } | { cause: string } {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') return { cause: 'the file is empty' };
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    if (body.length > searchedLength) return { cause: 'not JSON' };
    const before = body.slice(0, faultOffset(body)).split('\n');
    return { cause: `not JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}` };
  }
}

/**
 * Offset of the first character that cannot belong to JSON, or the length of a text that only stops too early.
 * The engine tells the place of some faults only, but it does tell whether the start of a text is sound so far;
 * so the place is searched by halves.
 */
function faultOffset(body: string): number {
  let sound = 0;
  let broken = body.length + 1;
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (soundSoFar(body.slice(0, middle))) sound = middle;
    else broken = middle;
  }
  return sound;
}

function soundSoFar(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/u.exec(message)?.[1];
    // A fault at the very end is only that the text stops there.
    return position === undefined ? /end of JSON input/u.test(message) : Number(position) >= start.length;
  }
}
