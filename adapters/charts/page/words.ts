import type { AnswerKind } from './scene.ts';

/** A shape and a word for each verdict; colour only repeats them. */
export const marks: Readonly<Record<AnswerKind, string>> = {
  accepted: '✓',
  view: '◉',
  info: 'i',
  queued: '…',
  refused: '⊘',
  ignored: '–',
};

export const verdictWords: Readonly<Record<AnswerKind, string>> = {
  accepted: 'accepted',
  view: 'shown',
  info: 'told',
  queued: 'queued',
  refused: 'refused',
  ignored: 'no reaction',
};

/** Whether every word of a search is somewhere in a text. */
export function matches(text: string, search: string): boolean {
  const plain = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => plain.includes(word));
}
