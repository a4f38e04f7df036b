import { templateFault, type TemplateFault } from './fault.ts';
import { labelNearMiss, textOnNextLine } from './label-hints.ts';
import type { Line } from './scan-lines.ts';
import type { FoundSection } from './sections.ts';
import { CONTEXT_LABELS, type LabelTemplate } from './template.ts';
import { isBlank, tidy } from './white-space.ts';

/** Text after each required label of the Context section; null while missing or blank. */
export interface PlanContext {
  problem: string | null;
  targetState: string | null;
  intent: string | null;
}

// An optional list marker; four leading spaces would be indented code.
const LABEL_START = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?=\*\*)/;

/** Text after the label on its own line, or null when the line is not that label's line. */
export function afterLabel(line: Line, label: string): string | null {
  if (line.kind !== 'prose') return null;
  const start = LABEL_START.exec(line.text)?.[0].length;
  if (start === undefined || !line.text.startsWith(label, start)) return null;
  return line.text.slice(start + label.length);
}

/** Reads the three labels; a label that stands several times passes if one of them is filled (D24). */
export function readLabels(
  lines: readonly Line[],
  context: FoundSection,
): { values: PlanContext; faults: TemplateFault[] } {
  const values: PlanContext = { problem: null, targetState: null, intent: null };
  const faults: TemplateFault[] = [];
  if (context.draft === null) return { values, faults };
  for (const template of CONTEXT_LABELS) {
    const found = context.draft.body.filter((line) => afterLabel(line, template.label) !== null);
    const filled = found.find((line) => !isBlank(afterLabel(line, template.label) ?? ''));
    if (filled === undefined) faults.push(labelFault(lines, context.draft, template, found[0]));
    // Under a near miss of the heading the labels are checked, but nothing counts yet.
    else if (context.section !== null)
      values[template.field] = tidy(afterLabel(filled, template.label) ?? '');
  }
  return { values, faults };
}

function labelFault(
  lines: readonly Line[],
  section: NonNullable<FoundSection['draft']>,
  template: LabelTemplate,
  blank: Line | undefined,
): TemplateFault {
  const { label, name } = template;
  if (blank !== undefined) {
    const text = `"${label}" has no text after it on the same line.`;
    return templateFault(`${name}.blank`, blank.number, text, textOnNextLine(section.body, blank, label));
  }
  const miss = labelNearMiss(section.body, template) ?? outsideContext(lines, label);
  const text = `Context has no line that starts with "${label}".`;
  return templateFault(`${name}.missing`, miss?.line ?? section.heading.number, text, miss?.hint ?? null);
}

function outsideContext(lines: readonly Line[], label: string): { line: number; hint: string } | null {
  const line = lines.find((candidate) => afterLabel(candidate, label) !== null);
  if (line === undefined) return null;
  return {
    line: line.number,
    hint: `Line ${line.number} has it outside Context; move it under "## Context".`,
  };
}
