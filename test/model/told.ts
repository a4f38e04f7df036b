import { acceptedAnswer, type Answer, answerOf } from '../../machines/index.ts';
import type { World } from '../support/explore.ts';
import type { Step } from './surface.ts';

/** The machine's answer to what was said last; null where nothing was said. */
export function answerIn({ taken }: World): Answer | null {
  const last = taken.at(-1);
  if (last === undefined) return null;
  const { answer, before, event, committed } = last;
  return answer.kind === 'accepted'
    ? acceptedAnswer(before, committed.shown, event)
    : answerOf(answer, before, event);
}

export const codeOf = (answer: Answer): string | null => ('code' in answer ? answer.code : null);

/** Without white space, since rows are wrapped at words and in the middle of a path, and without the time of day. */
export const squeezed = (text: string): string =>
  text.replace(/\s+/gu, '').replaceAll(/\d\d:\d\dUTC/gu, 'then');

/** What is wrong with what the model was told about its call; null: nothing. `real` puts real paths in. */
export function resultFault(
  { move, after }: Step,
  result: string | null,
  real: (text: string) => string,
): string | null {
  const answer = answerIn(after);
  if (answer === null || !('said' in move)) return null;
  const code = codeOf(answer);
  const told = squeezed(result ?? '');
  // The gate words for itself why a tool is closed, and the system why a file cannot be read.
  const byCode =
    move.said.type === 'tool.document' || code === 'IMPORT_UNREADABLE' || code === 'NOT_FOR_CHILD';
  const wanted = code === null ? answer.text : `${code}: ${byCode ? '' : answer.text}`;
  return told.includes(squeezed(real(wanted)))
    ? null
    : `the model was told ${JSON.stringify(result)}, not ${JSON.stringify(wanted)}`;
}
