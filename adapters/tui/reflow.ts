import { lineWidth, type Line } from './lines.ts';
import type { Drawn } from './prompt/prompt-lines.ts';

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');
const eraseUp = '\u001b[2K\u001b[1A';

function grown(lines: readonly Line[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(lineWidth(line) / columns) - 1), 0);
}

/**
 * A terminal that gets narrower wraps the rows of the frame that are too long now, so the frame's top is
 * higher than Ink believes and would be left behind as a ghost. This moves the cursor to where Ink expects
 * it, or erases the surplus when no cursor is shown. It assumes a terminal that wraps again on resize, as
 * nearly all do.
 */
export function shrinkRepair(frame: Drawn, columns: number): string {
  if (frame.cursor === null) return eraseUp.repeat(grown(frame.lines, columns));
  return up(grown(frame.lines.slice(0, frame.cursor.y), columns));
}
