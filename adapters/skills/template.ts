/** A word, or several in quotes. */
const word = /"([^"]*)"|'([^']*)'|(\S+)/gu;

/** `$ARGUMENTS`, and `$1` to `$9`. */
const place = /\$(?:ARGUMENTS\b|([1-9])(?!\d))/gu;

/**
 * Puts what was typed behind a command's name into its text: all of it for `$ARGUMENTS`, a word for `$1` to `$9`
 * (nothing where it is missing). A text without either gets it at its end. What is put in is not looked at again,
 * and nothing is ever run.
 */
export function fillTemplate(template: string, given: string): string {
  const words = [...given.matchAll(word)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
  let used = false;
  const text = template.replace(place, (_, position: string | undefined) => {
    used = true;
    return position === undefined ? given : (words[Number(position) - 1] ?? '');
  });
  return used || given === '' ? text : `${text}\n\n${given}`;
}
