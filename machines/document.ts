import { templateFault, type TemplateFault } from './document/fault.ts';
import { readLabels, type PlanContext } from './document/labels.ts';
import { scanLines } from './document/scan-lines.ts';
import { findSection, readTitle } from './document/sections.ts';
import { readSteps, type PlanStep } from './document/steps.ts';
import { CONTEXT_SECTION, STEPS_SECTION } from './document/template.ts';
import { isBlank } from './document/white-space.ts';

export { scaffold } from './document/scaffold.ts';
export type { PlanStep, TemplateFault };

/** What the harness reads out of a session plan. No faults means that it can be approved. */
export interface DocumentScan {
  /** First level-1 heading outside fences, trimmed, at most 200 code points (D23); null without one. */
  title: string | null;
  context: PlanContext;
  steps: PlanStep[];
  /** Everything that keeps the plan from being approved, by line (D24). */
  faults: TemplateFault[];
}

const EMPTY_TEXT = `The plan is empty; it needs "${CONTEXT_SECTION.heading}" and "${STEPS_SECTION.heading}".`;

/**
 * Scans a session plan line by line: the one reader for Approve, previews and step counts (D23, D24, D41).
 *
 * Contract: total and linear; any string gives a scan.
 */
export function scanDocument(text: string): DocumentScan {
  const { lines, faults: unclosed } = scanLines(text);
  const contextSection = findSection(lines, CONTEXT_SECTION);
  const stepsSection = findSection(lines, STEPS_SECTION);
  const labels = readLabels(lines, contextSection);
  const list = readSteps(lines, stepsSection);
  const faults = isBlank(text)
    ? [templateFault('document.empty', 1, EMPTY_TEXT, null)]
    : [...unclosed, ...contextSection.faults, ...labels.faults, ...stepsSection.faults, ...list.faults];
  return {
    title: readTitle(lines),
    context: labels.values,
    steps: list.steps,
    faults: faults.toSorted((left, right) => left.line - right.line),
  };
}
