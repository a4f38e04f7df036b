import type { NearMiss } from './fault.ts';
import type { Line } from './scan-lines.ts';
import { matchName, type SectionTemplate } from './template.ts';
import { clip, tidy, trimBy } from './white-space.ts';

// What people put around a heading's name: hashes, emphasis, a number, a colon.
const DECORATION = /[\s#*_>:：.)\d-]/;
const QUOTE_LIMIT = 60;

/** The line as it is quoted in a hint. */
export function quote(line: Line): string {
  const text = tidy(line.text);
  return `Line ${line.number} says "${clip(text, QUOTE_LIMIT)}"`;
}

/** The line that was probably meant as the missing heading; real headings win over bold or bare words. */
export function headingNearMiss(lines: readonly Line[], template: SectionTemplate): NearMiss | null {
  const prose = lines.filter((line) => line.kind === 'prose' && nameOf(line, template) !== null);
  const likely = prose.find((line) => line.text.trimStart().startsWith('#')) ?? prose[0];
  if (likely !== undefined) {
    const hint = `${quote(likely)}; write "${template.heading}" instead: ${reason(likely, template)}.`;
    return { line: likely.number, hint };
  }
  const ignored = lines.find((line) => line.kind !== 'prose' && line.text.trimEnd() === template.heading);
  if (ignored === undefined) return null;
  const where = ignored.kind === 'front matter' ? 'front matter' : `a ${ignored.kind}`;
  return { line: ignored.number, hint: `The one on line ${ignored.number} is inside ${where}; move it out.` };
}

function nameOf(line: Line, template: SectionTemplate): 'synonym' | 'translation' | null {
  const name = trimBy(tidy(line.text), DECORATION);
  const exact = matchName(name, template);
  if (exact !== null) return exact;
  // `## Context and background`: the heading's name with more behind it, on a heading line only.
  const bare = template.heading.slice(3).toLowerCase();
  const more = name.toLowerCase().startsWith(bare) && /^[^\p{L}\p{N}_]/u.test(name.slice(bare.length));
  return more && line.text.trimStart().startsWith('#') ? 'synonym' : null;
}

function reason(line: Line, template: SectionTemplate): string {
  if (nameOf(line, template) === 'translation') {
    return 'the heading stays in English, the text under it may be in any language';
  }
  const hashes = /^ {0,3}(#+)/.exec(line.text)?.[1]?.length ?? 0;
  if (hashes !== 2) return 'a heading of level 2 starts with two "#" and a space';
  const name = tidy(line.text.trimStart().slice(hashes));
  const bare = template.heading.slice(3);
  if (name !== bare && name.toLowerCase() === bare.toLowerCase()) return 'upper and lower case must match';
  return 'it starts in column 1 and nothing else stands on the line';
}
