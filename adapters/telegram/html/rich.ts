/** One kind of emphasis or block of Telegram's HTML. Two runs share an element when they hold the very same object. */
export type Tag =
  | { kind: 'b' | 'i' | 'u' | 's' | 'code' }
  | { kind: 'pre'; language: string }
  | { kind: 'link'; href: string }
  | { kind: 'quote'; fold: 'folded' | 'open' };

/** Text under tags, outermost first. */
export interface Run {
  readonly text: string;
  readonly tags: readonly Tag[];
}

/**
 * A message before it is HTML: whatever the texts are, `richHtml` makes whole HTML of it, and a part of it is one
 * again. `harmless` texts only: Telegram drops control characters without a word.
 */
export type Rich = readonly Run[];

const style = <K extends 'b' | 'i' | 'u' | 's' | 'code'>(kind: K): { readonly kind: K } => ({ kind });
export const bold: Tag = style('b');
export const italic: Tag = style('i');
export const strike: Tag = style('s');
export const code: Tag = style('code');

export function run(text: string, ...tags: readonly Tag[]): Rich {
  return text === '' ? [] : [{ text, tags }];
}

/** What a person reads. */
export function plainText(rich: Rich): string {
  return rich.map(({ text }) => text).join('');
}

/** UTF-16 units after entity parsing, as Telegram counts them (D32). */
export function richLength(rich: Rich): number {
  return rich.reduce((sum, { text }) => sum + text.length, 0);
}

export function join(parts: readonly Rich[], separator: string): Rich {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [...run(separator), ...part]));
}

const isCode = ({ kind }: Tag): boolean => kind === 'code' || kind === 'pre';

/**
 * Puts everything under one more element. Telegram takes no style and no link around code, and no quote inside another one:
 * there the style is left out, a link's code is plain, and the outer quote stays.
 */
export function under(tag: Tag, rich: Rich): Rich {
  return rich.map(({ text, tags }) => {
    if (tag.kind === 'quote') return { text, tags: [tag, ...tags.filter(({ kind }) => kind !== 'quote')] };
    if (tag.kind === 'link')
      return { text, tags: [tag, ...tags.filter((one) => !isCode(one) && one.kind !== 'link')] };
    const none = tags.some((one) => isCode(one) || one.kind === tag.kind);
    return none ? { text, tags } : { text, tags: [tag, ...tags] };
  });
}
