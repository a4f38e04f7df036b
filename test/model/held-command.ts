/**
 * A shell line that does `change`, then creates the file `mark` and goes on until that is removed, or for this many
 * seconds at least: whoever forgets it, as a walk that fails, leaves nothing running. `mark` has no quote in it.
 */
export function heldCommand(change: string, mark: string, seconds = 30): string {
  const held = `[ -e '${mark}' ] && [ $((turns += 1)) -le ${seconds * 20} ]`;
  return `${change}; : > '${mark}'; turns=0; while ${held}; do sleep 0.05; done`;
}
