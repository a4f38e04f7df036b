import type { MessageEntity } from 'grammy/types';
import { type Formatted, parseHtml } from './html.ts';
import { badRequest } from './refusal.ts';

const limits = { text: 4096, caption: 1024, entities: 100 } as const;
// What the service turns into a blank, and what it leaves out.
// eslint-disable-next-line no-control-regex -- the service does it to control characters
const controls = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/gu;
const dropped = /[\r\u2028-\u202e]/u;
const invisible = /^[\s\p{Cf}\u115f\u1160\u3164\uffa0]*$/u;

/** Leaves out characters, the entities moved along. */
function without({ text, entities }: Formatted, pattern: RegExp): Formatted {
  if (!pattern.test(text)) return { text, entities };
  const before = [0];
  for (let at = 0; at < text.length; at += 1) {
    before.push((before[at] ?? 0) + (pattern.test(text.charAt(at)) ? 1 : 0));
  }
  const moved = (at: number): number => at - (before[at] ?? 0);
  return {
    text: Array.from(text)
      .filter((character) => !pattern.test(character))
      .join(''),
    entities: entities.map((one) => {
      const offset = moved(one.offset);
      return { ...one, offset, length: moved(one.offset + one.length) - offset };
    }),
  };
}

/** Cuts the ends as the service does: all white space behind, blanks and line ends before the first entity. */
function trimmed({ text, entities }: Formatted): Formatted {
  const visible = entities.filter(({ offset, length }) => text.slice(offset, offset + length).trim() !== '');
  const end = text.trimEnd().length;
  const lead = /^[ \n]*/u.exec(text.slice(0, Math.min(end, visible[0]?.offset ?? end)))?.[0].length ?? 0;
  return {
    text: text.slice(lead, end),
    entities: visible.map((one): MessageEntity => {
      const stop = Math.min(one.offset + one.length, end);
      return { ...one, offset: one.offset - lead, length: stop - one.offset };
    }),
  };
}

/** The text of a call as it is stored: parsed, cleaned, cut, within its limit. Throws a `Refusal`. */
export function formatted(source: string, mode: string | undefined, kind: 'text' | 'caption'): Formatted {
  if (!source.isWellFormed()) throw badRequest('strings must be encoded in UTF-8');
  const parsed = mode?.toLowerCase() === 'html' ? parseHtml(source) : { text: source, entities: [] };
  const clean = without({ ...parsed, text: parsed.text.replace(controls, ' ') }, dropped);
  if (invisible.test(clean.text)) {
    if (kind === 'caption') return { text: '', entities: [] };
    throw badRequest(source === '' ? 'message text is empty' : 'text must be non-empty');
  }
  const { text, entities } = trimmed(clean);
  if (text.length > limits[kind]) {
    throw badRequest(kind === 'text' ? 'message is too long' : 'message caption is too long');
  }
  return { text, entities: entities.slice(0, limits.entities) };
}
