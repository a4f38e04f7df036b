/**
 * Stands where an HTML comment was. It counts as white space, so a label followed only by a comment is blank,
 * yet it is no space, so cutting a comment out never turns `1.<!-- x -->A` into a numbered step.
 */
export const COMMENT_MARK = '\uFEFF';

const BLANK = /\p{White_Space}|[\u200B-\u200D\u2060\uFEFF]/u;

/** True when the text holds only Unicode white space and zero-width characters, or nothing (D24). */
export function isBlank(text: string): boolean {
  return trimBlank(text) === '';
}

/** Cuts white space in the sense of D24 off both ends. A loop, because `\s+$` is quadratic on long runs. */
export function trimBlank(text: string): string {
  return trimBy(text, BLANK);
}

/** Cuts characters that match the one-character pattern off both ends. */
export function trimBy(text: string, pattern: RegExp): string {
  let from = 0;
  let to = text.length;
  while (from < to && pattern.test(text.charAt(from))) from += 1;
  while (to > from && pattern.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** The text as a person sees it on one line: comment marks gone, white space collapsed and trimmed. */
export function tidy(text: string): string {
  return trimBlank(text.replaceAll(COMMENT_MARK, '').replace(/\s+/g, ' '));
}

/** At most `limit` code points, so that no emoji is cut in half. */
export function clip(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit ? text : trimBlank(points.slice(0, limit).join(''));
}
