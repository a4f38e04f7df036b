type IntentFamily = 'plan' | 'read' | 'search' | 'write' | 'edit' | 'bash' | 'web';

/** What a person's words may ask for. A family is one line of data; the phrases need single spaces (D25). */
export const intentFamilies: readonly { family: IntentFamily; triggers: readonly string[] }[] = [
  {
    family: 'plan',
    triggers: [
      'make a plan',
      'create a plan',
      'plan for',
      'plan to implement',
      'plan out',
      'planning',
      'create plan',
      'make plan',
    ],
  },
];

const patterns: ReadonlyMap<IntentFamily, RegExp> = new Map(
  intentFamilies.map(({ family, triggers }) => [family, wordPattern(triggers)]),
);

/**
 * The words of this message that ask for a plan, as the person typed them, or null (D25). Pass only what the
 * person typed: no quotes, history, headers or attachments. A text that starts with `/` is a command.
 *
 * Contract: total and linear.
 */
export function planWords(text: string): string | null {
  return matchFamily('plan', text);
}

function matchFamily(family: IntentFamily, text: string): string | null {
  if (text.trimStart().startsWith('/')) return null;
  return patterns.get(family)?.exec(text)?.[0] ?? null;
}

/** JavaScript's `\b` knows ASCII only, so `é` or `ё` next to a trigger would look like a boundary. */
function wordPattern(triggers: readonly string[]): RegExp {
  const words = triggers.map((trigger) => trigger.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${words})(?![\p{L}\p{N}_])`, 'iu');
}
