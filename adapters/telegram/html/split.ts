import { shared } from './render.ts';
import { plainText, type Rich, type Run, type Tag } from './rich.ts';

/** What one message may hold: UTF-16 units after parsing, and entities, of which further ones are dropped silently. */
export interface Limits {
  units: number;
  entities: number;
}

export const messageLimits: Limits = { units: 4096, entities: 100 };
export const captionLimits: Limits = { units: 1024, entities: 100 };

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** White space and characters without a shape of their own: a message of nothing else is refused. */
const blank = /^[\s\p{Cf}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]*$/u;

export const isBlank = (rich: Rich): boolean => blank.test(plainText(rich));

/** The part of a text from one offset to another. Elements stay the same objects, so both sides are under them. */
export function slice(rich: Rich, from: number, to = Infinity): Rich {
  const cut: Run[] = [];
  let at = 0;
  for (const { text, tags } of rich) {
    const piece = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (piece !== '') cut.push({ text: piece, tags });
    at += text.length;
  }
  return cut;
}

/** Where the element after the last one that is allowed would open; elements open at the start count. */
function entityEnd(rich: Rich, entities: number): number {
  let open: readonly Tag[] = [];
  let count = 0;
  let at = 0;
  for (const { text, tags } of rich) {
    count += tags.length - shared(open, tags);
    if (count > entities && at > 0) return at;
    open = tags;
    at += text.length;
  }
  return at;
}

/** The last place not after `limit` between two characters as people see them; inside one that alone is longer. */
function graphemeEnd(text: string, limit: number): number {
  let end = 0;
  for (const { index, segment } of segmenter.segment(text.slice(0, limit + 100))) {
    if (index + segment.length > limit) break;
    end = index + segment.length;
  }
  if (end > 0) return end;
  const cut = startOf(text, limit);
  return cut > 0 ? cut : Math.min(text.length, limit + 1);
}

/** The offset itself, or the one before where it is inside a surrogate pair. */
function startOf(text: string, at: number): number {
  return at > 0 && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
    ? at - 1
    : at;
}

/** Where to cut a text that is too long: between paragraphs, lines, words, in this order, if not too early. */
function cutAt(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const early = limit / 2;
  for (const mark of ['\n\n', '\n', ' ']) {
    const found = head.lastIndexOf(mark);
    const end = found + mark.length;
    // An accent may stand on a blank.
    if (end > early && !/^[\p{M}\u200d]/u.test(text.slice(end, end + 2))) return end;
  }
  return graphemeEnd(text, limit);
}

/** The longest beginning within the limits, cut at a good place, and what is left. */
export function take(rich: Rich, limits: Limits): { head: Rich; rest: Rich } {
  const text = plainText(rich);
  // A little more than fits is enough to look at.
  const ends = entityEnd(slice(rich, 0, limits.units + 1), limits.entities);
  if (text.length <= limits.units && ends >= text.length) return { head: rich, rest: [] };
  const cut = ends < limits.units && ends < text.length ? graphemeEnd(text, ends) : cutAt(text, limits.units);
  return { head: slice(rich, 0, cut), rest: slice(rich, cut) };
}

/**
 * Parts that each fit into a message and are whole by themselves: no character is cut in two, and what is open at a
 * cut is open again in the next part (B109). Joined they are the text; parts that would show nothing are left out.
 */
export function split(rich: Rich, limits: Limits = messageLimits): Rich[] {
  const parts: Rich[] = [];
  let rest = rich;
  while (rest.length > 0) {
    const next = take(rest, limits);
    if (!isBlank(next.head)) parts.push(next.head);
    rest = next.rest;
  }
  return parts;
}
