import type { MessageEntity } from 'grammy/types';
import { badRequest, type Refusal } from './refusal.ts';

/** A text as clients show it. Offsets and lengths are UTF-16 units. */
export interface Formatted {
  text: string;
  entities: MessageEntity[];
}

interface Open {
  name: string;
  attributes: Readonly<Record<string, string>>;
  offset: number;
}

const kinds: Readonly<Record<string, MessageEntity['type']>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
};

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const reference = /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));?/iy;
const attribute = /\s+([^\s=>]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([a-z0-9.-]*)(?=[\s>])))?/iy;

/** The character a reference stands for and its length in the source; any other `&` is text, as with Telegram. */
function decode(html: string, at: number): { text: string; length: number } {
  reference.lastIndex = at;
  const found = reference.exec(html);
  const [whole = '&', hex, decimal, name] = found ?? [];
  const code = hex !== undefined ? parseInt(hex, 16) : Number(decimal ?? 0);
  const text =
    name === undefined ? (code > 0 && code < 0x10ffff ? String.fromCodePoint(code) : '') : references[name];
  return text === undefined || text === '' ? { text: '&', length: 1 } : { text, length: whole.length };
}

function decodeAll(value: string): string {
  let text = '';
  for (let at = 0; at < value.length;) {
    const next = value[at] === '&' ? decode(value, at) : { text: value.charAt(at), length: 1 };
    text += next.text;
    at += next.length;
  }
  return text;
}

const bytes = (html: string, at: number): number => Buffer.byteLength(html.slice(0, at));
const unparsable = (text: string): Refusal => badRequest(`can't parse entities: ${text}`);

/** Reads the start tag at `at`; `end` is behind its `>`. */
function startTag(
  html: string,
  at: number,
): { name: string; attributes: Record<string, string>; end: number } {
  const name = (/^[^\s>]*/u.exec(html.slice(at + 1))?.[0] ?? '').toLowerCase();
  const where = `at byte offset ${bytes(html, at)}`;
  let end = at + 1 + name.length;
  if (end >= html.length) throw unparsable(`Unclosed start tag ${where}`);
  if (kinds[name] === undefined) throw unparsable(`Unsupported start tag "${name}" ${where}`);
  const attributes: Record<string, string> = {};
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(html);
    if (found === null) break;
    const [whole, key = '', double, single, token] = found;
    const value = double ?? single ?? token;
    if (value === undefined && key !== 'expandable') {
      throw unparsable(`Expected equal sign in declaration of an attribute of the tag "${name}" ${where}`);
    }
    attributes[key.toLowerCase()] = decodeAll(value ?? '');
    end += whole.length;
  }
  end += /^\s*/u.exec(html.slice(end, end + 64))?.[0].length ?? 0;
  if (html[end] !== '>') throw unparsable(`Unclosed start tag ${where}`);
  return { name, attributes, end: end + 1 };
}

/** Checks the end tag at `at` against the innermost open one; answers the place behind it. */
function endTag(html: string, at: number, open: Open | undefined): number {
  const where = `at byte offset ${bytes(html, at)}`;
  if (open === undefined) throw unparsable(`Unexpected end tag ${where}`);
  const [whole = '', name = ''] = /^<\/([^\s>]*)\s*>/u.exec(html.slice(at, at + 256)) ?? [];
  if (whole === '') throw unparsable(`Unclosed end tag ${where}`);
  const found = name.toLowerCase();
  if (found !== '' && found !== open.name) {
    throw unparsable(`Unmatched end tag ${where}, expected "</${open.name}>", found "</${found}>"`);
  }
  return at + whole.length;
}

function entityOf({ name, attributes, offset }: Open, text: string): MessageEntity | null {
  const length = text.length - offset;
  if (length === 0) return null;
  if (name === 'a') {
    const url = attributes['href'] ?? text.slice(offset);
    // What is no address loses its link, without an error.
    return /^(?:https?|tg|mailto|tel):/iu.test(url) ? { type: 'text_link', offset, length, url } : null;
  }
  if (name === 'code' && attributes['class']?.startsWith('language-') === true) {
    return { type: 'pre', offset, length, language: attributes['class'].slice(9) };
  }
  const expandable = name === 'blockquote' && 'expandable' in attributes;
  const type = expandable ? 'expandable_blockquote' : (kinds[name] ?? 'bold');
  return { type, offset, length } as MessageEntity;
}

/** Of the entities over the same text, `pre` and `code` push out all but quotes, and a `pre` its own `code`. */
function settled(entities: readonly MessageEntity[]): MessageEntity[] {
  const isCode = ({ type }: MessageEntity): boolean => type === 'pre' || type === 'code';
  const isQuote = ({ type }: MessageEntity): boolean => type.endsWith('blockquote');
  const overlap = (a: MessageEntity, b: MessageEntity): boolean =>
    a.offset < b.offset + b.length && b.offset < a.offset + a.length;
  const same = (a: MessageEntity, b: MessageEntity): boolean =>
    a.offset === b.offset && a.length === b.length;
  const named = entities.filter((one) => 'language' in one);
  const kept = entities.filter(
    (one) => !(one.type === 'pre' && !('language' in one) && named.some((other) => same(one, other))),
  );
  const codes = kept.filter(isCode);
  const quotes = kept.filter(isQuote);
  return kept
    .filter((one) => isCode(one) || isQuote(one) || !codes.some((code) => overlap(one, code)))
    .filter(
      (one) =>
        !isQuote(one) || !quotes.some((other) => other !== one && overlap(one, other) && inside(one, other)),
    )
    .toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

const inside = (one: MessageEntity, other: MessageEntity): boolean =>
  one.offset >= other.offset &&
  one.offset + one.length <= other.offset + other.length &&
  one.length < other.length;

/** Text and entities of `parse_mode: HTML`, as strict as the service; throws the `Refusal` that it would answer. */
export function parseHtml(html: string): Formatted {
  const stack: Open[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  for (let at = 0; at < html.length;) {
    const character = html.charAt(at);
    if (character === '&') {
      const next = decode(html, at);
      text += next.text;
      at += next.length;
    } else if (character !== '<') {
      text += character;
      at += 1;
    } else if (html[at + 1] === '/') {
      at = endTag(html, at, stack.at(-1));
      const open = stack.pop();
      const entity = open === undefined ? null : entityOf(open, text);
      if (entity !== null) entities.push(entity);
    } else {
      const { name, attributes, end } = startTag(html, at);
      stack.push({ name, attributes, offset: text.length });
      at = end;
    }
  }
  const left = stack.at(-1);
  if (left !== undefined) throw unparsable(`Can't find end tag corresponding to start tag "${left.name}"`);
  return { text, entities: settled(entities) };
}
