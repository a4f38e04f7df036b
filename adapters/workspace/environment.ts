/** Names that hold keys by habit; a command never gets them (D22). */
const secretName = /(^|_)(API_KEY|TOKEN|SECRET)$|^(OPENAI|ANTHROPIC|TELEGRAM|PLANCHART)_/i;

/** Shorter ones would take every variable that happens to hold the same few letters. */
const searchableLength = 8;

/** What a command may see of the program's environment: no keys by name, none by value (D22). */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || secretName.test(name)) continue;
    if (!secrets.some((secret) => holds(value, secret))) kept[name] = value;
  }
  return kept;
}

function holds(value: string, secret: string): boolean {
  if (secret === '') return false;
  return secret.length < searchableLength ? value === secret : value.includes(secret);
}
