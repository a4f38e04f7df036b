const acts = ['/plan', '/show-plan', '/show_plan', '/execute', '/discard', '/stop', '/approve'] as const;

/** The plan command that a text is, judged by its first word; null for anything else. */
export function planCommand(text: string): string | null {
  const word = text.trim().split(/\s/u, 1)[0] ?? '';
  return acts.find((act) => act === word.toLowerCase()) ?? null;
}
