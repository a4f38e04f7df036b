/** JSON text to a value, a byte order mark allowed; `cause` names line and column (1-based). Never throws. */
export function parseJson(text: string): { value: unknown } | { cause: string } {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') return { cause: 'the file is empty' };
  try {
    return { value: JSON.parse(body) as unknown };
  } catch (error) {
    return { cause: `not JSON at ${place(body, error)}` };
  }
}

function place(body: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const found = /position (\d+)/.exec(message);
  // A text that stops too early is reported without a position: the fault is at its end.
  const position = found?.[1] === undefined ? body.length : Number(found[1]);
  const before = body.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
