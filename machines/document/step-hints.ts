import type { NearMiss } from './fault.ts';
import { quote } from './heading-hints.ts';
import type { Line } from './scan-lines.ts';

// Most telling first: a bullet may be a note, so it only speaks when nothing else does.
const SHAPES: readonly { shape: RegExp; why: string }[] = [
  { shape: /^\d+[)）、．:](?!\d)/, why: 'the number is followed by "." and a space' },
  { shape: /^\d+\.\s*$/, why: 'there is no text after the number' },
  { shape: /^\d+\.(?![ \d])/, why: 'there is one space between the dot and the text' },
  { shape: /^[\s>]+\d+[.)]\s*\S/, why: 'the number stands in column 1; indented numbers are sub-steps' },
  { shape: /^\s*(?:[-*+]|\d+\.)\s+\[[ xX]?\]/, why: 'checkboxes are not numbered steps' },
  { shape: /^\s*[-*+]\s+\d+[.)]/, why: 'there is no bullet before the number' },
  { shape: /^#{1,6}\s*(?:step\s*)?\d+/i, why: 'a step is a numbered line, not a heading' },
  { shape: /^[*_]{0,2}(?:step\s*)?\d+[*_]{0,2}[.):]/i, why: 'a step starts with its plain number' },
  { shape: /^[*_]{0,2}step\s+\d+/i, why: 'a step starts with its plain number' },
  { shape: /^\p{Nd}+[.．)）]/u, why: 'the number is written with the digits 0 to 9' },
  { shape: /^\s*[-*+]\s+\S/, why: 'bullets are not numbered steps' },
];

/** The line of the section that was probably meant as a step. */
export function stepNearMiss(body: readonly Line[]): NearMiss | null {
  for (const { shape, why } of SHAPES) {
    const line = body.find((candidate) => candidate.kind === 'prose' && shape.test(candidate.text));
    if (line === undefined) continue;
    const hint = `${quote(line)}; write "1. First step — what to do" instead: ${why}.`;
    return { line: line.number, hint };
  }
  const ignored = body.find((line) => line.kind !== 'prose' && /^\s*\d+\. \S/.test(line.text));
  if (ignored === undefined) return null;
  return {
    line: ignored.number,
    hint: `The numbered line ${ignored.number} is inside a ${ignored.kind}; move it out.`,
  };
}
