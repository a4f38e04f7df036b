/** What stands in the place of a secret. */
const mask = '[secret]';
/** Shorter values are no secrets, and each of them is in every other word. */
const shortest = 4;

/**
 * Takes every secret out of a value of any shape, by its value (D54): out of strings, names of fields, and
 * what a URL makes of it. Errors become their name, message, code, stack and cause.
 */
export function createRedact(secrets: readonly string[]): (value: unknown) => unknown {
  const forms = secrets
    .flatMap((secret) => [
      secret,
      secret.trim(),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ])
    .filter(({ length }) => length >= shortest);
  // The longest first, or a part of a secret would stay behind a shorter one.
  const known = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  const text = (given: string): string => known.reduce((kept, form) => kept.replaceAll(form, mask), given);
  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > mostDepth) return '…';
    if (Array.isArray(value)) return value.map((one) => redact(one, depth + 1));
    const fields = value instanceof Error ? fieldsOf(value) : value;
    return Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [text(name), redact(one, depth + 1)]),
    );
  };
  return (value) => redact(value, 0);
}

/** An error may be its own cause. */
const mostDepth = 8;

function fieldsOf(error: Error): Record<string, unknown> {
  const { name, message, stack } = error;
  const code = 'code' in error ? { code: error.code } : {};
  return { name, message, ...code, stack, ...(error.cause === undefined ? {} : { cause: error.cause }) };
}
