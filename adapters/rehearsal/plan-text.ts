import { scanDocument } from '../../machines/index.ts';
import { oneLine } from './words.ts';

export interface DraftStep {
  title: string;
  description: string;
  doneWhen?: string;
}

/** A session plan before it is laid out. */
export interface Draft {
  title: string;
  problem: string;
  targetState: string;
  intent: string;
  constraints: string;
  outOfScope: string;
  steps: readonly DraftStep[];
}

/** Lays a draft out in the fixed outline of a session `.md`. */
export function planText(draft: Draft): string {
  return [
    `# ${draft.title}`,
    '',
    '## Context',
    '',
    ...labelLines(draft).map(([, line]) => line),
    `- **Constraints:** ${draft.constraints}`,
    `- **Out of scope:** ${draft.outOfScope}`,
    '',
    '## Implementation steps',
    '',
    ...stepLines(draft.steps),
    '',
  ].join('\n');
}

function labelLines(draft: Draft): [label: string, line: string][] {
  return [
    ['**Problem:**', `- **Problem:** ${draft.problem}`],
    ['**Target state:**', `- **Target state:** ${draft.targetState}`],
    ['**Intent:**', `- **Intent:** ${draft.intent}`],
  ];
}

function stepLines(steps: readonly DraftStep[]): string[] {
  return steps.flatMap(({ title, description, doneWhen }, index) => [
    `${index + 1}. ${title} — ${description}`,
    ...(doneWhen === undefined ? [] : [`   - Done when: ${doneWhen}`]),
  ]);
}

/**
 * Fills what keeps a session plan from being approved and leaves every other line as it is. Null when the fault is
 * not one that adding lines mends, e.g. a code fence that never ends.
 */
export function repairPlan(text: string, draft: Draft): string | null {
  const { title, context, steps } = scanDocument(text);
  let lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (title === null) lines.unshift(`# ${draft.title}`, '');
  lines = withSection(lines, '## Context');
  const blank = {
    '**Problem:**': context.problem,
    '**Target state:**': context.targetState,
    '**Intent:**': context.intent,
  };
  for (const [label, line] of labelLines(draft).toReversed()) {
    if (blank[label as keyof typeof blank] === null) lines = withLabel(lines, label, line);
  }
  if (steps.length === 0) lines = withSteps(lines, draft.steps);
  const repaired = `${lines.join('\n').trimEnd()}\n`;
  return scanDocument(repaired).faults.length === 0 ? repaired : null;
}

function withSection(lines: string[], heading: string): string[] {
  if (lines.some((line) => line.trimEnd() === heading)) return lines;
  const top = lines.findIndex((line) => line.startsWith('# ')) + 1;
  return [...lines.slice(0, top), '', heading, '', ...lines.slice(top)];
}

/** Puts the filled line in place of a blank one, else right under the heading. */
function withLabel(lines: string[], label: string, filled: string): string[] {
  const at = lines.findIndex((line) => line.includes(label) && line.split(label)[1]?.trim() === '');
  if (at >= 0) return lines.with(at, filled);
  return lines.toSpliced(lines.findIndex((line) => line.trimEnd() === '## Context') + 1, 0, filled);
}

/** The scaffold's empty step and criterion make room for the drafted ones. */
function withSteps(lines: string[], steps: readonly DraftStep[]): string[] {
  const kept = lines.filter((line) => !/^\d+\.\s*$|^\s+- Done when:\s*$/.test(line));
  const at = kept.findIndex((line) => line.trimEnd() === '## Implementation steps');
  if (at >= 0) return kept.toSpliced(at + 1, 0, ...stepLines(steps));
  return [...kept, '', '## Implementation steps', '', ...stepLines(steps)];
}

/** One exact replacement, as `edit_file` takes it. */
export interface Replacement {
  old_text: string;
  new_text: string;
}

/**
 * The small change that takes a person's note in: a further step when the note asks for something to be added and
 * the plan names a folder for new files, else a Constraints line. Null when no line offers itself as an anchor.
 */
export function noteChange(text: string, note: string, folder: string | null): Replacement | null {
  const wish = oneLine(note, 300);
  const { steps } = scanDocument(text);
  const last = steps.at(-1);
  if (
    folder !== null &&
    last !== undefined &&
    /^(?:please\s+)?(?:also\s+)?(?:add|include|cover|write|list)\b/i.test(wish)
  ) {
    const anchor = lastStepLine(text, last.line);
    const file = `${folder}note-${last.number + 1}.md`;
    const step = `${last.number + 1}. Take the note in — write the new file \`${file}\` on: ${wish}`;
    if (anchor !== null) return { old_text: anchor, new_text: `${anchor}\n${step}` };
  }
  const heading = '## Implementation steps';
  if (text.split(heading).length !== 2) return null;
  return { old_text: heading, new_text: `- **Constraints:** ${wish}\n\n${heading}` };
}

/** The last line that belongs to the step at `line`, if that text is there only once. */
function lastStepLine(text: string, line: number): string | null {
  const lines = text.split('\n').slice(line - 1);
  const end = lines.findIndex((candidate, index) => index > 0 && !/^\s+\S/.test(candidate));
  const anchor = lines.slice(0, end < 0 ? undefined : end).at(-1) ?? '';
  return anchor !== '' && text.split(anchor).length === 2 ? anchor : null;
}
