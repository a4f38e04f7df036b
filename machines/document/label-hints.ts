import type { NearMiss } from './fault.ts';
import { quote } from './heading-hints.ts';
import type { Line } from './scan-lines.ts';
import { matchName, type LabelTemplate } from './template.ts';
import { isBlank, tidy, trimBy } from './white-space.ts';

const MARKERS = /[\s#>*_+.)\d-]/;
const EMPHASIS = /[\s*_]/;
const BOLD_START = /^(?:\*\*|__)([^*_]{1,60})(?:\*\*|__)/;

/** The line in Context that was probably meant as this label. */
export function labelNearMiss(body: readonly Line[], template: LabelTemplate): NearMiss | null {
  for (const line of body) {
    if (line.kind !== 'prose') continue;
    const kind = nameOf(line, template);
    const inline = kind === null && line.text.includes(template.label);
    if (kind === null && !inline) continue;
    const why = inline ? 'each label starts its own line' : reason(line, template, kind);
    return {
      line: line.number,
      hint: `${quote(line)}; write "${template.label} your text" instead: ${why}.`,
    };
  }
  return null;
}

/** A hint when the text of a blank label stands on a later line of the section. */
export function textOnNextLine(body: readonly Line[], blank: Line, label: string): string | null {
  const next = body.find(
    (line) => line.number > blank.number && line.kind === 'prose' && !isBlank(line.text),
  );
  if (next === undefined || /^\s*(?:[-*+]\s+)?(?:\*\*|#|\d+\.\s)/.test(next.text)) return null;
  return `The text on line ${next.number} does not count; put the text on the same line as "${label}".`;
}

function nameOf(line: Line, template: LabelTemplate): 'synonym' | 'translation' | null {
  const text = tidy(line.text);
  const [beforeColon = ''] = text.split(/[:：]/, 1);
  const byColon = matchName(trimBy(beforeColon, MARKERS), template);
  if (byColon !== null) return byColon;
  const start = text.replace(/^(?:[-*+]|\d{1,9}[.)]) /, '');
  return matchName(trimBy(BOLD_START.exec(start)?.[1] ?? '', EMPHASIS), template);
}

function reason(line: Line, template: LabelTemplate, kind: 'synonym' | 'translation' | null): string {
  const { text } = line;
  if (kind === 'translation') return 'the label stays in English, the text after it may be in any language';
  if (text.includes(template.label)) return 'it is indented too far or has something before it';
  if (/^[^:：]*：/.test(text)) return 'the colon must be the ordinary ":" and inside the bold';
  if (/^[^:]*(?:\*\*|__)\s*:/.test(text)) return 'the colon belongs inside the bold';
  if (text.toLowerCase().includes(template.label.toLowerCase())) return 'upper and lower case must match';
  return 'it is bold, with these words and the colon inside the bold';
}
