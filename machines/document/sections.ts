import { templateFault, type TemplateFault } from './fault.ts';
import { headingNearMiss } from './heading-hints.ts';
import type { Line } from './scan-lines.ts';
import type { SectionTemplate } from './template.ts';
import { clip, isBlank, tidy } from './white-space.ts';

/** A heading and the lines under it, ignored ones included. */
export interface Section {
  heading: Line;
  body: Line[];
}

export interface FoundSection {
  /** The section that counts, or null when it is missing. */
  section: Section | null;
  /** Where to look for further faults: the section, else what stands under a near miss of its heading. */
  draft: Section | null;
  faults: TemplateFault[];
}

const TITLE_LIMIT = 200;

/** Level 1 to 6 of an ATX heading, 0 for any other line. Underlined headings are not headings here. */
export function headingLevel(line: Line): number {
  if (line.kind !== 'prose') return 0;
  return /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line.text)?.[1]?.length ?? 0;
}

/** The first level-1 heading that has text, trimmed, at most 200 code points (D23). */
export function readTitle(lines: readonly Line[]): string | null {
  for (const line of lines) {
    if (headingLevel(line) !== 1) continue;
    const title = tidy(line.text.trimStart().slice(1));
    if (title !== '') return clip(title, TITLE_LIMIT);
  }
  return null;
}

/** Finds a required section; the first of several counts and each further one is a fault (D24). */
export function findSection(lines: readonly Line[], template: SectionTemplate): FoundSection {
  const [first, ...repeats] = lines.filter((line) => isRequiredHeading(line, template.heading));
  if (first === undefined) return missingSection(lines, template);
  const section = sectionAt(lines, first);
  const faults = repeats.map((line) =>
    templateFault(
      `${template.name}.duplicate`,
      line.number,
      `This is a second "${template.heading}" heading; only the first one, on line ${first.number}, counts.`,
      null,
    ),
  );
  return { section, draft: section, faults };
}

function missingSection(lines: readonly Line[], template: SectionTemplate): FoundSection {
  const miss = headingNearMiss(lines, template);
  const line = miss?.line ?? missingLine(lines, template);
  const text = `The heading "${template.heading}" is missing; under it belongs ${template.content}.`;
  const heading = lines.find((candidate) => candidate.number === miss?.line && candidate.kind === 'prose');
  return {
    section: null,
    draft: heading === undefined ? null : sectionAt(lines, heading),
    faults: [templateFault(`${template.name}.missing`, line, text, miss?.hint ?? null)],
  };
}

/** Context belongs under the title, the steps belong at the end of what is written. */
function missingLine(lines: readonly Line[], template: SectionTemplate): number {
  if (template.name === 'context') return lines.find((line) => headingLevel(line) === 1)?.number ?? 1;
  return lines.findLast((line) => !isBlank(line.text))?.number ?? 1;
}

function isRequiredHeading(line: Line, heading: string): boolean {
  return line.kind === 'prose' && line.text.startsWith(heading) && isBlank(line.text.slice(heading.length));
}

/** From the heading to the next level-1 or level-2 heading; a lower near miss also ends at its own level. */
function sectionAt(lines: readonly Line[], heading: Line): Section {
  const depth = Math.max(2, headingLevel(heading));
  const end = lines.findIndex(
    (line) => line.number > heading.number && headingLevel(line) > 0 && headingLevel(line) <= depth,
  );
  return { heading, body: lines.slice(heading.number, end === -1 ? undefined : end) };
}
