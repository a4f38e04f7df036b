const acts = ['/plan', '/show-plan', '/show_plan', '/execute', '/discard', '/stop', '/approve'] as const;

/** The plan command that a text is, judged by its first word; null for anything else. */
export function planCommand(text: string): string | null {
  const word = text.trim().split(/\s/u, 1)[0] ?? '';
  return acts.find((act) => act === word.toLowerCase()) ?? null;
}

/** Without the slash, over all surfaces. */
const builtIn = new Set(
  (
    'plan show-plan showplan show execute discard stop continue approve goal model ' +
    'compact new session sessions rename status start help quit exit'
  ).split(' '),
);

/** Whether a surface has a command of this name, in either spelling (D51): no file of a user takes it (D21). */
export const isBuiltInCommand = (name: string): boolean =>
  builtIn.has(name.toLowerCase().replaceAll('_', '-'));
