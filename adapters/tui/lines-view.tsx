import { Text } from 'ink';
import type { Line, Span } from './lines.ts';

/** Whether colours are sent; bold and dim always are. */
export type Paint = 'colour' | 'plain';

function Run({ part, paint }: { part: Span; paint: Paint }) {
  return (
    <Text
      bold={part.bold === true}
      dimColor={part.dim === true}
      italic={part.italic === true}
      inverse={part.inverse === true}
      {...(part.colour !== undefined && paint === 'colour' ? { color: part.colour } : {})}
    >
      {part.text}
    </Text>
  );
}

/** Rows as they are: they are already wrapped, so Ink must not wrap them again. */
export function LinesView({ lines, paint }: { lines: readonly Line[]; paint: Paint }) {
  return (
    <Text wrap="truncate-end">
      {lines.flatMap((line, row) => [
        ...(row === 0 ? [] : ['\n']),
        ...(line.length === 0 ? [' '] : []),
        ...line.map((part, column) => <Run key={`${row}.${column}`} part={part} paint={paint} />),
      ])}
    </Text>
  );
}
