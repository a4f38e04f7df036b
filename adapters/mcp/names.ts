/** The longest tool name that every provider takes. */
const mostCharacters = 64;

/** What the model calls a server's tool: `mcp__<server>__<tool>`, of letters, digits, "_" and "-". */
export function toolName(server: string, tool: string): string {
  const clean = (text: string): string => text.replace(/[^A-Za-z0-9_-]/gu, '_');
  return `mcp__${clean(server)}__${clean(tool)}`.slice(0, mostCharacters);
}

/** The names that more than one tool would have. */
export function sharedNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}
