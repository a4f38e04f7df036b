import { diffLines } from 'diff';
import { scanDocument } from '../../../machines/index.ts';
import { count } from '../chrome/words.ts';
import { dim, span, wrapLine, type Line, type Span } from '../lines.ts';
import { visible, visibleLine } from '../text.ts';
import { wrapRows } from '../wrap.ts';
import type { BodyRow } from './body.ts';

/** What a text is compared with: the one seen before it in this terminal, else the one kept before it (D49). */
export interface Base {
  text: string;
  from: 'seen' | 'kept';
}

/** A comparison that takes longer is no help to read either, in milliseconds. */
const limitMs = 500;

/** Unchanged lines that are shown around a change. */
const around = 2;

interface Changed {
  mark: '+' | '-' | ' ';
  text: string;
}

/** Every line of both texts in order; null when the comparison takes too long. */
function changed(before: string, after: string): Changed[] | null {
  const parts = diffLines(before, after, { timeout: limitMs });
  if (parts === undefined) return null;
  return parts.flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/u, '')
      .split('\n')
      .map((text): Changed => ({ mark, text }));
  });
}

const looks: Readonly<Record<Changed['mark'], Omit<Span, 'text'>>> = {
  '+': { colour: 'green', bold: true },
  '-': { colour: 'red' },
  ' ': { dim: true },
};

function lineRows({ mark, text }: Changed, cells: number): Line[] {
  const shown = visible(text).replaceAll('\n', ' ');
  return wrapRows(shown, cells - 2).map((row, index) => [
    span(index === 0 ? `${mark} ` : '  ', looks[mark]),
    span(shown.slice(row.start, row.end).trimEnd(), looks[mark]),
  ]);
}

/** Whether a line is a change or stands close to one. */
function near(lines: readonly Changed[]): boolean[] {
  const keep = lines.map(() => false);
  lines.forEach(({ mark }, at) => {
    if (mark === ' ') return;
    for (let one = Math.max(0, at - around); one <= Math.min(lines.length - 1, at + around); one += 1) {
      keep[one] = true;
    }
  });
  return keep;
}

function leftOut(amount: number): Line {
  return [dim(`  \u2026 ${amount} unchanged ${amount === 1 ? 'line' : 'lines'}`)];
}

function allRows(lines: readonly Changed[], cells: number): Line[] {
  const keep = near(lines);
  const rows: Line[] = [];
  let skipped = 0;
  lines.forEach((line, at) => {
    if (keep[at] !== true) {
      skipped += 1;
      return;
    }
    if (skipped > 0) rows.push(leftOut(skipped));
    skipped = 0;
    rows.push(...lineRows(line, cells));
  });
  if (skipped > 0) rows.push(leftOut(skipped));
  return rows;
}

const since: Readonly<Record<Base['from'], string>> = {
  seen: 'since the text that you saw before',
  kept: 'since the text before this one',
};

function summary(lines: readonly Changed[], from: Base['from']): Line {
  const amount = (mark: Changed['mark']): number => lines.filter((line) => line.mark === mark).length;
  const [came, went] = [amount('+'), amount('-')];
  if (came + went === 0) return [span(`Nothing changed ${since[from]}.`)];
  return [span(`${count(came, 'line')} added, ${went} removed ${since[from]}:`, { bold: true })];
}

/** Names that stand in bold before a colon at the start of a list item, such as `Constraints`. */
function labelsOf(text: string): Set<string> {
  return new Set(
    Array.from(text.matchAll(/^\s*[-*+]\s+\*\*([^*\n:]+):\*\*/gmu), ([, name = '']) => name.trim()),
  );
}

/** Steps and labels that are gone: a small change that drops them is easily overlooked (B49). */
function lossLines(before: string, after: string, cells: number): Line[] {
  const fewer = scanDocument(before).steps.length - scanDocument(after).steps.length;
  const left = labelsOf(after);
  const gone = [...labelsOf(before)].filter((name) => !left.has(name));
  const losses = [...(fewer > 0 ? [count(fewer, 'step')] : []), ...gone.map(visibleLine)];
  if (losses.length === 0) return [];
  const text = losses.map((loss) => `\u2212${loss}`).join(', ');
  return wrapLine([span('! ', { bold: true, colour: 'yellow' }), span(text, { bold: true })], cells, [
    span('  '),
  ]);
}

/**
 * What changed from `base` to `after`, wrapped at `cells`, below a row that counts it. Lines that came begin with
 * `+`, lines that went with `-`, so no colour is needed. Long unchanged stretches are left out.
 */
export function changeRows(base: Base, after: string, cells: number): BodyRow[] {
  const lines = changed(base.text, after);
  const rows =
    lines === null
      ? wrapLine([span('The two texts differ too much to be compared here.')], cells)
      : [
          ...wrapLine(summary(lines, base.from), cells),
          ...lossLines(base.text, after, cells),
          ...allRows(lines, cells),
        ];
  return rows.map((spans, index) => ({ line: index + 1, first: true, spans }));
}
