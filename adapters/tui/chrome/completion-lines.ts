import type { Completion } from '../input/completion.ts';
import { bold, clipLine, dim, span, type Line } from '../lines.ts';
import { clip, pad, visibleLine, width } from '../text.ts';

/** Cells that labels may take before the details beside them. */
const labelCells = 24;

/** The open list of choices in at most `rows` rows, the one in the input in view. */
export function completionLines({ choices, at }: Completion, cells: number, rows: number): Line[] {
  if (choices.length === 0) return [[dim('Nothing begins like that.')]];
  const shown = choices.length > rows && rows > 1 ? rows - 1 : rows;
  const top = Math.max(0, Math.min(at - Math.floor(shown / 2), choices.length - shown));
  const labels = choices.map(({ label }) => clip(visibleLine(label), labelCells));
  const column = Math.max(...labels.map(width));
  const lines = choices.slice(top, top + shown).map((choice, index): Line => {
    const label = labels[top + index] ?? '';
    const marked = top + index === at;
    const name = marked ? bold(label) : span(label);
    const detail =
      choice.detail === '' ? [] : [dim(`${pad('', column - width(label))}  ${visibleLine(choice.detail)}`)];
    return clipLine([marked ? bold('\u203a ') : span('  '), name, ...detail], cells);
  });
  const left = choices.length - shown;
  return left > 0 && rows > 1 ? [...lines, clipLine([dim(`  ${left} more \u00b7 Tab`)], cells)] : lines;
}
