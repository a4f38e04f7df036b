import type { Rich, Tag } from './rich.ts';

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"]/gu, (found) => references[found] ?? found);
}

function opening(tag: Tag): string {
  switch (tag.kind) {
    case 'pre':
      return tag.language === '' ? '<pre>' : `<pre><code class="language-${escaped(tag.language)}">`;
    case 'link':
      return `<a href="${escaped(tag.href)}">`;
    case 'quote':
      return tag.fold === 'folded' ? '<blockquote expandable>' : '<blockquote>';
    case 'b':
    case 'i':
    case 'u':
    case 's':
    case 'code':
      return `<${tag.kind}>`;
  }
}

function closing(tag: Tag): string {
  switch (tag.kind) {
    case 'pre':
      return tag.language === '' ? '</pre>' : '</code></pre>';
    case 'link':
      return '</a>';
    case 'quote':
      return '</blockquote>';
    case 'b':
    case 'i':
    case 'u':
    case 's':
    case 'code':
      return `</${tag.kind}>`;
  }
}

/** How many of the outer elements stay open from one run to the next. */
export function shared(open: readonly Tag[], next: readonly Tag[]): number {
  let count = 0;
  while (count < open.length && open[count] === next[count]) count += 1;
  return count;
}

/** HTML for `parse_mode: HTML`; every tag is closed and every text escaped, whatever it is. */
export function richHtml(rich: Rich): string {
  let html = '';
  let open: readonly Tag[] = [];
  const change = (next: readonly Tag[]): void => {
    const kept = shared(open, next);
    html += open.slice(kept).toReversed().map(closing).join('') + next.slice(kept).map(opening).join('');
    open = next;
  };
  for (const { text, tags } of rich) {
    if (text === '') continue;
    change(tags);
    html += escaped(text);
  }
  change([]);
  return html;
}

/** How many elements the HTML opens: Telegram takes no more than a hundred in one message. */
export function entityCount(rich: Rich): number {
  let open: readonly Tag[] = [];
  let count = 0;
  for (const { text, tags } of rich) {
    if (text === '') continue;
    count += tags.length - shared(open, tags);
    open = tags;
  }
  return count;
}
