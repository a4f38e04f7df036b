import { templateFault, type TemplateFault } from './fault.ts';
import type { Line } from './scan-lines.ts';
import type { FoundSection } from './sections.ts';
import { stepNearMiss } from './step-hints.ts';
import { isBlank, tidy, trimBlank } from './white-space.ts';

/** One numbered line under Implementation steps; each becomes exactly one task (D41). */
export interface PlanStep {
  /** 1-based line of the file. */
  line: number;
  /** The number as written; not checked for order or gaps. */
  number: number;
  /** Text before ` — `, else the first sentence. */
  title: string;
  /** The rest of the line and the indented lines under it, joined by one space each. */
  description: string;
  /** Text of the `Done when:` bullets. */
  doneWhen: string[];
}

const DONE_WHEN = /^\s*(?:[-*+]\s+)?(?:\[[ xX]\]\s+)?[*_]{0,2}done when[*_]{0,2}\s*[:：][*_]{0,2}(.*)$/is;
// A full stop before a small letter is an abbreviation ("e.g. this"), not the end of a sentence.
const SENTENCE_END = /[.!?](?=\s+[^\s\p{Ll}])|[。！？]/u;

/** Reads the numbered steps of the section that counts; none at all is a fault (D24). */
export function readSteps(
  lines: readonly Line[],
  found: FoundSection,
): { steps: PlanStep[]; faults: TemplateFault[] } {
  if (found.draft === null) return { steps: [], faults: [] };
  const steps = collectSteps(found.draft.body);
  // Under a near miss of the heading the steps are checked, but nothing counts yet.
  if (steps.length > 0) return { steps: found.section === null ? [] : steps, faults: [] };
  const miss = stepNearMiss(found.draft.body) ?? outsideSection(lines);
  const text =
    'Implementation steps has no numbered step; write one like "1. First step — what to do" from column 1.';
  const fault = templateFault(
    'steps.none',
    miss?.line ?? found.draft.heading.number,
    text,
    miss?.hint ?? null,
  );
  return { steps: [], faults: [fault] };
}

function collectSteps(body: readonly Line[]): PlanStep[] {
  const steps: PlanStep[] = [];
  let current: PlanStep | null = null;
  for (const line of body) {
    if (line.kind !== 'prose' || isBlank(line.text)) continue;
    const started = startStep(line);
    if (started !== null) {
      steps.push(started);
      current = started;
    } else if (current !== null) {
      current = continueStep(current, line) ? current : null;
    }
  }
  return steps;
}

function startStep(line: Line): PlanStep | null {
  const start = line.kind === 'prose' ? /^(\d+)\. /.exec(line.text) : null;
  if (start === null || isBlank(line.text.slice(start[0].length))) return null;
  const { title, rest } = splitTitle(tidy(line.text.slice(start[0].length)));
  // A number too long for JavaScript must not become Infinity.
  const number = Math.min(Number(start[1]), Number.MAX_SAFE_INTEGER);
  return { line: line.number, number, title, description: rest, doneWhen: [] };
}

function splitTitle(text: string): { title: string; rest: string } {
  const dash = / —(?: |$)/.exec(text);
  if (dash !== null) return { title: unbold(text.slice(0, dash.index)), rest: text.slice(dash.index + 3) };
  const end = SENTENCE_END.exec(text)?.index ?? text.length - 1;
  const sentence = text.slice(0, end + 1);
  return { title: unbold(sentence.replace(/[.。]$/, '') || sentence), rest: trimBlank(text.slice(end + 1)) };
}

/** A title that is bold as a whole is shown plain. */
function unbold(title: string): string {
  return /^\*\*([^*]+)\*\*$/.exec(title)?.[1] ?? title;
}

/** Adds a line to the step; false when the line does not belong to it and the step is over. */
function continueStep(step: PlanStep, line: Line): boolean {
  const criterion = DONE_WHEN.exec(line.text)?.[1];
  if (criterion !== undefined) {
    if (!isBlank(criterion)) step.doneWhen.push(tidy(criterion));
    return true;
  }
  if (!/^[ \t]/.test(line.text)) return false;
  step.description = trimBlank(`${step.description} ${tidy(line.text)}`);
  return true;
}

function outsideSection(lines: readonly Line[]): { line: number; hint: string } | null {
  const line = lines.find((candidate) => startStep(candidate) !== null);
  if (line === undefined) return null;
  const hint = `Line ${line.number} is numbered but stands elsewhere; move it under "## Implementation steps".`;
  return { line: line.number, hint };
}
